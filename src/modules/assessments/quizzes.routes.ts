import { createApp, operation } from "../../http/operation.ts"
import { isoTime, isoTimeOrNull } from "../../lib/text/dates.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { gradeAttempt } from "./quiz-essays.queries.ts"
import { recordAttempts } from "./quiz-records.queries.ts"
import { type AttemptSummary, getAttempt, listAttempts } from "./quiz-review.queries.ts"
import { reportStatistics } from "./quiz-statistics.queries.ts"
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
      "Grades the attempt. A question earns all of its points or none, unless the quiz gives partial credit. Texts are",
      "compared without regard to case and spacing. Essays wait to be graded: the result is pending. A passed",
      "attempt completes the module, and the best points count. Attempts submitted more than 30 seconds",
      "after the time limit score 0. If the attempt was",
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

const toSummary = (attempt: AttemptSummary) => ({
  attemptId: attempt.id,
  attempt: attempt.number,
  status: attempt.status,
  result: attempt.result || null,
  score: attempt.score,
  outOf: attempt.outOf,
  percent: attempt.percent,
  startedAt: isoTime(attempt.startedAt),
  submittedAt: isoTimeOrNull(attempt.completedAt),
  timeTaken: attempt.timeTaken,
})

quizzes.openapi(
  operation({
    operationId: "listQuizAttempts",
    method: "get",
    path: "/api/quiz/attempts",
    summary: "List a learner's attempts at a quiz",
    description: "For the learner, their supervisors and staff. From the first attempt to the last.",
    tag: "Learning data",
    access: "general",
    extension: true,
    query: schemas.attemptsQuery,
    response: schemas.attemptList,
    errors: [404],
  }),
  async (c) =>
    c.json({ attempts: (await listAttempts(c.var.db, c.var.caller, c.req.valid("query"))).map(toSummary) }, 200),
)

quizzes.openapi(
  operation({
    operationId: "getQuizAttempt",
    method: "get",
    path: "/api/quiz/attempt/{id}",
    summary: "Review a quiz attempt",
    description: [
      "Learners see of their own submitted attempts what the author allows: `reviewDetail` and `reviewAfter` of the",
      "quiz. Supervisors and staff see everything. The questions are those of the attempt, even if they changed since.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    extension: true,
    response: schemas.attemptReview,
  }),
  async (c) => {
    const attempt = await getAttempt(c.var.db, c.var.caller, c.req.valid("param").id)
    const { statusRowId, userId, learner, email, courseId, moduleId, quiz } = attempt
    const { detail, unanswered, pendingPoints, questions } = attempt
    return c.json(
      {
        ...toSummary(attempt),
        ...{ statusRowId, userId, learner, email, courseId, moduleId, quiz },
        ...{ detail, unanswered, pendingPoints, questions },
      },
      200,
    )
  },
)

quizzes.openapi(
  operation({
    operationId: "gradeQuizAttempt",
    method: "post",
    path: "/api/quiz/grade",
    summary: "Grade the essays of a quiz attempt",
    description: [
      "Grades all essays of an attempt whose result is pending. The attempt then passes or fails, and the learner is",
      "notified. Such attempts are in the lists of submissions, with the module_type quiz.",
    ].join(" "),
    tag: "Learning data",
    access: "staff",
    extension: true,
    body: schemas.essayGrades,
    response: schemas.attemptGraded,
    errors: [404, 409],
  }),
  async (c) => c.json(await gradeAttempt(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

quizzes.openapi(
  operation({
    operationId: "reportQuizStatistics",
    method: "get",
    path: "/api/quiz/statistics",
    summary: "Report the statistics of a quiz's questions",
    description: [
      "From the newest 2,000 attempts at the quiz: those that were submitted in time, without imported ones. The",
      "response is computed when it is read, so it includes the latest attempt.",
    ].join(" "),
    tag: "Reports",
    access: "staff",
    extension: true,
    query: schemas.statisticsQuery,
    response: schemas.quizStatistics,
    errors: [404],
  }),
  async (c) => c.json(await reportStatistics(c.var.db, c.req.valid("query").module_id), 200),
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
