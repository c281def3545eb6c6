import { and, eq, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import { rowList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { pluralize, summarizeOutcome } from "../../lib/text/words.ts"
import { isOpened, recordModuleStatuses } from "./module-records.queries.ts"
import type { ProgressRecord, ProgressRecords } from "./progress.schemas.ts"

const toRow = ({
  registrationId,
  moduleId,
  started_on,
  completed_on,
  percentage = 0,
  timeSpent = 0,
}: ProgressRecord) => ({
  registrationId,
  moduleId,
  status: completed_on ? ModuleStatus.Completed : ModuleStatus.InProgress,
  percent: completed_on ? 100 : percentage,
  timeSpent,
  startedAt: started_on ?? completed_on ?? 0,
  completedAt: completed_on ?? 0,
  lastAccessedAt: completed_on ?? started_on ?? 0,
})

const recordField = (name: keyof ReturnType<typeof toRow>) => jsonField(name)

/**
 * Imports module progress from another system, in two round trips. Locks, dates, minimum times and module types are not
 * checked. Modules that were opened already are not changed; records of unknown enrollments, and of modules outside their
 * course, are skipped.
 */
export async function importProgress(work: UnitOfWork, { records: inputs }: ProgressRecords) {
  const { db } = work
  const records = rowList(inputs.map(toRow))
  const fromRecordedModules = sql`
    from ${records}
    cross join ${enrollments} on ${enrollments.id} = ${recordField("registrationId")}
    join ${courseModules} on ${courseModules.courseId} = ${enrollments.courseId}
      and ${courseModules.moduleId} = ${recordField("moduleId")}`
  const [found] = await work.read([
    db
      .select({
        known: sql<number>`count(*)`.as("known"),
        already: sql<number>`count(${moduleStatuses.status})`.as("already"),
      })
      .from(sql`(
        select ${enrollments.id} as registration_id, ${courseModules.moduleId} as module_id
        ${fromRecordedModules}
      ) as recorded`)
      .leftJoin(
        moduleStatuses,
        and(
          eq(moduleStatuses.enrollmentId, sql`recorded.registration_id`),
          eq(moduleStatuses.moduleId, sql`recorded.module_id`),
          isOpened,
        ),
      ),
  ])
  const { known, already: alreadyRecorded } = firstRow(found)
  const recorded = known - alreadyRecorded
  const skipped = inputs.length - known
  const message = summarizeOutcome({
    done: `${pluralize(recorded, "module status", "module statuses")} recorded.`,
    already: alreadyRecorded,
    skipped,
    because: "the registration doesn't exist, or the module isn't in its course.",
  })
  const answer = { message, recorded, alreadyRecorded, skipped }
  if (recorded === 0) return work.commit([], answer)
  const missing = sql`
    ${fromRecordedModules}
    where not exists (
      select 1
      from ${moduleStatuses}
      where ${moduleStatuses.enrollmentId} = ${enrollments.id}
        and ${moduleStatuses.moduleId} = ${courseModules.moduleId} and ${isOpened}
    )`
  return work.commit(
    [
      work.guard(sql`(select count(*) ${missing}) = ${recorded}`),
      work.auditMany(
        "updated",
        "module progress",
        sql`
          select null as id, ${pluralize(recorded, "recorded module status", "recorded module statuses")} as name,
            json_object(
              'registration_ids', json_group_array(distinct ${enrollments.id}),
              'user_ids', json_group_array(distinct ${enrollments.userId})
            ) as details
          ${missing}`,
      ),
      ...recordModuleStatuses(
        work,
        {
          enrollmentId: sql`${enrollments.id}`,
          moduleId: sql`${courseModules.moduleId}`,
          status: recordField("status"),
          percent: recordField("percent"),
          timeSpent: recordField("timeSpent"),
          startedAt: recordField("startedAt"),
          completedAt: recordField("completedAt"),
          lastAccessedAt: recordField("lastAccessedAt"),
        },
        missing,
        inputs.map(({ registrationId }) => registrationId),
      ),
    ],
    answer,
  )
}
