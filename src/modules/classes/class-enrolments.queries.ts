import { and, eq, type SQL, sql } from "drizzle-orm"
import { classEnrolments, classes } from "../../../drizzle/classes.ts"
import { groupMembers } from "../../../drizzle/groups.ts"
import { locations } from "../../../drizzle/locations.ts"
import { users } from "../../../drizzle/users.ts"
import { allowance, audienceOf, mayKnow } from "../../gate/scope.ts"
import { now } from "../../lib/clock.ts"
import { type Database, one } from "../../lib/db.ts"
import { conflict, notFound } from "../../lib/errors.ts"
import { idList, subquery } from "../../lib/sql.ts"
import { counted } from "../../lib/words.ts"
import type { UnitOfWork } from "../../lib/work.ts"
import type { ClassEnrolment, ClassRemoval, ClassStatus, StatusChange } from "./class-enrolments.schemas.ts"
import { courseName } from "./class-names.ts"

const inGroup = (groupId: number | undefined, userId: SQL) =>
  groupId === undefined
    ? sql`1`
    : sql`exists (select 1 from ${groupMembers} where ${groupMembers.groupId} = ${groupId} and ${groupMembers.userId} = ${userId})`

/** How many people its location has room for; 0: any number. */
const capacity = subquery(
  sql<number>`coalesce((select ${locations.capacity} from ${locations} where ${locations.id} = ${classes.locationId}), 0)`,
)

/** The class is as the first trip found it, and has no more people than its location has room for. */
const hasRoom = (classId: number, version: number) =>
  sql`exists (select 1 from ${classes} where ${classes.id} = ${classId} and ${classes.version} = ${version} and (${capacity} = 0 or ${classes.size} <= ${capacity}))`

const placeOf = (db: Database, classId: number) =>
  db
    .select({
      id: classes.id,
      courseId: classes.courseId,
      version: classes.version,
      disabled: classes.disabled,
      startAt: classes.startAt,
      endAt: classes.endAt,
      size: classes.size,
      capacity: capacity.as("room_for"),
      courseName: courseName.as("course_name"),
    })
    .from(classes)
    .where(eq(classes.id, classId))

/** @throws 409 */
function requireRoom(wanted: number, { size, capacity }: { size: number; capacity: number }) {
  if (capacity > 0 && size + wanted > capacity)
    throw conflict(
      `The class has ${counted(Math.max(0, capacity - size), "seat")} left and this call needs ${wanted}. Nobody was enrolled.`,
    )
}

/**
 * Enrols users in a class; one whose place was cancelled gets it back. Whoever is not enrolled is listed with why.
 * @throws 404 for the class, or for a group that the caller may not know; 409 for a class that has ended, is disabled or
 * has too few seats left: nobody is enrolled then
 */
