import { firstRow } from "../../db/client.ts"
import { invalid } from "../../lib/errors.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { refuseUnknown } from "./enrollment-filters.ts"
import { openGradebook, widest } from "./gradebook.export.ts"
import { enrollmentExport } from "./reports.schemas.ts"

export const gradebookExportKind = spreadsheetExport({
  name: "gradebook",
  title: "the gradebook",
  file: "gradebook",
  access: "group_admin",
  about: "Without courseId, it has the graded modules of every course in which somebody of it is registered.",
  path: "/api/user/gradebook/export",
  progress: "/api/user/gradebook/export/progress/{exportId}",
  cancel: "/api/user/gradebook/export/cancel/{exportId}",
  download: "/api/user/gradebook/export/download/{exportId}",
  body: enrollmentExport,
  open: openGradebook,
  check: {
    read: ({ db, caller }, filters) => widest.count(db, caller, filters),
    refuse: ({ caller }, rows, filters) => {
      const found = firstRow(rows)
      refuseUnknown(caller, found, filters)
      if (found.count > widest.most) throw invalid("search_param", widest.message)
    },
  },
})

export const gradebookExport = exportRoutes(gradebookExportKind)
