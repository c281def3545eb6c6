import { type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { submissionCounts } from "../../../drizzle/schema/submissions.ts"
import { audienceOf } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { preparePage } from "../../db/list/page.ts"
import { SINGLE_ROW } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import { type AtRiskQuery, MAX_TAUGHT } from "./at-risk.schemas.ts"
import { atRiskColumns, riskOf } from "./at-risk-columns.ts"
import { atRiskFilter, hasReason, peopleAtRisk, taughtCourseIds } from "./at-risk-selection.ts"

/**
 * Returns one page of the learners at risk in a course, or in the courses that the caller teaches. One round trip.
 * @throws 404 for the course, the group or the portal
 */
export async function listAtRisk(db: Database, caller: Caller, query: AtRiskQuery & { page_size: number }) {
  const { course_id: courseId, group_id: groupId, inactiveDays, search_param: search } = query
  const cutoff = now() - inactiveDays * DAY
  const courseIds = courseId === undefined ? taughtCourseIds(caller.id) : sql`select ${courseId}`
  const reasons = search.reason ?? []
  const { ids, test } = atRiskFilter(courseIds, peopleAtRisk(caller, query), cutoff)
  const found = preparePage(
    db,
    {
      table: enrollments,
      key: enrollments.id,
      fields: atRiskColumns.fields,
      sort: { ...atRiskColumns.sort, risk: { sorted: riskOf(cutoff) } },
      defaultSort: { colName: "risk", direction: "desc" },
      scope: [{ test: sql`1`, ids }, { test }],
      search: reasons.length > 0 ? [{ test: hasReason(cutoff, reasons) }] : [],
    },
    query,
  )
  const audience = audienceOf(caller, groupId)
  const [rows, totals, allowed] = await db.batch([
    ...found.statements,
    db
      .select({
        course:
          courseId === undefined
            ? sql<number>`1`.as("course_found")
            : sql<number>`exists (
                select 1 from ${courses} where ${courses.id} = ${courseId} and ${canSeeCourse(caller)}
              )`.as("course_found"),
        group: sql<number>`${audience.allowed}`.as("group_found"),
      })
      .from(SINGLE_ROW),
  ])
  const { course, group } = firstRow(allowed)
  if (!course) throw notFound("course")
  if (!group) throw notFound("group")
  return { page: found.read(rows, totals), cutoff }
}

/** The courses that the caller teaches, with what needs attention in each. One round trip. */
export async function readTaughtCourses(db: Database, caller: Caller, { inactiveDays }: { inactiveDays: number }) {
  const cutoff = now() - inactiveDays * DAY
  const { key } = audienceOf(caller, undefined)
  const courseIds = taughtCourseIds(caller.id)
  const { test, ids } = atRiskFilter(courseIds, peopleAtRisk(caller, {}), cutoff)
  const counted = (columns: SQL, from: typeof enrollmentCounts | typeof submissionCounts) => sql<number>`coalesce((
    select ${columns} from ${from} where ${from.audience} = ${key} and ${from.courseId} = ${courses.id}
  ), 0)`
  const learners = sql`${enrollmentCounts.notStarted} + ${enrollmentCounts.inProgress} + ${enrollmentCounts.completed}`
  const [rows] = await db.batch([
    db
      .select({
        id: courses.id,
        name: courses.name,
        status: courses.status,
        learners: counted(learners, enrollmentCounts).as("learner_count"),
        toGrade: counted(sql`${submissionCounts.submitted}`, submissionCounts).as("to_grade"),
        overdue: counted(sql`${enrollmentCounts.overdue}`, enrollmentCounts).as("overdue_count"),
        atRisk: sql<number>`coalesce(at_risk.learners, 0)`.as("at_risk_count"),
      })
      .from(courses)
      .leftJoin(
        sql`(
          select ${enrollments.courseId} as course_id, count(*) as learners from ${enrollments}
          where ${enrollments.id} in (${ids}) and ${test}
          group by ${enrollments.courseId}
        ) as at_risk`,
        sql`at_risk.course_id = ${courses.id}`,
      )
      .where(sql`${courses.id} in (${courseIds})`)
      .orderBy(sql`${courses.name} collate nocase`)
      .limit(MAX_TAUGHT),
  ])
  return { courses: rows }
}
