import { SCHEDULED_REPORTS } from "../../../drizzle/schema/report-schedules.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { invalidFields } from "../../lib/errors.ts"
import { onDemand } from "../../lib/on-demand.ts"
import type { ExportKind } from "../exports/export-kind.ts"
import { canonical } from "../exports/exports.queries.ts"

export type ScheduledReport = (typeof SCHEDULED_REPORTS)[number]

const dueList = onDemand(() => import("../reports/due-export.routes.ts"))
const dueTeam = onDemand(() => import("../reports/due-team-export.routes.ts"))
const matrix = onDemand(() => import("../reports/matrix-export.routes.ts"))
const userReport = onDemand(() => import("../reports/user-report-export.routes.ts"))

/** The export that each report writes. */
const KINDS: Record<ScheduledReport, () => Promise<ExportKind>> = {
  overdue: async () => (await dueList()).dueListExportKind,
  due_summary: async () => (await dueTeam()).dueTeamExportKind,
  compliance_matrix: async () => (await matrix()).matrixExportKind,
  enrollments: async () => (await userReport()).userReportExportKind,
}

export const kindOf = (report: ScheduledReport) => KINDS[report]()

type Filter = Record<string, unknown>

function parseFilter(kind: ExportKind, report: ScheduledReport, filter: Filter) {
  const search = filter.search_param
  return kind.body.safeParse(
    report === "overdue"
      ? { ...filter, search_param: { ...(search as Filter | undefined), dueStatus: ["overdue"] } }
      : filter,
  )
}

/** The body of a report's export. @throws 422 for what the export does not accept */
export function readFilter(kind: ExportKind, report: ScheduledReport, filter: Filter) {
  const read = parseFilter(kind, report, filter)
  if (read.success) return JSON.stringify(canonical(read.data))
  throw invalidFields(
    Object.fromEntries(read.error.issues.map(({ path, message }) => [["filter", ...path].join("."), [message]])),
  )
}

/** The check of each report that accepts the filter. */
export async function checksOf(filter: Filter | undefined, work: UnitOfWork) {
  if (!filter) return []
  const checks = SCHEDULED_REPORTS.map(async (report) => {
    const kind = await kindOf(report)
    const { check } = kind
    const read = parseFilter(kind, report, filter)
    if (!read.success || !check) return []
    const body = JSON.stringify(canonical(read.data))
    const queries = check.read(work, body)
    return [{ report, queries, validate: (results: unknown[][]) => check.validate(work, results, body) }]
  })
  return (await Promise.all(checks)).flat()
}
