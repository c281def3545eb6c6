import { eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import type { AnySQLiteColumn, SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"
import { invalid, notFound, preconditionFailed } from "../lib/errors.ts"
import { pluralize } from "../lib/text/words.ts"
import { type BackgroundKind, planBackgroundWork } from "./background-work.ts"
import type { Database } from "./client.ts"
import type { UniqueErrors } from "./commit-errors.ts"
import { type RowOf, selectFrom } from "./select.ts"
import { idList, rowCount, rowExists } from "./sql.ts"
import type { Statement } from "./statements.ts"
import type { UnitOfWork } from "./unit-of-work.ts"

// How records are read and changed one at a time, and deleted many at a time.

type RecordTable = SQLiteTable & { id: AnySQLiteColumn }
type VersionedTable = RecordTable & { version: AnySQLiteColumn }

/**
 * One record with its version, in one trip.
 * @param within what the caller may know of
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

/** Which of some ids a table has (and `within` admits), for `requireExisting` after the first trip. */
export const existingRecords = (db: Database, table: RecordTable, ids: readonly number[], within: SQL = sql`1`) =>
  db
    .select({ id: sql<number>`${table.id}`.as("id") })
    .from(table as SQLiteTable)
    .where(sql`${table.id} in ${idList(ids)} and ${within}`)

/** @throws 422 where a field names records that do not exist */
export function requireExisting(field: string, wanted: readonly number[], found: readonly { id: number }[]) {
  const there = new Set(found.map((row) => row.id))
  const missing = wanted.filter((id) => !there.has(id))
  if (missing.length > 0) throw invalid(field, `${field} names what does not exist: ${missing.join(", ")}.`)
}

/** The members of `next` that differ from `prerequisite`. */
export const changedFields = <T extends object>(before: object, next: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(next).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof typeof before]),
    ),
  ) as Partial<T>

/**
 * Writes a record's next version: of its columns those that differ from what the first trip found. A column that is
 * assigned costs a written row in every index that holds it, even where its value stays.
 */
export const updateChanged = <T extends VersionedTable>(
  db: Database,
  table: T,
  record: { id: number },
  next: Partial<T["$inferInsert"]>,
): Statement =>
  db
    .update(table as SQLiteTable)
    .set({ ...changedFields(record, next), version: sql`${table.version} + 1` })
    .where(sql`${table.id} = ${record.id}`)

/** Is the given set what is there already, in any order? True as well where none is given. */
export function hasSameIds(given: readonly number[] | undefined, there: readonly { id: number }[]): boolean {
  const now = new Set(there.map((row) => row.id))
  return given === undefined || (given.length === now.size && given.every((id) => now.has(id)))
}

interface Change<T extends VersionedTable, A extends { message: string }> {
  table: T
  /** The record as the first trip found it. */
  record: { id: number; version: number }
  /** Its columns as they are to be; those that are so already are left alone. */
  next: Partial<T["$inferInsert"]>
  subject: string
  /** The record's name, for the audit row. */
  name: string
  answer: A
  /** What the audit row says; the changed columns unless told. */
  details?: Record<string, unknown>
  /** Further statements, run before the update; without one too, when they only guard and write nothing. */
  before?: Statement[]
  unique?: UniqueErrors
}

/**
 * Writes a record's changed columns with an audit row, unless somebody else was faster.
 * @throws 409, and as `unique` says
 */
export async function updateRecord<T extends VersionedTable, A extends { message: string }>(
  work: UnitOfWork,
  given: Change<T, A>,
) {
  const { table, record, subject, name, answer, before = [], unique = {} } = given
  const changed = changedFields(record, given.next)
  // Nothing is written then, so that it may be sent again whether or not it landed.
  if (Object.keys(changed).length === 0) return work.commit(before, answer, { mark: () => sql`false` })
  return work.commit(
    [
      guardUnchanged(work, table, record),
      ...before,
      updateChanged(work.db, table, record, changed),
      work.audit(
        "updated",
        subject,
        { id: record.id, name },
        {
          ...("userId" in record && { userId: record.userId }),
          ...(given.details ?? changed),
        },
      ),
    ],
    answer,
    { unique },
  )
}

