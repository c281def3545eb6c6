import { type Placeholder, type SQL, sql } from "drizzle-orm"
import { sqliteTable } from "drizzle-orm/sqlite-core"
import { type AUDIT_ACTIONS, auditEntry, auditLogs } from "../../drizzle/schema/audit.ts"
import type { Caller } from "../lib/caller.ts"
import { now } from "../lib/clock.ts"
import { shortRandomId } from "../lib/crypto/crypto.ts"
import type { Database } from "./client.ts"
import { insertFrom } from "./insert-from.ts"
import { perObject, prepared } from "./prepared.ts"
import { idList, rowExists } from "./sql.ts"
import type { NewId, Statement } from "./statements.ts"

/** The view that inserts audit rows and numbers them: `audit_logs` takes no others. */
export const auditEntries = sqliteTable("audit_entries", auditEntry)

/** The verbs of the audit log. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** The random number that the audit rows of each statement carry. */
const batchNumbers = new WeakMap<object, number>()

/** How many audit rows other calls may write between a batch and the check whether it was committed. */
const RECENT_AUDIT_ROWS = 1000

const auditRowOf = (subjectId: Placeholder | SQL) =>
  prepared<keyof typeof auditEntry, Statement>((db) =>
    db.insert(auditEntries).values({
      performedBy: sql.placeholder("performedBy"),
      action: sql.placeholder("action"),
      subject: sql.placeholder("subject"),
      subjectId,
      effectOn: sql.placeholder("effectOn"),
      details: sql.placeholder("details"),
      createdAt: sql.placeholder("createdAt"),
      work: sql.placeholder("work"),
    }),
  )
const insertAuditRow = auditRowOf(sql.placeholder("subjectId"))
const insertAuditRowOfNew = perObject(auditRowOf)

interface AuditEntry {
  action: AuditAction
  subject: string
  record: { id: NewId | null; name: string }
}

/** @param details what changed, never a secret */
export function auditRow(
  caller: Caller,
  { action, subject, record: { id, name } }: AuditEntry,
  details: Record<string, unknown>,
) {
  const work = shortRandomId()
  const isDrawn = id !== null && typeof id !== "number"
  const insert = isDrawn ? insertAuditRowOfNew(id) : insertAuditRow
  const statement = insert({
    performedBy: caller.id,
    action,
    subject,
    subjectId: isDrawn ? null : id,
    effectOn: name,
    details,
    createdAt: now(),
    work,
  })
  batchNumbers.set(statement, work)
  return statement
}

/** @param records a query of `id`, `name` and `details` (JSON) */
export function auditRows(db: Database, caller: Caller, action: AuditAction, subject: string, records: SQL) {
  const work = shortRandomId()
  const statement = insertFrom(
    db,
    auditEntries,
    {
      performedBy: caller.id,
      action,
      subject,
      subjectId: sql`id`,
      effectOn: sql`name`,
      details: sql`details`,
      createdAt: now(),
      work,
    },
    sql`from (${records}) where true`,
  )
  batchNumbers.set(statement, work)
  return statement
}

const numbersOf = (statements: readonly Statement[]) =>
  statements.flatMap((statement) => batchNumbers.get(statement) ?? [])

const isOfBatch = (numbers: number[]) => sql`${auditLogs.id} > (select max(id) from ${auditLogs}) - ${RECENT_AUDIT_ROWS}
  and ${auditLogs.work} in ${idList(numbers)}`

/** The condition that a batch was committed, by its audit rows; undefined if it has none. */
export function isAudited(statements: readonly Statement[]): SQL | undefined {
  const numbers = numbersOf(statements)
  return numbers.length === 0 ? undefined : rowExists(auditLogs, isOfBatch(numbers))
}

/** Selects the ID of the record that a committed batch has created. */
export const selectAuditedId = (db: Database, statements: readonly Statement[]) =>
  db
    .select({ id: sql<number>`${auditLogs.subjectId}`.as("id") })
    .from(auditLogs)
    .where(isOfBatch(numbersOf(statements)))
