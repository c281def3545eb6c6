import { createApp, operation } from "../../http/operation.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { fullName } from "../../lib/text/words.ts"
import { listAnswer } from "../../lib/web/list-answer.ts"
import { listStudents } from "../learning/enrolment-lists.queries.ts"
import { listActivities } from "./activities.queries.ts"
import { activityColumns } from "./activity-columns.ts"
import { courseDetailedColumns, userDetailedColumns } from "./detailed-columns.ts"
import { detailUsers, reportUsers } from "./reports.queries.ts"
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
    const { counts, page } = await detailUsers(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = { ...toTotals(counts), ...listAnswer(c, page, userDetailedColumns.toRow) }
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
      ...listAnswer(c, page, courseDetailedColumns.toRow),
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
      ...listAnswer(c, found, usersReportColumns.toRow),
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
    return c.json({ ...listAnswer(c, page, activityColumns.toRow), ...whose }, 200)
  },
)
