import { sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canChangeCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import { canChangeUser, canSeeUser, inPortal } from "../../access/scope.ts"
import { idList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { canChangeUserOfType, hasRole } from "../../lib/caller.ts"
import { forbidden, invalid } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { membershipCourseIds } from "../billing/user-membership.queries.ts"
import { MAX_PAIRS, planEnrollment } from "../enrollments/enrollments.queries.ts"
import { planPathEnrollment, selectPathCourseIds } from "../enrollments/path-enrollments.queries.ts"
import { assignMembership } from "../users/held-membership.ts"
import { setDisabled, visibleUsers } from "../users/many-users.queries.ts"
import type { QuickEdit } from "./quick-edit.schemas.ts"

/**
 * Disables or enables users, assigns a membership, and enrolls them in courses, learning paths and the courses of the
 * membership. Users that the caller may not change, the caller, and unknown courses and paths are skipped and counted.
 * @throws 403 if a caller below admin assigns a membership; 409 if a course has too few seats; 422 for an unknown one
 */
export async function quickEditUsers(work: UnitOfWork, input: QuickEdit) {
  const { db, caller } = work
  const { user_ids: userIds, disabled, course_ids: courseIds = [], learning_path_ids: pathIds = [] } = input
  const { enrollMembershipId: membershipId = 0, portalId } = input
  if (membershipId > 0 && !hasRole(caller, "admin")) throw forbidden("Only an administrator may give memberships.")
  const isMember = portalId === undefined ? sql`1` : inPortal(users.id, portalId)
  const eligible = sql`
    ${canSeeUser(caller, users.id)}
    and ${users.id} is not ${caller.id}
    and ${canChangeUser(caller, users.userType)}
    and ${isMember}`

  const paths = planPathEnrollment(work, { userIds, pathIds, eligible })
  const plan = planEnrollment(work, {
    userIds,
    courseIds: sql`
      select value from ${idList(courseIds)}
      union ${selectPathCourseIds(pathIds)}
      union ${membershipCourseIds(membershipId)}`,
    conditions: { users: eligible },
  })
  const [found, known, pathIdsGiven, pathsFound, ids, people, coursesFound] = await work.read([
    visibleUsers(work, userIds, isMember),
    db.select().from(memberships).where(sql`${memberships.id} = ${membershipId}`),
    ...paths.reads,
    ...plan.reads,
  ])
  const [membership] = known
  if (membershipId > 0 && !membership) throw invalid("enrollMembershipId", "enrollMembershipId names no membership.")
  if (userIds.length * Math.max(coursesFound.length, pathIds.length) > MAX_PAIRS)
    throw invalid("user_ids", `user_ids times their courses or paths must be ${MAX_PAIRS} or less; make several calls.`)

  const enrolled = plan.settle(ids, people, coursesFound)
  const pathEnrollments = paths.settle(pathIdsGiven, pathsFound)
  const allowed = found.filter((user) => user.id !== caller.id && canChangeUserOfType(caller, user.userType))
  const allowedIds = allowed.map((user) => user.id)
  const differing = allowed.filter((user) => user.disabled !== disabled)
  const changing = differing
    .filter((user) => canChangeCredentials(caller, user, disabled ? "disable" : "enable"))
    .map((user) => user.id)
  const sessions = endSessions(work, disabled ? changing : [])
  const skipped = userIds.length - allowed.length
  const unknownCourses = courseIds.filter((id) => !coursesFound.some((course) => course.id === id)).length
  const unknownPaths = pathIds.length - pathsFound.length
  const verb = disabled ? "disabled" : "enabled"
  const already = allowed.length - differing.length
  const refused = differing.length - changing.length
  const answer = {
    message: [
      `${pluralize(changing.length, "user")} ${verb}.`,
      ...(already > 0 ? [`${already} ${already === 1 ? "was" : "were"} ${verb} already.`] : []),
      ...(refused > 0 ? [`${refused} not ${verb}: they may do as much as this API key, or more.`] : []),
      ...(skipped > 0 ? [`${skipped} skipped: unknown, or not yours to change.`] : []),
      ...(membership ? [`Membership ${membership.name} given to ${pluralize(allowed.length, "user")}.`] : []),
      ...(pathIds.length > 0 ? [`${pluralize(pathEnrollments.enrolled, "path enrollment")} made.`] : []),
      ...(courseIds.length + pathIds.length > 0 || membership
        ? [`${pluralize(enrolled.enrolled, "enrollment")} made.`]
        : []),
      ...(unknownCourses > 0 ? [`${pluralize(unknownCourses, "unknown course")} skipped.`] : []),
      ...(unknownPaths > 0 ? [`${pluralize(unknownPaths, "unknown learning path")} skipped.`] : []),
    ].join(" "),
  }
  await work.commit(
    [
      ...(changing.length > 0 ? [...setDisabled(work, changing, disabled), ...sessions.statements] : []),
      ...(membership && allowedIds.length > 0 ? assignMembership(work, membership, allowedIds) : []),
      ...enrolled.statements,
      ...pathEnrollments.statements,
    ],
    answer,
  )
  await sessions.notify()
  return answer
}
