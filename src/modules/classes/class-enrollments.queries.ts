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
import { attendanceAfter } from "./attendance-summary.ts"
import { onClassAttended } from "./class-attended.ts"
import type { ClassEnrollment, ClassRemoval, StatusChange } from "./class-enrollments.schemas.ts"
import { classCourseName } from "./class-names.ts"
import { canSeeClass, isOfVisibleCourse } from "./class-scope.ts"
import { guardClassCapacity, locationCapacity, requireClassSeats, seatsLeft } from "./class-seats.ts"

const isGroupMember = (groupId: number | undefined, userId: SQLWrapper) =>
  groupId === undefined ? sql`1` : inGroup(userId, groupId)

/** Fails the batch if the class changed since it was read. */
export const guardClassUnchanged = (work: UnitOfWork, { id, version }: { id: number; version: number }): Statement =>
  work.guard(rowExists(classes, sql`${classes.id} = ${id} and ${classes.version} = ${version}`))

const selectClass = (db: Database, classId: number, within: SQL) =>
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
 * Returns statements that enroll users in classes, with one audit row per class. Enrolled users are skipped, and
 * canceled enrollments become Registered again. Users that the same batch creates are enrolled if their statements come
 * first. The caller guards the capacity.
 * @param afterId the id before the first new one: `last - userIds × classIds` of `nextIds("class_enrollments", …)`
 */
export function classEnrollmentStatements(
  work: UnitOfWork,
  { userIds, classIds, groupId = null }: { userIds: number[]; classIds: number[]; groupId?: number | null | undefined },
  afterId: number,
): Statement[] {
  const { db, caller } = work
  const pairs = sql`${classes.id} in ${idList(classIds)} and ${users.id} in ${idList(userIds)}`
  const hasNoEnrollment = (condition: SQL) =>
    sql`not ${rowExists(
      classEnrollments,
      sql`${classEnrollments.classId} = ${classes.id} and ${classEnrollments.userId} = ${users.id} and ${condition}`,
    )}`
  const enrollment = { groupId, enrolledBy: caller.id, registeredAt: now() }
  return [
    // The audit row comes first, while the new users are not enrolled yet.
    work.auditMany(
      "created",
      "class enrollment",
      sql`
        select ${classes.id} as id, ${classCourseName} as name,
          json_object('user_ids', json_group_array(${users.id})) as details
        from ${classes}
        cross join ${users}
        where ${pairs} and ${hasNoEnrollment(sql`${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}`)}
        group by ${classes.id}`,
    ),
    // Canceled enrollments are updated before the insert, which skips every user with an enrollment.
    db
      .update(classEnrollments)
      .set({ status: ClassStatus.Registered, ...enrollment })
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
        ...enrollment,
        firstName: users.firstName,
        lastName: users.lastName,
        email: users.email,
        firstNameKey: users.firstNameKey,
        lastNameKey: users.lastNameKey,
      },
      sql`
        from ${classes}
        cross join ${users}
        where ${pairs} and ${hasNoEnrollment(sql`1`)}`,
    ),
  ]
}

/**
 * Enrolls users in a class, in the given order until it is full. The answer lists the others with the reason.
 * @throws 404 for a class or a group that the caller cannot see; 409 for a class that has ended, is disabled or has
 *   no seat left
 */
