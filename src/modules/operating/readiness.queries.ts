import { type SQL, sql } from "drizzle-orm"
import { bulkUploads } from "../../../drizzle/bulk-uploads.ts"
import { erasures } from "../../../drizzle/erasures.ts"
import { events } from "../../../drizzle/events.ts"
import { exportJobs } from "../../../drizzle/exports.ts"
import { outbox } from "../../../drizzle/outbox.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/webhooks.ts"
import journal from "../../../migrations/meta/_journal.json"
import type { Bindings } from "../../bindings.ts"
import { MINUTE, now, SECOND } from "../../lib/clock.ts"
import { type FieldErrors, unavailable } from "../../lib/errors.ts"
import { outstanding } from "../../lib/sql/backfills.ts"
import { type Database, one, openDatabase } from "../../lib/sql/db.ts"
import { answered, Silence } from "../../lib/sql/patience.ts"
import { asWritten } from "../../lib/sql/select.ts"

// What an operator, or whoever watches the service for them, asks each few seconds. Anybody may ask, as often as they
// like: so it is one trip of indexed reads, a few rows each, and an isolate keeps the answer for two seconds.

/** The schema that this code needs: its last migration, by the name under which wrangler notes it as applied. */
export const SCHEMA = `${journal.entries.at(-1)?.tag}.sql`

/** How long D1 may be silent. */
const PATIENCE = 3 * SECOND
const SILENT = `The database has not answered for ${PATIENCE / SECOND} seconds.`
/** How long an isolate keeps an answer. */
const KEPT = 2 * SECOND
/**
 * How long something may be due while nobody is at work on anything of its kind: a consumer begins within seconds. It
 * is told within the minute, though the cron may yet find what was lost on its way.
 */
export const STUCK_AFTER = 45 * SECOND
/** How long something may be due while others of its kind are worked on: many can wait for their turn. */
export const STUCK_BEHIND_OTHERS = 30 * MINUTE
/** How long ago a mail was begun at most if mails are being sent. */
const SENDING = 30 * SECOND
/** How many mailings, jobs, and events of a webhook are looked at. */
const LOOKED_AT = 20

const WAITS = {
  mails: "mail",
  exports: "export",
  bulkUploads: "bulk upload",
  erasures: "erasure",
  webhooks: "webhook",
} as const
type Kind = keyof typeof WAITS

/** What was found of the database. */
interface Found {
  /** The last migration that was applied. */
  schema: string
  /** Seconds for which the oldest of each kind has been due; 0: none is. */
  waiting: Record<Kind, number>
  /** Which instance answers a read from here. */
  reads: { by: "primary" | "replica"; region: string | null }
  /** The backfills that are not done. */
  backfills: string[]
}

/** How it stands, and what is wrong, by part. */
interface Readiness {
  found: Found | undefined
  errors: FieldErrors
}

let last: (Readiness & { at: number }) | undefined
let isAsking = false

/**
 * How the service stands: whether the database answers, has the schema that the code needs, and whether mails and jobs
 * go their way.
 * @throws 503 with what is wrong
 */
export async function readiness(env: Bindings): Promise<Found> {
  const { found, errors } = keptAnswer() ?? (await asked(env))
  const wrong = Object.values(errors).flat()
  if (found && wrong.length === 0) return found
  throw unavailable(wrong.join(" "), { errors, extra: { ...found } })
}

/** The last answer while it is young; somewhat longer while another call asks for the next. */
function keptAnswer(): Readiness | undefined {
  if (!last) return undefined
  const age = now() - last.at
  return age >= 0 && age < (isAsking ? KEPT + PATIENCE : KEPT) ? last : undefined
}

async function asked(env: Bindings): Promise<Readiness> {
  isAsking = true
  try {
    const readiness = await judged(env)
    last = { ...readiness, at: now() }
    if (Object.keys(readiness.errors).length > 0)
      console.error(JSON.stringify({ event: "not ready", errors: readiness.errors }))
    return readiness
  } finally {
    isAsking = false
  }
}

