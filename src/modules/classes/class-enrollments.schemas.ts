import { z } from "@hono/zod-openapi"
import { CLASS_STATUSES } from "../../../drizzle/schema/classes.ts"
import { choice, id, ids, list, nonEmpty, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { isoSchema } from "../../lib/spreadsheet/columns.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { classStudentColumns } from "./class-enrollment-columns.ts"

const integer = () => z.number().int()

export const classStatus = () => choice(CLASS_STATUSES)

export const classEnrollment = z
  .object({
    groupId: optional(id()).openapi({ type: "integer", description: "Enrolls only members of this group" }),
    studentIds: nonEmpty(ids()),
  })
  .openapi("ClassEnrollment")
export type ClassEnrollment = z.output<typeof classEnrollment>

export const classEnrollmentAnswer = z.object({
  message: z.string(),
  enrolledUsersCount: integer(),
  notEnrolledUsers: z.array(
    z.object({
      id: integer(),
      name: z.string().openapi({ description: "Empty for a user that the caller cannot see" }),
      reason: z.string(),
    }),
  ),
})

export const classStudentsQuery = listQuery(Object.keys(classStudentColumns.sort), {
  nameOrEmail: optional(text(254)),
  status: optional(list(classStatus())),
}).extend({ class_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }) })

export const classStudents = listResponse(classStudentColumns.row.openapi("ClassStudent")).extend({
  courseId: integer(),
  locationId: integer().nullable(),
  courseName: z.string(),
  featuredImage: z.string().nullable(),
  startDate: z.string(),
  endDate: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  timeZone: timeZoneAnswer(),
  startsAt: isoSchema(),
  endsAt: isoSchema(),
  totalAttended: integer(),
  totalNoShow: integer(),
  totalCancelled: integer(),
})

export const classStatusQuery = z.object({
  id: id().openapi({
    type: "integer",
    minimum: 1,
    description: "Id of the class enrollment",
    param: { required: true },
  }),
  status: classStatus().openapi({ type: "string", enum: [...CLASS_STATUSES], param: { required: true } }),
  classId: optional(id()).openapi({ type: "integer", minimum: 1 }),
})
export type StatusChange = z.output<typeof classStatusQuery>

export const classRemoval = z
  .object({
    enrollmentIds: nonEmpty(ids()),
    groupID: optional(id()).openapi({
      type: "integer",
      description: "Removes only enrollments of members of this group",
    }),
  })
  .openapi("ClassRemoval")
export type ClassRemoval = z.output<typeof classRemoval>

export const classEnrollmentQuery = z.object({
  registrationId: id().openapi({
    type: "integer",
    minimum: 1,
    description: "Id of the class enrollment",
    param: { required: true },
  }),
})
