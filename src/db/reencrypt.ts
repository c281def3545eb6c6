import { getTableName, type SQL, sql } from "drizzle-orm"
import type { SQLiteColumn } from "drizzle-orm/sqlite-core"
import { bulkUploadChunks } from "../../drizzle/schema/bulk-uploads.ts"
import { classes } from "../../drizzle/schema/classes.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { erasures } from "../../drizzle/schema/erasures.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { reencryptionProgress } from "../../drizzle/schema/reencryption.ts"
import { signUps } from "../../drizzle/schema/sign-ups.ts"
import { ssoProviders } from "../../drizzle/schema/sso.ts"
import { idempotencyKeys } from "../../drizzle/schema/system.ts"
import { recoveryCodes, twoFactor } from "../../drizzle/schema/two-factor.ts"
import { webhooks } from "../../drizzle/schema/webhooks.ts"
import { MINUTE, now } from "../lib/clock.ts"
import { decrypted, encrypt, type Secrets, secretName } from "../lib/crypto/crypto.ts"
import type { Database } from "./client.ts"
import { rawStatement } from "./select.ts"
import { rowList } from "./sql.ts"

/** A column with encrypted text or null, and the primary key columns of its table. */
interface EncryptedColumn {
  column: SQLiteColumn
  key: [SQLiteColumn, ...SQLiteColumn[]]
}

/** Every encrypted column. Other encrypted values, such as cookies, expire before an old secret is removed. */
export const ENCRYPTED_COLUMNS: EncryptedColumn[] = [
  { column: twoFactor.secret, key: [twoFactor.userId] },
  { column: recoveryCodes.codeHash, key: [recoveryCodes.userId, recoveryCodes.codeHash] },
  { column: ssoProviders.clientSecret, key: [ssoProviders.id] },
  { column: webhooks.secret, key: [webhooks.id] },
  { column: webhooks.previousSecret, key: [webhooks.id] },
  { column: courses.enrollmentKey, key: [courses.id] },
  { column: classes.webinarHostPwd, key: [classes.id] },
  { column: signUps.person, key: [signUps.tokenHash] },
  { column: bulkUploadChunks.encryptedRows, key: [bulkUploadChunks.uploadId, bulkUploadChunks.number] },
  { column: erasures.subject, key: [erasures.userId] },
  { column: outbox.secret, key: [outbox.mailingId, outbox.number] },
  { column: idempotencyKeys.answer, key: [idempotencyKeys.client, idempotencyKeys.key] },
]

/** `<table>.<column>` */
export const columnName = ({ column }: EncryptedColumn): string => `${getTableName(column.table)}.${column.name}`

/** How many values one cron run reencrypts, and how many rows of a table it reads. */
const MAX_REENCRYPTED_PER_RUN = 1000
const MAX_READ_PER_RUN = 10_000
/** How long a new secret is in use before reencryption starts: older Workers may still use the previous one. */
const ROLLOUT_MS = 5 * MINUTE

type Progress = typeof reencryptionProgress.$inferSelect
type Found = { key: string; text: string }

const startProgress = (db: Database, names: string[], secret: string) =>
  db
    .insert(reencryptionProgress)
    .values(names.map((name) => ({ name, secret, position: null, since: now() })))
    .onConflictDoUpdate({
      target: reencryptionProgress.name,
      set: { secret: sql`excluded.secret`, position: null, since: sql`excluded.since`, doneAt: 0 },
    })

const list = (parts: readonly (SQL | SQLiteColumn)[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )

/** Reencrypts the next values of a column. @returns how many */
async function reencryptColumn(
  env: Secrets,
  db: Database,
  { column, key }: EncryptedColumn,
  { name, secret, position }: Progress,
  limit: number,
): Promise<number> {
  const keyList = list(key)
  const after = position ? sql`where (${keyList}) > (${list(position.map((part) => sql`${part}`))})` : sql``
  const rows = sql`
    select json_array(${keyList}) as key, ${column} as text
    from ${column.table} ${after}
    order by ${keyList}`
  const [found, [end]] = await db.batch([
    rawStatement<Found>(
      db,
      sql`
        select key, text
        from (${rows} limit ${MAX_READ_PER_RUN})
        where text is not null and substr(text, 1, ${secret.length + 1}) <> ${`${secret}.`}
        limit ${limit}`,
    ),
    rawStatement<Found>(db, sql`${rows} limit 1 offset ${MAX_READ_PER_RUN - 1}`),
  ])
  const values = found.map(({ key, text }) => ({ key, before: text, plain: decrypted(env, text) }))
  const reencrypted = values.flatMap(({ key, before, plain }) =>
    plain === undefined ? [] : [{ key, before, text: encrypt(env, plain) }],
  )
  if (reencrypted.length < found.length)
    console.error(
      JSON.stringify({ event: "encrypted text unreadable", column: name, count: found.length - reencrypted.length }),
    )
  const last = found.length === limit ? found.at(-1)?.key : end?.key
  const same = key.map((part, i) => sql`${part} = value ->> '$.key' ->> ${sql.raw(String(i))}`)
  await db.batch([
    // Values that were changed meanwhile are already encrypted with the new secret.
    rawStatement(
      db,
      sql`
        update ${column.table}
        set ${sql.identifier(column.name)} = value ->> '$.text'
        from ${rowList(reencrypted)}
        where ${sql.join(same, sql` and `)} and ${column} = value ->> '$.before'`,
    ),
    rawStatement(
      db,
      sql`
        update ${reencryptionProgress}
        set position = ${last ?? null}, done_at = ${last === undefined ? now() : 0}
        where ${reencryptionProgress.name} = ${name} and ${reencryptionProgress.secret} = ${secret}`,
    ),
  ])
  return reencrypted.length
}

/**
 * Reencrypts what is encrypted with a previous secret, in slices, so that the previous secret can be removed.
 * Completed columns are not read again. Run by the cron while APP_SECRET_PREVIOUS is set.
 */
export async function reencrypt(env: Secrets, db: Database): Promise<void> {
  const secret = secretName(env)
  const [known] = await db.batch([db.select().from(reencryptionProgress)])
  const progress = new Map(known.filter((row) => row.secret === secret).map((row) => [row.name, row]))
  const unknown = ENCRYPTED_COLUMNS.map(columnName).filter((name) => !progress.has(name))
  if (unknown.length > 0) await db.batch([startProgress(db, unknown, secret)])
  let left = MAX_REENCRYPTED_PER_RUN
  for (const column of ENCRYPTED_COLUMNS) {
    const state = progress.get(columnName(column))
    if (!state || state.doneAt > 0 || state.since > now() - ROLLOUT_MS || left === 0) continue
    left -= await reencryptColumn(env, db, column, state, left)
  }
}
