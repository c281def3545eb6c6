import { slugify } from "../../db/slug.ts"
import { createApp, operation } from "../../http/operation.ts"
import { type Cell, streamWorkbook, XLSX_TYPE } from "../../lib/spreadsheet/workbook.ts"
import { displayDateTime } from "../../lib/text/dates.ts"
import { serveWorkbook } from "../../lib/web/files.ts"
import { reportParams } from "../assessments/quiz-reports.schemas.ts"
import { getScormActivityReport, getScormReport } from "./scorm-report.queries.ts"
import { formatTime } from "./scorm-run-time.ts"

export const scormReports = createApp()

type Attempt = RowOf<Awaited<ReturnType<typeof getScormReport>>["attempts"]>
type Interaction = RowOf<Awaited<ReturnType<typeof getScormActivityReport>>["interactions"]>
type RowOf<T> = T extends AsyncGenerator<infer Row> ? Row : never

const column = (width: number) => (header: string) => ({ header, width })
const text = (width: number) => (header: string) => ({ header, width, wraps: true })

const ATTEMPT_COLUMNS = [
  ...["attempt", "started", "last accessed", "completion status", "success status"].map(column(22)),
  ...["score raw", "score min", "score max", "score scaled", "total time"].map(column(14)),
]

/** The SCORM 2004 names of `cmi.interactions`, after the attempt. */
const ACTIVITY_COLUMNS = [
  ...["attempt", "n"].map(column(9)),
  ...[
    "id",
    "type",
    "objectives",
    "timestamp",
    "correct_responses",
    "weighting",
    "learner_response",
    "result",
    "latency",
    "description",
  ].map(text(24)),
]

const filename = (kind: string, report: { module: string; learner: string }) =>
  `${kind}-${slugify(`${report.module} ${report.learner}`) || "learner"}.xlsx`

const attemptCells = (attempt: Attempt): Cell[] => [
  attempt.number,
  displayDateTime(attempt.startedAt),
  displayDateTime(attempt.lastAccessedAt),
  attempt.completionStatus,
  attempt.successStatus,
  attempt.scoreRaw,
  attempt.scoreMin,
  attempt.scoreMax,
  attempt.scoreScaled,
  formatTime("1.2", attempt.totalTime),
]

const interactionCells = (interaction: Interaction): Cell[] => [
  interaction.number,
  interaction.position,
  interaction.interactionId,
  interaction.type,
  interaction.objectives,
  interaction.timestamp,
  interaction.correctResponses,
  interaction.weighting,
  interaction.learnerResponse,
  interaction.result,
  interaction.latency,
  interaction.description,
]

async function* cellsOf<Row>(rows: AsyncIterable<Row>, toCells: (row: Row) => Cell[]): AsyncGenerator<Cell[]> {
  for await (const row of rows) yield toCells(row)
}

scormReports.openapi(
  operation({
    operationId: "downloadScormReport",
    method: "get",
    path: "/api/scorm-report/spreadsheet/{modulesStatusId}",
    summary: "Download a learner's attempts at a SCORM package",
    description: "One row per attempt: status, score and total time.",
    tag: "Reports",
    access: "general",
    signedIn: true,
    query: reportParams,
    response: XLSX_TYPE,
  }),
  async (c) => {
    const params = { statusRowId: c.req.valid("param").modulesStatusId, ...c.req.valid("query") }
    const report = await getScormReport(c.var.db, c.var.caller, params)
    const bytes = streamWorkbook("SCORM report", ATTEMPT_COLUMNS, cellsOf(report.attempts, attemptCells))
    return serveWorkbook(c, filename("scorm-report", report), bytes)
  },
)

scormReports.openapi(
  operation({
    operationId: "downloadScormActivityReport",
    method: "get",
    path: "/api/scorm-activity-report/spreadsheet/{modulesStatusId}",
    summary: "Download a learner's interactions in a SCORM package",
    description: "One row per interaction, with SCORM 2004 names for all package versions.",
    tag: "Reports",
    access: "general",
    signedIn: true,
    query: reportParams,
    response: XLSX_TYPE,
  }),
  async (c) => {
    const params = { statusRowId: c.req.valid("param").modulesStatusId, ...c.req.valid("query") }
    const report = await getScormActivityReport(c.var.db, c.var.caller, params)
    const rows = cellsOf(report.interactions, interactionCells)
    const bytes = streamWorkbook("SCORM activity", ACTIVITY_COLUMNS, rows)
    return serveWorkbook(c, filename("scorm-activity-report", report), bytes)
  },
)
