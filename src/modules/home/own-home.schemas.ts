import { z } from "@hono/zod-openapi"
import { DUE_STATUSES, ENROLLMENT_STATUSES, MODULE_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { MODULE_TYPES } from "../../../drizzle/schema/modules.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"

const dueStatus = z.enum(DUE_STATUSES).exclude([DueStatus.NoDueDate])
const whole = () => z.number().int()
const moment = () => z.string().openapi({ format: "date-time" })
const module = { moduleId: whole(), name: z.string(), type: z.enum(MODULE_TYPES) }

/** Everything that a learner's home screen shows. */
export const ownHome = z
  .object({
    user: z.object({
      id: whole(),
      firstName: z.string(),
      lastName: z.string(),
      avatar: z.string().openapi({ description: "An image URL or the initials" }),
      academy: z.string().openapi({ description: "The name of the user's portal, or of the academy" }),
    }),
    points: whole(),
    badges: whole().openapi({ description: "The number of badges earned" }),
    statistics: z.object({
      notStarted: whole(),
      inProgress: whole(),
      completed: whole(),
      overdue: whole(),
      dueSoon: whole(),
      secondsSpent: whole(),
    }),
    courses: z
      .array(
        z.object({
          registrationId: whole(),
          courseId: whole(),
          name: z.string(),
          featuredImageUrl: z.string().nullable(),
          status: z.enum(ENROLLMENT_STATUSES),
          percentComplete: whole(),
          expiresAt: moment().nullable().openapi({ description: "null: never" }),
          dueAt: moment().nullable().openapi({ description: "The end of the due day; null without one" }),
          dueStatus: dueStatus.nullable().openapi({ description: "null without a due date" }),
          next: z
            .object(module)
            .nullable()
            .openapi({ description: "The module to continue with; null if none is open" }),
        }),
      )
      .openapi({ description: "Published courses that the user can open and has not completed, last used first" }),
    tasks: z
      .array(z.object({ ...module, registrationId: whole(), courseId: whole(), status: z.enum(MODULE_STATUSES) }))
      .openapi({ description: "Open quizzes and assignments of these courses" }),
    sessions: z
      .array(
        z.object({
          registrationId: whole().openapi({ description: "The id of the class enrollment" }),
          classId: whole(),
          courseName: z.string(),
          location: z.string(),
          timeZone: z.string().openapi({ description: "The IANA time zone of the class" }),
          startsAt: moment(),
          endsAt: moment(),
        }),
      )
      .openapi({ description: "Current and upcoming sessions of the user's classes, in order" }),
    announcements: z
      .array(
        z.object({
          id: whole(),
          heading: z.string(),
          content: z.string().openapi({ description: "Sanitized HTML" }),
          createdAt: moment(),
        }),
      )
      .openapi({ description: "The newest unexpired announcements for the user" }),
  })
  .openapi("OwnHome")
