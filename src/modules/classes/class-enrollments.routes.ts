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
      "A cancelled place is given back.",
      "Of more users than there are seats the first are enrolled; notEnrolledUsers names the others.",
      "A class that has ended, is disabled or has no seat left takes nobody.",
      "Administrators of groups and portals enroll their people, not themselves.",
      "Enrolling in the course is a call of its own.",
    ].join(" "),
    tag: "Classes",
    access: "group_admin",
    pathIdFields: ["id", "classId", "class_id"],
    body: schemas.classEnrollment,
    answer: schemas.classEnrollmentAnswer,
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
    answer: schemas.classStudents,
    errors: [404],
  }),
  async (c) => {
    const { class: held, page } = await listClassStudents(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = {
      courseId: held.courseId,
      locationId: held.locationId,
      courseName: held.courseName,
      featuredImage: held.featuredImage,
      ...formatClassTimes(held),
      totalAttended: held.attended,
      totalNoShow: held.noShow,
      totalCancelled: held.cancelled,
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
      description: "`status` is one of Registered, Attended, No Show and Cancelled. Cancelled frees the seat.",
      tag: "Classes",
      access: "group_admin",
      mutates: true,
      query: schemas.classStatusQuery,
      answer: messageResponse,
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
    description: "Unknown ids and those of other classes are skipped; the message says how many were removed.",
    tag: "Classes",
    access: "group_admin",
    pathIdFields: ["id", "classId", "class_id"],
    body: schemas.classRemoval,
    answer: messageResponse,
    errors: [404],
  }),
  async (c) => c.json(await removeClassEnrollments(c.var.work, c.req.valid("param").id, c.req.valid("json")), 200),
)
