import type { RunnableQuery } from "drizzle-orm/runnable-query"
import type { Database } from "../../db/client.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import type { Caller } from "../../lib/caller.ts"
import type { ZipProgress } from "../../lib/files/zip-writer.ts"
import type { Sheet } from "../../lib/spreadsheet/sheet.ts"
import { CSV_TYPE, csvBytes, NDJSON_TYPE, ndjsonBytes } from "../../lib/spreadsheet/text-rows.ts"
import { type Cell, workbookBytes, XLSX_TYPE } from "../../lib/spreadsheet/workbook.ts"

/** The attempt at an export that writes a file. */
export interface ExportAttempt {
  /** How many rows the file has so far. */
  rows: number
  /** Set when the attempt ends, so that a page that is still being read stops. */
  readonly isOver: boolean
  /** Returns a statement for the batch of a page. It renews the lease, and returns a row while the attempt has it. */
  renewLease(percent: number): Statement
  /** @param rows the number of rows that `renewLease` returned @throws when the attempt lost its lease */
  requireLease(rows: number): void
  /** The archive so far. */
  readonly zip: ZipProgress
  /** The position that the previous invocation passed to `suspendAt`; undefined at the start. */
  readonly resumeFrom: unknown
  /** Counts a call of R2. */
  countCall(): void
  /** Whether the invocation is close to the limit of queries and calls. */
  isFull(): boolean
  /** Ends the part of this invocation. @param position a JSON value from which the next invocation continues */
  suspendAt(position: unknown): void
  readonly isSuspended: boolean
}

/** What the writer of an export's file gets. */
export interface ExportSource {
  env: Bindings
  db: Database
  caller: Caller
  attempt: ExportAttempt
}

/** Validates a request for an export by what the database has. */
export interface ExportCheck<Filter, Results extends unknown[][] = unknown[][]> {
  read(work: UnitOfWork, filter: Filter): { [I in keyof Results]: RunnableQuery<Results[I], "sqlite"> }
  /** @throws when the request is refused */
  validate(work: UnitOfWork, results: Results, filter: Filter): void
}

/** The formats of a spreadsheet's rows. */
export const SHEET_FORMATS = ["xlsx", "csv", "ndjson"] as const
export type SheetFormat = (typeof SHEET_FORMATS)[number]

/** The media types of files by their extension. */
export const FILE_TYPES = {
  xlsx: XLSX_TYPE,
  csv: CSV_TYPE,
  ndjson: NDJSON_TYPE,
  zip: "application/zip",
  pdf: "application/pdf",
} as const
export type FileExtension = keyof typeof FILE_TYPES

/** Writes the rows of a sheet. @param open reads what the columns depend on */
export async function* writeSheetFile(
  { name, format }: { name: string; format: SheetFormat },
  open: () => Promise<Sheet>,
  attempt: ExportAttempt,
): AsyncGenerator<Uint8Array> {
  const sheet = await open()
  const from = attempt.resumeFrom as SheetPosition | undefined
  // A workbook continues in a sheet with headers of its own. A text file has those of its beginning.
  if (format !== "xlsx" && from && from.keys?.join() !== sheet.keys.join())
    throw new Error("The columns have changed since the file was started.")
  if (format === "csv")
    return yield* csvBytes(from ? undefined : sheet.headers, sheetRows({ ...sheet, firstRows: [] }, attempt))
  if (format === "ndjson") return yield* ndjsonBytes(sheet.keys, sheetRows({ ...sheet, firstRows: [] }, attempt))
  const columns = sheet.headers.map((header) => ({ header }))
  yield* workbookBytes(name, columns, sheetRows(sheet, attempt), attempt.zip, () => !attempt.isSuspended)
}

/** The position from which the next invocation continues, with a new sheet of the workbook. */
interface SheetPosition {
  after: number
  passed: number
  length: number
  /** The columns; undefined in a state of an earlier version. */
  keys?: string[]
}

/** Yields the rows page by page. The round trip of each page renews the lease. */
async function* sheetRows(sheet: Sheet, attempt: ExportAttempt): AsyncGenerator<Cell[]> {
  const from = attempt.resumeFrom as SheetPosition | undefined
  if (!from) yield* sheet.firstRows
  const length = from?.length ?? Math.max(1, await sheet.length())
  let passed = from?.passed ?? 0
  for (let after: number | undefined = from?.after ?? 0; after !== undefined; ) {
    if (attempt.isOver) return
    const page = await sheet.page(after, attempt.renewLease(Math.floor((99 * passed) / length)))
    attempt.requireLease(page.additionalRows)
    for (const row of page.rows) {
      yield row
      attempt.rows++
    }
    passed += page.passed
    after = page.next
    if (after !== undefined && attempt.isFull())
      return attempt.suspendAt({ after, passed, length, keys: sheet.keys } satisfies SheetPosition)
  }
}
