import { firstRow } from "../../db/client.ts"
import { invalid } from "../../lib/errors.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { requireAllowedScope } from "./enrollment-filters.ts"
import { columnLimit, openGradebookSheet } from "./gradebook.export.ts"
import { enrollmentExport } from "./reports.schemas.ts"

export const gradebookExportKind = spreadsheetExport({
  name: "gradebook",
  title: "the gradebook",
  filePrefix: "gradebook",
  access: "group_admin",
  description: "Without courseId, it has the graded modules of every course in which the exported users are enrolled.",
  path: "/api/user/gradebook/export",
  progress: "/api/user/gradebook/export/progress/{exportId}",
  cancel: "/api/user/gradebook/export/cancel/{exportId}",
  download: "/api/user/gradebook/export/download/{exportId}",
  body: enrollmentExport,
  open: openGradebookSheet,
  check: {
    read: ({ db, caller }, filters) => [columnLimit.count(db, caller, filters)],
    validate: ({ caller }, [rows], filters) => {
      const found = firstRow(rows)
      requireAllowedScope(caller, found, filters)
      if (found.count > columnLimit.max) throw invalid("search_param", columnLimit.message)
    },
  },
})

export const gradebookExport = exportRoutes(gradebookExportKind)