export async function enrollInClass(work: UnitOfWork, classId: number, { groupId, studentIds }: ClassEnrollment) {
  const { db, caller } = work
  const [classRows, access, ids, userRows] = await work.read([
    selectClass(db, classId, isOfVisibleCourse(caller)),
    selectAudienceAccess(db, audienceOf(caller, groupId)),
    work.nextIds("class_enrollments", studentIds.length),
    db
      .select({
        id: users.id,
        name: fullNameIn().as("name"),
        disabled: users.disabled,
        isMember: sql<number>`${isGroupMember(groupId, users.id)}`.as("is_member"),
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
  const [classRow] = classRows
  if (!classRow) throw notFound("class")
  if (!firstRow(access).allowed) throw notFound("group")
  if (classRow.endAt <= now()) throw conflict("class_ended", "The class has ended, so no one can enroll.")
  if (classRow.disabled) throw conflict("class_disabled", "The class is disabled, so no one can enroll.")

  const usersById = new Map(userRows.map((person) => [person.id, person]))
  const rejectionReason = (id: number): string | undefined => {
    const person = usersById.get(id)
    if (!person) return "The user does not exist."
    if (isSupervisor(caller) && id === caller.id) return "You can't enroll yourself."
    if (person.disabled) return "The user is disabled."
    if (!person.isMember) return "The user is not a member of the group."
    if (person.status !== null && person.status !== ClassStatus.Cancelled) return "The user is already enrolled."
    return undefined
  }
  const eligibleIds = studentIds.filter((id) => rejectionReason(id) === undefined)
  const enrolledIds = eligibleIds.slice(0, seatsLeft(classRow))
  if (eligibleIds.length > 0) requireClassSeats(Math.min(eligibleIds.length, 1), classRow)
  const enrolledIdSet = new Set(enrolledIds)
  const notEnrolledUsers = studentIds
    .filter((id) => !enrolledIdSet.has(id))
    .map((id) => ({
      id,
      name: usersById.get(id)?.name ?? "",
      reason: rejectionReason(id) ?? "The class has no seat left.",
    }))
  const message = [
    `${pluralize(enrolledIds.length, "user")} enrolled.`,
    ...(notEnrolledUsers.length > 0 ? [`${notEnrolledUsers.length} not enrolled.`] : []),
  ].join(" ")
  const answer = { message, enrolledUsersCount: enrolledIds.length, notEnrolledUsers }
  if (enrolledIds.length === 0) return work.commit([], answer)

  const afterId = firstRow(ids).last - studentIds.length
  const ofEnrolledUsers = sql`
    ${classEnrollments.classId} = ${classId} and ${classEnrollments.userId} in ${idList(enrolledIds)}`
  return work.commit(
    [
      // Other users may enroll at the same time, as long as seats are left.
      work.guard(
        not(
          rowExists(
            classEnrollments,
            sql`${ofEnrolledUsers} and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}`,
          ),
        ),
      ),
      ...classEnrollmentStatements(work, { userIds: enrolledIds, classIds: [classId], groupId }, afterId),
      work.guard(
        eq(
          rowCount(
            classEnrollments,
            sql`${ofEnrolledUsers} and +${classEnrollments.status} = ${literal(ClassStatus.Registered)}`,
          ),
          enrolledIds.length,
        ),
      ),
      guardClassUnchanged(work, classRow),
      guardClassCapacity(work, [classId]),
    ],
    answer,
  )
}

/**
 * Sets a class enrollment's status.
 * @throws 404 for an enrollment that the caller cannot see or of another class; 403 when supervisors change their own;
 *   409 when a canceled enrollment finds no seat
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
    throw forbidden("You can't change your own attendance.", "not_self")
  const answer = { message: `Status set to ${status}.` }
  if (found.status === status) return work.commit([], answer)
  const isReenrolled = found.status === ClassStatus.Cancelled
  if (isReenrolled) requireClassSeats(1, found)
  return work.commit(
    [
      db
        .update(classEnrollments)
        .set({ status, attendance: attendanceAfter(status) })
        .where(and(eq(classEnrollments.id, id), eq(classEnrollments.status, found.status))),
      work.guard(rowExists(classEnrollments, and(eq(classEnrollments.id, id), eq(classEnrollments.status, status)))),
      ...(status === ClassStatus.Attended ? [onClassAttended(work, eq(classEnrollments.id, id))] : []),
      ...(isReenrolled ? [guardClassCapacity(work, [found.classId])] : []),
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

/** Removes enrollments from a class; unknown ids are counted. @throws 404 for the class or the group */
export async function removeClassEnrollments(
  work: UnitOfWork,
  classId: number,
  { enrollmentIds, groupID }: ClassRemoval,
) {
  const { db, caller } = work
  const selected = and(
    sql`${classEnrollments.id} in ${idList(enrollmentIds)} and ${classEnrollments.classId} = ${classId}`,
    canManageUser(caller, classEnrollments.userId),
    isGroupMember(groupID, classEnrollments.userId),
  )
  const [classRows, access, found] = await work.read([
    selectClass(db, classId, canSeeClass(caller)),
    selectAudienceAccess(db, audienceOf(caller, groupID)),
    db.select({ id: classEnrollments.id, userId: classEnrollments.userId }).from(classEnrollments).where(selected),
  ])
  const [classRow] = classRows
  if (!classRow) throw notFound("class")
  if (!firstRow(access).allowed) throw notFound("group")
  const unknownCount = enrollmentIds.length - found.length
  const message = [
    `${pluralize(found.length, "enrollment")} removed.`,
    ...(unknownCount > 0 ? [`${pluralize(unknownCount, "id")} unknown.`] : []),
  ].join(" ")
  if (found.length === 0) return work.commit([], { message })
  const removed = sql`${classEnrollments.id} in ${idList(found.map(({ id }) => id))}`
  return work.commit(
    [
      work.guard(eq(rowCount(classEnrollments, removed), found.length)),
      db.delete(classEnrollments).where(removed),
      work.audit(
        "deleted",
        "class enrollment",
        { id: classId, name: classRow.courseName },
        { user_ids: found.map(({ userId }) => userId) },
      ),
    ],
    { message },
  )
}