/** A record as the mutation's first trip found it, held against `If-Match`. @throws 404, 412 */
export function requireVersion<T extends { version: number }>(rows: T[], thing: string, demanded?: number): T {
  const [row] = rows
  if (!row) throw notFound(thing)
  if (demanded !== undefined && demanded !== row.version) throw preconditionFailed()
  return row
}

/** Makes the batch fail unless the record is still at the version that the first trip found. */
export const guardUnchanged = (
  work: UnitOfWork,
  table: VersionedTable,
  record: { id: number; version: number },
): Statement => work.guard(rowExists(table, sql`${table.id} = ${record.id} and ${table.version} = ${record.version}`))

/** Whose a record is, for the audit row of what is done to it (drizzle/schema/audit.ts). */
function whoseOf(table: RecordTable): SQL {
  const { userId } = getTableColumns(table)
  return userId ? sql`json_object('userId', ${userId})` : sql`'{}'`
}

interface Removal {
  table: RecordTable
  /** What one is called: `membership`. Messages and audit rows use it. */
  subject: string
  /** Its plural, where an `s` does not make it. */
  subjects?: string
  /** The record's name, for the audit row. */
  name: SQL | AnySQLiteColumn
  ids: number[]
  /** Which of them the caller may delete at all; the others count as unknown. */
  within?: SQL
  /** Which of them are kept, and why, to be read after "3 not deleted: ". */
  undeletable?: { when: SQL; because: string }
  /** Further statements of the batch, given the ids that go. Run before the deletion. */
  before?: (ids: number[]) => Statement[]
  /** What deletes the rows that refer to the records, and then the records: in a job where there are many. */
  cascade?: BackgroundKind<Deletion>
  /** Statements of the batch where a job deletes the records, such as those that put them out of use meanwhile. */
  beforeJob?: (ids: number[]) => Statement[]
}

/** The parameters of a job that deletes records. */
export interface Deletion {
  ids: number[]
}

/** The last step of a job that deletes records. @param stays which of them are kept, as of then */
export const deletionStatements =
  (table: RecordTable, stays: SQL = sql`0`) =>
  ({ db }: UnitOfWork, { ids }: Deletion): Statement[] => [
    db.delete(table).where(sql`${table.id} in ${idList(ids)} and not (${stays})`),
  ]

/**
 * Deletes records with an audit row each. Unknown ids are counted, never an error, and the counts are of what the
 * batch did: if a record changes in between, nothing is deleted and the call answers 409.
 */
export async function deleteRecords(work: UnitOfWork, removal: Removal) {
  const { table, subject, subjects = `${subject}s`, ids, within = sql`1`, undeletable: kept, cascade } = removal
  const plan = cascade && planBackgroundWork(work, cascade, { ids })
  const mine = sql`${table.id} in ${idList(ids)} and ${within}`
  const stays = kept?.when ?? sql`0`
  const [found, planned] = await work.read([
    work.db
      .select({ id: sql<number>`${table.id}`.as("id"), stays: sql<number>`${stays}`.as("stays") })
      .from(table)
      .where(mine),
    ...(plan ? [plan.question] : []),
  ])
  const going = found.filter((row) => !row.stays).map((row) => row.id)
  const notDeleted = found.length - going.length
  const unknown = ids.length - found.length
  const decided = planned && going.length > 0 ? plan?.decide(planned, { ids: going }) : undefined
  const answer: { message: string; jobId?: string } = {
    message: [
      `${pluralize(going.length, subject, subjects)} deleted.`,
      ...(notDeleted > 0 && kept ? [`${notDeleted} not deleted: ${kept.because}.`] : []),
      ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
    ].join(" "),
    ...decided?.job,
  }
  if (going.length === 0) return work.commit([], answer)
  const these = sql`${table.id} in ${idList(going)}`
  await work.commit(
    [
      work.guard(eq(rowCount(table, sql`${these} and not (${stays})`), going.length)),
      work.auditMany(
        "deleted",
        subject,
        sql`
          select ${table.id} as id, ${removal.name} as name, ${whoseOf(table)} as details
          from ${table} where ${these}
        `,
      ),
      ...(removal.before?.(going) ?? []),
      ...(answer.jobId === undefined ? [] : (removal.beforeJob?.(going) ?? [])),
      ...(decided?.statements ?? [work.db.delete(table).where(these)]),
    ],
    answer,
  )
  await decided?.start()
  return answer
}
