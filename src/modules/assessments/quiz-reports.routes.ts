import { AttemptStatus } from "../../../drizzle/statuses.ts"
import { slugify } from "../../db/slug.ts"
import { createApp, operation } from "../../http/operation.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { sum } from "../../lib/numbers.ts"
import { type Cell, streamWorkbook, XLSX_TYPE } from "../../lib/spreadsheet/workbook.ts"
import { displayDateTime } from "../../lib/text/dates.ts"
import { fullName } from "../../lib/text/words.ts"
import { serveWorkbook } from "../../lib/web/files.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { answerText, correctText } from "./answer-texts.ts"
import { quizAttemptColumns } from "./quiz-attempt-columns.ts"
import { getQuizReport, reportQuizzes, reportScores } from "./quiz-report.queries.ts"

import * as schemas from "./quiz-reports.schemas.ts"

export const quizReports = createApp()

type Report = Awaited<ReturnType<typeof getQuizReport>>
type Attempt = Report["attempts"] extends AsyncGenerator<infer Row> ? Row : never

quizReports.openapi(
  operation({
    operationId: "reportQuizzes",
    method: "get",
    path: "/api/user/reports/student-quizzes",
    summary: "Report on quiz attempts",
    description: [
      "With user_id, returns the user's attempts and a row (attempt 0) for each quiz without an attempt. Without it,",
      "returns the attempts of all users that the caller may see, and quizzes without an attempt only if",
      "search_param.status contains Not Started. recordsTotal always counts both; searchPortalIds does not change the",
      "totals. The totals of In Progress and Completed count attempts, Not Started counts quizzes without an attempt.",
    ].join(" "),
    tag: "Reports",
    access: "general",
    query: schemas.quizReportQuery,
    response: schemas.quizReportRows,
    errors: [404],
  }),
  async (c) => {
    const { user, counts, page } = await reportQuizzes(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json(
      {
        ...listPage(c, page, quizAttemptColumns.toRow),
        totalNotStarted: counts.notStarted,
        totalInProgress: counts.inProgress,
        totalCompleted: counts.completed,
        userDetails: user
          ? { id: user.id, name: fullName(user), email: user.email, userType: user.userType, avatar: avatarOf(user) }
          : {},
      },
      200,
    )
  },
)

quizReports.openapi(
  operation({
    operationId: "reportQuizScores",
    method: "get",
    path: "/api/quiz-report/scores",
    summary: "Report the score distribution of a quiz",
    description: [
      "Counts the Completed attempts at a quiz of a course by percentage. Attempts that were ended by a reset count",
      "with their score of 0.",
    ].join(" "),
    tag: "Reports",
    access: "staff",
    extension: true,
    query: schemas.scoresQuery,
    response: schemas.scoresReport,
    errors: [404],
  }),
  async (c) => {
    const { course_id: courseId, module_id: moduleId } = c.req.valid("query")
    const { name, scores } = await reportScores(c.var.db, courseId, moduleId)
    const answer = {
      courseId,
      moduleId,
      name,
      attempts: sum(scores.map((score) => score.attempts)),
      passed: sum(scores.map((score) => score.passed)),
      scores: scores.map(({ percent, attempts }) => ({ percent, attempts })),
    }
    return c.json(answer, 200)
  },
)

const COLUMNS = [
  { header: "attempt", width: 9 },
  { header: "status", width: 12 },
  { header: "started", width: 22 },
  { header: "completed", width: 22 },
  { header: "score", width: 8 },
  { header: "out of", width: 8 },
  { header: "percent", width: 9 },
  { header: "result", width: 10 },
  { header: "question", width: 50, wraps: true },
  { header: "response", width: 30, wraps: true },
  { header: "correct answer", width: 30, wraps: true },
  { header: "points", width: 8 },
  { header: "points possible", width: 15 },
]

/** A row per question of the attempt; a single row for attempts imported from another system. */
function* toCells(report: Report, attempt: Attempt): Generator<Cell[]> {
  const isCompleted = attempt.status === AttemptStatus.Completed
  const attemptCells: Cell[] = [
    attempt.number,
    attempt.status,
    displayDateTime(attempt.startedAt),
    isCompleted ? displayDateTime(attempt.completedAt) : null,
    isCompleted ? attempt.score : null,
    attempt.outOf,
    isCompleted ? attempt.percent : null,
    attempt.result,
  ]
  if (attempt.questions.length === 0) yield [...attemptCells, null, null, null, null, null]
  const responses = new Map(attempt.responses.map((response) => [response.questionId, response]))
  for (const question of attempt.questions) {
    const response = responses.get(question.id)
    yield [
      ...attemptCells,
      question.text,
      response ? answerText(question, response) : null,
      report.detail.answers ? correctText(question) : null,
      response && report.detail.marks && !response.pending ? response.points : null,
      question.points,
    ]
  }
}

async function* rowsOf(report: Report): AsyncGenerator<Cell[]> {
  for await (const attempt of report.attempts) yield* toCells(report, attempt)
}

quizReports.openapi(
  operation({
    operationId: "downloadQuizReport",
    method: "get",
    path: "/api/quiz-report/spreadsheet/{statusRowId}",
    summary: "Download a learner's attempts at a quiz, question by question",
    description: "Learners see points and correct answers as the quiz allows: `reviewDetail` and `reviewAfter`.",
    tag: "Reports",
    access: "general",
    signedIn: true,
    query: schemas.reportParams,
    response: XLSX_TYPE,
  }),
  async (c) => {
    const params = { ...c.req.valid("param"), ...c.req.valid("query") }
    const report = await getQuizReport(c.var.db, c.var.caller, params)
    const name = slugify(`${report.module} ${report.learner}`) || String(params.statusRowId)
    return serveWorkbook(c, `quiz-report-${name}.xlsx`, streamWorkbook("Quiz report", COLUMNS, rowsOf(report)))
  },
)
