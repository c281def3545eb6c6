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
    summary: "Report registrations in detail",
    description: [
      "Of one user, of a group's or portal's members, or of everyone whom the caller may see; learners see their",
      "own.",
      "The totals are those before the search.",
    ].join(" "),
    tag: "Reports",
    access: "general",
    query: schemas.userDetailedQuery,
    answer: schemas.userDetailed,
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
      "The columns of the user-detailed report, a row for each learner. The totals are those before the search.",
    tag: "Reports",
    access: "group_admin",
    query: schemas.courseDetailedQuery,
    answer: schemas.courseDetailed,
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
      "Of one course, or of all of them. Days are those of UTC. Each act counts on the day that it has in the course's",
      "history, so that records of another system count on theirs. What happened stays counted: when the registration",
      "ends, begins anew or is reset, and when the user is deleted or erased. A registration that is made or begun",
      "again counts again.",
    ].join(" "),
    tag: "Reports",
    access: "staff",
    extension: true,
    query: schemas.courseDaysQuery,
    answer: schemas.courseDaysReport,
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
    summary: "Report where a course's learners are, module by module",
    description: "How many registrations of the course are in which state of each of its modules.",
    tag: "Reports",
    access: "staff",
    extension: true,
    query: schemas.courseModulesQuery,
    answer: schemas.courseModulesReport,
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
    description: "Within the caller's scope. registered_between takes the first and the last day, or two times.",
    tag: "Reports",
    access: "group_admin",
    query: schemas.usersReportQuery,
    answer: schemas.usersReport,
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
    summary: "List what users did in courses",
    description: [
      "One user's; under context admin, without user_id, those of everyone whom the caller may see.",
      "Under any other context the caller's own.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    query: schemas.activitiesQuery,
    answer: schemas.activities,
    errors: [404],
  }),
  async (c) => {
    const { owner, page } = await listActivities(c.var.db, c.var.caller, c.req.valid("query"))
    const whose = {
      name: owner ? fullName(owner) : "",
      email: owner?.email ?? "",
      avatar: owner ? avatarOf(owner) : "",
    }
    return c.json({ ...listPage(c, page, activityColumns.toRow), ...whose }, 200)
  },
)
