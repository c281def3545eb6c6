import { type AnyColumn, and, asc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { ENROLLMENT_STATUSES, enrollmentCounts } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { courseDays, moduleCounts } from "../../../drizzle/schema/reports.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { SINGLE_ROW, subquery } from "../../db/sql.ts"
import { DAY } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { isoDate, type Period } from "../../lib/text/dates.ts"
import { sumOfCounts } from "../enrollments/enrollment-lists.queries.ts"

/** The number of days in a report without a period. */
export const DEFAULT_DAYS = 90

/** Selects every course with activity. The counters of deleted courses stay. */
const isCourseCounter = and(eq(enrollmentCounts.audience, "all"), gt(enrollmentCounts.courseId, 0))

/** The first or last day with activity of a course, or of all courses. Reads one end of the key for each course. */
function firstOrLastDay(which: "min" | "max", courseId: number | undefined): SQL<string | null> {
  const dayOfCourse = (id: SQL) => sql<string | null>`(
    select ${sql.raw(which)}(${courseDays.day})
    from ${courseDays}
    where ${courseDays.courseId} = ${id}
  )`
  return courseId === undefined
    ? sql<string | null>`(
        select ${sql.raw(which)}(${dayOfCourse(sql`${enrollmentCounts.courseId}`)})
        from ${enrollmentCounts}
        where ${isCourseCounter}
      )`
    : dayOfCourse(sql`${courseId}`)
}

/**
 * Returns the activity of a course, or of all courses, for every day of a period. The default period is the 90 days up
 * to the last day with activity.
 * @throws 404 for the course
 */
export async function reportCourseDays(db: Database, courseId: number | undefined, between: Period | undefined) {
  const isInPeriod = between
    ? and(gte(courseDays.day, isoDate(between.from)), lt(courseDays.day, isoDate(between.until)))
    : sql`${courseDays.day} > date(${firstOrLastDay("max", courseId)}, ${`-${DEFAULT_DAYS} days`})`
  const counts = {
    enrolled: sql<number>`sum(${courseDays.enrolled})`.as("enrolled_count"),
    started: sql<number>`sum(${courseDays.started})`.as("started_count"),
    completed: sql<number>`sum(${courseDays.completed})`.as("completed_count"),
  }
  const rows = { day: courseDays.day, ...counts }
  const [found, dayRows] = await db.batch([
    db
      .select({
        isKnown:
          courseId === undefined
            ? sql<number>`1`.as("is_known")
            : sql<number>`exists (select 1 from ${courses} where ${courses.id} = ${courseId})`.as("is_known"),
        first: subquery(firstOrLastDay("min", courseId)).as("first_day"),
        last: subquery(firstOrLastDay("max", courseId)).as("last_day"),
      })
      .from(SINGLE_ROW),
    courseId === undefined
      ? db
          .select(rows)
          .from(enrollmentCounts)
          .crossJoin(courseDays)
          .where(and(isCourseCounter, eq(courseDays.courseId, enrollmentCounts.courseId), isInPeriod))
          .groupBy(courseDays.day)
      : db
          .select(rows)
          .from(courseDays)
          .where(and(eq(courseDays.courseId, courseId), isInPeriod))
          .groupBy(courseDays.day),
  ])
  const { isKnown, first, last } = firstRow(found)
  if (!isKnown) throw notFound("course")
  const until = between?.until ?? (last === null ? 0 : Date.parse(last) + DAY)
  const from = between?.from ?? until - (last === null ? 0 : DEFAULT_DAYS * DAY)
  const countsByDay = new Map(dayRows.map((row) => [row.day, row]))
  const days = Array.from({ length: (until - from) / DAY }, (_, at) => {
    const day = isoDate(from + at * DAY)
    return { ...(countsByDay.get(day) ?? { enrolled: 0, started: 0, completed: 0 }), day }
  })
  return { first, last, days }
}

/**
 * Counts the enrollments of a course by their status in each module, in the order of the modules.
 * @throws 404 for the course
 */
export async function reportCourseModules(db: Database, courseId: number) {
  const storedCount = (count: AnyColumn, name: string) => sql<number>`coalesce(${count}, 0)`.as(`${name}_count`)
  const [found, rows] = await db.batch([
    db
      .select({
        name: courses.name,
        learners: sql<number>`coalesce(${sumOfCounts(ENROLLMENT_STATUSES)}, 0)`.as("learner_count"),
      })
      .from(courses)
      .leftJoin(enrollmentCounts, and(eq(enrollmentCounts.audience, "all"), eq(enrollmentCounts.courseId, courses.id)))
      .where(eq(courses.id, courseId)),
    db
      .select({
        moduleId: courseModules.moduleId,
        name: modules.name,
        type: modules.type,
        required: courseModules.required,
        inProgress: storedCount(moduleCounts.inProgress, "in_progress"),
        submitted: storedCount(moduleCounts.submitted, "submitted"),
        completed: storedCount(moduleCounts.completed, "completed"),
      })
      .from(courseModules)
      .innerJoin(modules, eq(modules.id, courseModules.moduleId))
      .leftJoin(
        moduleCounts,
        and(eq(moduleCounts.courseId, courseModules.courseId), eq(moduleCounts.moduleId, courseModules.moduleId)),
      )
      .where(eq(courseModules.courseId, courseId))
      .orderBy(asc(courseModules.position)),
  ])
  const [course] = found
  if (!course) throw notFound("course")
  return { ...course, modules: rows }
}
