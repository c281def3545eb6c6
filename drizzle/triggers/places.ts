import { groupAdmins, groupCourseSeats, groupMembers, groups, reach } from "../groups.ts"
import { locations } from "../locations.ts"
import { portalMembers, portals } from "../portals.ts"
import { count, refused, searched, trigger, uncount } from "./declare.ts"

// Groups, portals and whom their administrators reach. `reach` holds each supervisor and user once, with the number of
// ways (groups and portals) that lead from one to the other.

const oneWayMore = `
  ON CONFLICT (supervisor_id, user_id) DO UPDATE SET ways = ways + 1`

const forget = (who: string) => `DELETE FROM reach WHERE ${who} AND ways = 0`

export const reachTriggers = [
  trigger("reach_inserted", { on: reach, after: "insert" }, count("'reach:' || new.supervisor_id")),
  trigger("reach_deleted", { on: reach, after: "delete" }, uncount("'reach:' || old.supervisor_id")),
]

export const groupTriggers = [
  ...searched(groups, { deleted: ["DELETE FROM counters WHERE key = 'group:' || old.id"] }),
  trigger(
    "group_members_inserted",
    { on: groupMembers, after: "insert" },
    count("'group:' || new.group_id"),
    `
    INSERT INTO reach (supervisor_id, user_id, ways)
    SELECT user_id, new.user_id, 1 FROM group_admins WHERE group_id = new.group_id${oneWayMore}`,
  ),
  trigger(
    "group_members_deleted",
    { on: groupMembers, after: "delete" },
    uncount("'group:' || old.group_id"),
    `
    UPDATE reach SET ways = ways - 1
    WHERE user_id = old.user_id
      AND supervisor_id IN (SELECT user_id FROM group_admins WHERE group_id = old.group_id)`,
    forget("user_id = old.user_id"),
  ),
  trigger(
    "group_admins_inserted",
    { on: groupAdmins, after: "insert" },
    `
    INSERT INTO reach (supervisor_id, user_id, ways)
    SELECT new.user_id, user_id, 1 FROM group_members WHERE group_id = new.group_id${oneWayMore}`,
  ),
  trigger(
    "group_admins_deleted",
    { on: groupAdmins, after: "delete" },
    `
    UPDATE reach SET ways = ways - 1
    WHERE supervisor_id = old.user_id
      AND user_id IN (SELECT user_id FROM group_members WHERE group_id = old.group_id)`,
    forget("supervisor_id = old.user_id"),
  ),
  trigger(
    "group_course_seats_inserted",
    { on: groupCourseSeats, after: "insert" },
    `
    UPDATE group_course_seats SET used_seats = (
        SELECT count(*) FROM enrolments WHERE group_id = new.group_id AND course_id = new.course_id)
    WHERE group_id = new.group_id AND course_id = new.course_id`,
  ),
]

export const portalTriggers = [
  ...searched(portals, {
    deleted: [
      "DELETE FROM email_rules WHERE portal_id = old.id",
      "DELETE FROM counters WHERE key IN ('portal:' || old.id, 'portal_learners:' || old.id)",
    ],
  }),
  // A portal's administrators reach its other members.
  trigger(
    "portal_members_inserted",
    { on: portalMembers, after: "insert" },
    count("'portal:' || new.portal_id"),
    `
    INSERT INTO reach (supervisor_id, user_id, ways)
    SELECT user_id, new.user_id, 1 FROM portal_members
    WHERE portal_id = new.portal_id AND role = 'admin' AND user_id <> new.user_id${oneWayMore}`,
    `
    INSERT INTO reach (supervisor_id, user_id, ways)
    SELECT new.user_id, user_id, 1 FROM portal_members
    WHERE new.role = 'admin' AND portal_id = new.portal_id AND user_id <> new.user_id${oneWayMore}`,
  ),
  trigger(
    "portal_members_deleted",
    { on: portalMembers, after: "delete" },
    uncount("'portal:' || old.portal_id"),
    `
    UPDATE reach SET ways = ways - 1
    WHERE user_id = old.user_id
      AND supervisor_id IN (SELECT user_id FROM portal_members WHERE portal_id = old.portal_id AND role = 'admin')`,
    forget("user_id = old.user_id"),
    `
    UPDATE reach SET ways = ways - 1
    WHERE old.role = 'admin' AND supervisor_id = old.user_id
      AND user_id IN (SELECT user_id FROM portal_members WHERE portal_id = old.portal_id)`,
    forget("supervisor_id = old.user_id"),
  ),
  refused(
    "portal_members_fixed",
    { on: portalMembers, before: "update" },
    "A portal membership is deleted and inserted, not updated.",
  ),
  trigger(
    "portal_learners_inserted",
    { on: portalMembers, after: "insert", if: "new.role <> 'admin'" },
    count("'portal_learners:' || new.portal_id"),
  ),
  trigger(
    "portal_learners_deleted",
    { on: portalMembers, after: "delete", if: "old.role <> 'admin'" },
    uncount("'portal_learners:' || old.portal_id"),
  ),
  // An announcement to portals alone goes with the last of them.
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

export const locationTriggers = searched(locations)
