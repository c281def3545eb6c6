import { eq, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleOpenings } from "../../../drizzle/schema/enrollments.ts"
import { canManageUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { requireExisting } from "../../db/records.ts"
import { selectFrom } from "../../db/select.ts"
import { idList, rowList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { isoTime, isoTimeOrNull } from "../../lib/text/dates.ts"
import type { ModuleAccessChanges } from "./module-access.schemas.ts"
import { courseOpensAt, selectModuleRows } from "./module-rows.ts"
import { guardEnrollmentsExist } from "./registrations.queries.ts"

// When modules open for one learner, instead of the dates of the course.

const ENROLLMENT = { userId: enrollments.userId, registeredAt: enrollments.registeredAt, courseName: courses.name }

const selectManaged = (db: Database, caller: Caller, id: number) =>
  selectFrom(
    db,
    ENROLLMENT,
    sql`from ${enrollments} cross join ${courses} on ${courses.id} = ${enrollments.courseId}
      where ${enrollments.id} = ${id} and ${canManageUser(caller, enrollments.userId)}`,
  )

/** Lists when the modules of an enrollment open. @throws 404 unless the caller manages the learner */
export async function getModuleAccess(db: Database, caller: Caller, id: number) {
  const [[enrollment], rows] = await db.batch([selectManaged(db, caller, id), selectModuleRows(db, id)])
  if (!enrollment) throw notFound("registration")
  return {
    registrationId: id,
    modules: rows.map((row) => ({
      module_id: row.moduleId,
      name: row.name,
      opensAt: isoTimeOrNull(row.ownOpensAt),
      courseOpensAt: isoTime(courseOpensAt(row, enrollment)),
    })),
  }
}

/** Sets when modules open for a learner. Modules that are not named keep their date. @throws 404, 422 */
export async function setModuleAccess(work: UnitOfWork, id: number, { modules }: ModuleAccessChanges) {
  const { db, caller } = work
  const [[enrollment], rows] = await work.read([selectManaged(db, caller, id), selectModuleRows(db, id)])
  if (!enrollment) throw notFound("registration")
  requireExisting(
    "modules",
    modules.map((row) => row.module_id),
    rows.map((row) => ({ id: row.moduleId })),
  )
  const current = new Map(rows.map((row) => [row.moduleId, row.ownOpensAt]))
  const changed = modules.filter(({ module_id, opensAt }) => current.get(module_id) !== opensAt)
  const answer = { message: "Module access updated." }
  if (changed.length === 0) return work.commit([], answer)
  const ids = changed.map((row) => row.module_id)
  return work.commit(
    [
      guardEnrollmentsExist(work, [id]),
      db
        .delete(moduleOpenings)
        .where(sql`${eq(moduleOpenings.enrollmentId, id)} and ${moduleOpenings.moduleId} in ${idList(ids)}`),
      insertFrom(
        db,
        moduleOpenings,
        { enrollmentId: id, moduleId: jsonField("module_id"), opensAt: jsonField("opensAt") },
        sql`from ${rowList(changed.filter(({ opensAt }) => opensAt !== null))} where true`,
      ),
      work.audit(
        "updated",
        "enrollment",
        { id, name: enrollment.courseName },
        { userId: enrollment.userId, modules: changed.map((row) => ({ id: row.module_id, opensAt: row.opensAt })) },
      ),
    ],
    answer,
  )
}
