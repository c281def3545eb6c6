import { and, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/courses.ts"
import { activities, enrolments, tallies } from "../../../drizzle/enrolments.ts"
import { groupCourseSeats, groupMembers } from "../../../drizzle/groups.ts"
import { users } from "../../../drizzle/users.ts"
import { audienceOf, mayKnow } from "../../gate/scope.ts"
import { hasRole, isSupervisor } from "../../lib/access.ts"
import { DAY, now } from "../../lib/clock.ts"
import { conflict, forbidden, invalid, notFound } from "../../lib/errors.ts"
import { one } from "../../lib/sql/db.ts"
import { idList, subquery } from "../../lib/sql/sql.ts"
import { type Statement, settled, type UnitOfWork } from "../../lib/sql/work.ts"
import { counted } from "../../lib/text/words.ts"
import { seatsTaken } from "../catalogue/seats.ts"
import type { Enrolment, Unenrolment } from "./enrolments.schemas.ts"

/** The most pairs of a user and a course that one call may name. */
export const MOST = 20_000

export interface Registration {
  userIds: number[]
  courseIds: number[]
  groupId?: number | undefined
  /** An expression on `courses` where it is not the same for all of them. */
  learningPathId?: number | SQL | undefined
  /** Times in epoch ms; `expiresAt` undefined: as the course says. */
  registeredAt?: number | undefined
  startedAt?: number | undefined
  completedAt?: number | undefined
  expiresAt?: number | undefined
  /** Further conditions on the user and on the course. */
  among?: { users?: SQL; courses?: SQL }
}

/**
 * Enrols every one of the users in every one of the courses, but those who are, and writes an audit row per course. The
 * tallies, seats and ENROLLED activities follow by triggers. For the batch of whatever else enrols: users that the same
 * batch creates are enrolled too when their statements come first.
 * @param afterId the id before the first that may be given: `last - userIds × courseIds` of `nextIds("enrolments", …)`
 */
export function enrolStatements(work: UnitOfWork, registration: Registration, afterId: number): Statement[] {
  const { db, caller } = work
  const { userIds, courseIds, groupId = null, learningPathId = null, among } = registration
  const { startedAt = 0, completedAt = 0 } = registration
  const registeredAt = registration.registeredAt ?? (startedAt || completedAt || now())
  const status = completedAt ? "Completed" : startedAt ? "In Progress" : "Not Started"
  const expiresAt =
    registration.expiresAt ??
    sql`iif(${courses.expiresAfterDays} > 0, ${registeredAt} + ${courses.expiresAfterDays} * ${DAY}, 0)`
  return [
    db
      .insert(enrolments)
      .select(
        sql`select ${afterId} + row_number() over (order by ${courses.id}, ${users.id}) as id, ${users.id} as user_id, ${courses.id} as course_id, ${status} as status, ${completedAt ? 100 : 0} as percent, 0 as done, 0 as time_spent, ${groupId} as group_id, ${learningPathId} as learning_path_id, ${caller.id} as enrolled_by, ${registeredAt} as registered_at, ${startedAt || completedAt} as started_at, ${completedAt} as completed_at, ${expiresAt} as expires_at, ${Math.max(startedAt, completedAt)} as last_accessed_at, 0 as certificate_count, 0 as points_awarded, 0 as points_possible, ${users.firstName} as first_name, ${users.lastName} as last_name, ${users.email} as email, ${users.firstNameKey} as first_name_key, ${users.lastNameKey} as last_name_key from ${courses} cross join ${users} where ${courses.id} in ${idList(courseIds)} and ${among?.courses ?? sql`1`} and ${users.id} in ${idList(userIds)} and ${among?.users ?? sql`1`} and not exists (select 1 from ${enrolments} where ${enrolments.courseId} = ${courses.id} and ${enrolments.userId} = ${users.id})`,
      ),
    auditEnrolments(work, given(registration, afterId)),
  ]
}

/** An audit row for each course of the enrolments that were made. */
export const auditEnrolments = (work: UnitOfWork, made: SQL) =>
  work.auditMany(
    "created",
    "enrolment",
    sql`select ${courses.id} as id, ${courses.name} as name, json_object('user_ids', json_group_array(${enrolments.userId})) as details from ${enrolments} join ${courses} on ${courses.id} = ${enrolments.courseId} where ${made} group by ${courses.id}`,
  )

/** The enrolments that `enrolStatements` made. */
const given = ({ userIds, courseIds }: Registration, afterId: number) =>
  sql`${enrolments.id} > ${afterId} and ${enrolments.id} <= ${afterId + userIds.length * courseIds.length}`

/**
 * Plans an enrolment: `reads` belong to the mutation's first trip; `settle` takes their results and gives the
 * statements of its second, with counts that the batch makes sure of.
 * @throws 409 from `settle` when a course or the group has too few seats left: nobody is enrolled then
 */
export function planEnrolment(
  work: UnitOfWork,
  registration: Omit<Registration, "courseIds"> & {
    /** Or a query of them. */
    courseIds: number[] | SQL
  },
) {
  const { db } = work
  const { userIds, courseIds, groupId, among } = registration
  const wanted = sql`${courses.id} in ${Array.isArray(courseIds) ? idList(courseIds) : sql`(${courseIds})`} and ${among?.courses ?? sql`1`}`
  const most = Array.isArray(courseIds)
    ? userIds.length * courseIds.length
    : sql`${userIds.length} * (select count(*) from ${courses} where ${wanted})`
  const eligible = sql`${users.id} in ${idList(userIds)} and ${among?.users ?? sql`1`}`
  const seat = (column: typeof groupCourseSeats.totalSeats | typeof groupCourseSeats.usedSeats) =>
    subquery(
      sql<
        number | null
      >`(select ${column} from ${groupCourseSeats} where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} = ${courses.id})`,
    )
  const reads = [
    work.nextIds("enrolments", most),
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
        already: subquery(
          sql<number>`(select count(*) from ${users} join ${enrolments} on ${enrolments.courseId} = ${courses.id} and ${enrolments.userId} = ${users.id} where ${eligible})`,
        ).as("already"),
        groupSeats: seat(groupCourseSeats.totalSeats).as("group_seats"),
        groupTaken: seat(groupCourseSeats.usedSeats).as("group_taken"),
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
    const { count } = one(usersFound)
    const settled = { ...registration, courseIds: Array.isArray(courseIds) ? courseIds : found.map(({ id }) => id) }
    const pairs = userIds.length * settled.courseIds.length
    const afterId = one(ids).last - pairs
    const filling = found.filter((course) => course.already < count)
    for (const { name, totalSeats, taken, already, groupSeats, groupTaken } of filling) {
      const wanted = count - already
      requireSeats(wanted, totalSeats === 0 ? undefined : totalSeats - taken, `The course ${name}`)
      requireSeats(wanted, groupSeats === null ? undefined : groupSeats - (groupTaken ?? 0), `The group, in ${name},`)
    }
    const alreadyEnrolled = found.reduce((sum, course) => sum + course.already, 0)
    const enrolled = count * found.length - alreadyEnrolled
    const skipped = pairs - count * found.length
    const fillingIds = idList(filling.map((course) => course.id))
    const statements =
      enrolled === 0
        ? []
        : [
            ...enrolStatements(work, settled, afterId),
            work.guard(
              sql`(select count(*) from ${enrolments} where ${given(settled, afterId)}) = ${enrolled} and ${courseSeatsHold(fillingIds)} and not exists (select 1 from ${groupCourseSeats} where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} in ${fillingIds} and ${groupCourseSeats.usedSeats} > ${groupCourseSeats.totalSeats})`,
            ),
          ]
    return { statements, enrolled, alreadyEnrolled, skipped }
  }
  return { reads, settle }
}

/** No course has more learners than seats. @param courseIds a list for use after `in` */
export const courseSeatsHold = (courseIds: SQL): SQL =>
  sql`not exists (select 1 from ${courses} join ${tallies} on ${tallies.audience} = 'all' and ${tallies.courseId} = ${courses.id} where ${courses.id} in ${courseIds} and ${courses.totalSeats} > 0 and ${tallies.notStarted} + ${tallies.inProgress} + ${tallies.completed} > ${courses.totalSeats})`

/** @param left undefined: any number */
export function requireSeats(wanted: number, left: number | undefined, whose: string) {
  if (left !== undefined && wanted > left)
    throw conflict(
      `${whose} has ${counted(Math.max(0, left), "seat")} left and this call needs ${wanted}. Nobody was enrolled.`,
    )
}

export const enrolmentMessage = (enrolled: number, alreadyEnrolled: number, skipped: number) =>
  [
    `${counted(enrolled, "enrolment")} made.`,
    ...(alreadyEnrolled > 0 ? [`${alreadyEnrolled} there already.`] : []),
    ...(skipped > 0 ? [`${skipped} skipped: the user or the course is unknown, or not within your reach.`] : []),
  ].join(" ")

/** @throws 409 too few seats; 404 for a group that the caller may not know; 403 for dates below staff; 422 */
export const enrol = (work: UnitOfWork, input: Enrolment) => settled(() => tryToEnrol(work, input))

async function tryToEnrol(work: UnitOfWork, input: Enrolment) {
  const { db, caller } = work
  const { course_ids: courseIds, user_ids: userIds, group_id: groupId } = input
  if (userIds.length * courseIds.length > MOST)
    throw invalid("user_ids", `user_ids times course_ids must be ${MOST} or less; make several calls.`)
  const isStaff = hasRole(caller, "staff")
  if (!isStaff && (input.registered_on ?? input.started_on ?? input.completed_on) !== undefined)
    throw forbidden("Only staff may give the dates of records from another system.")
  if (isSupervisor(caller) && groupId === undefined)
    throw invalid("group_id", "group_id is required: an administrator enrols with the seats of a group.")
  const member = sql`exists (select 1 from ${groupMembers} where ${groupMembers.groupId} = ${groupId ?? 0} and ${groupMembers.userId} = ${users.id})`
  const seated = sql`exists (select 1 from ${groupCourseSeats} where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} = ${courses.id})`
  const plan = planEnrolment(work, {
    userIds,
    courseIds,
    groupId,
    registeredAt: input.registered_on,
    startedAt: input.started_on,
    completedAt: input.completed_on,
    expiresAt: input.expire_on,
    among: {
      users: and(mayKnow(caller, users.id), groupId === undefined ? undefined : member) ?? sql`1`,
      courses: isSupervisor(caller) ? seated : sql`1`,
    },
  })
  const { allowed } = audienceOf(caller, groupId)
  const [may, ...found] = await work.read([
    db.select({ allowed: sql<number>`${allowed}`.as("allowed") }).from(sql`(select 1)`),
    ...plan.reads,
  ])
  if (!one(may).allowed) throw notFound("group")
  const { statements, enrolled, alreadyEnrolled, skipped } = plan.settle(...found)
  const message = enrolmentMessage(enrolled, alreadyEnrolled, skipped)
  return work.commit(statements, { message, enrolled, alreadyEnrolled, skipped })
}

/** Ends registrations, and with them what was done in them. Pairs without one are counted. */
export async function unenrol(work: UnitOfWork, { course_ids, user_ids }: Unenrolment) {
  const { db, caller } = work
  if (user_ids.length * course_ids.length > MOST)
    throw invalid("user_ids", `user_ids times course_ids must be ${MOST} or less; make several calls.`)
  const these = sql`${enrolments.courseId} in ${idList(course_ids)} and ${enrolments.userId} in ${idList(user_ids)}`
  const [found] = await work.read([
    db
      .select({ count: sql<number>`count(*)`.as("count") })
      .from(enrolments)
      .where(these),
  ])
  const unenrolled = one(found).count
  const notEnrolled = user_ids.length * course_ids.length - unenrolled
  const message = [
    `${counted(unenrolled, "enrolment")} ended.`,
    ...(notEnrolled > 0 ? [`${notEnrolled} not there.`] : []),
  ].join(" ")
  const answer = { message, unenrolled, notEnrolled }
  if (unenrolled === 0) return work.commit([], answer)
  const ofCourses = sql`from ${enrolments} join ${courses} on ${courses.id} = ${enrolments.courseId} where ${these}`
  return work.commit(
    [
      work.guard(sql`(select count(*) from ${enrolments} where ${these}) = ${unenrolled}`),
      db
        .insert(activities)
        .select(
          sql`select null as id, ${enrolments.userId} as user_id, 'UNENROLLED' as verb, ${courses.id} as course_id, ${courses.name} as course_name, nullif(${caller.id}, ${enrolments.userId}) as actor_id, ${now()} as created_at ${ofCourses}`,
        ),
      work.auditMany(
        "deleted",
        "enrolment",
        sql`select ${courses.id} as id, ${courses.name} as name, json_object('user_ids', json_group_array(${enrolments.userId})) as details ${ofCourses} group by ${courses.id}`,
      ),
      db.delete(enrolments).where(these),
    ],
    answer,
  )
}

export const courseName = sql<string>`(select ${courses.name} from ${courses} where ${courses.id} = ${enrolments.courseId})`
