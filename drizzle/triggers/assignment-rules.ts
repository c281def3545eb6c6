import { getTableName } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { assignmentClaims, assignmentMembers, assignmentRules } from "../schema/assignment-rules.ts"
import { userCategories } from "../schema/categories.ts"
import { customFieldValues } from "../schema/custom-fields.ts"
import { groupMembers } from "../schema/groups.ts"
import { learningPathCourses } from "../schema/learning-paths.ts"
import { portalMembers } from "../schema/portals.ts"
import { users } from "../schema/users.ts"
import { type DatabaseObject, searchIndex, trigger } from "./declare.ts"

// Counts of assignment rules, and the users and rules that must be evaluated again.

const countMembers = (sign: "+" | "-", row: "old" | "new") =>
  `UPDATE assignment_rules SET user_count = user_count ${sign} 1 WHERE id = ${row}.rule_id`

const countPending = (sign: "+" | "-", row: "old" | "new") =>
  `UPDATE assignment_rules SET pending_count = pending_count ${sign} 1 WHERE id = ${row}.rule_id`

/** Notes that a user must be evaluated, if there is an active rule. */
const queueUser = (id: string) => `
  INSERT INTO assignment_queue (user_id)
  SELECT ${id} WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = ${id})
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1`

/** Queues the users of rows that are inserted and deleted. */
const queueUsersOf = (table: SQLiteTable): DatabaseObject[] => [
  trigger(`${getTableName(table)}_queued`, { on: table, after: "insert" }, queueUser("new.user_id")),
  trigger(`${getTableName(table)}_unqueued`, { on: table, after: "delete" }, queueUser("old.user_id")),
]

/** Rules with a learning path are evaluated again when its courses change. */
const runRulesOf = (row: "old" | "new") => `
  UPDATE assignment_rules SET next_run_at = 0
  WHERE active AND next_run_at > 0 AND id IN (
    SELECT rule_id FROM assignment_rule_paths WHERE learning_path_id = ${row}.learning_path_id)`

const watched = [users.userType, users.disabled, users.membershipId, users.membershipExpiresAt, users.timeZone]

export const assignmentTriggers: DatabaseObject[] = [
  ...searchIndex(assignmentRules),
  trigger("assignment_members_inserted", { on: assignmentMembers, after: "insert" }, countMembers("+", "new")),
  trigger("assignment_members_deleted", { on: assignmentMembers, after: "delete" }, countMembers("-", "old")),
  trigger(
    "assignment_claims_pending_inserted",
    { on: assignmentClaims, after: "insert", if: "new.pending" },
    countPending("+", "new"),
  ),
  trigger(
    "assignment_claims_pending_deleted",
    { on: assignmentClaims, after: "delete", if: "old.pending" },
    countPending("-", "old"),
  ),
  trigger(
    "assignment_claims_pending_changed",
    { on: assignmentClaims, after: "update", of: [assignmentClaims.pending], if: "old.pending <> new.pending" },
    `UPDATE assignment_rules SET pending_count = pending_count + new.pending - old.pending WHERE id = new.rule_id`,
  ),
  trigger("users_queued", { on: users, after: "insert" }, queueUser("new.id")),
  trigger(
    "users_changed_queued",
    {
      on: users,
      after: "update",
      of: watched,
      if: watched.map(({ name }) => `old.${name} IS NOT new.${name}`).join(" OR "),
    },
    queueUser("new.id"),
  ),
  ...[groupMembers, portalMembers, userCategories, customFieldValues].flatMap(queueUsersOf),
  trigger(
    "custom_field_values_requeued",
    { on: customFieldValues, after: "update", of: [customFieldValues.value], if: "old.value <> new.value" },
    queueUser("new.user_id"),
  ),
  trigger("learning_path_courses_added_to_rules", { on: learningPathCourses, after: "insert" }, runRulesOf("new")),
  trigger("learning_path_courses_removed_from_rules", { on: learningPathCourses, after: "delete" }, runRulesOf("old")),
]
