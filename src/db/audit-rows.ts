import { type SQL, sql } from "drizzle-orm"
import { sqliteTable } from "drizzle-orm/sqlite-core"
import { type AUDIT_ACTIONS, auditEntry, auditLogs } from "../../drizzle/schema/audit.ts"
import type { Caller } from "../lib/caller.ts"
import { now } from "../lib/clock.ts"
import { shortRandomId } from "../lib/crypto/crypto.ts"
import type { Database } from "./client.ts"
import { insertFrom } from "./insert-from.ts"
import { prepared } from "./prepared.ts"
import { idList, rowExists } from "./sql.ts"
import type { Statement } from "./statements.ts"

/** The view that inserts audit rows and numbers them: `audit_logs` takes no others. */
export const auditEntries = sqliteTable("audit_entries", auditEntry)

/** The verbs of the audit log. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** The random number that the audit rows of each statement carry. */
const batchNumbers = new WeakMap<object, number>()

/** How many audit rows other calls may write between a batch and the check whether it was committed. */
const RECENT_AUDIT_ROWS = 1000

const insertAuditRow = prepared<keyof typeof auditEntry, Statement>((db) =>
  db.insert(auditEntries).values({
    performedBy: sql.placeholder("performedBy"),
    action: sql.placeholder("action"),
    subject: sql.placeholder("subject"),
    subjectId: sql.placeholder("subjectId"),
    effectOn: sql.placeholder("effectOn"),
    details: sql.placeholder("details"),
    createdAt: sql.placeholder("createdAt"),
    work: sql.placeholder("work"),
  }),
)

/** @param details what changed, never a secret */
export function auditRow(
  caller: Caller,
  entry: { action: AuditAction; subject: string; record: { id: number | null; name: string } },
  details: Record<string, unknown>,
) {
  const work = shortRandomId()
  const { action, subject, record } = entry
  const statement = insertAuditRow({
    performedBy: caller.id,
    action,
    subject,
    subjectId: record.id,
    effectOn: record.name,
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

/** The condition that a batch was committed, by its audit rows; undefined if it has none. */
export function isAudited(statements: readonly Statement[]): SQL | undefined {
  const numbers = statements.flatMap((statement) => batchNumbers.get(statement) ?? [])
  if (numbers.length === 0) return undefined
  const isRecent = sql`${auditLogs.id} > (select max(id) from ${auditLogs}) - ${RECENT_AUDIT_ROWS}`
  return rowExists(auditLogs, sql`${isRecent} and ${auditLogs.work} in ${idList(numbers)}`)
}
