import { type SQL, sql } from "drizzle-orm"
import { pathProgress, pathStanding, standsElsewhere } from "../../../drizzle/rules.ts"
import { learningPathEnrollments } from "../../../drizzle/schema/learning-paths.ts"
import type { Database } from "../../db/client.ts"

const STANDING = pathStanding({ kept: "true" })

/**
 * Brings path registrations up to the registrations in the courses. No percent falls and no Completed is undone.
 * Changes of a course registration do the same by triggers.
 * @param which a condition on the path registrations
 */
export function catchUp(db: Database, which: SQL) {
  const own = db.$with("own").as(db.select().from(learningPathEnrollments).where(which))
  return db
    .with(own)
    .update(learningPathEnrollments)
    .set({
      completedCourses: sql.raw(STANDING.completed_courses),
      certificateCount: sql.raw(STANDING.certificate_count),
      percent: sql.raw(STANDING.percent),
      status: sql.raw(STANDING.status),
      startedAt: sql.raw(STANDING.started_at),
      completedAt: sql.raw(STANDING.completed_at),
    })
    .from(sql`(${sql.raw(pathProgress("own", "true"))}) as progress`)
    .where(sql`${learningPathEnrollments.id} = progress.id and ${sql.raw(standsElsewhere(STANDING))}`)
}
