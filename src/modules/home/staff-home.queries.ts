import { and, desc, eq, gt, gte, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts } from "../../../drizzle/schema/enrollments.ts"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { courseDays } from "../../../drizzle/schema/reports.ts"
import { submissions } from "../../../drizzle/schema/submissions.ts"
import { webhooks } from "../../../drizzle/schema/webhooks.ts"
import { CourseStatus, DueStatus, SubmissionStatus } from "../../../drizzle/statuses.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"
import { counter, literal, SINGLE_ROW, subquery } from "../../db/sql.ts"
import { type Caller, hasRole } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { isoDate } from "../../lib/text/dates.ts"
import { storedDueCount } from "../enrollments/due-filters.ts"

/** The length of a period in days. */
export const PERIOD_DAYS = 30
const MAX_COURSES = 8
/** Open tasks are counted up to this number. */
export const MAX_COUNTED = 1000

const { notStarted, inProgress, completed } = enrollmentCounts
const total = sql`${notStarted} + ${inProgress} + ${completed}`
const isCourseCounter = and(eq(enrollmentCounts.audience, "all"), gt(enrollmentCounts.courseId, 0))

/** The number of rows that a query finds, at most `MAX_COUNTED`. */
const countUpTo = (query: ReturnType<typeof sql>) =>
  subquery(sql<number>`(select count(*) from (${query} limit ${MAX_COUNTED}))`)

const toGrade = countUpTo(
  sql`select 1 from ${submissions} where ${submissions.status} = ${literal(SubmissionStatus.Submitted)}`,
)

const failingWebhooks = subquery(sql<number>`(
  select count(*) from ${webhooks} where ${webhooks.failures} > 0 or ${webhooks.offReason} <> ''
)`)

/** The caller's exports that failed, until they expire. */
const failedExports = (callerId: number) =>
  countUpTo(sql`
    select 1 from ${exportJobs}
    where ${exportJobs.status} <> 'expired' and ${exportJobs.status} = 'failed'
      and ${exportJobs.callerId} = ${callerId} and ${exportJobs.expiresAt} > ${now()}`)

/** The seats of groups that nobody uses. */
const openSeats = subquery(sql<number>`(
  select coalesce(sum(max(seats.total - seats.used, 0)), 0)
  from (
    select ${groupCourseSeats.totalSeats} as total, ${groupCourseSeats.usedSeats} as used
    from ${groupCourseSeats}
    limit ${MAX_COUNTED}
  ) as seats
)`)

const newestDraft = subquery(sql<number | null>`(
  select ${courses.id} from ${courses}
  where ${courses.status} = ${literal(CourseStatus.Draft)}
  order by ${courses.createdAt} desc
  limit 1
)`)

/** The activity of the current and of the previous period, of all courses. */
function selectActivity(db: Database, firstDay: string, previousFirstDay: string) {
  const { day } = courseDays
  const of = (column: "enrolled" | "started" | "completed", isCurrent: boolean) => {
    const test = isCurrent ? sql`${day} >= ${firstDay}` : sql`${day} < ${firstDay}`
    return sql<number>`coalesce(sum(iif(${test}, ${courseDays[column]}, 0)), 0)`.as(
      `${column}_${isCurrent ? "now" : "before"}`,
    )
  }
  return db
    .select({
      enrolled: of("enrolled", true),
      enrolledBefore: of("enrolled", false),
      started: of("started", true),
      startedBefore: of("started", false),
      completed: of("completed", true),
      completedBefore: of("completed", false),
    })
    .from(enrollmentCounts)
    .crossJoin(courseDays)
    .where(and(isCourseCounter, eq(courseDays.courseId, enrollmentCounts.courseId), gte(day, previousFirstDay)))
}

/** Everything that the home page of staff shows. One round trip. */
export async function readStaffHome(db: Database, caller: Caller) {
  const today = now()
  const firstDay = isoDate(today - (PERIOD_DAYS - 1) * DAY)
  const previousFirstDay = isoDate(today - (2 * PERIOD_DAYS - 1) * DAY)
  const due = (status: "overdue" | "due_soon") => storedDueCount("all", 0, [status])
  const [counts, activity, courseRows, [stored = null]] = await db.batch([
    db
      .select({
        courses: counter("courses").as("course_count"),
        published: counter("courses:publish").as("published_count"),
        newestDraft: newestDraft.as("newest_draft"),
        users: counter("users").as("user_count"),
        overdue: due(DueStatus.Overdue).as("overdue"),
        dueSoon: due(DueStatus.DueSoon).as("due_soon"),
        toGrade: toGrade.as("to_grade"),
        failingWebhooks: (hasRole(caller, "admin") ? failingWebhooks : sql<null>`null`).as("failing_webhooks"),
        failedExports: failedExports(caller.id ?? 0).as("failed_exports"),
        openSeats: openSeats.as("open_seats"),
      })
      .from(SINGLE_ROW),
    selectActivity(db, firstDay, previousFirstDay),
    db
      .select({ courseId: courses.id, name: courses.name, notStarted, inProgress, completed })
      .from(enrollmentCounts)
      .innerJoin(courses, eq(courses.id, enrollmentCounts.courseId))
      .where(and(isCourseCounter, gt(total, 0)))
      .orderBy(desc(total), courses.id)
      .limit(MAX_COURSES),
    selectSettings(db),
  ])
  return {
    counts: firstRow(counts),
    activity: firstRow(activity),
    courses: courseRows,
    settings: stored,
    period: { firstDay, lastDay: isoDate(today) },
  }
}
