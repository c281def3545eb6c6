import { and, eq, sql } from "drizzle-orm"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import type { ModuleType } from "../../../drizzle/schema/modules.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canSeeUser, inPortal } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { fullNameIn } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { isStatusOf, parseStatusRowId } from "./module-statuses.queries.ts"

/** Whose module a single-file report is about; `studentId` and `portalId` must agree with it. */
export interface ModuleReportParams {
  statusRowId: number
  studentId?: number | undefined
  portalId?: number | undefined
}

/** The learner and the module of a status row, within the caller's reach: a statement of one row, or none. */
export const selectReportedModule = (db: Database, caller: Caller, type: ModuleType, of: ModuleReportParams) =>
  db
    .select({
      userId: sql<number>`${users.id}`.as("user_id"),
      learner: fullNameIn().as("learner_name"),
      module: sql<string>`${modules.name}`.as("module_name"),
      status: moduleStatuses.status,
    })
    .from(moduleStatuses)
    .innerJoin(modules, sql`${modules.id} = ${moduleStatuses.moduleId} and ${modules.type} = ${type}`)
    .innerJoin(enrollments, eq(enrollments.id, moduleStatuses.enrollmentId))
    .innerJoin(users, eq(users.id, enrollments.userId))
    .where(
      and(
        isStatusOf(parseStatusRowId(of.statusRowId)),
        canSeeUser(caller, users.id),
        of.studentId === undefined ? undefined : eq(users.id, of.studentId),
        of.portalId === undefined ? undefined : inPortal(users.id, of.portalId),
      ),
    )
