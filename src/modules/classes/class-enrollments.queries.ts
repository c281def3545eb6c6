import { and, eq, not, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { audienceOf, canManageUser, canSeeUser, inGroup, selectAudienceAccess } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { fullNameIn, idList, literal, rowCount, rowExists, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { isSupervisor } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { conflict, forbidden, notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { onClassAttended } from "./class-attended.ts"
import type { ClassEnrollment, ClassRemoval, StatusChange } from "./class-enrollments.schemas.ts"
import { classCourseName } from "./class-names.ts"
import { canSeeClass, isOfVisibleCourse } from "./class-scope.ts"
import { guardClassCapacity, locationCapacity, requireClassSeats, seatsLeft } from "./class-seats.ts"

const isMember = (groupId: number | undefined, userId: SQLWrapper) =>
  groupId === undefined ? sql`1` : inGroup(userId, groupId)

/** The class is as the first trip found it. */
const stays = (work: UnitOfWork, { id, version }: { id: number; version: number }): Statement =>
  work.guard(rowExists(classes, sql`${classes.id} = ${id} and ${classes.version} = ${version}`))

const placeOf = (db: Database, classId: number, within: SQL) =>
  db
    .select({
      id: classes.id,
      courseId: classes.courseId,
      version: classes.version,
      disabled: classes.disabled,
      startAt: classes.startAt,
      endAt: classes.endAt,
      size: classes.size,
      capacity: locationCapacity.as("room_for"),
      courseName: classCourseName.as("course_name"),
    })
    .from(classes)
    .where(and(eq(classes.id, classId), within))

/**
 * Enrolls every one of the users in every one of the classes, but those who hold a place, and writes an audit row per
 * class. A cancelled place is given back. For the batch of whatever else enrolls: users that the same batch creates are
 * enrolled too when their statements come first. Whether there is room is for the batch to guard.
 * @param afterId the id before the first that may be given: `last - userIds × classIds` of
 *   `nextIds("class_enrollments", …)`
 */
export function classEnrollmentStatements(
  work: UnitOfWork,
  { userIds, classIds, groupId = null }: { userIds: number[]; classIds: number[]; groupId?: number | null | undefined },
  afterId: number,
): Statement[] {
  const { db, caller } = work
  const pairs = sql`${classes.id} in ${idList(classIds)} and ${users.id} in ${idList(userIds)}`
  const without = (which: SQL) =>
    sql`not ${rowExists(
      classEnrollments,
      sql`${classEnrollments.classId} = ${classes.id} and ${classEnrollments.userId} = ${users.id} and ${which}`,
    )}`
  const registration = { groupId, enrolledBy: caller.id, registeredAt: now() }
  return [
    // First, while it can be told who has no place yet.
    work.auditMany(
      "created",
      "class enrollment",
      sql`
        select ${classes.id} as id, ${classCourseName} as name,
          json_object('user_ids', json_group_array(${users.id})) as details
        from ${classes}
        cross join ${users}
        where ${pairs} and ${without(sql`${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}`)}
        group by ${classes.id}`,
    ),
    // Places that were given back before those that are new: what is inserted then is for those who have none.
    db
      .update(classEnrollments)
      .set({ status: ClassStatus.Registered, ...registration })
      .where(
        sql`${classEnrollments.classId} in ${idList(classIds)}
          and ${classEnrollments.userId} in ${idList(userIds)}
          and +${classEnrollments.status} = ${literal(ClassStatus.Cancelled)}`,
      ),
    insertFrom(
      db,
      classEnrollments,
      {
        id: sql`${afterId} + row_number() over (order by ${classes.id}, ${users.id})`,
        classId: classes.id,
        userId: users.id,
        ...registration,
        firstName: users.firstName,
        lastName: users.lastName,
        email: users.email,
        firstNameKey: users.firstNameKey,
        lastNameKey: users.lastNameKey,
      },
      sql`
        from ${classes}
        cross join ${users}
        where ${pairs} and ${without(sql`1`)}`,
    ),
  ]
}

/**
 * Enrolls users in a class; one whose place was cancelled gets it back. Of more than there are seats, the first of them
 * are enrolled. Whoever is not is listed with why.
 * @throws 404 for a class or a group that the caller may not know; 409 for a class that has ended, is disabled or has
 *   no seat left
 */
export async function enrollInClass(work: UnitOfWork, classId: number, { groupId, studentIds }: ClassEnrollment) {
  const { db, caller } = work
  const [found, may, ids, people] = await work.read([
    placeOf(db, classId, isOfVisibleCourse(caller)),
    selectAudienceAccess(db, audienceOf(caller, groupId)),
    work.nextIds("class_enrollments", studentIds.length),
    db
      .select({
        id: users.id,
        name: fullNameIn().as("name"),
        disabled: users.disabled,
        isMember: sql<number>`${isMember(groupId, users.id)}`.as("is_member"),
        status: subquery(
          sql<ClassStatus | null>`(
            select ${classEnrollments.status} from ${classEnrollments}
            where ${classEnrollments.classId} = ${classId} and ${classEnrollments.userId} = ${users.id}
          )`,
        ).as("its_status"),
      })
      .from(users)
      .where(and(sql`${users.id} in ${idList(studentIds)}`, canSeeUser(caller, users.id))),
  ])
  const [place] = found
  if (!place) throw notFound("class")
  if (!firstRow(may).allowed) throw notFound("group")
  if (place.endAt <= now()) throw conflict("class_ended", "The class has ended; it takes no enrollment.")
  if (place.disabled) throw conflict("class_disabled", "The class is disabled; it takes no enrollment.")

  const known = new Map(people.map((person) => [person.id, person]))
  const hindranceOf = (id: number): string | undefined => {
    const person = known.get(id)
    if (!person) return "There is no such user."
    if (isSupervisor(caller) && id === caller.id) return "You may enroll your people, not yourself."
    if (person.disabled) return "The user is disabled."
    if (!person.isMember) return "The user is not a member of the group."
    if (person.status !== null && person.status !== ClassStatus.Cancelled) return "The user is enrolled already."
    return undefined
  }
  const able = studentIds.filter((id) => hindranceOf(id) === undefined)
  const wanted = able.slice(0, seatsLeft(place))
  if (able.length > 0) requireClassSeats(Math.min(able.length, 1), place)
  const seated = new Set(wanted)
  const notEnrolledUsers = studentIds
    .filter((id) => !seated.has(id))
    .map((id) => ({
      id,
      name: known.get(id)?.name ?? "",
      reason: hindranceOf(id) ?? "The class has no seat left.",
    }))
  const message = [
    `${pluralize(wanted.length, "user")} enrolled.`,
    ...(notEnrolledUsers.length > 0 ? [`${notEnrolledUsers.length} not enrolled.`] : []),
  ].join(" ")
  const answer = { message, enrolledUsersCount: wanted.length, notEnrolledUsers }
  if (wanted.length === 0) return work.commit([], answer)

  const afterId = firstRow(ids).last - studentIds.length
  const theirs = sql`${classEnrollments.classId} = ${classId} and ${classEnrollments.userId} in ${idList(wanted)}`
  return work.commit(
    [
      // Whoever else is enrolled meanwhile is no hindrance, as long as there is room.
      work.guard(
        not(
          rowExists(
            classEnrollments,
            sql`${theirs} and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}`,
          ),
        ),
      ),
      ...classEnrollmentStatements(work, { userIds: wanted, classIds: [classId], groupId }, afterId),
      work.guard(
        eq(
          rowCount(
            classEnrollments,
            sql`${theirs} and +${classEnrollments.status} = ${literal(ClassStatus.Registered)}`,
          ),
          wanted.length,
        ),
      ),
      stays(work, place),
      guardClassCapacity(work, [classId]),
    ],
    answer,
  )
}

/**
 * Sets a class enrollment's status.
 * @throws 404 outside the caller's reach, and where it is another class's; 403 to supervisors for their own; 409 when a
 * cancelled place is gone
 */
export async function setClassEnrollmentStatus(work: UnitOfWork, { id, status, classId }: StatusChange) {
  const { db, caller } = work
  const [rows] = await work.read([
    db
      .select({
        classId: classEnrollments.classId,
        status: classEnrollments.status,
        userId: classEnrollments.userId,
        courseName: classCourseName.as("course_name"),
        size: classes.size,
        capacity: locationCapacity.as("room_for"),
      })
      .from(classEnrollments)
      .innerJoin(classes, eq(classes.id, classEnrollments.classId))
      .where(and(eq(classEnrollments.id, id), canSeeUser(caller, classEnrollments.userId))),
  ])
  const [found] = rows
  if (!found || (classId !== undefined && found.classId !== classId)) throw notFound("class enrollment")
  if (isSupervisor(caller) && found.userId === caller.id)
    throw forbidden("You may mark the attendance of your people, not your own.", "not_self")
  const answer = { message: `Status set to ${status}.` }
  if (found.status === status) return work.commit([], answer)
  const returns = found.status === ClassStatus.Cancelled
  if (returns) requireClassSeats(1, found)
  return work.commit(
    [
      db
        .update(classEnrollments)
        .set({ status })
        .where(and(eq(classEnrollments.id, id), eq(classEnrollments.status, found.status))),
      work.guard(rowExists(classEnrollments, and(eq(classEnrollments.id, id), eq(classEnrollments.status, status)))),
      ...(status === ClassStatus.Attended ? [onClassAttended(work, eq(classEnrollments.id, id))] : []),
      ...(returns ? [guardClassCapacity(work, [found.classId])] : []),
      work.audit(
        "updated",
        "class enrollment",
        { id, name: found.courseName },
        { user_id: found.userId, status, before: found.status },
      ),
    ],
    answer,
  )
}

/** Takes enrollments out of a class; unknown ids are counted. @throws 404 for the class, or for the group */
export async function removeClassEnrollments(
  work: UnitOfWork,
  classId: number,
  { enrollmentIds, groupID }: ClassRemoval,
) {
  const { db, caller } = work
  const these = and(
    sql`${classEnrollments.id} in ${idList(enrollmentIds)} and ${classEnrollments.classId} = ${classId}`,
    canManageUser(caller, classEnrollments.userId),
    isMember(groupID, classEnrollments.userId),
  )
  const [places, may, found] = await work.read([
    placeOf(db, classId, canSeeClass(caller)),
    selectAudienceAccess(db, audienceOf(caller, groupID)),
    db.select({ id: classEnrollments.id, userId: classEnrollments.userId }).from(classEnrollments).where(these),
  ])
  const [place] = places
  if (!place) throw notFound("class")
  if (!firstRow(may).allowed) throw notFound("group")
  const unknown = enrollmentIds.length - found.length
  const message = [
    `${pluralize(found.length, "enrollment")} removed.`,
    ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
  ].join(" ")
  if (found.length === 0) return work.commit([], { message })
  const going = sql`${classEnrollments.id} in ${idList(found.map(({ id }) => id))}`
  return work.commit(
    [
      work.guard(eq(rowCount(classEnrollments, going), found.length)),
      db.delete(classEnrollments).where(going),
      work.audit(
        "deleted",
        "class enrollment",
        { id: classId, name: place.courseName },
        { user_ids: found.map(({ userId }) => userId) },
      ),
    ],
    { message },
  )
}
