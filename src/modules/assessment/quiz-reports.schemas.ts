import { z } from "@hono/zod-openapi"
import { ENROLMENT_STATUSES } from "../../../drizzle/enrolments.ts"
import { QUIZ_RESULTS } from "../../../drizzle/quizzes.ts"
import { id, ids, jsonObject, list, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { enrolmentStatus } from "../learning/enrolments.schemas.ts"

export const REPORT_COLUMNS = [
  "attemptId",
  "status",
  "started_on",
  "completed_on",
  "time_taken",
  "score",
  "percent",
  "user_id",
  "courseId",
  "moduleId",
  "status_row_id",
  "attempt",
  "outOf",
  "result",
] as const

const whole = () => z.number().int()
const portalIds = () =>
  optional(ids()).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    description: "Only members of any of these portals",
  })

export const quizReportQuery = listQuery(REPORT_COLUMNS, {
  nameOrEmail: optional(text(254)),
  status: optional(list(enrolmentStatus())),
  portalId: optional(id()),
  searchPortalIds: optional(ids()),
}).extend({
  user_id: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: "Of this user, with the quizzes not tried; a learner's own always",
  }),
  searchPortalIds: portalIds(),
})

export const quizReportRows = envelope(
  z
    .object({
      attemptId: whole().nullable().openapi({ description: "null: not tried" }),
      user_id: whole(),
      name: z.string(),
      email: z.string(),
      courseId: whole(),
      courseName: z.string(),
      moduleId: whole(),
      quizName: z.string(),
      status_row_id: whole().openapi({ description: "-1 when no status exists" }),
      attempt: whole().openapi({ description: "From 1; 0: not tried" }),
      status: z.enum(ENROLMENT_STATUSES),
      started_on: z.string().openapi({ example: "Jan 05, 2026", description: "A date, or Never" }),
      completed_on: z.string(),
      time_taken: z.object({ hours: whole(), minutes: whole(), seconds: whole(), totalSeconds: whole() }),
      score: z.number().nullable().openapi({ description: "null until Completed" }),
      outOf: z.number(),
      percent: whole().nullable(),
      result: z.enum(QUIZ_RESULTS).nullable(),
    })
    .openapi("LearnerQuiz"),
).extend({
  totalNotStarted: whole(),
  totalInProgress: whole(),
  totalCompleted: whole(),
  userDetails: z
    .object({
      id: whole().optional(),
      name: z.string().optional(),
      email: z.string().optional(),
      userType: z.string().optional(),
      avatar: z.string().optional(),
    })
    .openapi({ description: "Of user_id; empty without it" }),
})

/** The initiate body of the learner quizzes export. */
export const quizExport = z.object({
  searchPortalIds: portalIds(),
  search_param: jsonObject(
    z.object({
      nameOrEmail: optional(text(254)),
      courseId: optional(id()),
      status: optional(list(enrolmentStatus())),
    }),
  ),
})
export type QuizExport = z.output<typeof quizExport>

/** What a single-file report takes beside the status row. */
export const reportOf = z.object({
  studentId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Must be the learner's id" }),
  portalId: optional(id()).openapi({ type: "integer", minimum: 1, description: "The learner must belong to it" }),
})
