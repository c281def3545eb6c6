import { z } from "@hono/zod-openapi"
import { type SQL, sql } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { notFound, preconditionFailed } from "./errors.ts"
import { ids } from "./input.ts"
import { idList } from "./sql.ts"
import { counted } from "./words.ts"
import type { Statement, UnitOfWork } from "./work.ts"

// What records have in common: how they are answered, changed one at a time and deleted many at a time.

/** A mutation's answer. */
export const message = z.object({ message: z.string() })
/** A creation's answer. */
export const created = z.object({ id: z.number().int(), message: z.string() })
/** The body of a bulk deletion. */
export const deletion = z.object({ delete_ids: ids() })

type RecordTable = SQLiteTable & { id: AnySQLiteColumn }
type VersionedTable = RecordTable & { version: AnySQLiteColumn }

/** A record as the mutation's first trip found it, held against `If-Match`. @throws 404, 412 */
export function current<T extends { version: number }>(rows: T[], thing: string, demanded?: number): T {
  const [row] = rows
  if (!row) throw notFound(thing)
  if (demanded !== undefined && demanded !== row.version) throw preconditionFailed()
  return row
}

/** Makes the batch fail unless the record is still at the version that the first trip found. */
export const unchanged = (
  work: UnitOfWork,
  table: VersionedTable,
  record: { id: number; version: number },
): Statement =>
  work.guard(
    sql`exists (select 1 from ${table} where ${table.id} = ${record.id} and ${table.version} = ${record.version})`,
  )

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
  kept?: { when: SQL; because: string }
  /** Further statements of the batch, given the ids that go. Run before the deletion. */
  before?: (ids: number[]) => Statement[]
}

/**
 * Deletes records with an audit row each. Unknown ids are counted, never an error, and the counts are of what the
 * batch did: should a record change its mind in between, nothing is deleted and the call answers 409.
 */
export async function remove(work: UnitOfWork, removal: Removal) {
  const { table, subject, subjects = `${subject}s`, ids, within = sql`1`, kept } = removal
  const mine = sql`${table.id} in ${idList(ids)} and ${within}`
  const stays = kept?.when ?? sql`0`
  const [found] = await work.read([
    work.db
      .select({ id: sql<number>`${table.id}`.as("id"), stays: sql<number>`${stays}`.as("stays") })
      .from(table)
      .where(mine),
  ])
  const going = found.filter((row) => !row.stays).map((row) => row.id)
  const notDeleted = found.length - going.length
  const unknown = ids.length - found.length
  const answer = {
    message: [
      `${counted(going.length, subject, subjects)} deleted.`,
      ...(notDeleted > 0 && kept ? [`${notDeleted} not deleted: ${kept.because}.`] : []),
      ...(unknown > 0 ? [`${counted(unknown, "id")} unknown.`] : []),
    ].join(" "),
  }
  if (going.length === 0) return work.commit([], answer)
  const these = sql`${table.id} in ${idList(going)}`
  return work.commit(
    [
      work.guard(sql`(select count(*) from ${table} where ${these} and not (${stays})) = ${going.length}`),
      work.auditMany(
        "deleted",
        subject,
        sql`select ${table.id} as id, ${removal.name} as name, '{}' as details from ${table} where ${these}`,
      ),
      ...(removal.before?.(going) ?? []),
      work.db.delete(table).where(these),
    ],
    answer,
  )
}
