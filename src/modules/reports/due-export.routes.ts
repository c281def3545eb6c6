import { firstRow } from "../../db/client.ts"
import { notFound } from "../../lib/errors.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { dueListExport } from "./due.schemas.ts"
import { openDueListSheet, selectExportAllowed } from "./due-list.export.ts"
import { dueSubject } from "./due-selection.ts"

export const dueListExportKind = spreadsheetExport({
  name: "due list",
  title: "the list of due training",
  filePrefix: "due-training",
  access: "group_admin",
  extension: true,
  path: "/api/due/export",
  progress: "/api/due/export/progress/{exportId}",
  cancel: "/api/due/export/cancel/{exportId}",
  download: "/api/due/export/download/{exportId}",
  body: dueListExport,
  open: openDueListSheet,
  check: {
    read: ({ db, caller }, filters) => [selectExportAllowed(db, caller, filters)],
    validate: ({ caller }, [rows], filters) => {
      if (!firstRow(rows).allowed) throw notFound(dueSubject(caller, filters).unknown)
    },
  },
})

export const dueListExports = exportRoutes(dueListExportKind)
