import { and, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, tallies } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ActivityVerb, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { audienceOf, canSeeUser, inGroup, selectAudienceAccess } from "../../access/scope.ts"
import { firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { idList, insertedAfter, rowCount, rowExists, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasRole, isSupervisor } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { conflict, forbidden, invalid, notFound } from "../../lib/errors.ts"
import { pluralize, summarizeEnded, summarizeOutcome } from "../../lib/text/words.ts"
import { isGroupSeat, seatsTaken, selectGroupSeats, totalEnrollments } from "../courses/seats.ts"
import { onEnrolled } from "../progress/course-progress.ts"
import { onCoursesUnenrolled } from "../progress/path-progress.ts"
import type { Enrollment, Unenrollment } from "./enrollments.schemas.ts"
import { fromEnrollmentsWithCourses, recordEnrollmentActivity } from "./registrations.queries.ts"

const { NotStarted, InProgress, Completed } = EnrollmentStatus

/** The most pairs of a user and a course that one call may name. */
export const MAX_PAIRS = 20_000

interface Registration {
  userIds: number[]
  courseIds: number[]
  groupId?: number | undefined
  /** Times in epoch ms; `expiresAt` undefined: as the course says. */
  registeredAt?: number | undefined
  startedAt?: number | undefined
  completedAt?: number | undefined
  expiresAt?: number | undefined
  /** Further conditions on the user and on the course. */
  among?: { users?: SQL; courses?: SQL }
}

/** What an enrollment keeps of its user. */
export const NAME_KEYS = { firstNameKey: users.firstNameKey, lastNameKey: users.lastNameKey }

/** When a registration ends by its course's own term; 0: never. */
export const defaultExpiry = (registeredAt: SQL): SQL =>
  sql`iif(${courses.expiresAfterDays} > 0, ${registeredAt} + ${courses.expiresAfterDays} * ${DAY}, 0)`

/** The user of the row is registered in the course of the row. */
export const IS_ENROLLED = rowExists(
  enrollments,
  sql`${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${users.id}`,
)

/**
 * Enrolls every one of the users in every one of the courses, but those who are, and writes an audit row per course,
 * with what follows from it. For the batch of whatever else enrolls: users that the same
 * batch creates are enrolled too when their statements come first.
 * @param afterId the id before the first that may be given: `last` of `nextIds("enrollments", …)`, less
 *   `userIds × courseIds`
 */
export function enrollStatements(work: UnitOfWork, registration: Registration, afterId: number): Statement[] {
  const { db, caller } = work
  const { userIds, courseIds, groupId = null, among } = registration
  const { startedAt = 0, completedAt = 0 } = registration
  const registeredAt = registration.registeredAt ?? (startedAt || completedAt || now())
  const status = completedAt ? Completed : startedAt ? InProgress : NotStarted
  return [
    insertFrom(
      db,
      enrollments,
      {
        id: sql`${afterId} + row_number() over (order by ${courses.id}, ${users.id})`,
        userId: users.id,
        courseId: courses.id,
        status,
        percent: completedAt ? 100 : 0,
        groupId,
        enrolledBy: caller.id,
        registeredAt,
        startedAt: startedAt || completedAt,
        completedAt,
        expiresAt: registration.expiresAt ?? defaultExpiry(sql`${registeredAt}`),
        lastAccessedAt: Math.max(startedAt, completedAt),
        ...NAME_KEYS,
      },
      sql`
        from ${courses}
        cross join ${users}
        where ${courses.id} in ${idList(courseIds)}
          and ${among?.courses ?? sql`1`}
          and ${users.id} in ${idList(userIds)}
          and ${among?.users ?? sql`1`}
          and not ${IS_ENROLLED}`,
    ),
    ...onEnrolled(work, given(registration, afterId), {
      started: status !== NotStarted,
      completed: status === Completed,
    }),
    auditEnrollments(work, "created", given(registration, afterId)),
  ]
}

/** An audit row for each course of some enrollments. */
export const auditEnrollments = (work: UnitOfWork, action: "created" | "deleted", which: SQL) =>
  work.auditMany(
    action,
    "enrollment",
    sql`
      select ${courses.id} as id, ${courses.name} as name,
        json_object('user_ids', json_group_array(${enrollments.userId})) as details
      ${fromEnrollmentsWithCourses(which)}
      group by ${courses.id}`,
  )

/** The enrollments that `enrollStatements` made. */
const given = ({ userIds, courseIds }: Registration, afterId: number) =>
  insertedAfter(enrollments.id, afterId, userIds.length * courseIds.length)

/**
 * Plans an enrollment: `reads` belong to the mutation's first trip; `settle` takes their results and gives the
 * statements of its second, with counts that the batch makes sure of.
 * @throws 409 from `settle` when a course or the group has too few seats left: nobody is enrolled then
 */
export function planEnrollment(
  work: UnitOfWork,
  registration: Omit<Registration, "courseIds"> & {
    /** Or a query of them. */
    courseIds: number[] | SQL
  },
) {
  const { db } = work
  const { userIds, courseIds, groupId, among } = registration
  const named = Array.isArray(courseIds) ? idList(courseIds) : sql`(${courseIds})`
  const wanted = sql`${courses.id} in ${named} and ${among?.courses ?? sql`1`}`
  const most = Array.isArray(courseIds)
    ? userIds.length * courseIds.length
    : sql`${userIds.length} * ${rowCount(courses, wanted)}`
  const eligible = sql`${users.id} in ${idList(userIds)} and ${among?.users ?? sql`1`}`
  const reads = [
    work.nextIds("enrollments", most),
    db
      .select({ count: sql<number>`count(*)`.as("count") })
      .from(users)
      .where(eligible),
    db
      .select({
        id: courses.id,
        name: courses.name,
        totalSeats: courses.totalSeats,
        taken: seatsTaken.as("taken"),
        already: subquery(sql<number>`(
          select count(*)
          from ${users}
          join ${enrollments} on ${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${users.id}
          where ${eligible}
        )`).as("already"),
        groupSeats: selectGroupSeats(groupCourseSeats.totalSeats, groupId ?? 0).as("group_seats"),
        groupTaken: selectGroupSeats(groupCourseSeats.usedSeats, groupId ?? 0).as("group_taken"),
      })
      .from(courses)
      .where(wanted),
  ] as const

  type CourseRow = {
    id: number
    name: string
    totalSeats: number
    taken: number
    already: number
    groupSeats: number | null
    groupTaken: number | null
  }
  const settle = (ids: { last: number }[], usersFound: { count: number }[], found: CourseRow[]) => {
    const { count } = firstRow(usersFound)
    const settled = { ...registration, courseIds: Array.isArray(courseIds) ? courseIds : found.map(({ id }) => id) }
    const pairs = userIds.length * settled.courseIds.length
    const afterId = firstRow(ids).last - pairs
    const filling = found.filter((course) => course.already < count)
    for (const { name, totalSeats, taken, already, groupSeats, groupTaken } of filling) {
      const wanted = count - already
      requireCourseSeats(wanted, totalSeats === 0 ? undefined : totalSeats - taken, `The course ${name}`)
      requireCourseSeats(
        wanted,
        groupSeats === null ? undefined : groupSeats - (groupTaken ?? 0),
        `The group, in ${name},`,
      )
    }
    const alreadyEnrolled = found.reduce((sum, course) => sum + course.already, 0)
    const enrolled = count * found.length - alreadyEnrolled
    const skipped = pairs - count * found.length
    const fillingIds = idList(filling.map((course) => course.id))
    const overfull = rowExists(
      groupCourseSeats,
      sql`${groupCourseSeats.groupId} = ${groupId ?? 0}
        and ${groupCourseSeats.courseId} in ${fillingIds}
        and ${groupCourseSeats.usedSeats} > ${groupCourseSeats.totalSeats}`,
    )
    const statements =
      enrolled === 0
        ? []
        : [
            ...enrollStatements(work, settled, afterId),
            work.guard(sql`
              ${rowCount(enrollments, given(settled, afterId))} = ${enrolled}
              and ${courseSeatsNotExceeded(fillingIds)}
              and not ${overfull}`),
          ]
    return { statements, enrolled, alreadyEnrolled, skipped }
  }
  return { reads, settle }
}

/** No course has more learners than seats. @param courseIds a list for use after `in` */
export const courseSeatsNotExceeded = (courseIds: SQL): SQL => sql`not exists (
  select 1
  from ${courses}
  join ${tallies} on ${tallies.audience} = 'all' and ${tallies.courseId} = ${courses.id}
  where ${courses.id} in ${courseIds}
    and ${courses.totalSeats} > 0
    and ${totalEnrollments} > ${courses.totalSeats}
)`

/** @param left undefined: any number */
export function requireCourseSeats(wanted: number, left: number | undefined, whose: string) {
  if (left !== undefined && wanted > left)
    throw conflict(
      "no_seats_left",
      `${whose} has ${pluralize(Math.max(0, left), "seat")} left and this call needs ${wanted}. Nobody was enrolled.`,
    )
}

export const enrollmentMessage = (enrolled: number, already: number, skipped: number) =>
  summarizeOutcome({
    done: `${pluralize(enrolled, "enrollment")} made.`,
    already,
    skipped,
    because: "the user or the course is unknown, or not within your reach.",
  })

/** @throws 409 too few seats; 404 for a group that the caller may not know; 403 for dates below staff; 422 */
export async function enroll(work: UnitOfWork, input: Enrollment) {
  const { db, caller } = work
  const { course_ids: courseIds, user_ids: userIds, group_id: groupId } = input
  if (userIds.length * courseIds.length > MAX_PAIRS)
    throw invalid("user_ids", `user_ids times course_ids must be ${MAX_PAIRS} or less; make several calls.`)
  const isStaff = hasRole(caller, "staff")
  if (!isStaff && (input.registered_on ?? input.started_on ?? input.completed_on) !== undefined)
    throw forbidden("Only staff may give the dates of records from another system.")
  if (isSupervisor(caller) && groupId === undefined)
    throw invalid("group_id", "group_id is required: an administrator enrolls with the seats of a group.")
  const plan = planEnrollment(work, {
    userIds,
    courseIds,
    groupId,
    registeredAt: input.registered_on,
    startedAt: input.started_on,
    completedAt: input.completed_on,
    expiresAt: input.expire_on,
    among: {
      users:
        and(canSeeUser(caller, users.id), groupId === undefined ? undefined : inGroup(users.id, groupId)) ?? sql`1`,
      courses: isSupervisor(caller) ? rowExists(groupCourseSeats, isGroupSeat(groupId ?? 0)) : sql`1`,
    },
  })
  const [may, ...found] = await work.read([selectAudienceAccess(db, audienceOf(caller, groupId)), ...plan.reads])
  if (!firstRow(may).allowed) throw notFound("group")
  const { statements, enrolled, alreadyEnrolled, skipped } = plan.settle(...found)
  const message = enrollmentMessage(enrolled, alreadyEnrolled, skipped)
  return work.commit(statements, { message, enrolled, alreadyEnrolled, skipped })
}

/** Ends registrations, and with them what was done in them. Pairs without one are counted. */
export async function unenroll(work: UnitOfWork, { course_ids, user_ids }: Unenrollment) {
  const { db } = work
  if (user_ids.length * course_ids.length > MAX_PAIRS)
    throw invalid("user_ids", `user_ids times course_ids must be ${MAX_PAIRS} or less; make several calls.`)
  const these = sql`${enrollments.courseId} in ${idList(course_ids)} and ${enrollments.userId} in ${idList(user_ids)}`
  const [found] = await work.read([
    db
      .select({ count: sql<number>`count(*)`.as("count") })
      .from(enrollments)
      .where(these),
  ])
  const unenrolled = firstRow(found).count
  const notEnrolled = user_ids.length * course_ids.length - unenrolled
  const answer = { message: summarizeEnded(unenrolled, "enrollment", notEnrolled), unenrolled, notEnrolled }
  if (unenrolled === 0) return work.commit([], answer)
  return work.commit(
    [
      work.guard(sql`${rowCount(enrollments, these)} = ${unenrolled}`),
      recordEnrollmentActivity(work, ActivityVerb.Unenrolled, fromEnrollmentsWithCourses(these)),
      onCoursesUnenrolled(db, these),
      auditEnrollments(work, "deleted", these),
      db.delete(enrollments).where(these),
    ],
    answer,
  )
}
