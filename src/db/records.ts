import { eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import type { AnySQLiteColumn, SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"
import { nextUpdatedAt } from "../../drizzle/schema/columns.ts"
import { invalid, notFound, preconditionFailed } from "../lib/errors.ts"
import { pluralize } from "../lib/text/words.ts"
import { type BackgroundKind, planBackgroundWork } from "./background-work.ts"
import type { Database } from "./client.ts"
import type { RefusalErrors, UniqueErrors } from "./commit-errors.ts"
import { guardStatement } from "./insert-from.ts"
import { perObject, prepared } from "./prepared.ts"
import { type RowOf, selectFrom } from "./select.ts"
import { idList, rowCount, rowExists } from "./sql.ts"
import type { Statement } from "./statements.ts"
import type { UnitOfWork } from "./unit-of-work.ts"

// Reads and updates one record, and deletes several.

type RecordTable = SQLiteTable & { id: AnySQLiteColumn }
type VersionedTable = RecordTable & { version: AnySQLiteColumn }

/**
 * Reads one record with its version, in one round trip.
 * @param within the condition that the caller can see the record
 * @throws 404
 */
export async function readRecord<F extends SelectedFields>(
  db: Database,
  { table, fields, subject }: { table: VersionedTable; fields: F; subject: string },
  id: number,
  within: SQL = sql`1`,
): Promise<RowOf<F> & { version: number }> {
  const [rows] = await db.batch([
    selectFrom<F, { version: number }>(
      db,
      fields,
      sql`, ${table.version} as version from ${table} where ${table.id} = ${id} and ${within}`,
    ),
  ])
  const [found] = rows
  if (!found) throw notFound(subject)
  return found
}

/** Selects the ids that exist in a table, for `requireExisting`. */
export const existingRecords = (db: Database, table: RecordTable, ids: readonly number[], within: SQL = sql`1`) =>
  db
    .select({ id: sql<number>`${table.id}`.as("id") })
    .from(table as SQLiteTable)
    .where(sql`${table.id} in ${idList(ids)} and ${within}`)

/** @throws 422 when a field refers to records that do not exist */
export function requireExisting(field: string, ids: readonly number[], found: readonly { id: number }[]) {
  const existing = new Set(found.map((row) => row.id))
  const missing = ids.filter((id) => !existing.has(id))
  if (missing.length > 0) throw invalid(field, `${field} refers to records that do not exist: ${missing.join(", ")}.`)
}

/** The members of `next` that differ from `before`. */
export const changedFields = <T extends object>(before: object, next: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(next).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof typeof before]),
    ),
  ) as Partial<T>

/**
 * Writes the changed columns of a record and increments its version. An assigned column costs a written row in each of
 * its indexes, even if its value stays the same.
 */
export const updateChanged = <T extends VersionedTable>(
  db: Database,
  table: T,
  record: { id: number },
  next: Partial<T["$inferInsert"]>,
): Statement =>
  db
    .update(table as SQLiteTable)
    .set({
      ...("updatedAt" in table && { updatedAt: nextUpdatedAt }),
      ...changedFields(record, next),
      version: sql`${table.version} + 1`,
    })
    .where(sql`${table.id} = ${record.id}`)

/** Whether the ids equal the current ones, in any order, or are not given. */
export function hasSameIds(ids: readonly number[] | undefined, current: readonly { id: number }[]): boolean {
  const currentIds = new Set(current.map((row) => row.id))
  return ids === undefined || (ids.length === currentIds.size && ids.every((id) => currentIds.has(id)))
}

interface Change<T extends VersionedTable, A extends { message: string }> {
  table: T
  /** The record before the change. */
  record: { id: number; version: number }
  /** The columns after the change. Only those that differ are written. */
  next: Partial<T["$inferInsert"]>
  subject: string
  /** The record's name, for the audit row. */
  name: string
  answer: A
  /** The audit details; the changed columns by default. */
  details?: Record<string, unknown>
  /** Statements to run before the update. Without an update they run too, so they must only guard. */
  before?: Statement[]
  unique?: UniqueErrors
  refused?: RefusalErrors
}

/**
 * Writes the changed columns of a record with an audit row.
 * @throws 409 when the record changed concurrently, and the errors of `unique` and `refused`
 */
export async function updateRecord<T extends VersionedTable, A extends { message: string }>(
  work: UnitOfWork,
  change: Change<T, A>,
) {
  const { table, record, subject, name, answer, before = [], unique = {}, refused = {} } = change
  const changed = changedFields(record, change.next)
  // Nothing is written, so the batch may be retried whether or not it was committed.
  if (Object.keys(changed).length === 0) return work.commit(before, answer, { marker: () => sql`false` })
  return work.commit(
    [
      guardUnchanged(table, record),
      ...before,
      updateChanged(work.db, table, record, changed),
      work.audit(
        "updated",
        subject,
        { id: record.id, name },
        {
          ...("userId" in record && { userId: record.userId }),
          ...(change.details ?? changed),
        },
      ),
    ],
    answer,
    { unique, refused },
  )
}

