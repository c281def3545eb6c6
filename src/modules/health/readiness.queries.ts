import { type SQL, sql } from "drizzle-orm"
import { backgroundJobs } from "../../../drizzle/schema/background-jobs.ts"
import { bulkUploads } from "../../../drizzle/schema/bulk-uploads.ts"
import { erasures } from "../../../drizzle/schema/erasures.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { mailPauses, outbox } from "../../../drizzle/schema/outbox.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import journal from "../../../migrations/meta/_journal.json"
import { pendingBackfills } from "../../db/backfills.ts"
import { type Database, firstRow, openDatabase } from "../../db/client.ts"
import { MAIL_PRIORITIES } from "../../db/outbox.ts"
import { asWritten } from "../../db/select.ts"
import { TimeoutError, withTimeout } from "../../db/timeout.ts"
import type { Bindings } from "../../env.ts"
import { HOUR, MINUTE, now, SECOND } from "../../lib/clock.ts"
import { type FieldErrors, unavailable } from "../../lib/errors.ts"

// What an operator, or whoever watches the service for them, asks each few seconds. Anybody may ask, as often as they
// like: so it is one trip of indexed reads, a few rows each, and an isolate keeps the answer for two seconds.

/** The schema that this code needs: its last migration, by the name under which wrangler notes it as applied. */
export const REQUIRED_SCHEMA = `${journal.entries.at(-1)?.tag}.sql`

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
/** How long after the end of a pause of the outbox the cron may take to try a mail. */
const RESUMED_WITHIN = 2 * MINUTE
/** How long a provider may take no mail before an operator has to look: a day's quota has returned by then. */
const MAX_MAIL_PAUSE = 25 * HOUR
/** How many jobs, and events of a webhook, are looked at. */
const LOOKED_AT = 20

const WAITS = {
  mails: "mail",
  exports: "export",
  bulkUploads: "bulk upload",
  erasures: "erasure",
  backgroundJobs: "background job",
  webhooks: "webhook",
} as const
type Kind = keyof typeof WAITS

/** What was found of the database. */
interface Found {
  /** The last migration that was applied. */
  schema: string
  /** Seconds for which the oldest of each kind has been due; 0: none is. */
  waiting: Record<Kind, number>
  mail: {
    /** MAIL_PROVIDER. */
    provider: string
    /** Why the provider takes no mail for now, by its code, and for how long (ISO 8601); null: it does. */
    paused: { reason: PauseReason; error: string; since: string; until: string } | null
  }
  /** Which instance answers a read from here. */
  reads: { by: "primary" | "replica"; region: string | null }
  /** The backfills that are not done. */
  backfills: string[]
}
type PauseReason = typeof mailPauses.$inferSelect.reason
type Pause = Pick<typeof mailPauses.$inferSelect, "reason" | "error" | "since" | "until">

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
export async function getReadiness(env: Bindings): Promise<Found> {
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
    const [row] = await withTimeout(
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
    const pause: Pause | null = row.pause && JSON.parse(row.pause)
    const stuck = KINDS.filter((kind) => {
      const since = row[kind]
      if (since === null) return false
      if (kind === "mails" && pause) return at - Math.max(since, pause.until) > RESUMED_WITHIN
      return at - since > (row[`${kind}Busy`] ? STUCK_BEHIND_OTHERS : STUCK_AFTER)
    })
    const told = (kinds: Kind[]) =>
      kinds.map((kind) => `The oldest ${WAITS[kind]} that is due has waited for ${waiting[kind]} seconds.`)
    const errors = {
      schema: row.current ? [] : [`The schema is older than the code, which needs ${REQUIRED_SCHEMA}.`],
      outbox: [...mailErrors(pause, at), ...told(stuck.filter((kind) => kind === "mails"))],
      jobs: told(stuck.filter((kind) => kind !== "mails")),
    }
    return {
      found: {
        schema: row.schema ?? "",
        waiting,
        mail: { provider: env.MAIL_PROVIDER || "cloudflare", paused: shown(pause) },
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
        ? { schema: [`The schema is older than the code, which needs ${REQUIRED_SCHEMA}.`] }
        : { database: [error instanceof TimeoutError ? SILENT : "The database cannot be read."] },
    }
  }
}

const KINDS = Object.keys(WAITS) as Kind[]

const shown = (pause: Pause | null) =>
  pause && {
    reason: pause.reason,
    error: pause.error,
    since: new Date(pause.since).toISOString(),
    until: new Date(pause.until).toISOString(),
  }

/** What an operator has to mend before mail is sent again. The end of a quota is waited for. */
function mailErrors(pause: Pause | null, at: number): string[] {
  if (!pause) return []
  if (pause.reason === "configuration") return [`The mail provider refuses this deployment: ${pause.error}.`]
  const hours = Math.floor((at - pause.since) / HOUR)
  return at - pause.since > MAX_MAIL_PAUSE
    ? [`The mail provider has taken no mail for ${hours} hours: ${pause.error}.`]
    : []
}

/** Of each kind: since when its oldest has been due (epoch ms; null: none is), and whether any is worked on. */
type Row = Record<Kind, number | null> &
  Record<`${Kind}Busy`, number> & {
    schema: string | null
    current: number
    pause: string | null
    backfills: string
  }

async function read(db: Database, at: number): Promise<Row> {
  const exports = jobs(exportJobs, at)
  const uploads = jobs(bulkUploads, at)
  const removals = jobs(erasures, at)
  const changes = jobs(backgroundJobs, at)
  const [rows] = await db.batch([
    asWritten<Row>(
      db,
      sql`
        select
          (select name from d1_migrations order by id desc limit 1) as "schema",
          exists (select 1 from d1_migrations where name = ${REQUIRED_SCHEMA}) as "current",
          (
            select json_object('reason', reason, 'error', error, 'since', since, 'until', until) from ${mailPauses}
          ) as "pause",
          ${pendingBackfills()} as "backfills",
          ${oldestMail(at)} as "mails",
          (select max(claimed_at) from ${outbox} where status = 'sending') > ${at - SENDING} as "mailsBusy",
          ${exports.since} as "exports",
          ${exports.busy} as "exportsBusy",
          ${uploads.since} as "bulkUploads",
          ${uploads.busy} as "bulkUploadsBusy",
          ${removals.since} as "erasures",
          ${removals.busy} as "erasuresBusy",
          ${changes.since} as "backgroundJobs",
          ${changes.busy} as "backgroundJobsBusy",
          ${oldestWebhook(at)} as "webhooks",
          exists (select 1 from ${webhooks} where lease_until > ${at}) as "webhooksBusy"`,
    ),
  ])
  return firstRow(rows)
}

/** Since when a mail has been due that nobody has begun to send: the first of each priority. */
const oldestMail = (at: number): SQL => {
  const first = (priority: number) => sql`
    select * from (
      select not_before as due from ${outbox} where status = 'queued' and priority = ${priority}
      order by not_before limit 1
    )`
  return sql`(
    select min(due) from (${first(MAIL_PRIORITIES.account)} union all ${first(MAIL_PRIORITIES.bulk)}) where due <= ${at}
  )`
}

/** The jobs of a table that is worked on under leases: those that have been due the longest, and those in hand. */
function jobs(table: typeof exportJobs | typeof bulkUploads | typeof erasures | typeof backgroundJobs, at: number) {
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
