import { type SQL, sql } from "drizzle-orm"
import { backgroundJobs } from "../../../drizzle/schema/background-jobs.ts"
import { bulkUploads } from "../../../drizzle/schema/bulk-uploads.ts"
import { erasures } from "../../../drizzle/schema/erasures.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { mailPauses, outbox } from "../../../drizzle/schema/outbox.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { ALSO_UPDATED } from "../../../drizzle/statuses.ts"
import journal from "../../../migrations/meta/_journal.json"
import { pendingBackfills } from "../../db/backfills.ts"
import { type Database, firstRow, openDatabase } from "../../db/client.ts"
import { ofEachPriority } from "../../db/outbox.ts"
import { rawStatement } from "../../db/select.ts"
import { literal } from "../../db/sql.ts"
import { TimeoutError, withTimeout } from "../../db/timeout.ts"
import type { Bindings } from "../../env.ts"
import { HOUR, MINUTE, now, SECOND } from "../../lib/clock.ts"
import { type FieldErrors, unavailable } from "../../lib/errors.ts"

// Monitoring reads this every few seconds, and anyone may: it is one round trip of indexed reads with few rows, cached
// for two seconds.

/** The last migration of this code, by the file name that wrangler stores. */
export const REQUIRED_SCHEMA = `${journal.entries.at(-1)?.tag}.sql`

/** The time limit for D1. */
const QUERY_TIMEOUT_MS = 3 * SECOND
const TIMED_OUT = `The database has not responded for ${QUERY_TIMEOUT_MS / SECOND} seconds.`
/** How long an isolate caches a result. */
const CACHE_TTL = 2 * SECOND
/** How long items may be due while none of their type is processed: consumers start within seconds. */
export const STUCK_AFTER = 45 * SECOND
/** How long items may be due while others of their type are processed, since many can be queued. */
export const STUCK_BEHIND_OTHERS = 30 * MINUTE
/** Emails are being sent if one was started within this time. */
const ACTIVE_SENDING_WINDOW = 30 * SECOND
/** How soon the cron must try an email after a pause of the outbox. */
const RESUME_TIMEOUT = 2 * MINUTE
/** How long a provider may refuse email before an operator must act: daily quotas have reset by then. */
const MAX_MAIL_PAUSE = 25 * HOUR
/** The number of jobs, and of events per webhook, that are checked. */
const CHECK_LIMIT = 20

const KIND_LABELS = {
  mails: "mail",
  exports: "export",
  bulkUploads: "bulk upload",
  erasures: "erasure",
  backgroundJobs: "background job",
  webhooks: "webhook",
} as const
type Kind = keyof typeof KIND_LABELS

/** The state of the database. */
interface DatabaseState {
  /** The last applied migration. */
  schema: string
  /** How many seconds the oldest item of each type has been due; 0: none. */
  waiting: Record<Kind, number>
  mail: {
    /** MAIL_PROVIDER. */
    provider: string
    /** Why the provider accepts no email, and for how long (ISO 8601); null: not paused. */
    paused: { reason: PauseReason; error: string; since: string; until: string } | null
  }
  /** The instance that serves reads from this location. */
  reads: { by: "primary" | "replica"; region: string | null }
  /** Unfinished backfills. */
  backfills: string[]
}
type PauseReason = typeof mailPauses.$inferSelect.reason
type Pause = Pick<typeof mailPauses.$inferSelect, "reason" | "error" | "since" | "until">

/** The state and the problems by part. */
interface Readiness {
  found: DatabaseState | undefined
  errors: FieldErrors
}

let last: (Readiness & { at: number }) | undefined
let isChecking = false

/**
 * Checks whether the database responds with the required schema, and whether emails and jobs are processed.
 * @throws 503 with the problems
 */
export async function getReadiness(env: Bindings): Promise<DatabaseState> {
  const { found, errors } = cachedResult() ?? (await check(env))
  const problems = Object.values(errors).flat()
  if (found && problems.length === 0) return found
  throw unavailable(problems.join(" "), { errors, extra: { ...found } })
}