/** Returns the record if its version matches `If-Match`. @throws 404, 412 */
export function requireVersion<T extends { version: number }>(rows: T[], thing: string, expectedVersion?: number): T {
  const [row] = rows
  if (!row) throw notFound(thing)
  if (expectedVersion !== undefined && expectedVersion !== row.version) throw preconditionFailed()
  return row
}

const versionGuard = perObject((table: VersionedTable) =>
  prepared<"id" | "version", Statement>((db) =>
    guardStatement(
      db,
      rowExists(
        table,
        sql`${table.id} = ${sql.placeholder("id")} and ${table.version} = ${sql.placeholder("version")}`,
      ),
    ),
  ),
)

/** Fails the batch if the version of the record has changed. */
export const guardUnchanged = (table: VersionedTable, { id, version }: { id: number; version: number }): Statement =>
  versionGuard(table)({ id, version })

/** The audit details that identify the owner of a record (drizzle/schema/audit.ts). */
function ownerDetails(table: RecordTable): SQL {
  const { userId } = getTableColumns(table)
  return userId ? sql`json_object('userId', ${userId})` : sql`'{}'`
}

interface Removal {
  table: RecordTable
  /** The name of the record type in messages and audit rows: `membership`. */
  subject: string
  /** An irregular plural. */
  subjects?: string
  /** The record's name, for the audit row. */
  name: SQL | AnySQLiteColumn
  ids: number[]
  /** The condition that the caller may delete a record; the others count as unknown. */
  within?: SQL
  /** The records that are not deleted, and the reason that follows "3 not deleted: ". */
  undeletable?: { when: SQL; because: string }
  /** Statements to run before the deletion. */
  before?: (ids: number[]) => Statement[]
  /** Deletes the rows that refer to the records, then the records. With many rows it runs as a background job. */
  cascade?: BackgroundKind<Deletion>
  /** An unknown id is 404 instead of counted. */
  requireAll?: boolean
  /** Statements to run before a background job deletes the records, such as disabling them. */
  beforeJob?: (ids: number[]) => Statement[]
}

/** The parameters of a job that deletes records. */
export interface Deletion {
  ids: number[]
}

/** The last step of a job that deletes records. @param isUndeletable the condition that a record is not deleted */
export const deletionStatements =
  (table: RecordTable, isUndeletable: SQL = sql`0`) =>
  ({ db }: UnitOfWork, { ids }: Deletion): Statement[] => [
    db.delete(table).where(sql`${table.id} in ${idList(ids)} and not (${isUndeletable})`),
  ]

/**
 * Deletes records with an audit row each. Unknown ids are counted.
 * @throws 404 for an unknown id with `requireAll`; 409 when a record changed concurrently
 */
export async function deleteRecords(work: UnitOfWork, removal: Removal) {
  const { table, subject, subjects = `${subject}s`, ids, within = sql`1`, undeletable, cascade } = removal
  const plan = cascade && planBackgroundWork(work, cascade, { ids })
  const isSelected = sql`${table.id} in ${idList(ids)} and ${within}`
  const isUndeletable = undeletable?.when ?? sql`0`
  const [found, planRows] = await work.read([
    work.db
      .select({ id: sql<number>`${table.id}`.as("id"), stays: sql<number>`${isUndeletable}`.as("stays") })
      .from(table)
      .where(isSelected),
    ...(plan ? [plan.question] : []),
  ])
  const deletableIds = found.filter((row) => !row.stays).map((row) => row.id)
  const undeletableCount = found.length - deletableIds.length
  const unknownCount = ids.length - found.length
  if (removal.requireAll && unknownCount > 0) throw notFound(subject)
  const decision = planRows && deletableIds.length > 0 ? plan?.decide(planRows, { ids: deletableIds }) : undefined
  const answer: { message: string; jobId?: string } = {
    message: [
      `${pluralize(deletableIds.length, subject, subjects)} deleted.`,
      ...(undeletableCount > 0 && undeletable ? [`${undeletableCount} not deleted: ${undeletable.because}.`] : []),
      ...(unknownCount > 0 ? [`${pluralize(unknownCount, "id")} unknown.`] : []),
    ].join(" "),
    ...decision?.job,
  }
  if (deletableIds.length === 0) return work.commit([], answer)
  const isDeletable = sql`${table.id} in ${idList(deletableIds)}`
  await work.commit(
    [
      work.guard(eq(rowCount(table, sql`${isDeletable} and not (${isUndeletable})`), deletableIds.length)),
      work.auditMany(
        "deleted",
        subject,
        sql`
          select ${table.id} as id, ${removal.name} as name, ${ownerDetails(table)} as details
          from ${table} where ${isDeletable}
        `,
      ),
      ...(removal.before?.(deletableIds) ?? []),
      ...(answer.jobId === undefined ? [] : (removal.beforeJob?.(deletableIds) ?? [])),
      ...(decision?.statements ?? [work.db.delete(table).where(isDeletable)]),
    ],
    answer,
  )
  await decision?.start()
  return answer
}
