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
    revalidated: true,
    response: schemas.enrolledClasses,
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
    description: "Up to 1,000 sessions that start between two dates, in the order of their starts.",
    tag: "Classes",
    access: "general",
    extension: true,
    query: schemas.userSessionsQuery,
    revalidated: true,
    response: schemas.userSessions,
    errors: [404],
  }),
  async (c) => {
    const rows = await listUserSessions(c.var.db, c.var.caller, c.req.valid("query"), academyZone(c.env))
    const sessions = rows.map(({ startAt, endAt, brief, ...session }) => ({
      ...session,
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
      "Returns the enrollments of one user, of the members of a group or portal, or of everyone the caller can see.",
      "Learners see their own. The totals ignore search_param.",
    ].join(" "),
    tag: "Class reports",
    access: "general",
    query: schemas.userReportQuery,
    response: schemas.userReport,
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
    description: "The totals ignore search_param. started_on and completed_on are the start and the end of the class.",
    tag: "Class reports",
    access: "group_admin",
    query: schemas.classDetailedQuery,
    response: schemas.classDetailed,
    errors: [404],
  }),
  async (c) => {
    const { courseName, counts, page, ...classTimes } = await reportClassInDetail(
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
    const found = listPage(c, page, (row) => classDetailedColumns.toRow(row, classTimes))
    return c.json({ courseName, ...found, ...totals }, 200)
  },
)

classReports.openapi(
  operation({
    operationId: "getClassesOverview",
    method: "get",
    path: "/api/class/reports/overview",
    summary: "Count class enrollments by class and status",
    description: [
      "Staff get all classes. Group and portal administrators get the classes with users they manage. With group_id,",
      "only members of that group are counted.",
    ].join(" "),
    tag: "Class reports",
    access: "group_admin",
    query: schemas.classesOverviewQuery,
    response: schemas.classesOverview,
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
