import { sql } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import { type Database, firstRow } from "../../db/client.ts"
import { stretch, type Walk, walkLength } from "../../db/keyset.ts"
import type { RowOf } from "../../db/rows.ts"
import type { Statement } from "../../db/statements.ts"
import type { Cell } from "./workbook.ts"

/** One page of a sheet. */
interface SheetPage {
  /** The rows, each made when it is asked for. */
  rows: Iterable<Cell[]>
  /** Where the next page continues; undefined at the end. */
  next: number | undefined
  /** How many keys the page passed. */
  passed: number
  /** How many rows the statement beside it returned. */
  beside: number
}

/** What an export writes: its columns, and the rows that a walk finds. */
export interface Sheet {
  headers: string[]
  /** Rows above those that the walk finds. */
  lead: Cell[][]
  /** How many keys there are to pass; one trip. */
  length(): Promise<number>
  /**
   * The page after a key (0: the first), and another statement beside it: one trip.
   */
  page(after: number, beside: Statement): Promise<SheetPage>
}

/**
 * How many keys a page passes: few enough to hold a page of rows in memory, many enough that an invocation, which makes
 * 900 queries (exports.job.ts), three for each page, writes a sheet of a million rows.
 */
const PAGE = 3500

interface Declared<F extends SelectedFields> {
  headers: readonly string[]
  lead?: Cell[][]
  walk: Walk<F>
}

/** Declares a sheet: a kind's columns and rows as one job needs them. */
export const sheet = <F extends SelectedFields>(
  db: Database,
  given: Declared<F> & { toCells: (row: RowOf<F>) => Cell[] },
): Sheet => sheetOfMany(db, { ...given, toRows: (row) => [given.toCells(row)] })

/** As `sheet`, where what the walk finds makes any number of rows. */
export function sheetOfMany<F extends SelectedFields>(
  db: Database,
  given: Declared<F> & { toRows: (row: RowOf<F>) => Cell[][] },
): Sheet {
  const { headers, lead = [], walk, toRows } = given
  return {
    headers: [...headers],
    lead,
    async length() {
      const [rows] = await db.batch([db.select({ length: walkLength(walk).as("length") }).from(sql`(select 1)`)])
      return firstRow(rows).length
    },
    async page(after, beside) {
      const { statements, read } = stretch(db, walk, after, PAGE)
      const [ends, found, told] = await db.batch([...statements, beside])
      const { rows, next, passed } = read(ends, found)
      return { rows: eachOf(rows, toRows), next, passed, beside: Array.isArray(told) ? told.length : 0 }
    },
  }
}

function* eachOf<Row, T>(rows: Row[], make: (row: Row) => T[]): Generator<T> {
  for (const row of rows) yield* make(row)
}

/** Two sheets of the same columns, one after the other. The second's keys go on below 0. */
export const joined = (first: Sheet, second: Sheet): Sheet => ({
  headers: first.headers,
  lead: first.lead,
  async length() {
    return (await first.length()) + (await second.length())
  },
  async page(after, beside) {
    const isFirst = after >= 0
    const page = await (isFirst ? first.page(after, beside) : second.page(-after - 1, beside))
    const next = isFirst ? (page.next ?? -1) : page.next === undefined ? undefined : -page.next - 1
    return { ...page, next }
  },
})
