import { eq, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/courses.ts"
import { enrolments } from "../../../drizzle/enrolments.ts"
import { modules } from "../../../drizzle/modules.ts"
import { quizAttempts } from "../../../drizzle/quizzes.ts"
import { ofMembers, ofNamed, subjectOf } from "../../gate/audience.ts"
import type { Caller } from "../../lib/access.ts"
import { joined, type Sheet, sheet, sheetOfMany } from "../../lib/sheet/sheet.ts"
import type { Database } from "../../lib/sql/db.ts"
import { fullName } from "../../lib/text/words.ts"
import { enrolmentTally } from "../learning/enrolment-lists.queries.ts"
import { enrolledCourseName, LEARNER } from "../learning/registration-columns.ts"
import { quizSheetColumns } from "./quiz-attempt-columns.ts"
import { attemptScope, attemptSearch } from "./quiz-report.queries.ts"
import type { QuizExport } from "./quiz-reports.schemas.ts"

/**
 * What the list shows: the attempts that the caller may see and its filter admits, in the order of their ids; then,
 * where their status is asked for, the quizzes not tried, by registration. Time taken is in seconds.
 */
export async function openQuizSheet(db: Database, caller: Caller, filter: QuizExport): Promise<Sheet> {
  const statuses = filter.search_param.status ?? []
  if (!statuses.includes("Not Started")) return openAttempts(db, caller, filter)
  const untried = openUntried(db, caller, filter)
  return statuses.every((status) => status === "Not Started")
    ? untried
    : joined(openAttempts(db, caller, filter), untried)
}

const openAttempts = (db: Database, caller: Caller, filter: QuizExport): Sheet =>
  sheet(db, {
    headers: quizSheetColumns.names,
    walk: {
      table: quizAttempts,
      key: quizAttempts.id,
      fields: quizSheetColumns.fields,
      filters: [...attemptSearch(filter.search_param, filter.searchPortalIds), ...attemptScope(caller)],
    },
    toCells: quizSheetColumns.toCells,
  })

/** A registration's quizzes without an attempt, as a JSON array of name and points. */
const untriedQuizzes = sql<string>`(
  select json_group_array(json_array(${modules.name}, ${modules.totalPoints}))
  from ${courseModules} join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${modules.type} = 'quiz'
  where ${courseModules.courseId} = ${enrolments.courseId} and not exists (
    select 1 from ${quizAttempts}
    where ${quizAttempts.enrolmentId} = ${enrolments.id} and ${quizAttempts.moduleId} = ${modules.id}
  )
)`

function openUntried(db: Database, caller: Caller, { search_param: search, searchPortalIds }: QuizExport): Sheet {
  const { nameOrEmail, courseId } = search
  const { key, scope } = subjectOf(caller, {})
  const people = [
    ...(nameOrEmail ? [ofNamed(nameOrEmail)] : []),
    ...(searchPortalIds ? [ofMembers(searchPortalIds)] : []),
  ]
  return sheetOfMany(db, {
    headers: quizSheetColumns.names,
    walk: {
      table: enrolments,
      key: enrolments.id,
      fields: {
        learner: LEARNER.as("learner_json"),
        course: enrolledCourseName.as("course_name"),
        quizzes: untriedQuizzes.as("untried_quizzes"),
      },
      filters: [...people, ...scope, ...(courseId ? [{ test: eq(enrolments.courseId, courseId) }] : [])],
      ...(people.length === 0 && { total: enrolmentTally(key, scope.length > 0 ? 0 : (courseId ?? 0)) }),
    },
    toRows: (row) => {
      const quizzes: [string, number][] = JSON.parse(row.quizzes)
      return quizzes.map(([name, points]) => [
        fullName(row.learner),
        row.learner.email,
        row.course,
        name,
        0,
        "Not Started",
        "",
        "",
        null,
        null,
        points,
        null,
        "",
      ])
    },
  })
}
