import { z } from "@hono/zod-openapi"
import { QUESTION_TYPES } from "../../../drizzle/schema/modules.ts"
import { QUIZ_RESULTS } from "../../../drizzle/schema/quizzes.ts"
import { id, ids, integer, list, nonEmpty, optional, text, time } from "../../lib/input/input.ts"

const when = (description: string) => optional(time()).openapi({ type: "string", format: "date-time", description })
const whole = () => z.number().int()
const STAFF = "Staff alone: of records from another system"

/** What names a module of a registration; spread into a body, and held by `requireRef`. */
export const moduleRef = {
  statusRowId: optional(integer(-1, Number.MAX_SAFE_INTEGER)).openapi({
    type: "integer",
    description: "Where none exists yet (-1): registrationId and moduleId",
  }),
  registrationId: optional(id()).openapi({ type: "integer", minimum: 1 }),
  moduleId: optional(id()).openapi({ type: "integer", minimum: 1 }),
}
type Ref = { statusRowId?: number | undefined; registrationId?: number | undefined; moduleId?: number | undefined }

/** A status row, or both ids. */
export function requireRef(input: Ref, context: z.RefinementCtx) {
  if ((input.statusRowId ?? 0) > 0) return
  for (const field of ["registrationId", "moduleId"] as const)
    if (input[field] === undefined)
      context.addIssue({ code: "custom", path: [field], message: "is required where statusRowId is not given" })
}

export const newAttempt = z
  .object({ ...moduleRef, started_on: when(STAFF) })
  .superRefine(requireRef)
  .openapi("NewQuizAttempt")
export type NewAttempt = z.output<typeof newAttempt>

export const quizAttempt = z
  .object({
    attemptId: whole(),
    statusRowId: whole(),
    attempt: whole().openapi({ description: "Of the registration's attempts at this quiz, from 1" }),
    started_on: z.string().openapi({ format: "date-time" }),
    due_on: z.string().nullable().openapi({ format: "date-time", description: "null: no time limit" }),
    questions: z.array(
      z.object({
        id: whole(),
        text: z.string(),
        type: z.enum(QUESTION_TYPES),
        points: z.number(),
        options: z.array(z.object({ id: whole(), text: z.string() })).openapi({ description: "Empty of a short one" }),
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
    submitted_on: when(STAFF),
  })
  .openapi("QuizSubmission")
export type QuizSubmission = z.output<typeof quizSubmission>

export const quizResult = z
  .object({
    message: z.string(),
    attemptId: whole(),
    score: z.number(),
    outOf: z.number(),
    percent: whole(),
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
    started_on: when("submitted_on unless given"),
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
  recorded: whole(),
  alreadyRecorded: whole().openapi({ description: "Of the same registration, quiz and submitted_on" }),
  skipped: whole().openapi({ description: "No such registration, or no quiz of its course" }),
})
