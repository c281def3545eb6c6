import { onDemand } from "../lib/on-demand.ts"
import type { ExportKind } from "../modules/exports/export-kind.ts"

const users = onDemand(() => import("../modules/users/users-export.routes.ts"))
const userReport = onDemand(() => import("../modules/reports/user-report-export.routes.ts"))
const quizzes = onDemand(() => import("../modules/assessments/quiz-export.routes.ts"))
const gradebook = onDemand(() => import("../modules/reports/gradebook-export.routes.ts"))
const dueList = onDemand(() => import("../modules/reports/due-export.routes.ts"))
const dueTeam = onDemand(() => import("../modules/reports/due-team-export.routes.ts"))
const matrix = onDemand(() => import("../modules/reports/matrix-export.routes.ts"))
const personalData = onDemand(() => import("../modules/privacy/personal-data-export.routes.ts"))

/** Every kind of export, by the name stored in its job. */
export const EXPORT_KINDS: Record<string, () => Promise<ExportKind>> = {
  users: async () => (await users()).usersExportKind,
  "user report": async () => (await userReport()).userReportExportKind,
  "learner-quizzes": async () => (await quizzes()).quizzesExportKind,
  gradebook: async () => (await gradebook()).gradebookExportKind,
  "due list": async () => (await dueList()).dueListExportKind,
  "due team": async () => (await dueTeam()).dueTeamExportKind,
  "compliance matrix": async () => (await matrix()).matrixExportKind,
  "personal data": async () => (await personalData()).personalDataExportKind,
}