/** The last result while it is fresh, and somewhat longer while another request checks again. */
function cachedResult(): Readiness | undefined {
  if (!last) return undefined
  const age = now() - last.at
  return age >= 0 && age < (isChecking ? CACHE_TTL + QUERY_TIMEOUT_MS : CACHE_TTL) ? last : undefined
}

async function check(env: Bindings): Promise<Readiness> {
  isChecking = true
  try {
    const readiness = await evaluate(env)
    last = { ...readiness, at: now() }
    if (Object.keys(readiness.errors).length > 0)
      console.error(JSON.stringify({ event: "not ready", errors: readiness.errors }))
    return readiness
  } finally {
    isChecking = false
  }
}

async function evaluate(env: Bindings): Promise<Readiness> {
  const at = now()
  try {
    const nearest = openDatabase(env.DB, "first-unconstrained")
    const [row] = await withTimeout(
      Promise.all([
        readState(openDatabase(env.DB, "first-primary"), at),
        // The nearest instance, which serves most reads. Replicas do not have the current state.
        nearest.batch([rawStatement(nearest, sql`select 1`)]),
      ]),
      QUERY_TIMEOUT_MS,
    )
    const { served_by_primary: byPrimary, served_by_region: region = null } = nearest.meter.served ?? {}
    const waiting = Object.fromEntries(
      KINDS.map((kind) => [kind, Math.max(0, Math.floor((at - (row[kind] ?? at)) / SECOND))]),
    ) as Record<Kind, number>
    const pause: Pause | null = row.pause && JSON.parse(row.pause)
    const stuck = KINDS.filter((kind) => {
      const since = row[kind]
      if (since === null) return false
      if (kind === "mails" && pause) return at - Math.max(since, pause.until) > RESUME_TIMEOUT
      return at - since > (row[`${kind}Busy`] ? STUCK_BEHIND_OTHERS : STUCK_AFTER)
    })
    const stuckErrors = (kinds: Kind[]) =>
      kinds.map((kind) => `The oldest ${KIND_LABELS[kind]} has been due for ${waiting[kind]} seconds.`)
    const errors = {
      schema: row.current ? [] : [`The schema is older than the code, which needs ${REQUIRED_SCHEMA}.`],
      outbox: [...mailErrors(pause, at), ...stuckErrors(stuck.filter((kind) => kind === "mails"))],
      jobs: stuckErrors(stuck.filter((kind) => kind !== "mails")),
    }
    return {
      found: {
        schema: row.schema ?? "",
        waiting,
        mail: { provider: env.MAIL_PROVIDER || "cloudflare", paused: toPaused(pause) },
        reads: { by: byPrimary === false ? "replica" : "primary", region },
        backfills: JSON.parse(row.backfills),
      },
      errors: Object.fromEntries(Object.entries(errors).filter(([, messages]) => messages.length > 0)),
    }
  } catch (error) {
    console.error(JSON.stringify({ event: "readiness not read", error: String(error) }))
    const isOldSchema = /no such (table|column)/.test(String(error))
    return {
      found: undefined,
      errors: isOldSchema
        ? { schema: [`The schema is older than the code, which needs ${REQUIRED_SCHEMA}.`] }
        : { database: [error instanceof TimeoutError ? TIMED_OUT : "The database cannot be read."] },
    }
  }
}

const KINDS = Object.keys(KIND_LABELS) as Kind[]

const toPaused = (pause: Pause | null) =>
  pause && {
    reason: pause.reason,
    error: pause.error,
    since: new Date(pause.since).toISOString(),
    until: new Date(pause.until).toISOString(),
  }

/** Email problems that an operator must fix. Quotas reset by themselves. */
function mailErrors(pause: Pause | null, at: number): string[] {
  if (!pause) return []
  if (pause.reason === "configuration") return [`The mail provider rejects this deployment: ${pause.error}.`]
  const hours = Math.floor((at - pause.since) / HOUR)
  return at - pause.since > MAX_MAIL_PAUSE
    ? [`The mail provider has accepted no email for ${hours} hours: ${pause.error}.`]
    : []
}

