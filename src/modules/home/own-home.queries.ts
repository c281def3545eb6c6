import { and, asc, eq, gt, inArray, sql } from "drizzle-orm"
import { classEnrollments, classes, classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { userScores } from "../../../drizzle/schema/leaderboard.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus, CourseStatus, DueStatus, EnrollmentStatus, ModuleStatus } from "../../../drizzle/statuses.ts"
import { userSiteName } from "../../access/accounts.ts"
import type { Database } from "../../db/client.ts"
import { literal } from "../../db/sql.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { selectNewestAnnouncements } from "../announcements/announcement-readers.ts"
import { selectModuleRowsOfMany, toModuleStatusRows } from "../enrollments/module-rows.ts"

/** Limits of the screen; the lists of the API return everything. */
const MAX_COURSES = 4
const MAX_TASKS = 10
const MAX_SESSIONS = 5
const MAX_ANNOUNCEMENTS = 3

const TASK_TYPES = new Set<string>(["quiz", "assignment"])
const OPEN_STATUSES = new Set<string>([ModuleStatus.NotStarted, ModuleStatus.InProgress])

/** The ids of the enrollments that the screen shows. */
const shownEnrollmentIds = (userId: number) => sql`
  select ${enrollments.id} as id
  from ${enrollments}
  join ${courses} on ${courses.id} = ${enrollments.courseId} and ${courses.status} = ${literal(CourseStatus.Publish)}
  where ${enrollments.userId} = ${userId}
    and ${enrollments.status} in (${literal(EnrollmentStatus.NotStarted)}, ${literal(EnrollmentStatus.InProgress)})
    and (${enrollments.expiresAt} = 0 or ${enrollments.expiresAt} > ${now()})
  order by max(${enrollments.lastAccessedAt}, ${enrollments.registeredAt}) desc, ${enrollments.id} desc
  limit ${MAX_COURSES}`

const countOf = (status: EnrollmentStatus) =>
  sql<number>`coalesce(sum(${enrollments.status} = ${literal(status)}), 0)`.as(status)

const dueCountOf = (status: DueStatus) =>
  sql<number>`coalesce(sum(${enrollments.dueStatus} = ${literal(status)}), 0)`.as(status)

const toIso = (at: number) => new Date(at).toISOString()

/** What a user's home screen shows. One round trip. @throws 404 if the user was deleted */
export async function readOwnHome(db: Database, userId: number) {
  const [people, statistics, courseRows, moduleRows, sessions, announcements] = await db.batch([
    db
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        avatar: users.avatar,
        site: userSiteName(users.id),
        points: sql<number>`coalesce(${userScores.points}, 0)`.as("own_points"),
        badges: sql<number>`coalesce(${userScores.badgeCount}, 0)`.as("own_badges"),
      })
      .from(users)
      .leftJoin(userScores, eq(userScores.userId, users.id))
      .where(eq(users.id, userId)),
    db
      .select({
        notStarted: countOf(EnrollmentStatus.NotStarted),
        inProgress: countOf(EnrollmentStatus.InProgress),
        completed: countOf(EnrollmentStatus.Completed),
        overdue: dueCountOf(DueStatus.Overdue),
        dueSoon: dueCountOf(DueStatus.DueSoon),
        secondsSpent: sql<number>`coalesce(sum(${enrollments.timeSpent}), 0)`.as("seconds_spent"),
      })
      .from(enrollments)
      .where(eq(enrollments.userId, userId)),
    db
      .select({
        registrationId: enrollments.id,
        courseId: enrollments.courseId,
        name: courses.name,
        featuredImageUrl: courses.featuredImageUrl,
        status: enrollments.status,
        percentComplete: enrollments.percent,
        registeredAt: enrollments.registeredAt,
        expiresAt: enrollments.expiresAt,
        dueAt: enrollments.dueAt,
        dueStatus: enrollments.dueStatus,
      })
      .from(enrollments)
      .innerJoin(courses, eq(courses.id, enrollments.courseId))
      .where(inArray(enrollments.id, sql`(${shownEnrollmentIds(userId)})`))
      .orderBy(sql`max(${enrollments.lastAccessedAt}, ${enrollments.registeredAt}) desc, ${enrollments.id} desc`),
    selectModuleRowsOfMany(db, shownEnrollmentIds(userId)),
    // A user has few classes, so their sessions are read class by class.
    db
      .select({
        registrationId: classEnrollments.id,
        classId: classEnrollments.classId,
        courseName: courses.name,
        location: sql<string>`coalesce(${locations.name}, '')`.as("location"),
        timeZone: classes.timeZone,
        startAt: sql<number>`${classSessions.startAt}`.as("session_start"),
        endAt: sql<number>`${classSessions.endAt}`.as("session_end"),
      })
      .from(classEnrollments)
      .innerJoin(classes, and(eq(classes.id, classEnrollments.classId), eq(classes.disabled, false)))
      .innerJoin(classSessions, and(eq(classSessions.classId, classes.id), gt(classSessions.endAt, now())))
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .leftJoin(locations, eq(locations.id, classes.locationId))
      .where(
        and(
          eq(classEnrollments.userId, userId),
          eq(classEnrollments.status, ClassStatus.Registered),
          gt(classes.endAt, now()),
        ),
      )
      .orderBy(asc(classSessions.startAt), asc(classSessions.id))
      .limit(MAX_SESSIONS),
    selectNewestAnnouncements(db, userId, MAX_ANNOUNCEMENTS),
  ])
  const [person] = people
  const [totals] = statistics
  if (!person || !totals) throw notFound("user")
  const courseModules = courseRows.map((course) => {
    const rows = moduleRows.filter(({ enrollmentId }) => enrollmentId === course.registrationId)
    return { course, modules: toModuleStatusRows(rows, course) }
  })
  const { points, badges, ...user } = person
  return {
    user,
    points,
    badges,
    statistics: totals,
    courses: courseModules.map(({ course: { registeredAt: _, expiresAt, dueAt, dueStatus, ...course }, modules }) => {
      const next = modules.find(({ is_current }) => is_current)
      return {
        ...course,
        expiresAt: expiresAt > 0 ? toIso(expiresAt) : null,
        dueAt: dueAt > 0 ? toIso(dueAt) : null,
        dueStatus: dueStatus === DueStatus.NoDueDate ? null : dueStatus,
        next: next ? { moduleId: next.module_id, name: next.name, type: next.type } : null,
      }
    }),
    tasks: courseModules
      .flatMap(({ course: { registrationId, courseId }, modules }) =>
        modules
          .filter(
            (one) => TASK_TYPES.has(one.type) && !one.is_locked && !one.is_dripped && OPEN_STATUSES.has(one.status),
          )
          .map(({ module_id: moduleId, name, type, status }) => ({
            moduleId,
            name,
            type,
            registrationId,
            courseId,
            status,
          })),
      )
      .slice(0, MAX_TASKS),
    sessions: sessions.map(({ startAt, endAt, ...session }) => ({
      ...session,
      startsAt: toIso(startAt),
      endsAt: toIso(endAt),
    })),
    announcements: announcements.map(({ createdAt, ...one }) => ({ ...one, createdAt: toIso(createdAt) })),
  }
}
