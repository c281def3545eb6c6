import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { recordAttempts } from "./quiz-records.queries.ts"
import { startAttempt, submitAttempt } from "./quizzes.queries.ts"
import * as schemas from "./quizzes.schemas.ts"

export const quizzes = createApp()

quizzes.openapi(
  operation({
    operationId: "beginQuizAttempt",
    method: "post",
    path: "/api/quiz/attempt",
    summary: "Begin an attempt at a quiz, or go on with the one that is open",
    description: [
      "Opens the module. The attempt keeps the questions as they are now, whatever becomes of the quiz. A locked",
      "or not yet open module, an expired registration and a quiz without an attempt left answer 409.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    keys: "none",
    extension: true,
    body: schemas.newAttempt,
    answer: schemas.quizAttempt,
    errors: [404, 409],
  }),
  async (c) => c.json(await startAttempt(c.var.work, c.req.valid("json")), 200),
)

quizzes.openapi(
  operation({
    operationId: "submitQuizAttempt",
    method: "post",
    path: "/api/quiz/submit",
    summary: "Submit an attempt and have it marked",
    description: [
      "A question earns all its points or none: of `multiple`, all the right options and no others; a short text",
      "is compared without regard to case and spacing. A passed attempt completes the module; the best points are",
      "kept. What comes in more than 30 seconds after the time limit counts nothing. Submitted again: 409.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    keys: "none",
    extension: true,
    body: schemas.quizSubmission,
    answer: schemas.quizResult,
    errors: [404, 409],
  }),
  async (c) => c.json(await submitAttempt(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

quizzes.openapi(
  operation({
    operationId: "recordQuizAttempts",
    method: "post",
    path: "/api/quiz/record",
    summary: "Record attempts that were made in another system",
    description: [
      "Scores and dates without the answers, up to 500 in a call. Passed ones complete their modules as of",
      "submitted_on. An attempt of the same registration, quiz and submitted_on is not recorded twice, so that an",
      "import can be repeated.",
    ].join(" "),
    tag: "Learning data",
    access: "staff",
    extension: true,
    body: schemas.attemptRecords,
    answer: schemas.attemptsRecorded,
    errors: [409],
  }),
  async (c) => c.json(await recordAttempts(c.var.work, c.req.valid("json")), 200),
)
