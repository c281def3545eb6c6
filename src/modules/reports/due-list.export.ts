import { sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import type { Database } from "../../db/client.ts"
import { SINGLE_ROW } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { type Sheet, sheet } from "../../lib/spreadsheet/sheet.ts"
import { reportColumns, reportFields } from "../users/custom-field-columns.ts"
import type { DueFilters } from "./due.schemas.ts"
import { dueListColumns } from "./due-columns.ts"
import { dueSubject, selectDue } from "./due-selection.ts"

/** Opens the list of due training in the order of ids, with the custom fields of reports. */
export async function openDueListSheet(db: Database, caller: Caller, filters: DueFilters): Promise<Sheet> {
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
}

/** Selects whether the caller may export the user, group, portal or team. */
export const selectExportAllowed = (db: Database, caller: Caller, filters: Parameters<typeof dueSubject>[1]) =>
  db.select({ allowed: sql<number>`${dueSubject(caller, filters).allowed}`.as("allowed") }).from(SINGLE_ROW)
