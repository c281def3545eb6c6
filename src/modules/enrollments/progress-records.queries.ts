import { and, eq, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import { rowList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { pluralize, summarizeOutcome } from "../../lib/text/words.ts"
import { recordModuleStatuses } from "./module-records.queries.ts"
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

const member = (name: keyof ReturnType<typeof toRow>) => jsonField(name)

/**
 * Records progress in modules with the dates of another system, in two trips. No lock, date, least time or type holds
 * it up. What has a state already stays as it is; records of unknown registrations, and of modules that are not in
 * their course, are skipped.
 */
export async function importProgress(work: UnitOfWork, { records: given }: ProgressRecords) {
  const { db } = work
  const records = rowList(given.map(toRow))
  const places = sql`
    from ${records}
    cross join ${enrollments} on ${enrollments.id} = ${member("registrationId")}
    join ${courseModules} on ${courseModules.courseId} = ${enrollments.courseId}
      and ${courseModules.moduleId} = ${member("moduleId")}`
  const [found] = await work.read([
    db
      .select({
        known: sql<number>`count(*)`.as("known"),
        already: sql<number>`count(${moduleStatuses.status})`.as("already"),
      })
      .from(sql`(
        select ${enrollments.id} as registration_id, ${courseModules.moduleId} as named_module_id
        ${places}
      ) as place`)
      .leftJoin(
        moduleStatuses,
        and(
          eq(moduleStatuses.enrollmentId, sql`place.registration_id`),
          eq(moduleStatuses.moduleId, sql`place.named_module_id`),
        ),
      ),
  ])
  const { known, already: alreadyRecorded } = firstRow(found)
  const recorded = known - alreadyRecorded
  const skipped = given.length - known
  const message = summarizeOutcome({
    done: `${pluralize(recorded, "module state")} recorded.`,
    already: alreadyRecorded,
    skipped,
    because: "no such registration, or no module of its course.",
  })
  const answer = { message, recorded, alreadyRecorded, skipped }
  if (recorded === 0) return work.commit([], answer)
  const missing = sql`
    ${places}
    where not exists (
      select 1
      from ${moduleStatuses}
      where ${moduleStatuses.enrollmentId} = ${enrollments.id}
        and ${moduleStatuses.moduleId} = ${courseModules.moduleId}
    )`
  return work.commit(
    [
      work.guard(sql`(select count(*) ${missing}) = ${recorded}`),
      work.auditMany(
        "updated",
        "module progress",
        sql`
          select null as id, ${pluralize(recorded, "recorded module state")} as name,
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
          status: member("status"),
          percent: member("percent"),
          timeSpent: member("timeSpent"),
          startedAt: member("startedAt"),
          completedAt: member("completedAt"),
          lastAccessedAt: member("lastAccessedAt"),
        },
        missing,
        given.map(({ registrationId }) => registrationId),
      ),
    ],
    answer,
  )
}
