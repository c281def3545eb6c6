import { firstRow } from "../../db/client.ts"
import { SINGLE_ROW } from "../../db/sql.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { isScopeAllowed, requireAllowedScope } from "./enrollment-filters.ts"
import { enrollmentExport } from "./reports.schemas.ts"
import { openUserReportSheet } from "./user-report.export.ts"

export const userReportExportKind = spreadsheetExport({
  name: "user report",
  title: "the user report",
  filePrefix: "user-report",
  access: "group_admin",
  path: "/api/learner-insight/report/export",
  progress: "/api/learner-insight/report/export/progress/{exportId}",
  cancel: "/api/learner-insight/report/export/cancel/{exportId}",
  download: "/api/learner-insight/report/export/download/{exportId}",
  body: enrollmentExport,
  open: openUserReportSheet,
  check: {
    read: ({ db, caller }, filters) => [
      db.select({ allowed: isScopeAllowed(caller, filters).as("allowed") }).from(SINGLE_ROW),
    ],
    validate: ({ caller }, [rows], filters) => requireAllowedScope(caller, firstRow(rows), filters),
  },
})

export const userReportExport = exportRoutes(userReportExportKind)
