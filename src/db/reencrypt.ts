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
import { asWritten } from "./select.ts"
import { rowList } from "./sql.ts"

/** A column that holds sealed text, or null, and the columns of its table's primary key. */
interface SealedColumn {
  column: SQLiteColumn
  key: [SQLiteColumn, ...SQLiteColumn[]]
}

/** Every column of sealed text. What is sealed elsewhere, such as a cookie, is gone before an old secret is. */
export const ENCRYPTED_COLUMNS: SealedColumn[] = [
  { column: twoFactor.secret, key: [twoFactor.userId] },
  { column: recoveryCodes.codeHash, key: [recoveryCodes.userId, recoveryCodes.codeHash] },
  { column: ssoProviders.clientSecret, key: [ssoProviders.id] },
  { column: webhooks.secret, key: [webhooks.id] },
  { column: webhooks.previousSecret, key: [webhooks.id] },
  { column: courses.enrollmentKey, key: [courses.id] },
  { column: classes.webinarHostPwd, key: [classes.id] },
  { column: signUps.person, key: [signUps.tokenHash] },
  { column: bulkUploadChunks.sealed, key: [bulkUploadChunks.uploadId, bulkUploadChunks.number] },
  { column: erasures.subject, key: [erasures.userId] },
  { column: outbox.secret, key: [outbox.mailingId, outbox.number] },
  { column: idempotencyKeys.answer, key: [idempotencyKeys.client, idempotencyKeys.key] },
]

/** `<table>.<column>` */
export const columnName = ({ column }: SealedColumn): string => `${getTableName(column.table)}.${column.name}`

/** How many texts one run of the cron seals again, and how many rows of a table it looks at. */
const SEALED_A_RUN = 1000
const LOOKED_AT_A_RUN = 10_000
/** How long a new secret is in use before a walk begins: a Worker of before may be sealing under the old one still. */
const SETTLES_FOR = 5 * MINUTE

type Sealing = typeof reencryptionProgress.$inferSelect
type Found = { key: string; text: string }

const begin = (db: Database, names: string[], secret: string) =>
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

/** Seals a column's next texts again. @returns how many */
async function walk(
  env: Secrets,
  db: Database,
  { column, key }: SealedColumn,
  { name, secret, position }: Sealing,
  most: number,
): Promise<number> {
  const named = list(key)
  const after = position ? sql`where (${named}) > (${list(position.map((part) => sql`${part}`))})` : sql``
  const rows = sql`
    select json_array(${named}) as key, ${column} as text
    from ${column.table} ${after}
    order by ${named}`
  const [found, [end]] = await db.batch([
    asWritten<Found>(
      db,
      sql`
        select key, text
        from (${rows} limit ${LOOKED_AT_A_RUN})
        where text is not null and substr(text, 1, ${secret.length + 1}) <> ${`${secret}.`}
        limit ${most}`,
    ),
    asWritten<Found>(db, sql`${rows} limit 1 offset ${LOOKED_AT_A_RUN - 1}`),
  ])
  const opened = found.map(({ key, text }) => ({ key, before: text, plain: decrypted(env, text) }))
  const anew = opened.flatMap(({ key, before, plain }) =>
    plain === undefined ? [] : [{ key, before, text: encrypt(env, plain) }],
  )
  if (anew.length < found.length)
    console.error(JSON.stringify({ event: "sealed text unreadable", column: name, count: found.length - anew.length }))
  const last = found.length === most ? found.at(-1)?.key : end?.key
  const same = key.map((part, i) => sql`${part} = value ->> '$.key' ->> ${sql.raw(String(i))}`)
  await db.batch([
    // What was changed meanwhile was sealed under the new secret by whoever changed it.
    asWritten(
      db,
      sql`
        update ${column.table}
        set ${sql.identifier(column.name)} = value ->> '$.text'
        from ${rowList(anew)}
        where ${sql.join(same, sql` and `)} and ${column} = value ->> '$.before'`,
    ),
    asWritten(
      db,
      sql`
        update ${reencryptionProgress}
        set position = ${last ?? null}, done_at = ${last === undefined ? now() : 0}
        where ${reencryptionProgress.name} = ${name} and ${reencryptionProgress.secret} = ${secret}`,
    ),
  ])
  return anew.length
}

/**
 * Seals again what is sealed under a secret of before, some of it at each run, so that the old secret can go. Nothing
 * is read of columns that are done. Run by the cron while APP_SECRET_PREVIOUS is there.
 */
export async function reencrypt(env: Secrets, db: Database): Promise<void> {
  const secret = secretName(env)
  const [known] = await db.batch([db.select().from(reencryptionProgress)])
  const sealing = new Map(known.filter((one) => one.secret === secret).map((one) => [one.name, one]))
  const unknown = ENCRYPTED_COLUMNS.map(columnName).filter((name) => !sealing.has(name))
  if (unknown.length > 0) await db.batch([begin(db, unknown, secret)])
  let left = SEALED_A_RUN
  for (const column of ENCRYPTED_COLUMNS) {
    const state = sealing.get(columnName(column))
    if (!state || state.doneAt > 0 || state.since > now() - SETTLES_FOR || left === 0) continue
    left -= await walk(env, db, column, state, left)
  }
}
