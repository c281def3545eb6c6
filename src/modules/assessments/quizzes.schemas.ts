import { z } from "@hono/zod-openapi"
import { QUESTION_TYPES, REVIEW_DETAILS } from "../../../drizzle/schema/modules.ts"
import { ATTEMPT_STATUSES, QUIZ_RESULTS } from "../../../drizzle/schema/quizzes.ts"
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

/** What a learner sees of a question besides its options. */
const shownQuestion = {
  prompts: z.array(z.string()).openapi({ description: "Matching: answer each with one of `choices`, in this order" }),
  choices: z.array(z.string()).openapi({ description: "Matching: the choices. Ordering: the items, shuffled" }),
  blanks: integerAnswer().openapi({ description: "Fill-in: the number of blanks" }),
  unit: z.string().openapi({ description: "Numeric: the unit of the answer" }),
  imageUrl: z.string(),
  imageAlt: z.string(),
}

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
          .openapi({ description: "The choices of single, multiple and truefalse; otherwise empty" }),
        ...shownQuestion,
      }),
    ),
  })
  .openapi("QuizAttempt")

export const quizSubmission = z
  .object({
    attemptId: id(),
    answers: list(
      z.object({
        questionId: id(),
        optionIds: optional(ids(50)),
        text: optional(text(20_000)).openapi({ type: "string", description: "Short answer, numeric and essay" }),
        values: optional(z.array(text(2000)).max(50)).openapi({
          type: "array",
          items: { type: "string" },
          description: "Matching, ordering and fill-in: a text for each prompt, place or blank",
        }),
      }),
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
    result: z.enum(QUIZ_RESULTS).openapi({ description: "pending: an essay waits to be graded" }),
    unanswered: integerAnswer().openapi({ description: "The number of questions without an answer" }),
    pendingPoints: z.number().openapi({ description: "The points of essays that wait to be graded" }),
  })
  .openapi("QuizResult")

const isoDate = () => z.string().openapi({ format: "date-time" })

/** An attempt as lists and its detail show it. */
const attemptSummary = {
  attemptId: integerAnswer(),
  attempt: integerAnswer().openapi({ description: "The number of the attempt, starting at 1" }),
  status: z.enum(ATTEMPT_STATUSES),
  result: z.enum(QUIZ_RESULTS).nullable().openapi({ description: "null while In Progress" }),
  score: z.number(),
  outOf: z.number(),
  percent: integerAnswer(),
  startedAt: isoDate(),
  submittedAt: isoDate().nullable(),
  timeTaken: integerAnswer().openapi({ description: "Seconds" }),
}

export const attemptsQuery = z.object(moduleRef)
export const attemptList = z.object({ attempts: z.array(z.object(attemptSummary)) }).openapi("QuizAttempts")

const answer = z.object({ optionIds: z.array(integerAnswer()), text: z.string(), values: z.array(z.string()) })

export const attemptReview = z
  .object({
    ...attemptSummary,
    statusRowId: integerAnswer(),
    userId: integerAnswer(),
    learner: z.string(),
    email: z.string(),
    courseId: integerAnswer(),
    moduleId: integerAnswer(),
    quiz: z.string(),
    detail: z.enum(REVIEW_DETAILS).openapi({ description: "How much the caller sees of the attempt now" }),
    unanswered: integerAnswer(),
    pendingPoints: z.number().openapi({ description: "The points of essays that wait to be graded" }),
    questions: z
      .array(
        z.object({
          id: integerAnswer(),
          text: z.string(),
          type: z.enum(QUESTION_TYPES),
          points: z.number().openapi({ description: "The points that the question is worth" }),
          options: z.array(z.object({ id: integerAnswer(), text: z.string() })),
          ...shownQuestion,
          answer,
          pointsAwarded: z.number().nullable().openapi({ description: "null: waits to be graded" }),
          isCorrect: z.boolean().nullable().openapi({ description: "Earned all points; null: waits to be graded" }),
          comment: z.string().openapi({ description: "The grader's comment on an essay" }),
          correctAnswer: answer.nullable().openapi({ description: "null unless detail is explanations; essays: null" }),
          explanation: z.string(),
        }),
      )
      .openapi({ description: "In the order of the attempt. Empty if detail is score" }),
  })
  .openapi("QuizAttemptReview")

const points = () =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() ? Number(value) : value),
    z.number().min(0).max(1_000_000),
  )

export const essayGrades = z
  .object({
    attemptId: id(),
    grades: nonEmpty(
      list(z.object({ questionId: id(), points: points(), comment: optional(text(5000)) }), 500),
    ).openapi({ description: "A grade for every essay of the attempt" }),
  })
  .openapi("QuizEssayGrades")
export type EssayGrades = z.output<typeof essayGrades>

export const attemptGraded = z.object({
  message: z.string(),
  attemptId: integerAnswer(),
  score: z.number(),
  outOf: z.number(),
  percent: integerAnswer(),
  result: z.enum(QUIZ_RESULTS),
})

export const statisticsQuery = z.object({
  module_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
})

export const quizStatistics = z
  .object({
    moduleId: integerAnswer(),
    name: z.string(),
    attempts: integerAnswer().openapi({ description: "The number of attempts that the statistics include" }),
    totalAttempts: integerAnswer().openapi({ description: "All submitted attempts in all courses" }),
    averagePercent: z.number().nullable(),
    questions: z.array(
      z.object({
        questionId: integerAnswer(),
        text: z.string(),
        type: z.enum(QUESTION_TYPES),
        inBank: z.boolean().openapi({ description: "The question is drawn from a pool" }),
        presented: integerAnswer().openapi({ description: "The number of attempts that have the question" }),
        answered: integerAnswer(),
        facility: z
          .number()
          .openapi({ description: "The mean share of the points that was earned, from 0 (hard) to 1 (easy)" }),
        discrimination: z
          .number()
          .nullable()
          .openapi({
            description:
              "The correlation of the question's points with those of the rest of the attempt, from -1 to 1; " +
              "null if either does not vary",
          }),
        answers: z
          .array(
            z.object({
              optionId: integerAnswer().nullable(),
              answer: z.string(),
              isCorrect: z.boolean(),
              count: integerAnswer(),
            }),
          )
          .openapi({ description: "Each option, or the 20 most frequent other answers. Essays have none" }),
      }),
    ),
  })
  .openapi("QuizStatistics")

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
