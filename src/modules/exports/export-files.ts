import type { RunnableQuery } from "drizzle-orm/runnable-query"
import type { Database } from "../../db/client.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import type { Caller } from "../../lib/caller.ts"
import type { ZipProgress } from "../../lib/files/zip-writer.ts"
import type { Sheet } from "../../lib/spreadsheet/sheet.ts"
import { type Cell, workbookBytes } from "../../lib/spreadsheet/workbook.ts"

/** How an attempt at an export goes on: what its pages tell, and are told. */
export interface ExportAttempt {
  /** How many rows the file has so far. */
  rows: number
  /** Set when the attempt ends, for a page of rows that is still on its way. */
  readonly isOver: boolean
  /** A statement to go with a page: it renews the attempt's lease, and answers a row while the job is its own. */
  renewLease(percent: number): Statement
  /** Takes how many rows that statement answered. @throws when the job is no longer this attempt's own */
  requireLease(rows: number): void
  /** The archive so far. */
  readonly zip: ZipProgress
  /** Where the invocation before this one stopped, by `stop`; undefined at the beginning. */
  readonly resumeFrom: unknown
  /** Notes a call of R2. */
  countCall(): void
  /** Has this invocation made almost as many queries and calls as it may? */
  isFull(): boolean
  /** Ends this invocation's part of the file. @param place where the next goes on, as JSON has it */
  suspendAt(place: unknown): void
  readonly isSuspended: boolean
}

/** What an export's file is written from. */
export interface ExportSource {
  env: Bindings
  db: Database
  caller: Caller
  attempt: ExportAttempt
}

/** Reads one more row when an export is asked for, and refuses by it. */
export interface ExportCheck<Filter, Row = unknown> {
  /** A statement of one row, or none. */
  read(work: UnitOfWork, filter: Filter): RunnableQuery<Row[], "sqlite">
  /** @throws what is the matter */
  validate(work: UnitOfWork, rows: Row[], filter: Filter): void
}

/** A sheet's workbook. @param open reads what the columns depend on, and opens the rows */
export async function* writeSheetFile(
  name: string,
  open: () => Promise<Sheet>,
  pace: ExportAttempt,
): AsyncGenerator<Uint8Array> {
  const sheet = await open()
  const columns = sheet.headers.map((header) => ({ header }))
  yield* workbookBytes(name, columns, cells(sheet, pace), pace.zip, () => !pace.isSuspended)
}

/** Where a sheet's rows go on, in a sheet of their own. */
interface SheetPlace {
  after: number
  passed: number
  length: number
}

/** The rows, a page at a time; each page's trip renews the lease. */
async function* cells(sheet: Sheet, pace: ExportAttempt): AsyncGenerator<Cell[]> {
  const from = pace.resumeFrom as SheetPlace | undefined
  if (!from) yield* sheet.firstRows
  const length = from?.length ?? Math.max(1, await sheet.length())
  let passed = from?.passed ?? 0
  for (let after: number | undefined = from?.after ?? 0; after !== undefined; ) {
    if (pace.isOver) return
    const page = await sheet.page(after, pace.renewLease(Math.floor((99 * passed) / length)))
    pace.requireLease(page.additionalRows)
    for (const row of page.rows) {
      yield row
      pace.rows++
    }
    passed += page.passed
    after = page.next
    if (after !== undefined && pace.isFull()) return pace.suspendAt({ after, passed, length } satisfies SheetPlace)
  }
}
