import { type SQL, sql } from "drizzle-orm"
import { announcements } from "../../../drizzle/schema/announcements.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { type MediaSource, media, mediaUses } from "../../../drizzle/schema/media.ts"
import { modules, quizQuestions } from "../../../drizzle/schema/modules.ts"
import { bankQuestions, quizDraws } from "../../../drizzle/schema/question-bank.ts"
import { literal } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { isForUser, isNotExpired } from "../announcements/announcement-readers.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import { hasOpened } from "../courses/modules.queries.ts"
import { canSeePath } from "../enrollments/learning-paths.queries.ts"

/** The condition that the caller may see a file: staff all, others those of a record that they may see. */
export function canSeeMedia(caller: Caller): SQL {
  if (canSeeAllUsers(caller)) return sql`1`
  const sources: Record<MediaSource, SQL> = {
    module: sql`select 1 from ${modules} where ${modules.id} = ${mediaUses.sourceId} and ${hasOpened(caller)}`,
    course: sql`select 1 from ${courses} where ${courses.id} = ${mediaUses.sourceId} and ${canSeeCourse(caller)}`,
    learning_path: sql`
      select 1 from ${learningPaths} where ${learningPaths.id} = ${mediaUses.sourceId} and ${canSeePath(caller)}`,
    announcement: sql`
      select 1 from ${announcements}
      where ${announcements.id} = ${mediaUses.sourceId} and ${isNotExpired()} and ${isForUser(caller.id)}`,
    quiz_question: sql`
      select 1 from ${quizQuestions} join ${modules} on ${modules.id} = ${quizQuestions.moduleId}
      where ${quizQuestions.id} = ${mediaUses.sourceId} and ${hasOpened(caller)}`,
    quiz_version: sql`select 1 from ${modules} where ${modules.id} = ${mediaUses.sourceId} and ${hasOpened(caller)}`,
    bank_question: sql`
      select 1 from ${bankQuestions}
      join ${quizDraws} on ${quizDraws.poolId} = ${bankQuestions.poolId}
      join ${modules} on ${modules.id} = ${quizDraws.moduleId}
      where ${bankQuestions.id} = ${mediaUses.sourceId} and ${hasOpened(caller)}`,
    badge: sql`select 1`,
    settings: sql`select 1`,
    portal: sql`select 1`,
  }
  const isVisible = Object.entries(sources).map(
    ([source, query]) => sql`(${mediaUses.source} = ${literal(source)} and exists (${query}))`,
  )
  return sql`exists (
    select 1 from ${mediaUses}
    where ${mediaUses.mediaId} = ${media.id} and (${sql.join(isVisible, sql` or `)})
  )`
}