async function judged(env: Bindings): Promise<Readiness> {
  const at = now()
  try {
    const near = openDatabase(env.DB, "first-unconstrained")
    const [row] = await answered(
      Promise.all([
        read(openDatabase(env.DB, "first-primary"), at),
        // What most reads of callers ask: the nearest instance, of which a replica has no news to tell.
        near.batch([asWritten(near, sql`select 1`)]),
      ]),
      PATIENCE,
    )
    const { served_by_primary: byPrimary, served_by_region: region = null } = near.meter.served ?? {}
    const waiting = Object.fromEntries(
      KINDS.map((kind) => [kind, Math.max(0, Math.floor((at - (row[kind] ?? at)) / SECOND))]),
    ) as Record<Kind, number>
    const stuck = KINDS.filter((kind) => {
      const since = row[kind]
      return since !== null && at - since > (row[`${kind}Busy`] ? STUCK_BEHIND_OTHERS : STUCK_AFTER)
    })
    const told = (kinds: Kind[]) =>
      kinds.map((kind) => `The oldest ${WAITS[kind]} that is due has waited for ${waiting[kind]} seconds.`)
    const errors = {
      schema: row.current ? [] : [`The schema is older than the code, which needs ${SCHEMA}.`],
      outbox: told(stuck.filter((kind) => kind === "mails")),
      jobs: told(stuck.filter((kind) => kind !== "mails")),
    }
    return {
      found: {
        schema: row.schema ?? "",
        waiting,
        reads: { by: byPrimary === false ? "replica" : "primary", region },
        backfills: JSON.parse(row.backfills),
      },
      errors: Object.fromEntries(Object.entries(errors).filter(([, messages]) => messages.length > 0)),
    }
  } catch (error) {
    console.error(JSON.stringify({ event: "readiness not read", error: String(error) }))
    const unknown = /no such (table|column)/.test(String(error))
    return {
      found: undefined,
      errors: unknown
        ? { schema: [`The schema is older than the code, which needs ${SCHEMA}.`] }
        : { database: [error instanceof Silence ? SILENT : "The database cannot be read."] },
    }
  }
}

const KINDS = Object.keys(WAITS) as Kind[]

/** Of each kind: since when its oldest has been due (epoch ms; null: none is), and whether any is worked on. */
type Row = Record<Kind, number | null> &
  Record<`${Kind}Busy`, number> & {
    schema: string | null
    current: number
    backfills: string
  }

async function read(db: Database, at: number): Promise<Row> {
  const exports = jobs(exportJobs, at)
  const uploads = jobs(bulkUploads, at)
  const removals = jobs(erasures, at)
  const [rows] = await db.batch([
    asWritten<Row>(
      db,
      sql`
        select
          (select name from d1_migrations order by id desc limit 1) as "schema",
          exists (select 1 from d1_migrations where name = ${SCHEMA}) as "current",
          ${outstanding()} as "backfills",
          ${oldestMail(at)} as "mails",
          (select max(claimed_at) from ${outbox} where status = 'sending') > ${at - SENDING} as "mailsBusy",
          ${exports.since} as "exports",
          ${exports.busy} as "exportsBusy",
          ${uploads.since} as "bulkUploads",
          ${uploads.busy} as "bulkUploadsBusy",
          ${removals.since} as "erasures",
          ${removals.busy} as "erasuresBusy",
          ${oldestWebhook(at)} as "webhooks",
          exists (select 1 from ${webhooks} where lease_until > ${at}) as "webhooksBusy"`,
    ),
  ])
  return one(rows)
}

/**
 * Since when a mail has been due that nobody has begun to send: the oldest mailings that have any left, and the mail
 * whose dispatch is oldest. No index has the mails by when they are due, which each would have to pay for.
 */
const oldestMail = (at: number): SQL => {
  const following = (beyond: SQL) => sql`(
    select min(mailing_id) from ${outbox} where status = 'queued' and mailing_id > ${beyond}
  )`
  return sql`(
    with recursive unsent(mailing, number) as (
      select ${following(sql`''`)}, 1
      union all
      select ${following(sql`mailing`)}, number + 1 from unsent where mailing is not null and number < ${LOOKED_AT}
    )
    select min(due) from (
      select (select min(not_before) from ${outbox} where status = 'queued' and mailing_id = mailing) as due from unsent
      union all
      select * from (
        select not_before from ${outbox} where status = 'queued' and dispatched_at > 0 order by dispatched_at limit 1
      )
    )
    where due <= ${at}
  )`
}

/** The jobs of a table that is worked on under leases: those that have been due the longest, and those in hand. */
function jobs(table: typeof exportJobs | typeof bulkUploads | typeof erasures, at: number) {
  const some = (order: SQL) => sql`(
    select * from ${table} where due_at is not null order by due_at ${order} limit ${LOOKED_AT}
  )`
  // A lease of less than 0 was given back then.
  const since = sql`case
    when status <> 'processing' then due_at
    when lease_until <= ${at} then max(created_at, abs(lease_until))
  end`
  return {
    since: sql`(select min(${since}) from ${some(sql`asc`)})`,
    busy: sql`exists (select 1 from ${some(sql`desc`)} where lease_until > ${at})`,
  }
}

/** Since when a webhook has had something to send, while it neither rests nor is in anybody's hands. */
const oldestWebhook = (at: number): SQL => sql`(
  select min(max(due, rests_until, abs(lease_until)))
  from (
    select rests_until, lease_until, min(
      coalesce((
        select min(${webhookDeliveries.nextAt}) from ${webhookDeliveries}
        where ${webhookDeliveries.webhookId} = ${webhooks.id} and ${webhookDeliveries.status} = 'waiting'
      ), ${at}),
      coalesce((
        select occurred_at from (
          select type, occurred_at from ${events} where id > position order by id limit ${LOOKED_AT}
        )
        where type in (select value from json_each(${webhooks.events})) limit 1
      ), ${at})
    ) as due
    from ${webhooks}
    where enabled and lease_until <= ${at} and rests_until <= ${at}
  )
  where due < ${at}
)`
