import { createApp, operation } from "../../http/operation.ts"
import { invalid } from "../../lib/errors.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { duration } from "../../lib/text/dates.ts"
import { fullName } from "../../lib/text/words.ts"
import { learnerUrl } from "../../lib/web/academy.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { listEnrollments } from "./all-enrollments.queries.ts"
import { enrolledCourseColumns } from "./enrolled-course-columns.ts"
import { getUserStatistics, listEnrolledCourses } from "./enrolled-courses.queries.ts"
import { listStudents } from "./enrollment-lists.queries.ts"
import { recordEnrollments } from "./enrollment-records.queries.ts"
import { enroll } from "./enrollments.queries.ts"
import * as schemas from "./enrollments.schemas.ts"
import { allEnrollmentColumns, studentColumns } from "./registration-columns.ts"
import { enrollSelf } from "./self-enrollment.queries.ts"
import { unenroll } from "./unenrollment.queries.ts"

export const enrollments = createApp()

enrollments.openapi(
  operation({
    operationId: "enrollUsers",
    method: "post",
    path: "/api/course/enroll",
    summary: "Enroll users in courses",
    description: [
      "Enrolls each user in each course, up to 20,000 pairs. If a course or the group has too few seats left, no users",
      "are enrolled and the response is 409. Users are notified, unless they enroll themselves or a date is given.",
    ].join(" "),
    tag: "Courses",
    access: "group_admin",
    extension: true,
    body: schemas.enrollment,
    response: schemas.enrollmentAnswer,
    errors: [404, 409],
  }),
  async (c) => c.json(await enroll(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

enrollments.openapi(
  operation({
    operationId: "listEnrollments",
    method: "get",
    path: "/api/enrollments/tabularlist",
    summary: "List all enrollments",
    description: [
      "The course enrollments of all users that the caller can see, with the ids of users and courses: for copies",
      "of the data. updatedSince returns what changed; removed enrollments are in the event feed only.",
    ].join(" "),
    tag: "Courses",
    access: "general",
    signedIn: true,
    extension: true,
    query: schemas.allEnrollmentsQuery,
    response: schemas.allEnrollments,
  }),
  async (c) => {
    const found = await listEnrollments(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json(
      listPage(c, found, (row) => allEnrollmentColumns.toRow(row)),
      200,
    )
  },
)

enrollments.openapi(
  operation({
    operationId: "enrollSelf",
    method: "post",
    path: "/api/course/self-enroll",
    summary: "Enroll yourself in a course",
    description: [
      "The course must be published, and either allow self-enrollment or have an enrollment key, " +
        "which is then required.",
      "If you are already enrolled, nothing changes. After ten wrong keys within 15 minutes the response is 429.",
    ].join(" "),
    tag: "Courses",
    access: "general",
    signedIn: true,
    extension: true,
    body: schemas.selfEnrollment,
    response: schemas.selfEnrollmentAnswer,
    errors: [404, 409],
  }),
  async (c) => {
    const { course_id: id, enrollment_key: key } = c.req.valid("json")
    return c.json(await enrollSelf(c.var.work, { id }, key), 200)
  },
)

enrollments.openapi(
  operation({
    operationId: "recordEnrollments",
    method: "post",
    path: "/api/course/record",
    summary: "Import enrollments from another system",
    description: [
      "Up to 5,000 enrollments, each with its own dates. Existing enrollments are not changed, so an import can be",
      "repeated. If a course has too few seats left, no users are enrolled and the response is 409.",
    ].join(" "),
    tag: "Courses",
    access: "staff",
    extension: true,
    body: schemas.enrollmentRecords,
    maxBytes: schemas.ENROLLMENT_RECORDS_BYTES,
    response: schemas.enrollmentAnswer,
    errors: [409],
  }),
  async (c) => c.json(await recordEnrollments(c.var.work, c.req.valid("json")), 200),
)

enrollments.openapi(
  operation({
    operationId: "unenrollUsers",
    method: "post",
    path: "/api/course/unenroll",
    summary: "Unenroll users from courses",
    description: "Deletes the enrollments with their progress, attempts and submissions.",
    tag: "Courses",
    access: "staff",
    extension: true,
    body: schemas.unenrollment,
    response: schemas.unenrollmentAnswer,
    errors: [409],
  }),
  async (c) => c.json(await unenroll(c.var.work, c.req.valid("json")), 200),
)

enrollments.openapi(
  operation({
    operationId: "listCourseStudents",
    method: "get",
    path: "/api/course/enrolled-students",
    summary: "List a course's learners",
    description: [
      "The totals count the learners before the search: those that the caller may see, within the given group and",
      "portal.",
    ].join(" "),
    tag: "Courses",
    access: "group_admin",
    query: schemas.enrolledStudentsQuery,
    response: schemas.enrolledStudents,
    errors: [404],
  }),
  async (c) => {
    const { course, page } = await listStudents(c.var.db, c.var.caller, c.req.valid("query"), studentColumns)
    const answer = {
      courseName: course.name,
      featuredImage: course.featuredImageUrl,
      totalNotStarted: course.notStarted,
      totalInProgress: course.inProgress,
      totalCompleted: course.completed,
      ...listPage(c, page, studentColumns.toRow),
    }
    return c.json(answer, 200)
  },
)

enrollments.openapi(
  operation({
    operationId: "listEnrolledCourses",
    method: "get",
    path: "/api/users/enrolled-courses",
    summary: "List a user's courses",
    tag: "Learning data",
    access: "general",
    query: schemas.enrolledCoursesQuery,
    revalidated: true,
    response: schemas.enrolledCourses,
    errors: [404],
  }),
  async (c) => {
    const base = learnerUrl(c.env, baseUrl(c))
    const { user, page } = await listEnrolledCourses(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = {
      name: fullName(user),
      email: user.email,
      userType: user.userType,
      avatar: avatarOf(user),
      isLearner: user.userType === "general",
      ...listPage(c, page, (row) => enrolledCourseColumns.toRow(row, { base })),
    }
    return c.json(answer, 200)
  },
)

enrollments.openapi(
  operation({
    operationId: "getDashboardStatistics",
    method: "get",
    path: "/api/user/dashboard/statistics",
    summary: "Count a user's courses by status",
    description: "Each count is returned under its old and its new name.",
    tag: "Learning data",
    access: "general",
    query: schemas.statisticsQuery,
    revalidated: true,
    response: schemas.statistics,
    errors: [404],
  }),
  async (c) => {
    const { user_id = c.var.caller.id, portalId } = c.req.valid("query")
    if (user_id === null) throw invalid("user_id", "user_id is required.")
    const { notStarted, inProgress, completed, timeSpent, ...user } = await getUserStatistics(
      c.var.db,
      c.var.caller,
      user_id,
      portalId,
    )
    const total = notStarted + inProgress + completed
    const answer = {
      totalCourses: total,
      completedCourses: completed,
      inProgressCourses: inProgress,
      notStartedCourses: notStarted,
      total,
      completed,
      inProgress,
      notStarted,
      studentName: fullName(user),
      timeSpent: duration(timeSpent),
    }
    return c.json(answer, 200)
  },
)
