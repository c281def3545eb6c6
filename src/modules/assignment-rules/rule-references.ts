import { eq, type SQL, sql } from "drizzle-orm"
import type { assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { groups } from "../../../drizzle/schema/groups.ts"
import { learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { administersGroup, administersPortal } from "../../access/scope.ts"
import { existingRecords } from "../../db/records.ts"
import { rowExists, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers, isSupervisor } from "../../lib/caller.ts"
import { invalid } from "../../lib/errors.ts"
import { isAssignable, isAssignablePath } from "./rule-scope.ts"

// What a rule refers to, for the first round trip.

type Rule = typeof assignmentRules.$inferSelect
/** The group or portal to which a rule is limited. */
export type Owner = Pick<Rule, "groupId" | "portalId">

/** @throws 422 for a supervisor's rule without a group or portal */
export function requireRuleOwner(caller: Caller, { groupId, portalId }: Owner) {
  if (isSupervisor(caller) && groupId === null && portalId === null)
    throw invalid("groupId", "groupId or portalId is required: supervisors make rules for a group or portal.")
}

/** The field of the due date, which must be a date field. */
export const dateFieldsOf = ({ due }: { due?: Rule["due"] | undefined }) =>
  due?.type === "days" && due.from === "field" ? [due.field] : []

export const selectAssignableCourses = (work: UnitOfWork, ids: number[], groupId: SQL) =>
  existingRecords(work.db, courses, ids, isAssignable(work.caller, groupId))
export const selectAssignablePaths = (work: UnitOfWork, ids: number[], groupId: SQL) =>
  existingRecords(work.db, learningPaths, ids, isAssignablePath(work.caller, groupId))

/** Whether the caller may make rules for the group or portal: one row, `allowed`. */
export function selectOwnerAccess({ db, caller }: UnitOfWork, { groupId, portalId }: Owner) {
  const seesAll = canSeeAllUsers(caller)
  const allowed =
    groupId !== null
      ? seesAll
        ? rowExists(groups, eq(groups.id, groupId))
        : administersGroup(caller, groupId)
      : portalId !== null
        ? seesAll
          ? rowExists(portals, eq(portals.id, portalId))
          : administersPortal(caller, portalId)
        : sql`1`
  return db.select({ allowed: sql<number>`${allowed}`.as("allowed") }).from(SINGLE_ROW)
}
