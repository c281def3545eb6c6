import { type AnyColumn, getTableColumns, ne, or, type SQL, sql } from "drizzle-orm"
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core"
import { courses } from "../../../drizzle/schema/courses.ts"
import { modules } from "../../../drizzle/schema/modules.ts"

// Declares which columns of a table have personal data, what an export of a person's data includes of the table, and
// what an erasure does with it.

/** The person whose data is exported or erased. */
export interface DataSubject {
  id: number
  /** Email addresses as entered and in lower case. */
  emails: string[]
  /** Full names. */
  names: string[]
}

/** Returns the condition that a row belongs to the person. */
type PersonFilter = (person: DataSubject) => SQL

/** A file of the archive with the person's rows of one table. */
export interface PersonalDataFile {
  /** The path in the archive, without the extension. */
  file: string
  rows: PersonFilter
  /** Unique columns for keyset pagination. */
  key: AnyColumn[]
  /** No index finds the rows: the whole table is read in ranges. */
  fullScan?: true
  /** Secrets and internal columns, which are not exported. */
  exclude?: AnyColumn[]
  /** The only columns that are exported. */
  include?: AnyColumn[]
  /** Values that are added, or that replace a column of the same name. */
  computed?: Record<string, SQL>
}

/**
 * What an erasure does with the rows of a table.
 * - `keep`: nothing. The ID that remains is of an anonymized user.
 * - `request`: the request itself anonymizes or deletes them.
 * - `delete`: the job deletes the person's rows.
 * - `update`: the job sets values in the person's rows for which `pending` is true.
 * - `stage`: a stage of the job processes the table (erasure-copies.ts, erasure-audit.ts).
 * - `expire`: encrypted, so they cannot be searched; they are deleted soon after they were created.
 */
type Erasure =
  | { how: "keep" | "request" | "stage" | "expire" }
  | { how: "delete"; rows: PersonFilter }
  | { how: "update"; rows: PersonFilter; values: Record<string, unknown>; pending: SQL }

export interface PersonalDataTable {
  table: SQLiteTable
  /** The columns with IDs of users. */
  userIds: AnyColumn[]
  /** The columns with text of or about a person, or encrypted text. */
  text: AnyColumn[]
  exports: PersonalDataFile[]
  erasure: Erasure
}

/** An erasure without its rows: those of the owner by default. */
type ErasureRule =
  | { how: "keep" | "request" | "stage" | "expire" }
  | { how: "delete"; rows?: PersonFilter | undefined }
  | {
      how: "update"
      values: Record<string, unknown>
      rows?: PersonFilter | undefined
      pending?: SQL | undefined
    }

interface Declaration {
  /** The column with the ID of the user who owns a row. */
  owner?: AnyColumn
  /** Other columns with IDs of users. */
  userIds?: AnyColumn[]
  text?: AnyColumn[]
  /** By default, the owner's rows by the primary key. */
  exports?: (Omit<PersonalDataFile, "rows" | "key"> & Partial<PersonalDataFile>)[]
  erasure: ErasureRule
}

export const KEEP: ErasureRule = { how: "keep" }
export const IN_REQUEST: ErasureRule = { how: "request" }
export const IN_STAGE: ErasureRule = { how: "stage" }
export const EXPIRES: ErasureRule = { how: "expire" }
export const deleteRows = (rows?: PersonFilter): ErasureRule => ({ how: "delete", rows })
/** @param pending the condition that a row is not updated yet; by default, that a column has another value */
export const updateRows = (
  values: Record<string, unknown>,
  options: { rows?: PersonFilter; pending?: SQL } = {},
): ErasureRule => ({ how: "update", values, ...options })

const ownedBy =
  (owner: AnyColumn): PersonFilter =>
  ({ id }) =>
    sql`${owner} = ${id}`

export function personalData(
  table: SQLiteTable,
  { owner, userIds = [], text = [], exports = [], erasure }: Declaration,
): PersonalDataTable {
  const ownRows: PersonFilter = owner
    ? ownedBy(owner)
    : () => {
        throw new Error("A table without an owner declares its rows.")
      }
  return {
    table,
    userIds: owner ? [owner, ...userIds] : userIds,
    text,
    exports: exports.map((file) => ({ rows: ownRows, key: primaryKeyOf(table), ...file })),
    erasure: resolveErasure(table, ownRows, erasure),
  }
}

function resolveErasure(table: SQLiteTable, ownRows: PersonFilter, rule: ErasureRule): Erasure {
  if (rule.how === "delete") return { how: "delete", rows: rule.rows ?? ownRows }
  if (rule.how !== "update") return rule
  const { values, rows = ownRows, pending = isDifferent(table, values) } = rule
  return { how: "update", rows, values, pending }
}

function isDifferent(table: SQLiteTable, values: Record<string, unknown>): SQL {
  const columns: Record<string, AnyColumn> = getTableColumns(table)
  const conditions = Object.entries(values).flatMap(([name, value]) => {
    const column = columns[name]
    return column ? ne(column, value) : []
  })
  return sql`(${or(...conditions)})`
}

export function primaryKeyOf(table: SQLiteTable): AnyColumn[] {
  const { primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? Object.values(getTableColumns(table)).filter(({ primary }) => primary)
}

/** The exported columns by the names that the API uses. */
export function exportedColumns(
  table: SQLiteTable,
  { exclude = [], include, computed = {} }: PersonalDataFile,
): Record<string, AnyColumn | SQL> {
  const columns = Object.entries(getTableColumns(table)).filter(([name, column]) =>
    include ? include.includes(column) : !(exclude.includes(column) || Object.hasOwn(computed, name)),
  )
  return { ...Object.fromEntries(columns), ...computed }
}

/** A column of the record with this ID, such as its name. */
export const lookup = (table: SQLiteTable & { id: AnyColumn }, column: AnyColumn, id: AnyColumn): SQL =>
  sql`(select ${column} from ${table} where ${table.id} = ${id})`
export const courseName = (id: AnyColumn) => lookup(courses, courses.name, id)
export const moduleName = (id: AnyColumn) => lookup(modules, modules.name, id)

/** Replaces personal text in required columns. */
export const ERASED = "[erased]"
/** The name of an erased user. */
export const erasedName = (userId: number) => `Erased user ${userId}`
