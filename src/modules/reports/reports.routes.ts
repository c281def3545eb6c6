import { createApp, operation } from "../../http/operation.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { sum } from "../../lib/numbers.ts"
import { fullName } from "../../lib/text/words.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { listStudents } from "../enrollments/enrollment-lists.queries.ts"
import { listActivities } from "./activities.queries.ts"
import { activityColumns } from "./activity-columns.ts"
import { reportCourseDays, reportCourseModules } from "./course-statistics.queries.ts"
import { courseDetailedColumns, userDetailedColumns } from "./detailed-columns.ts"
import { reportUsers, reportUsersInDetail } from "./reports.queries.ts"
import * as schemas from "./reports.schemas.ts"
import { usersReportColumns } from "./users-report-columns.ts"

export const reports = createApp()

const toTotals = (counts: { notStarted: number; inProgress: number; completed: number }) => ({
  totalNotStarted: counts.notStarted,
  totalInProgress: counts.inProgress,
  totalCompleted: counts.completed,
})

reports.openapi(
  operation({
    operationId: "reportUserInDetail",
    method: "get",
    path: "/api/user/reports/user-detailed",
    summary: "Report enrollments in detail",
    description: [
      "Returns the enrollments of one user, of the members of a group or portal, or of everyone the caller can see.",
      "Learners see their own. The totals ignore search_param.",
    ].join(" "),
    tag: "Reports",
    access: "general",
    query: schemas.userDetailedQuery,
    response: schemas.userDetailed,
    errors: [404],
  }),
  async (c) => {
    const { counts, page } = await reportUsersInDetail(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = { ...toTotals(counts), ...listPage(c, page, userDetailedColumns.toRow) }
    return c.json(answer, 200)
  },
)

reports.openapi(
  operation({
    operationId: "reportCourseInDetail",
    method: "get",
    path: "/api/course/reports/course-detailed",
    summary: "Report a course's learners in detail",
    description:
      "Has the columns of the user-detailed report, with one row per learner. The totals ignore search_param.",
    tag: "Reports",
    access: "group_admin",
    query: schemas.courseDetailedQuery,
    response: schemas.courseDetailed,
    errors: [404],
  }),
  async (c) => {
    const { course, page } = await listStudents(c.var.db, c.var.caller, c.req.valid("query"), courseDetailedColumns)
    const answer = {
      courseName: course.name,
      featuredImage: course.featuredImageUrl,
      ...toTotals(course),
      ...listPage(c, page, courseDetailedColumns.toRow),
    }
    return c.json(answer, 200)
  },
)

reports.openapi(
  operation({
    operationId: "reportCourseDays",
    method: "get",
    path: "/api/course/reports/by-day",
    summary: "Report enrollments, starts and completions by day",
    description: [
      "Covers one course or all courses, by days in UTC. Imported activity counts on its original day. Counts do not",
      "decrease when an enrollment ends, restarts or is reset, or when the user is deleted or erased. An enrollment",
      "that is created or started again counts again.",
    ].join(" "),
    tag: "Reports",
    access: "staff",
    extension: true,
    query: schemas.courseDaysQuery,
    response: schemas.courseDaysReport,
    errors: [404],
  }),
  async (c) => {
    const { course_id: courseId, between } = c.req.valid("query")
    const { first, last, days } = await reportCourseDays(c.var.db, courseId, between)
    const enrolled = days.map((day) => day.enrolled)
    const started = days.map((day) => day.started)
    const completed = days.map((day) => day.completed)
    const answer = {
      courseId: courseId ?? null,
      firstDay: first,
      lastDay: last,
      days: days.map(({ day }) => day),
      enrolled,
      started,
      completed,
      sumEnrolled: sum(enrolled),
      sumStarted: sum(started),
      sumCompleted: sum(completed),
    }
    return c.json(answer, 200)
  },
)

reports.openapi(
  operation({
    operationId: "reportCourseModules",
    method: "get",
    path: "/api/course/reports/modules",
    summary: "Report learner progress by module",
    description: "Counts the enrollments of a course by their status in each module.",
    tag: "Reports",
    access: "staff",
    extension: true,
    query: schemas.courseModulesQuery,
    response: schemas.courseModulesReport,
    errors: [404],
  }),
  async (c) => {
    const { course_id: courseId } = c.req.valid("query")
    const { name, learners, modules } = await reportCourseModules(c.var.db, courseId)
    const answer = {
      courseId,
      courseName: name,
      learners,
      modules: modules.map(({ inProgress, submitted, completed, ...module }) => ({
        ...module,
        notStarted: learners - inProgress - submitted - completed,
        inProgress,
        submitted,
        completed,
      })),
    }
    return c.json(answer, 200)
  },
)

reports.openapi(
  operation({
    operationId: "reportUsers",
    method: "get",
    path: "/api/users/report",
    summary: "Report users by when they were created",
    description:
      "Covers the users that the caller can see. registered_between is the first and the last day, or two times.",
    tag: "Reports",
    access: "group_admin",
    query: schemas.usersReportQuery,
    response: schemas.usersReport,
  }),
  async (c) => {
    const found = await reportUsers(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = {
      totals: { users: found.recordsTotal, registered: found.recordsFiltered },
      ...listPage(c, found, usersReportColumns.toRow),
    }
    return c.json(answer, 200)
  },
)

reports.openapi(
  operation({
    operationId: "listUserActivities",
    method: "get",
    path: "/api/user-activities",
    summary: "List course activity",
    description: [
      "Returns the activity of one user. Without user_id, the context admin returns the activity of everyone the",
      "caller can see, and other contexts return the caller's own.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    query: schemas.activitiesQuery,
    response: schemas.activities,
    errors: [404],
  }),
  async (c) => {
    const { owner, page } = await listActivities(c.var.db, c.var.caller, c.req.valid("query"))
    const ownerFields = {
      name: owner ? fullName(owner) : "",
      email: owner?.email ?? "",
      avatar: owner ? avatarOf(owner) : "",
    }
    return c.json({ ...listPage(c, page, activityColumns.toRow), ...ownerFields }, 200)
  },
)