/** For each type: when its oldest item became due (epoch milliseconds; null: none), and whether any is processed. */
type Row = Record<Kind, number | null> &
  Record<`${Kind}Busy`, number> & {
    schema: string | null
    current: number
    pause: string | null
    backfills: string
  }

async function readState(db: Database, at: number): Promise<Row> {
  const exports = jobState(exportJobs, at)
  const uploads = jobState(bulkUploads, at)
  const erasureJobs = jobState(erasures, at)
  const changeJobs = jobState(backgroundJobs, at)
  const [rows] = await db.batch([
    rawStatement<Row>(
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
          ${lastClaim} > ${at - ACTIVE_SENDING_WINDOW} as "mailsBusy",
          ${exports.since} as "exports",
          ${exports.busy} as "exportsBusy",
          ${uploads.since} as "bulkUploads",
          ${uploads.busy} as "bulkUploadsBusy",
          ${erasureJobs.since} as "erasures",
          ${erasureJobs.busy} as "erasuresBusy",
          ${changeJobs.since} as "backgroundJobs",
          ${changeJobs.busy} as "backgroundJobsBusy",
          ${oldestWebhook(at)} as "webhooks",
          exists (select 1 from ${webhooks} where lease_until > ${at}) as "webhooksBusy"`,
    ),
  ])
  return firstRow(rows)
}

/** When the oldest unclaimed email became due: the first of each priority. */
const oldestMail = (at: number): SQL => {
  const first = (priority: number) => sql`
    select * from (
      select not_before as due from ${outbox} where not_before > 0 and status = 'queued' and priority = ${priority}
      order by not_before limit 1
    )`
  return sql`(
    select min(due) from (${ofEachPriority(first)}) where due <= ${at}
  )`
}

/** When a consumer last claimed an email that it still sends: these are the first of each priority. */
const lastClaim = (() => {
  const first = (priority: number) => sql`
    select * from (
      select claimed_at, status from ${outbox} where not_before > 0 and priority = ${priority}
      order by not_before limit ${CHECK_LIMIT}
    )`
  return sql`(
    select max(claimed_at) from (${ofEachPriority(first)})
    where status = 'sending'
  )`
})()

/** The state of a table of jobs with leases: those that have been due the longest, and those in progress. */
function jobState(table: typeof exportJobs | typeof bulkUploads | typeof erasures | typeof backgroundJobs, at: number) {
  const firstJobs = (order: SQL) => sql`(
    select * from ${table} where due_at is not null order by due_at ${order} limit ${CHECK_LIMIT}
  )`
  // A negative lease was released at that time.
  const since = sql`case
    when status <> 'processing' then due_at
    when lease_until <= ${at} then max(created_at, abs(lease_until))
  end`
  return {
    since: sql`(select min(${since}) from ${firstJobs(sql`asc`)})`,
    busy: sql`exists (select 1 from ${firstJobs(sql`desc`)} where lease_until > ${at})`,
  }
}

/** When the oldest event of an idle webhook without a pause became due. */
const oldestWebhook = (at: number): SQL => sql`(
  select min(max(due, paused_until, abs(lease_until)))
  from (
    select paused_until, lease_until, min(
      coalesce((
        select min(${webhookDeliveries.nextAt}) from ${webhookDeliveries}
        where ${webhookDeliveries.webhookId} = ${webhooks.id} and ${webhookDeliveries.status} = 'waiting'
      ), ${at}),
      coalesce((
        select occurred_at from (
          select type, previous_percent, occurred_at from ${events} where id > position
          order by id limit ${CHECK_LIMIT}
        )
        where type in (select value from json_each(${webhooks.events}))
          or previous_percent is not null
            and ${literal(ALSO_UPDATED)} in (select value from json_each(${webhooks.events}))
        limit 1
      ), ${at})
    ) as due
    from ${webhooks}
    where enabled and lease_until <= ${at} and paused_until <= ${at}
  )
  where due < ${at}
)`
