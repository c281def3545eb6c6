import { supervisionCount } from "../rules.ts"
import { groupCourseSeats, groupMembers, groups, supervisorScope } from "../schema/groups.ts"
import { locations } from "../schema/locations.ts"
import { portalMembers, portals } from "../schema/portals.ts"
import { decrement, forbid, increment, searchIndex, trigger } from "./declare.ts"

// Groups, portals and the scope of their administrators. `supervisor_scope` has a row for each supervisor and user,
// with the number of groups and portals that connect them. Triggers maintain it when a user joins or leaves. For new
// and former administrators, which affect many rows, a job does: supervisor-scope.background.ts.

const currentCount = supervisionCount("supervisor_scope.supervisor_id", "supervisor_scope.user_id")

/** Recounts the supervisors of a user. */
const recomputeSupervision = (userId: string) => [
  `DELETE FROM supervisor_scope WHERE user_id = ${userId} AND ${currentCount} = 0`,
  `
    UPDATE supervisor_scope SET link_count = ${currentCount}
    WHERE user_id = ${userId} AND link_count <> ${currentCount}`,
]

/** Adds a user to the scope of supervisors. @param from the FROM clause that selects `admin` */
const insertSupervision = (from: string, supervisor = "admin.user_id", person = "new.user_id") => `
    INSERT INTO supervisor_scope (supervisor_id, user_id, link_count)
    SELECT ${supervisor}, ${person}, ${supervisionCount(supervisor, person)}
    ${from}
    ON CONFLICT (supervisor_id, user_id) DO UPDATE SET link_count = excluded.link_count`

export const supervisorScopeTriggers = [
  trigger(
    "supervisor_scope_inserted",
    { on: supervisorScope, after: "insert" },
    increment("'supervisor:' || new.supervisor_id"),
  ),
  trigger(
    "supervisor_scope_deleted",
    { on: supervisorScope, after: "delete" },
    decrement("'supervisor:' || old.supervisor_id"),
  ),
]

export const groupTriggers = [
  ...searchIndex(groups, { deleted: ["DELETE FROM counters WHERE key = 'group:' || old.id"] }),
  trigger(
    "group_members_inserted",
    { on: groupMembers, after: "insert" },
    increment("'group:' || new.group_id"),
    insertSupervision("FROM group_admins AS admin WHERE admin.group_id = new.group_id"),
  ),
  trigger(
    "group_members_deleted",
    { on: groupMembers, after: "delete" },
    decrement("'group:' || old.group_id"),
    ...recomputeSupervision("old.user_id"),
  ),
  trigger(
    "group_course_seats_inserted",
    { on: groupCourseSeats, after: "insert" },
    `
    UPDATE group_course_seats SET used_seats = (
        SELECT count(*) FROM enrollments WHERE group_id = new.group_id AND course_id = new.course_id)
    WHERE group_id = new.group_id AND course_id = new.course_id`,
  ),
]

export const portalTriggers = [
  ...searchIndex(portals, {
    deleted: [
      "DELETE FROM email_rules WHERE portal_id = old.id",
      "DELETE FROM counters WHERE key IN ('portal:' || old.id, 'portal_learners:' || old.id)",
    ],
  }),
  // The administrators of a portal supervise its other members, including each other.
  trigger(
    "portal_members_inserted",
    { on: portalMembers, after: "insert" },
    increment("'portal:' || new.portal_id"),
    insertSupervision(`FROM portal_members AS admin
    WHERE admin.portal_id = new.portal_id AND admin.role = 'admin' AND admin.user_id <> new.user_id`),
    insertSupervision(
      `FROM portal_members AS admin
    WHERE new.role = 'admin' AND admin.portal_id = new.portal_id AND admin.role = 'admin'
      AND admin.user_id <> new.user_id`,
      "new.user_id",
      "admin.user_id",
    ),
  ),
  trigger(
    "portal_members_deleted",
    { on: portalMembers, after: "delete" },
    decrement("'portal:' || old.portal_id"),
    ...recomputeSupervision("old.user_id"),
  ),
  forbid(
    "portal_members_update_refused",
    { on: portalMembers, before: "update" },
    "A portal membership is deleted and inserted, not updated.",
  ),
  trigger(
    "portal_learners_inserted",
    { on: portalMembers, after: "insert", if: "new.role <> 'admin'" },
    increment("'portal_learners:' || new.portal_id"),
  ),
  trigger(
    "portal_learners_deleted",
    { on: portalMembers, after: "delete", if: "old.role <> 'admin'" },
    decrement("'portal_learners:' || old.portal_id"),
  ),
  // An announcement to portals is deleted with the last of its portals.
  trigger(
    "portals_announcements_deleted",
    { on: portals, before: "delete" },
    `
    DELETE FROM announcements WHERE id IN (
      SELECT mine.announcement_id FROM announcement_portals AS mine
      WHERE mine.portal_id = old.id AND NOT EXISTS (
        SELECT 1 FROM announcement_portals AS other
        WHERE other.announcement_id = mine.announcement_id AND other.portal_id <> old.id))`,
  ),
]

export const locationTriggers = searchIndex(locations)
