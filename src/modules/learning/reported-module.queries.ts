import { and, eq, sql } from "drizzle-orm"
import { enrolments, moduleStatuses } from "../../../drizzle/enrolments.ts"
import { modules } from "../../../drizzle/modules.ts"
import { portalMembers } from "../../../drizzle/portals.ts"
import { users } from "../../../drizzle/users.ts"
import { mayKnow } from "../../gate/scope.ts"
import type { Caller } from "../../lib/access.ts"
import type { Database } from "../../lib/sql/db.ts"
import type { ModuleType } from "../catalogue/modules.schemas.ts"

/** Whose module a single-file report is about; `studentId` and `portalId` must agree with it. */
export interface ReportOf {
  statusRowId: number
  studentId?: number | undefined
  portalId?: number | undefined
}

/** The learner and the module of a status row, within the caller's reach: a statement of one row, or none. */
export const reportedModule = (db: Database, caller: Caller, type: ModuleType, of: ReportOf) =>
  db
    .select({
      userId: sql<number>`${users.id}`.as("user_id"),
      learner: sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`.as("learner_name"),
      module: sql<string>`${modules.name}`.as("module_name"),
      status: moduleStatuses.status,
    })
    .from(moduleStatuses)
    .innerJoin(modules, sql`${modules.id} = ${moduleStatuses.moduleId} and ${modules.type} = ${type}`)
    .innerJoin(enrolments, eq(enrolments.id, moduleStatuses.enrolmentId))
    .innerJoin(users, eq(users.id, enrolments.userId))
    .where(
      and(
        eq(moduleStatuses.id, of.statusRowId),
        mayKnow(caller, users.id),
        of.studentId === undefined ? undefined : eq(users.id, of.studentId),
        of.portalId === undefined
          ? undefined
          : sql`exists (select 1 from ${portalMembers} where ${portalMembers.portalId} = ${of.portalId} and ${portalMembers.userId} = ${users.id})`,
      ),
    )
