import { eq } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import { users } from "../../../drizzle/schema/users.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import type { KeysetIterator } from "../../db/keyset.ts"
import { selectSettings } from "../../db/settings.ts"
import type { Bindings } from "../../env.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { type Sheet, sheet } from "../../lib/spreadsheet/sheet.ts"
import { academyZone } from "../../lib/text/zones.ts"
import { MAX_COURSES, type MatrixFilters } from "./matrix.schemas.ts"
import { cellsOf, type MatrixCell } from "./matrix-cells.ts"
import { matrixColumns } from "./matrix-columns.ts"
import { asOfTime, selectCourses, selectHistory, selectMatrixPeople } from "./matrix-selection.ts"

/** The people of the matrix in the order of ids, as the caller may see them when the job runs. */
export function matrixIterator(caller: Caller, filters: MatrixFilters) {
  const { subject, scope, search, total } = selectMatrixPeople(caller, filters)
  const isEveryone = scope.length + search.length === 0
  return {
    table: users,
    key: users.id,
    fields: { ...matrixColumns.fields, history: selectHistory(filters, filters.asOf !== undefined).as("history") },
    filters: [...search, ...scope, { test: subject.allowed }],
    ...(isEveryone && { total }),
  } satisfies KeysetIterator<SelectedFields>
}

/** Reads what the matrix depends on: the courses and the time. */
export async function openMatrix(db: Database, caller: Caller, filters: MatrixFilters, env: Bindings) {
  const [courseRows, [academy], [reader]] = await db.batch([
    selectCourses(db, caller, filters),
    selectSettings(db),
    db
      .select({ language: users.language })
      .from(users)
      .where(eq(users.id, caller.id ?? 0)),
  ])
  const zone = academy?.timeZone ?? academyZone(env)
  const at = now()
  const asOf = asOfTime(filters, zone, at)
  // Courses may have been deleted since the export was requested.
  const courses = courseRows.slice(0, MAX_COURSES)
  const courseIds = courses.map(({ id }) => id)
  return {
    courses,
    zone,
    asOf: asOf ?? at,
    academy: academy?.name ?? null,
    language: reader?.language ?? academy?.language ?? null,
    cellsOf: ({ history }: { history: Parameters<typeof cellsOf>[0] }) => cellsOf(history, courseIds, asOf, at),
  }
}

const LABELS: Record<string, string> = {
  [DueStatus.OnTrack]: "On track",
  [DueStatus.DueSoon]: "Due soon",
  [DueStatus.Overdue]: "Overdue",
  [DueStatus.Completed]: "Completed",
  [DueStatus.CompletedLate]: "Completed late",
  [DueStatus.Exempt]: "Exempt",
}

/** What a cell says: its due status, or without a due date its status. */
const labelOf = (cell: MatrixCell | null): string =>
  cell ? (LABELS[cell.dueStatus ?? ""] ?? cell.status) : "Not enrolled"

const PARTS = [
  { key: "status", header: "", value: labelOf },
  { key: "due_at", header: " due", value: (cell: MatrixCell | null) => cell?.dueAt ?? null },
  { key: "completed_at", header: " completed", value: (cell: MatrixCell | null) => cell?.completedAt ?? null },
  { key: "expires_at", header: " expires", value: (cell: MatrixCell | null) => cell?.expiresAt ?? null },
  { key: "certificate_id", header: " certificate", value: (cell: MatrixCell | null) => cell?.certificateId ?? null },
] as const

/** Opens the matrix: a row for each person, and five columns for each course. */
export async function openMatrixSheet(
  db: Database,
  caller: Caller,
  filters: MatrixFilters,
  env: Bindings,
): Promise<Sheet> {
  const { courses, cellsOf: cellsOfRow } = await openMatrix(db, caller, filters, env)
  return sheet(db, {
    headers: [
      ...matrixColumns.names,
      ...courses.flatMap(({ id, name }) => PARTS.map(({ header }) => `${name} (${id})${header}`)),
    ],
    keys: [...matrixColumns.names, ...courses.flatMap(({ id }) => PARTS.map(({ key }) => `course_${id}_${key}`))],
    iterator: matrixIterator(caller, filters),
    toCells: (row) => [
      ...matrixColumns.toCells({ ...row }),
      ...cellsOfRow(row).flatMap((cell) => PARTS.map(({ value }) => value(cell))),
    ],
  })
}
