import { z } from "@hono/zod-openapi"
import { QUESTION_TYPES } from "../../../drizzle/schema/modules.ts"
import { QUIZ_RESULTS } from "../../../drizzle/schema/quizzes.ts"
import { id, ids, integer, list, nonEmpty, optional, text, time } from "../../lib/input/input.ts"

const dateTime = (description: string) => optional(time()).openapi({ type: "string", format: "date-time", description })
const integerAnswer = () => z.number().int()
const STAFF_ONLY = "Staff only: for records from another system"

/** Fields that identify a module of an enrollment; checked by `requireRef`. */
export const moduleRef = {
  statusRowId: optional(integer(-1, Number.MAX_SAFE_INTEGER)).openapi({
    type: "integer",
    description: "If there is no status row yet (-1), send registrationId and moduleId",
  }),
  registrationId: optional(id()).openapi({ type: "integer", minimum: 1 }),
  moduleId: optional(id()).openapi({ type: "integer", minimum: 1 }),
}
type Ref = { statusRowId?: number | undefined; registrationId?: number | undefined; moduleId?: number | undefined }

/** Requires a status row or both ids. */
export function requireRef(input: Ref, context: z.RefinementCtx) {
  if ((input.statusRowId ?? 0) > 0) return
  for (const field of ["registrationId", "moduleId"] as const)
    if (input[field] === undefined)
      context.addIssue({ code: "custom", path: [field], message: "is required without statusRowId" })
}

export const newAttempt = z
  .object({ ...moduleRef, started_on: dateTime(STAFF_ONLY) })
  .superRefine(requireRef)
  .openapi("NewQuizAttempt")
export type NewAttempt = z.output<typeof newAttempt>

export const quizAttempt = z
  .object({
    attemptId: integerAnswer(),
    statusRowId: integerAnswer(),
    attempt: integerAnswer().openapi({ description: "The number of the attempt, starting at 1" }),
    started_on: z.string().openapi({ format: "date-time" }),
    due_on: z.string().nullable().openapi({ format: "date-time", description: "null if there is no time limit" }),
    questions: z.array(
      z.object({
        id: integerAnswer(),
        text: z.string(),
        type: z.enum(QUESTION_TYPES),
        points: z.number(),
        options: z
          .array(z.object({ id: integerAnswer(), text: z.string() }))
          .openapi({ description: "Empty for short answers" }),
      }),
    ),
  })
  .openapi("QuizAttempt")

export const quizSubmission = z
  .object({
    attemptId: id(),
    answers: list(
      z.object({ questionId: id(), optionIds: optional(ids(50)), text: optional(text(5000)) }),
      500,
    ).default([]),
    submitted_on: dateTime(STAFF_ONLY),
  })
  .openapi("QuizSubmission")
export type QuizSubmission = z.output<typeof quizSubmission>

export const quizResult = z
  .object({
    message: z.string(),
    attemptId: integerAnswer(),
    score: z.number(),
    outOf: z.number(),
    percent: integerAnswer(),
    result: z.enum(QUIZ_RESULTS),
  })
  .openapi("QuizResult")

const points = () =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() ? Number(value) : value),
    z.number().min(0).max(1_000_000),
  )

const record = z
  .object({
    ...moduleRef,
    score: points(),
    outOf: points(),
    started_on: dateTime("Defaults to submitted_on"),
    submitted_on: time(),
  })
  .superRefine((input, context) => {
    requireRef(input, context)
    if (input.score > input.outOf)
      context.addIssue({ code: "custom", path: ["score"], message: "must not be more than outOf" })
    if (input.started_on !== undefined && input.started_on > input.submitted_on)
      context.addIssue({ code: "custom", path: ["started_on"], message: "must not be after submitted_on" })
  })

export const attemptRecords = z.object({ attempts: nonEmpty(list(record, 500)) }).openapi("RecordedQuizAttempts")
export type AttemptRecords = z.output<typeof attemptRecords>

export const attemptsRecorded = z.object({
  message: z.string(),
  recorded: integerAnswer(),
  alreadyRecorded: integerAnswer().openapi({
    description: "Attempts with the same registration, quiz and submitted_on",
  }),
  skipped: integerAnswer().openapi({ description: "The registration doesn't exist, or the quiz isn't in its course" }),
})
