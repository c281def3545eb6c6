import { z } from "@hono/zod-openapi"
import { CLASS_STATUSES } from "../../../drizzle/schema/classes.ts"
import { choice, id, ids, list, nonEmpty, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { classStudentColumns } from "./class-enrollment-columns.ts"

const whole = () => z.number().int()

export const classStatus = () => choice(CLASS_STATUSES)

export const classEnrollment = z
  .object({
    groupId: optional(id()).openapi({ type: "integer", description: "Only members of this group are enrolled" }),
    studentIds: nonEmpty(ids()),
  })
  .openapi("ClassEnrollment")
export type ClassEnrollment = z.output<typeof classEnrollment>

export const classEnrollmentAnswer = z.object({
  message: z.string(),
  enrolledUsersCount: whole(),
  notEnrolledUsers: z.array(
    z.object({
      id: whole(),
      name: z.string().openapi({ description: "Empty for a user whom the caller may not know" }),
      reason: z.string(),
    }),
  ),
})

export const classStudentsQuery = listQuery(Object.keys(classStudentColumns.sort), {
  nameOrEmail: optional(text(254)),
  status: optional(list(classStatus())),
}).extend({ class_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }) })

export const classStudents = listResponse(classStudentColumns.row.openapi("ClassStudent")).extend({
  courseId: whole(),
  locationId: whole().nullable(),
  courseName: z.string(),
  featuredImage: z.string().nullable(),
  startDate: z.string(),
  endDate: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  timeZone: timeZoneAnswer(),
  totalAttended: whole(),
  totalNoShow: whole(),
  totalCancelled: whole(),
})

export const classStatusQuery = z.object({
  id: id().openapi({ type: "integer", minimum: 1, description: "The class enrollment's", param: { required: true } }),
  status: classStatus().openapi({ type: "string", enum: [...CLASS_STATUSES], param: { required: true } }),
  classId: optional(id()).openapi({ type: "integer", minimum: 1 }),
})
export type StatusChange = z.output<typeof classStatusQuery>

export const classRemoval = z
  .object({
    enrollmentIds: nonEmpty(ids()),
    groupID: optional(id()).openapi({ type: "integer", description: "Only enrollments of this group's members" }),
  })
  .openapi("ClassRemoval")
export type ClassRemoval = z.output<typeof classRemoval>

/** What is asked of one class enrollment. */
export const classEnrollmentQuery = z.object({
  registrationId: id().openapi({
    type: "integer",
    minimum: 1,
    description: "The class enrollment's id",
    param: { required: true },
  }),
})
