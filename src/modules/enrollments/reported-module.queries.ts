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

/** Selects the module of a report; `studentId` and `portalId` must match it. */
export interface ModuleReportParams {
  statusRowId: number
  studentId?: number | undefined
  portalId?: number | undefined
}

/** Selects the learner and the module of a status row; no row if the caller may not see the learner. */
export const selectReportedModule = (db: Database, caller: Caller, type: ModuleType, params: ModuleReportParams) =>
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
        isStatusOf(parseStatusRowId(params.statusRowId)),
        canSeeUser(caller, users.id),
        params.studentId === undefined ? undefined : eq(users.id, params.studentId),
        params.portalId === undefined ? undefined : inPortal(users.id, params.portalId),
      ),
    )
