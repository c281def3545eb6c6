import { createApp, operation } from "../../http/operation.ts"
import { sum } from "../../lib/numbers.ts"
import { academyZone } from "../../lib/text/zones.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { classDetailedColumns, enrolledClassColumns, userClassColumns } from "./class-enrollment-columns.ts"
import { formatClassTime } from "./class-names.ts"
import { getClassesOverview, reportClassInDetail, reportUserClasses } from "./class-reports.queries.ts"
import * as schemas from "./class-reports.schemas.ts"
import { listEnrolledClasses, listUserSessions } from "./enrolled-classes.queries.ts"

export const classReports = createApp()

classReports.openapi(
  operation({
    operationId: "listEnrolledClasses",
    method: "get",
    path: "/api/users/enrolled-classes",
    summary: "List a user's classes",
    tag: "Classes",
    access: "general",
    query: schemas.enrolledClassesQuery,
    answer: schemas.enrolledClasses,
    errors: [404],
  }),
  async (c) => {
    const found = await listEnrolledClasses(c.var.db, c.var.caller, c.req.valid("query"))
    const service = { base: baseUrl(c) }
    return c.json(
      listPage(c, found, (row) => enrolledClassColumns.toRow(row, service)),
      200,
    )
  },
)

classReports.openapi(
  operation({
    operationId: "listUserClassSessions",
    method: "get",
    path: "/api/users/class-sessions",
    summary: "List the sessions of a user's classes",
    description: "Those that start between two dates, in their order, as a calendar shows them; at most 1,000.",
    tag: "Classes",
    access: "general",
    extension: true,
    query: schemas.userSessionsQuery,
    answer: schemas.userSessions,
    errors: [404],
  }),
  async (c) => {
    const rows = await listUserSessions(c.var.db, c.var.caller, c.req.valid("query"), academyZone(c.env))
    const sessions = rows.map(({ startAt, endAt, brief, ...place }) => ({
      ...place,
      title: brief.courseName,
      start_time: new Date(startAt).toISOString(),
      end_time: new Date(endAt).toISOString(),
      timeZone: brief.timeZone,
      location: brief.location,
      instructor: brief.instructor,
      isOnline: brief.webinarProvider !== "",
    }))
    return c.json({ sessions }, 200)
  },
)

classReports.openapi(
  operation({
    operationId: "reportUserClasses",
    method: "get",
    path: "/api/user/class/reports",
    summary: "Report class enrollments in detail",
    description: [
      "Of one user, of a group's or portal's members, or of everyone whom the caller may see; learners see their",
      "own.",
      "The totals are those before the search.",
    ].join(" "),
    tag: "Class reports",
    access: "general",
    query: schemas.userReportQuery,
    answer: schemas.userReport,
    errors: [404],
  }),
  async (c) => {
    const { counts, page } = await reportUserClasses(c.var.db, c.var.caller, c.req.valid("query"), academyZone(c.env))
    const totals = {
      totalRegistered: counts.registered,
      totalAttended: counts.attended,
      totalNoshow: counts.noShow,
      totalCancelled: counts.cancelled,
    }
    return c.json({ ...listPage(c, page, userClassColumns.toRow), ...totals }, 200)
  },
)

classReports.openapi(
  operation({
    operationId: "reportClassInDetail",
    method: "get",
    path: "/api/class/reports/class-detailed",
    summary: "Report a class's learners in detail",
    description:
      "The totals are those before the search. started_on and completed_on are the class's own start and end.",
    tag: "Class reports",
    access: "group_admin",
    query: schemas.classDetailedQuery,
    answer: schemas.classDetailed,
    errors: [404],
  }),
  async (c) => {
    const { courseName, counts, page, ...held } = await reportClassInDetail(
      c.var.db,
      c.var.caller,
      c.req.valid("query"),
      academyZone(c.env),
    )
    const totals = {
      totalRegistered: counts.registered,
      totalAttended: counts.attended,
      totalNoShow: counts.noShow,
      totalCancelled: counts.cancelled,
    }
    const found = listPage(c, page, (row) => classDetailedColumns.toRow(row, held))
    return c.json({ courseName, ...found, ...totals }, 200)
  },
)

classReports.openapi(
  operation({
    operationId: "getClassesOverview",
    method: "get",
    path: "/api/class/reports/overview",
    summary: "Class enrollments by status, class by class",
    description: [
      "Of everyone for staff, of their own people for a group or portal administrator, or of one group's members. The",
      "latter two see the classes with any of these people.",
    ].join(" "),
    tag: "Class reports",
    access: "group_admin",
    query: schemas.classesOverviewQuery,
    answer: schemas.classesOverview,
    errors: [404],
  }),
  async (c) => {
    const rows = await getClassesOverview(c.var.db, c.var.caller, c.req.valid("query"), academyZone(c.env))
    const totalRegistered = rows.map((row) => row.registered)
    const totalAttended = rows.map((row) => row.attended)
    const totalNoShow = rows.map((row) => row.noShow)
    const totalCancelled = rows.map((row) => row.cancelled)
    const answer = {
      labels: rows.map((row) => row.courseName),
      totalRegistered,
      totalAttended,
      totalNoShow,
      totalCancelled,
      startDate: rows.map((row) => formatClassTime(row.startAt, row)),
      endDate: rows.map((row) => formatClassTime(row.endAt, row)),
      timeZone: rows.map((row) => row.timeZone),
      sumRegistered: sum(totalRegistered),
      sumAttended: sum(totalAttended),
      sumNoShow: sum(totalNoShow),
      sumCancelled: sum(totalCancelled),
    }
    return c.json(answer, 200)
  },
)
