import { sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { firstRow } from "../../db/client.ts"
import { SINGLE_ROW } from "../../db/sql.ts"
import { notFound } from "../../lib/errors.ts"
import { sheet } from "../../lib/spreadsheet/sheet.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { reportColumns, reportFields } from "../users/custom-field-columns.ts"
import { dueListExport } from "./due.schemas.ts"
import { dueListColumns } from "./due-columns.ts"
import { dueSubject, selectDue } from "./due-selection.ts"

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
  /** The list in the order of ids, with the custom fields of reports. */
  async open(db, caller, filters) {
    const [fields] = await db.batch([reportFields(db, "course-insight")])
    const custom = reportColumns(fields, enrollments.userId)
    const { subject, iterated } = selectDue(caller, filters)
    return sheet(db, {
      headers: [...dueListColumns.names, ...custom.headers],
      keys: [...dueListColumns.names, ...custom.keys],
      iterator: {
        table: enrollments,
        key: enrollments.id,
        fields: { ...dueListColumns.fields, customValues: custom.values },
        // The caller may have lost access since the export was requested.
        filters: [...iterated, { test: subject.allowed }],
      },
      toCells: (row) => [...dueListColumns.toCells(row), ...custom.cells(row.customValues)],
    })
  },
  check: {
    read: ({ db, caller }, filters) =>
      db.select({ allowed: sql<number>`${dueSubject(caller, filters).allowed}`.as("allowed") }).from(SINGLE_ROW),
    validate: ({ caller }, rows, filters) => {
      if (!firstRow(rows).allowed) throw notFound(dueSubject(caller, filters).unknown)
    },
  },
})

export const dueListExports = exportRoutes(dueListExportKind)
