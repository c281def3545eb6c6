import { type SQL, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { type ModuleType, modules } from "../../../drizzle/schema/modules.ts"
import type { Database } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import { rowList } from "../../db/sql.ts"
import { resolveModule } from "./module-progress.queries.ts"

// Finds the enrollments and modules of quiz attempts and submissions that are imported from another system.

/** An imported record: it names a status row, or an enrollment and a module. */
interface RecordedItem {
  statusRowId?: number | undefined
  registrationId?: number | undefined
  moduleId?: number | undefined
  submitted_on: number
}

/** When the record was submitted, for `extraFields` of `resolveRecords`. */
export const SUBMITTED_AT = sql`record.submitted_at`

/**
 * Selects a row for each record that names a module of this type in its enrollment's course.
 * @param extraFields additional columns
 * @returns rows whose `index` is the record's position in the request
 */
export function resolveRecords<F extends Record<string, SQL.Aliased>>(
  db: Database,
  records: RecordedItem[],
  type: ModuleType,
  extraFields: F,
) {
  const recordRows = records.map((record, index) => ({
    index,
    ...resolveModule(record),
    submittedAt: record.submitted_on,
  }))
  const recordField = (name: keyof (typeof recordRows)[number]) => jsonField(name)
  return db
    .select({
      index: sql<number>`record.position`.as("position"),
      enrollmentId: sql<number>`${enrollments.id}`.as("enrollment_id"),
      userId: sql<number>`${enrollments.userId}`.as("user_id"),
      courseId: sql<number>`${enrollments.courseId}`.as("course_id"),
      moduleId: sql<number>`${modules.id}`.as("module_id"),
      statusRowId: sql<number | null>`${moduleStatuses.id}`.as("status_row_id"),
      ...extraFields,
    })
    .from(sql`(
      select ${recordField("index")} as position,
        ${recordField("submittedAt")} as submitted_at,
        ${recordField("enrollmentId")} as enrollment_id,
        ${recordField("moduleId")} as module_id
      from ${rowList(recordRows)}
    ) as record`)
    .innerJoin(enrollments, sql`${enrollments.id} = record.enrollment_id`)
    .innerJoin(
      courseModules,
      sql`${courseModules.courseId} = ${enrollments.courseId} and ${courseModules.moduleId} = record.module_id`,
    )
    .innerJoin(modules, sql`${modules.id} = record.module_id and ${modules.type} = ${type}`)
    .leftJoin(
      moduleStatuses,
      sql`${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.moduleId} = ${modules.id}`,
    )
}
