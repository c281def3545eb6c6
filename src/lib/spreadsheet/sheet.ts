import { sql } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import { type Database, firstRow } from "../../db/client.ts"
import { countKeys, type KeysetIterator, keysetPage } from "../../db/keyset.ts"
import type { RowOf } from "../../db/select.ts"
import type { Statement } from "../../db/statements.ts"
import type { Cell } from "./workbook.ts"

/** One page of a sheet. */
interface SheetPage {
  /** Made lazily. */
  rows: Iterable<Cell[]>
  /** The key after which the next page continues; undefined at the end. */
  next: number | undefined
  /** How many keys the page scanned. */
  passed: number
  /** How many rows the additional statement returned. */
  additionalRows: number
}

/** The columns and rows of an export. */
export interface Sheet {
  headers: string[]
  /** The names of the columns for programs. */
  keys: string[]
  /** Rows above those of the query, for people. */
  firstRows: Cell[][]
  /** Returns the number of keys to scan, in one round trip. */
  length(): Promise<number>
  /** Reads the page after a key (0: the first page), and runs another statement in the same round trip. */
  page(after: number, additional: Statement): Promise<SheetPage>
}

/**
 * Keys in a page: few enough to hold its rows in memory, and many enough to write a million rows in one invocation,
 * which makes 900 queries (export-attempt.ts), three for each page.
 */
const PAGE_SIZE = 3500

interface Declaration<F extends SelectedFields> {
  headers: readonly string[]
  /** By default the headers. */
  keys?: readonly string[]
  firstRows?: Cell[][]
  iterator: KeysetIterator<F>
}

/** Declares a sheet with one row for each row of the query. */
export const sheet = <F extends SelectedFields>(
  db: Database,
  declaration: Declaration<F> & { toCells: (row: RowOf<F>) => Cell[] },
): Sheet => sheetOfMany(db, { ...declaration, toRows: (row) => [declaration.toCells(row)] })

/** Declares a sheet with any number of rows for each row of the query. */
export function sheetOfMany<F extends SelectedFields>(
  db: Database,
  declaration: Declaration<F> & { toRows: (row: RowOf<F>) => Cell[][] },
): Sheet {
  const { headers, keys = headers, firstRows = [], iterator, toRows } = declaration
  return {
    headers: [...headers],
    keys: [...keys],
    firstRows,
    async length() {
      const [rows] = await db.batch([db.select({ length: countKeys(iterator).as("length") }).from(sql`(select 1)`)])
      return firstRow(rows).length
    },
    async page(after, additional) {
      const { statements, read } = keysetPage(db, iterator, after, PAGE_SIZE)
      const [ends, found, additionalResult] = await db.batch([...statements, additional])
      const { rows, next, passed } = read(ends, found)
      return {
        rows: flatMapLazily(rows, toRows),
        next,
        passed,
        additionalRows: Array.isArray(additionalResult) ? additionalResult.length : 0,
      }
    },
  }
}

function* flatMapLazily<Row, T>(rows: Row[], make: (row: Row) => T[]): Generator<T> {
  for (const row of rows) yield* make(row)
}

/** Appends a sheet with the same columns. Negative keys are those of the second sheet. */
export const concatSheets = (first: Sheet, second: Sheet): Sheet => ({
  headers: first.headers,
  keys: first.keys,
  firstRows: first.firstRows,
  async length() {
    return (await first.length()) + (await second.length())
  },
  async page(after, additional) {
    const isFirst = after >= 0
    const page = await (isFirst ? first.page(after, additional) : second.page(-after - 1, additional))
    const next = isFirst ? (page.next ?? -1) : page.next === undefined ? undefined : -page.next - 1
    return { ...page, next }
  },
})
