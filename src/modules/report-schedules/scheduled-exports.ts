import type { SCHEDULED_REPORTS } from "../../../drizzle/schema/report-schedules.ts"
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

/** The body of a report's export. @throws 422 for what the export does not accept */
export function readFilter(kind: ExportKind, report: ScheduledReport, filter: Filter) {
  const search = filter.search_param
  const given =
    report === "overdue"
      ? { ...filter, search_param: { ...(search as Filter | undefined), dueStatus: ["overdue"] } }
      : filter
  const read = kind.body.safeParse(given)
  if (read.success) return JSON.stringify(canonical(read.data))
  throw invalidFields(
    Object.fromEntries(read.error.issues.map(({ path, message }) => [["filter", ...path].join("."), [message]])),
  )
}