export async function enrolInClass(work: UnitOfWork, classId: number, { groupId, studentIds }: ClassEnrolment) {
  const { db, caller } = work
  const [found, may, ids, people] = await work.read([
    placeOf(db, classId),
    allowance(db, audienceOf(caller, groupId)),
    work.nextIds("class_enrolments", studentIds.length),
    db
      .select({
        id: users.id,
        name: sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`.as("name"),
        disabled: users.disabled,
        isMember: sql<number>`${inGroup(groupId, sql`${users.id}`)}`.as("is_member"),
        status: subquery(
          sql<ClassStatus | null>`(select ${classEnrolments.status} from ${classEnrolments} where ${classEnrolments.classId} = ${classId} and ${classEnrolments.userId} = ${users.id})`,
        ).as("its_status"),
      })
      .from(users)
      .where(and(sql`${users.id} in ${idList(studentIds)}`, mayKnow(caller, users.id))),
  ])
  const [place] = found
  if (!place) throw notFound("class")
  if (!one(may).allowed) throw notFound("group")
  if (place.endAt <= now()) throw conflict("The class has ended; it takes no enrolment.")
  if (place.disabled) throw conflict("The class is disabled; it takes no enrolment.")

  const known = new Map(people.map((person) => [person.id, person]))
  const reasonFor = (id: number): string | undefined => {
    const person = known.get(id)
    if (!person) return "There is no such user."
    if (person.disabled) return "The user is disabled."
    if (!person.isMember) return "The user is not a member of the group."
    if (person.status !== null && person.status !== "Cancelled") return "The user is enrolled already."
    return undefined
  }
  const notEnrolledUsers = studentIds.flatMap((id) => {
    const reason = reasonFor(id)
    return reason === undefined ? [] : [{ id, name: known.get(id)?.name ?? "", reason }]
  })
  const wanted = studentIds.filter((id) => reasonFor(id) === undefined)
  const message = [
    `${counted(wanted.length, "user")} enrolled.`,
    ...(notEnrolledUsers.length > 0 ? [`${notEnrolledUsers.length} not enrolled.`] : []),
  ].join(" ")
  const answer = { message, enrolledUsersCount: wanted.length, notEnrolledUsers }
  if (wanted.length === 0) return work.commit([], answer)
  requireRoom(wanted.length, place)

  const afterId = one(ids).last - studentIds.length
  const these = idList(wanted)
  const registration = { groupId: groupId ?? null, enrolledBy: caller.id, registeredAt: now() }
  return work.commit(
    [
      // Places that were given back first: what is inserted then is who has none.
      db
        .update(classEnrolments)
        .set({ status: "Registered", ...registration })
        .where(
          sql`${classEnrolments.classId} = ${classId} and ${classEnrolments.userId} in ${these} and ${classEnrolments.status} = 'Cancelled'`,
        ),
      db
        .insert(classEnrolments)
        .select(
          sql`select ${afterId} + row_number() over (order by ${users.id}) as id, ${classes.id} as class_id, ${users.id} as user_id, ${classes.courseId} as course_id, 'Registered' as status, ${registration.groupId} as group_id, ${registration.enrolledBy} as enrolled_by, '' as notes, ${registration.registeredAt} as registered_at, 0 as last_accessed_at, 0 as certificate_count, ${classes.startAt} as start_at, ${classes.endAt} as end_at, ${users.firstName} as first_name, ${users.lastName} as last_name, ${users.email} as email from ${classes} cross join ${users} where ${classes.id} = ${classId} and ${users.id} in ${these} and not exists (select 1 from ${classEnrolments} where ${classEnrolments.classId} = ${classes.id} and ${classEnrolments.userId} = ${users.id})`,
        ),
      work.guard(
        sql`(select count(*) from ${classEnrolments} where ${classEnrolments.classId} = ${classId} and ${classEnrolments.userId} in ${these} and ${classEnrolments.status} = 'Registered') = ${wanted.length} and (select ${classes.size} from ${classes} where ${classes.id} = ${classId}) = ${place.size + wanted.length} and ${hasRoom(classId, place.version)}`,
      ),
      work.audit("created", "class enrolment", { id: classId, name: place.courseName }, { user_ids: wanted }),
    ],
    answer,
  )
}

/**
 * Sets a class enrolment's status.
 * @throws 404 outside the caller's reach, and where it is another class's; 409 when a cancelled place is gone
 */
export async function setClassStatus(work: UnitOfWork, { id, status, classId }: StatusChange) {
  const { db, caller } = work
  const [rows] = await work.read([
    db
      .select({
        classId: classEnrolments.classId,
        status: classEnrolments.status,
        userId: classEnrolments.userId,
        courseName: courseName.as("course_name"),
        version: classes.version,
        size: classes.size,
        capacity: capacity.as("room_for"),
      })
      .from(classEnrolments)
      .innerJoin(classes, eq(classes.id, classEnrolments.classId))
      .where(and(eq(classEnrolments.id, id), mayKnow(caller, classEnrolments.userId))),
  ])
  const [found] = rows
  if (!found || (classId !== undefined && found.classId !== classId)) throw notFound("class enrollment")
  const answer = { message: `Status set to ${status}.` }
  if (found.status === status) return work.commit([], answer)
  const returns = found.status === "Cancelled"
  if (returns) requireRoom(1, found)
  return work.commit(
    [
      db
        .update(classEnrolments)
        .set({ status })
        .where(and(eq(classEnrolments.id, id), eq(classEnrolments.status, found.status))),
      work.guard(
        sql`exists (select 1 from ${classEnrolments} where ${classEnrolments.id} = ${id} and ${classEnrolments.status} = ${status}) and ${returns ? hasRoom(found.classId, found.version) : sql`1`}`,
      ),
      work.audit(
        "updated",
        "class enrolment",
        { id, name: found.courseName },
        { user_id: found.userId, status, before: found.status },
      ),
    ],
    answer,
  )
}

/** Takes enrolments out of a class; unknown ids are counted. @throws 404 for the class, or for the group */
export async function removeFromClass(work: UnitOfWork, classId: number, { enrollmentIds, groupID }: ClassRemoval) {
  const { db, caller } = work
  const these = sql`${classEnrolments.id} in ${idList(enrollmentIds)} and ${classEnrolments.classId} = ${classId} and ${mayKnow(caller, classEnrolments.userId)} and ${inGroup(groupID, sql`${classEnrolments.userId}`)}`
  const [places, may, found] = await work.read([
    placeOf(db, classId),
    allowance(db, audienceOf(caller, groupID)),
    db.select({ id: classEnrolments.id, userId: classEnrolments.userId }).from(classEnrolments).where(these),
  ])
  const [place] = places
  if (!place) throw notFound("class")
  if (!one(may).allowed) throw notFound("group")
  const unknown = enrollmentIds.length - found.length
  const message = [
    `${counted(found.length, "enrolment")} removed.`,
    ...(unknown > 0 ? [`${counted(unknown, "id")} unknown.`] : []),
  ].join(" ")
  if (found.length === 0) return work.commit([], { message })
  const going = sql`${classEnrolments.id} in ${idList(found.map(({ id }) => id))}`
  return work.commit(
    [
      work.guard(sql`(select count(*) from ${classEnrolments} where ${going}) = ${found.length}`),
      db.delete(classEnrolments).where(going),
      work.audit(
        "deleted",
        "class enrolment",
        { id: classId, name: place.courseName },
        { user_ids: found.map(({ userId }) => userId) },
      ),
    ],
    { message },
  )
}
