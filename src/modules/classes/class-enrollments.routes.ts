import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { classStudentColumns } from "./class-enrollment-columns.ts"
import { enrollInClass, removeClassEnrollments, setClassEnrollmentStatus } from "./class-enrollments.queries.ts"
import * as schemas from "./class-enrollments.schemas.ts"
import { formatClassTimes } from "./class-names.ts"
import { listClassStudents } from "./class-students.queries.ts"

export const classEnrollments = createApp()

classEnrollments.openapi(
  operation({
    operationId: "enrollInClass",
    method: "post",
    path: "/api/class/enroll/{id}",
    summary: "Enroll users in a class",
    description: [
      "Users are enrolled in the given order until the class is full; notEnrolledUsers lists the others.",
      "Users who canceled are enrolled again.",
      "No one can enroll in a class that has ended, is disabled or is full.",
      "Group and portal administrators can enroll users they manage, but not themselves.",
      "This does not enroll users in the course.",
    ].join(" "),
    tag: "Classes",
    access: "group_admin",
    pathIdFields: ["id", "classId", "class_id"],
    body: schemas.classEnrollment,
    response: schemas.classEnrollmentAnswer,
    errors: [404, 409],
  }),
  async (c) => c.json(await enrollInClass(c.var.work, c.req.valid("param").id, c.req.valid("json")), 200),
)

classEnrollments.openapi(
  operation({
    operationId: "listClassStudents",
    method: "get",
    path: "/api/class/enrolled-students",
    summary: "List a class's learners",
    tag: "Classes",
    access: "group_admin",
    query: schemas.classStudentsQuery,
    response: schemas.classStudents,
    errors: [404],
  }),
  async (c) => {
    const { class: classRow, page } = await listClassStudents(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = {
      courseId: classRow.courseId,
      locationId: classRow.locationId,
      courseName: classRow.courseName,
      featuredImage: classRow.featuredImage,
      ...formatClassTimes(classRow),
      totalAttended: classRow.attended,
      totalNoShow: classRow.noShow,
      totalCancelled: classRow.cancelled,
    }
    return c.json({ ...answer, ...listPage(c, page, classStudentColumns.toRow) }, 200)
  },
)

for (const [operationId, path] of [
  ["updateClassStatus", "/api/class/update-class-status"],
  ["updateUserClassStatus", "/api/users/update-class-status"],
] as const)
  classEnrollments.openapi(
    operation({
      operationId,
      method: "get",
      path,
      summary: "Set a class enrollment's status",
      description: "`status` is Registered, Attended, No Show or Cancelled. Cancelled frees the seat.",
      tag: "Classes",
      access: "group_admin",
      mutates: true,
      query: schemas.classStatusQuery,
      response: messageResponse,
      errors: [404, 409],
    }),
    async (c) => c.json(await setClassEnrollmentStatus(c.var.work, c.req.valid("query")), 200),
  )

classEnrollments.openapi(
  operation({
    operationId: "removeFromClass",
    method: "post",
    path: "/api/class/remove/{id}",
    summary: "Remove enrollments from a class",
    description:
      "Unknown ids and ids of other classes are skipped. The message says how many enrollments were removed.",
    tag: "Classes",
    access: "group_admin",
    pathIdFields: ["id", "classId", "class_id"],
    body: schemas.classRemoval,
    response: messageResponse,
    errors: [404],
  }),
  async (c) => c.json(await removeClassEnrollments(c.var.work, c.req.valid("param").id, c.req.valid("json")), 200),
)
