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
    summary: "Start a quiz attempt, or continue the open one",
    description: [
      "Opens the module. The attempt uses the current version of the questions, even if the quiz changes later. If the",
      "module is locked or not available yet, the enrollment has expired, or no attempts are left, " +
        "the response is 409.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    keys: "none",
    extension: true,
    body: schemas.newAttempt,
    response: schemas.quizAttempt,
    errors: [404, 409],
  }),
  async (c) => c.json(await startAttempt(c.var.work, c.req.valid("json")), 200),
)

quizzes.openapi(
  operation({
    operationId: "submitQuizAttempt",
    method: "post",
    path: "/api/quiz/submit",
    summary: "Submit a quiz attempt",
    description: [
      "Grades the attempt. A question earns all of its points or none: `multiple` needs exactly the correct options;",
      "short answers are compared without regard to case and spacing. A passed attempt completes the module, and the",
      "best points count. Attempts submitted more than 30 seconds after the time limit score 0. If the attempt was",
      "already submitted, the response is 409.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    keys: "none",
    extension: true,
    body: schemas.quizSubmission,
    response: schemas.quizResult,
    errors: [404, 409],
  }),
  async (c) => c.json(await submitAttempt(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

quizzes.openapi(
  operation({
    operationId: "recordQuizAttempts",
    method: "post",
    path: "/api/quiz/record",
    summary: "Import quiz attempts from another system",
    description: [
      "Up to 500 attempts: scores and dates, without the answers. Passed attempts complete their modules as of",
      "submitted_on. An attempt with the same registration, quiz and submitted_on is not recorded twice, so an",
      "import can be repeated.",
    ].join(" "),
    tag: "Learning data",
    access: "staff",
    extension: true,
    body: schemas.attemptRecords,
    response: schemas.attemptsRecorded,
    errors: [409],
  }),
  async (c) => c.json(await recordAttempts(c.var.work, c.req.valid("json")), 200),
)
