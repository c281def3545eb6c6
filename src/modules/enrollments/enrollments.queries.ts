import { and, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { audienceOf, canSeeUser, inGroup, selectAudienceAccess } from "../../access/scope.ts"
import { firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { idList, insertedAfter, rowCount, rowExists, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasRole, isSupervisor } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { conflict, forbidden, invalid, notFound } from "../../lib/errors.ts"
import { pluralize, summarizeOutcome } from "../../lib/text/words.ts"
import { CONSOLE } from "../../lib/web/academy.ts"
import { isGroupSeat, seatsTaken, selectGroupSeats, totalEnrollments } from "../courses/seats.ts"
import { notifyStatements } from "../notifications/notify.ts"
import { onEnrolled } from "../progress/course-progress.ts"
import { firstCycle } from "../progress/cycles.ts"
import type { Enrollment } from "./enrollments.schemas.ts"
import { fromEnrollmentsWithCourses } from "./registrations.queries.ts"

const { NotStarted, InProgress, Completed } = EnrollmentStatus

/** Pairs of a user and a course in one call. */
export const MAX_PAIRS = 20_000

interface Registration {
  userIds: number[]
  courseIds: number[]
  groupId?: number | undefined
  /** Times in epoch ms. `expiresAt` defaults to the course's setting. */
  registeredAt?: number | undefined
  startedAt?: number | undefined
  completedAt?: number | undefined
  expiresAt?: number | undefined
  /** Notifies the users other than the caller. `base` is the URL of this service. */
  notify?: { base: string } | undefined
  /** Additional conditions on the user and the course. */
  conditions?: { users?: SQL; courses?: SQL }
}

/** The user's sort keys, copied into the enrollment. */
export const NAME_KEYS = { firstNameKey: users.firstNameKey, lastNameKey: users.lastNameKey }

/** The expiry that the course's access duration gives an enrollment; 0 means never. */
export const defaultExpiry = (registeredAt: SQL): SQL =>
  sql`iif(${courses.expiresAfterDays} > 0, ${registeredAt} + ${courses.expiresAfterDays} * ${DAY}, 0)`

/** An enrollment that is imported after it expired is not announced as expired. */
export const expiredWhenImported = (expiresAt: SQL): SQL =>
  sql`iif(${expiresAt} between 1 and ${now()}, ${expiresAt}, 0)`

/** The condition that the row's user is enrolled in the row's course. */
export const IS_ENROLLED = rowExists(
  enrollments,
  sql`${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${users.id}`,
)

/**
 * Enrolls each user in each course, skips existing enrollments, and writes an audit row per course. Users created
 * earlier in the same batch are enrolled too.
 * @param afterId the id before the first new one: `last` of `nextIds("enrollments", …)` minus `userIds × courseIds`
 */
export function enrollStatements(work: UnitOfWork, registration: Registration, afterId: number): Statement[] {
  const { db, caller } = work
  const { userIds, courseIds, groupId = null, conditions: among } = registration
  const { startedAt = 0, completedAt = 0 } = registration
  const registeredAt = registration.registeredAt ?? (startedAt || completedAt || now())
  const status = completedAt ? Completed : startedAt ? InProgress : NotStarted
  const expiresAt = registration.expiresAt ?? defaultExpiry(sql`${registeredAt}`)
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
        expiresAt,
        expiredAt: expiredWhenImported(sql`${expiresAt}`),
        cycle: firstCycle(sql`${users.id}`, sql`${courses.id}`),
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
    ...onEnrolled(work, insertedEnrollments(registration, afterId), {
      started: status !== NotStarted,
      completed: status === Completed,
    }),
    auditEnrollments(work, "created", insertedEnrollments(registration, afterId)),
    ...(registration.notify
      ? enrollmentNotices(work, registration.notify.base, insertedEnrollments(registration, afterId))
      : []),
  ]
}

/** Notifies users who were enrolled by someone else. */
const enrollmentNotices = (work: UnitOfWork, base: string, condition: SQL): Statement[] =>
  notifyStatements(
    work,
    "enrolled",
    sql`
      select ${enrollments.userId} as user_id,
        json_object('course', ${courses.name}, 'due_date', nullif(${enrollments.dueAt}, 0)) as variables,
        ${`${CONSOLE}/learning/`} || ${enrollments.courseId} || '/' || ${enrollments.id} as path,
        null as dedupe
      ${fromEnrollmentsWithCourses(condition)} and ${enrollments.userId} is not ${work.caller.id}`,
    { base },
  )

/** Writes an audit row for each course of these enrollments. */
export const auditEnrollments = (work: UnitOfWork, action: "created" | "deleted", condition: SQL) =>
  work.auditMany(
    action,
    "enrollment",
    sql`
      select ${courses.id} as id, ${courses.name} as name,
        json_object('user_ids', json_group_array(${enrollments.userId})) as details
      ${fromEnrollmentsWithCourses(condition)}
      group by ${courses.id}`,
  )

/** The condition that `enrollStatements` inserted the enrollment. */
const insertedEnrollments = ({ userIds, courseIds }: Registration, afterId: number) =>
  insertedAfter(enrollments.id, afterId, userIds.length * courseIds.length)

/**
 * Plans an enrollment: `reads` belong to the mutation's first round trip; `settle` turns their results into the
 * statements of the second, and the counts, which the batch guards.
 * @throws 409 from `settle` if a course or the group has too few seats left
 */
export function planEnrollment(
  work: UnitOfWork,
  registration: Omit<Registration, "courseIds"> & {
    /** Ids, or a query of them. */
    courseIds: number[] | SQL
  },
) {
  const { db } = work
  const { userIds, courseIds, groupId, conditions: among } = registration
  const courseIdList = Array.isArray(courseIds) ? idList(courseIds) : sql`(${courseIds})`
  const courseCondition = sql`${courses.id} in ${courseIdList} and ${among?.courses ?? sql`1`}`
  const maxPairs = Array.isArray(courseIds)
    ? userIds.length * courseIds.length
    : sql`${userIds.length} * ${rowCount(courses, courseCondition)}`
  const eligible = sql`${users.id} in ${idList(userIds)} and ${among?.users ?? sql`1`}`
  const reads = [
    work.nextIds("enrollments", maxPairs),
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
      .where(courseCondition),
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
    const resolved = { ...registration, courseIds: Array.isArray(courseIds) ? courseIds : found.map(({ id }) => id) }
    const pairs = userIds.length * resolved.courseIds.length
    const afterId = firstRow(ids).last - pairs
    const filledCourses = found.filter((course) => course.already < count)
    for (const { name, totalSeats, taken, already, groupSeats, groupTaken } of filledCourses) {
      const needed = count - already
      requireCourseSeats(needed, totalSeats === 0 ? undefined : totalSeats - taken, name)
      requireCourseSeats(
        needed,
        groupSeats === null ? undefined : groupSeats - (groupTaken ?? 0),
        `The group's allocation for ${name}`,
      )
    }
    const alreadyEnrolled = found.reduce((sum, course) => sum + course.already, 0)
    const enrolled = count * found.length - alreadyEnrolled
    const skipped = pairs - count * found.length
    const filledCourseIds = idList(filledCourses.map((course) => course.id))
    const groupSeatsExceeded = rowExists(
      groupCourseSeats,
      sql`${groupCourseSeats.groupId} = ${groupId ?? 0}
        and ${groupCourseSeats.courseId} in ${filledCourseIds}
        and ${groupCourseSeats.usedSeats} > ${groupCourseSeats.totalSeats}`,
    )
    const statements =
      enrolled === 0
        ? []
        : [
            ...enrollStatements(work, resolved, afterId),
            work.guard(sql`
              ${rowCount(enrollments, insertedEnrollments(resolved, afterId))} = ${enrolled}
              and ${courseSeatsNotExceeded(filledCourseIds)}
              and not ${groupSeatsExceeded}`),
          ]
    return { statements, enrolled, alreadyEnrolled, skipped }
  }
  return { reads, settle }
}

/** The condition that no course has more learners than seats. @param courseIds a list for use after `in` */
export const courseSeatsNotExceeded = (courseIds: SQL): SQL => sql`not exists (
  select 1
  from ${courses}
  join ${enrollmentCounts} on ${enrollmentCounts.audience} = 'all' and ${enrollmentCounts.courseId} = ${courses.id}
  where ${courses.id} in ${courseIds}
    and ${courses.totalSeats} > 0
    and ${totalEnrollments} > ${courses.totalSeats}
)`

/** @param left undefined means unlimited. @throws 409 */
export function requireCourseSeats(needed: number, left: number | undefined, owner: string) {
  if (left !== undefined && needed > left)
    throw conflict(
      "no_seats_left",
      `${owner} has ${pluralize(Math.max(0, left), "seat")} left, but ${needed} are needed. No users were enrolled.`,
    )
}

export const enrollmentMessage = (enrolled: number, already: number, skipped: number) =>
  summarizeOutcome({
    done: `${pluralize(enrolled, "enrollment")} created.`,
    already,
    skipped,
    because: "the user or course doesn't exist, or you don't have access to it.",
  })

/** @throws 409 too few seats; 404 the caller may not see the group; 403 dates, if the caller is not staff; 422 */
export async function enroll(work: UnitOfWork, base: string, input: Enrollment) {
  const { db, caller } = work
  const { course_ids: courseIds, user_ids: userIds, group_id: groupId } = input
  if (userIds.length * courseIds.length > MAX_PAIRS)
    throw invalid("user_ids", `user_ids times course_ids must be ${MAX_PAIRS} or less. Split the request.`)
  const isStaff = hasRole(caller, "staff")
  const isRecord = (input.registered_on ?? input.started_on ?? input.completed_on) !== undefined
  if (!isStaff && isRecord) throw forbidden("Only staff can set dates.")
  if (isSupervisor(caller) && groupId === undefined)
    throw invalid("group_id", "group_id is required: group administrators enroll users with the seats of a group.")
  const plan = planEnrollment(work, {
    userIds,
    courseIds,
    groupId,
    registeredAt: input.registered_on,
    startedAt: input.started_on,
    completedAt: input.completed_on,
    expiresAt: input.expire_on,
    // Records of the past are no news.
    notify: isRecord || input.notify === false ? undefined : { base },
    conditions: {
      users:
        and(canSeeUser(caller, users.id), groupId === undefined ? undefined : inGroup(users.id, groupId)) ?? sql`1`,
      courses: isSupervisor(caller) ? rowExists(groupCourseSeats, isGroupSeat(groupId ?? 0)) : sql`1`,
    },
  })
  const [groupAccess, ...found] = await work.read([
    selectAudienceAccess(db, audienceOf(caller, groupId)),
    ...plan.reads,
  ])
  if (!firstRow(groupAccess).allowed) throw notFound("group")
  const { statements, enrolled, alreadyEnrolled, skipped } = plan.settle(...found)
  const message = enrollmentMessage(enrolled, alreadyEnrolled, skipped)
  return work.commit(statements, { message, enrolled, alreadyEnrolled, skipped })
}
