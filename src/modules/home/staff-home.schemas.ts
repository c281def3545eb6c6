import { z } from "@hono/zod-openapi"
import { MAX_COUNTED, PERIOD_DAYS } from "./staff-home.queries.ts"

const whole = (description?: string) =>
  z
    .number()
    .int()
    .openapi(description ? { description } : {})
const day = () => z.string().openapi({ format: "date" })

const activity = () =>
  z
    .object({ current: whole(), previous: whole() })
    .openapi({ description: `The number in the ${PERIOD_DAYS} days of the period, and in the ${PERIOD_DAYS} before` })

/** Everything that the home page of staff shows. */
export const staffHome = z
  .object({
    setup: z
      .object({
        isNamed: z.boolean().openapi({ description: "Whether the academy has a name of its own" }),
        hasLogo: z.boolean(),
        courses: whole(),
        publishedCourses: whole(),
        newestDraftId: whole("The newest course that is a draft").nullable(),
        users: whole(),
      })
      .openapi({ description: "What a new academy has done so far" }),
    period: z.object({ firstDay: day(), lastDay: day() }).openapi({ description: "The current period, in UTC" }),
    enrolled: activity(),
    started: activity(),
    completed: activity(),
    overdue: whole("Enrollments past their due date"),
    dueSoon: whole("Enrollments whose due date is near"),
    toGrade: whole(`Submissions to grade; at most ${MAX_COUNTED} are counted`),
    failingWebhooks: whole("Webhooks whose deliveries fail, or that were disabled for it")
      .nullable()
      .openapi({ description: "null: the caller may not see webhooks" }),
    failedExports: whole("The caller's exports that failed, until they expire"),
    openSeats: whole(`Unused seats of groups, of at most ${MAX_COUNTED} allocations`),
    courses: z
      .array(
        z.object({
          courseId: whole(),
          name: z.string(),
          notStarted: whole(),
          inProgress: whole(),
          completed: whole(),
        }),
      )
      .openapi({ description: "The 8 courses with the most learners, by the status of their enrollments" }),
  })
  .openapi("StaffHome")
