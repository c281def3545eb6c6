import { type SQL, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import type { ModuleType } from "../../../drizzle/schema/modules.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import type { Database } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import { rowList } from "../../db/sql.ts"
import { resolveModule } from "./module-progress.queries.ts"

// What was done in another system belongs to a module of a registration: quiz attempts and submissions are placed here.

/** A record of another system: of a module status, or of a registration and a module where there may be none yet. */
interface Given {
  statusRowId?: number | undefined
  registrationId?: number | undefined
  moduleId?: number | undefined
  submitted_on: number
}

/** When a record was handed in, for the columns of `resolveRecords`. */
export const SUBMITTED_AT = sql`named.submitted_at`

/**
 * Where records belong: a row for each that names a module of that type in a registration's course.
 * @param more further columns of it
 * @returns with each its place in the call, `at`
 */
export function resolveRecords<F extends Record<string, SQL.Aliased>>(
  db: Database,
  given: Given[],
  type: ModuleType,
  more: F,
) {
  const wanted = given.map((record, at) => ({
    at,
    ...resolveModule(record),
    submittedAt: record.submitted_on,
  }))
  const member = (name: keyof (typeof wanted)[number]) => jsonField(name)
  return db
    .select({
      at: sql<number>`named.at`.as("at"),
      enrollmentId: sql<number>`${enrollments.id}`.as("enrollment_id"),
      userId: sql<number>`${enrollments.userId}`.as("user_id"),
      courseId: sql<number>`${enrollments.courseId}`.as("course_id"),
      moduleId: sql<number>`${modules.id}`.as("module_id"),
      statusRowId: sql<number | null>`${moduleStatuses.id}`.as("status_row_id"),
      ...more,
    })
    .from(sql`(
      select ${member("at")} as at,
        ${member("submittedAt")} as submitted_at,
        ${member("enrollmentId")} as enrollment_id,
        ${member("moduleId")} as module_id
      from ${rowList(wanted)}
    ) as named`)
    .innerJoin(enrollments, sql`${enrollments.id} = named.enrollment_id`)
    .innerJoin(
      courseModules,
      sql`${courseModules.courseId} = ${enrollments.courseId} and ${courseModules.moduleId} = named.module_id`,
    )
    .innerJoin(modules, sql`${modules.id} = named.module_id and ${modules.type} = ${type}`)
    .leftJoin(
      moduleStatuses,
      sql`${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.moduleId} = ${modules.id}`,
    )
}
