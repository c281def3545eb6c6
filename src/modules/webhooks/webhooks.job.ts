import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm"
import { Webhook } from "standardwebhooks"
import { events, TEST_EVENT } from "../../../drizzle/schema/events.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { type DELIVERY_STATUSES, webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { retryOnce } from "../../db/lease.ts"
import { queueMailForQuery } from "../../db/outbox.ts"
import { runInSlices } from "../../db/slices.ts"
import { rowExists, rowList, SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasPendingEvents, idleWebhook, wakeWebhook } from "../../db/webhook-listeners.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { DAY, HOUR, MINUTE, now, SECOND } from "../../lib/clock.ts"
import { decrypted } from "../../lib/crypto/crypto.ts"
import { originOf } from "../../lib/text/urls.ts"
import { fetchOutbound, resolvesToPublicAddress } from "../../lib/web/outbound.ts"
import { eventsAfter, newest, oldest, toEvent, WALKED } from "./events.queries.ts"

// A webhook's consumer has it to itself by a lease, reads the feed from the webhook's place, and sends one event after
// the other, or several at once where the webhook allows it. What became of a few is written down together, with the
// place: should the consumer die before, those few are sent again under the same ids. An event that fails is tried
// again later while the next ones go on. A receiver that fails five times in a row is left alone for a while: the feed
// waits for it, and nothing piles up.

/** How long a receiver may take, its answer included. */
const PATIENCE = 15 * SECOND
/** When a failed event is tried again, after each of its attempts: eight times over a day. */
const RETRIES = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 10 * HOUR]
/** By how much of itself such a time is shortened or lengthened at random: not all receivers are met at once. */
const JITTER = 0.1
/** After how many failures in a row a receiver is left alone, at first for a minute and at last for ten. */
const REST_AFTER = 5
const LONGEST_REST = 10 * MINUTE
/** A webhook is switched off when no attempt has held for so long. */
const GIVEN_UP_AFTER = 3 * DAY
/** A consumer that is silent for longer is dead: it writes down after each five seconds, and one attempt. */
const LEASE = 30 * SECOND
const WRITTEN_AFTER = 5 * SECOND
/** How long one alarm of the lane works before the next one goes on, and how many events it takes up at once. */
const SLICE = 30 * SECOND
const AT_ONCE = 20
/** How much of an answer is kept, in bytes. */
const KEPT_ANSWER = 500
/** How many events before a webhook's place the cron looks for one that is for it; beyond, the place moves on. */
const LAG = 200

type WebhookRow = typeof webhooks.$inferSelect
type EventRow = typeof events.$inferSelect
/** An event that is to be sent. @param attempts how often it was, since it was last asked for */
type Due = EventRow & { attempts: number }

/** What an attempt came to. */
interface Outcome {
  held: boolean
  /** The receiver wants no more. */
  gone: boolean
  answerStatus: number | null
  answer: string
  error: string
}

interface Delivery {
  eventId: number
  status: (typeof DELIVERY_STATUSES)[number]
  attempts: number
  nextAt: number
  lastAt: number
  answerStatus: number | null
  answer: string
  error: string
}

/** Sends a webhook what is due, for up to `SLICE`; with more left it wakes the webhook's lane again. */
export async function runWebhook(env: Bindings, webhookId: number): Promise<void> {
  await new Sender(env, webhookId).run()
}

/** One consumer's time with a webhook, from taking its lease to giving it back. */
class Sender {
  private readonly env: Bindings
  private readonly db: Database
  private readonly id: number
  private readonly token = crypto.randomUUID()
  /** The webhook is this consumer's own. */
  private readonly mine: SQL
  /** What is not written down yet. */
  private outcomes: Delivery[] = []
  private standing: Partial<WebhookRow> = {}
  /** What waits is due at once: the receiver answers again. */
  private recovered = false

  constructor(env: Bindings, id: number) {
    this.env = env
    this.db = openDatabase(env.DB, "first-primary")
    this.id = id
    this.mine = sql`${webhooks.id} = ${id} and ${webhooks.lease} = ${this.token} and ${webhooks.leaseUntil} > 0`
  }

  async run(): Promise<void> {
    const until = now() + SLICE
    let { webhook, due, place, full } = await this.next(
      sql`(${this.mine} or (${eq(webhooks.id, this.id)} and ${idleWebhook()}))`,
    )
    while (webhook) {
      const sent = await this.send(webhook, due)
      const left = full || !sent.all
      const position = left && due.length > 0 ? sent.position : place
      if (position > webhook.position) this.standing.position = position
      const { enabled = true, restsUntil = 0 } = this.standing
      if (!left || !enabled || restsUntil > 0 || now() >= until) return this.release(webhook, left)
      ;({ webhook, due, place, full } = await this.next(this.mine))
    }
  }

  /**
   * Writes down what became of the last events, keeps or takes the lease, and reads what is next, in one trip.
   * @returns no webhook where it is not this consumer's (any more); else what is due, how far the feed was looked
   *   through, and whether there may be more
   */
  private async next(held: SQL) {
    const written = this.written()
    const ours = sql`(select ${webhooks.position} from ${webhooks} where ${this.mine})`
    const results = await this.trip([
      // First: the rest reads what it writes.
      ...written,
      this.db
        .update(webhooks)
        .set({ lease: this.token, leaseUntil: now() + LEASE })
        .where(held)
        .returning(),
      this.db
        .select({
          place: sql<number>`max(${ours}, min(${ours} + ${WALKED}, ${newest}))`.as("place"),
          behind: sql<number>`${ours} + ${WALKED} < ${newest}`.as("behind"),
        })
        .from(SINGLE_ROW),
      this.db
        .select({ event: events, attempts: webhookDeliveries.attempts })
        .from(webhookDeliveries)
        .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
        .where(
          and(
            sql`${webhookDeliveries.webhookId} = (select ${webhooks.id} from ${webhooks} where ${this.mine})`,
            sql`${webhookDeliveries.status} = 'waiting'`,
            lte(webhookDeliveries.nextAt, now()),
          ),
        )
        .orderBy(asc(webhookDeliveries.nextAt))
        .limit(AT_ONCE),
      eventsAfter(
        this.db,
        ours,
        sql`${events.type} in (
          select type.value from ${webhooks} join json_each(${webhooks.events}) as type
          where ${webhooks.id} = ${this.id}
        )`,
        AT_ONCE,
      ),
    ])
    const [[webhook], [read], again, fresh] = results.slice(written.length) as [
      WebhookRow[],
      { place: number | null; behind: number | null }[],
      { event: EventRow; attempts: number }[],
      EventRow[],
    ]
    const waiting = again.map(({ event, attempts }) => ({ ...event, attempts }))
    const due: Due[] = [...waiting, ...fresh.map((event) => ({ ...event, attempts: 0 }))]
    const full = again.length === AT_ONCE || fresh.length === AT_ONCE || Boolean(read?.behind)
    return { webhook, due, place: read?.place ?? 0, full }
  }

  /**
   * Sends events until it is time to write down, as many at once as the webhook takes. Every event before the last one
   * that was begun has been sent.
   * @returns whether all were, and the place of the last fresh one
   */
  private async send(webhook: WebhookRow, due: Due[]): Promise<{ position: number; all: boolean }> {
    const began = now()
    const waiting = due.values()
    let { position, failures, failingSince } = webhook
    let stopped = false
    const sendInTurn = async () => {
      while (!stopped) {
        const { value: event } = waiting.next()
        if (!event) return
        if (event.id > position && event.type !== TEST_EVENT) position = event.id
        const outcome = await attempt(this.env, webhook, event)
        this.outcomes.push(delivery(event, outcome))
        this.recovered ||= outcome.held && failures >= REST_AFTER
        failures = outcome.held ? 0 : failures + 1
        failingSince = outcome.held ? 0 : failingSince || now()
        const restsUntil = failures < REST_AFTER ? 0 : now() + restAfter(failures)
        const offReason = outcome.gone ? "gone" : failing(failingSince) ? "failing" : this.standing.offReason
        this.standing = { failures, failingSince, ...(offReason ? { enabled: false, offReason } : { restsUntil }) }
        stopped ||= Boolean(offReason) || restsUntil > 0 || now() >= began + WRITTEN_AFTER
      }
    }
    await Promise.all(Array.from({ length: webhook.concurrency }, sendInTurn))
    return { position, all: this.outcomes.length === due.length }
  }

  /** What became of events since it was last written down, as statements that do nothing once the lease is lost. */
  private written(): Statement[] {
    const { db, outcomes, standing, recovered } = this
    this.outcomes = []
    this.standing = {}
    this.recovered = false
    if (Object.keys(standing).length === 0) return []
    const ours = rowExists(webhooks, this.mine)
    const row = {
      status: jsonField("status"),
      attempts: jsonField("attempts"),
      nextAt: jsonField("nextAt"),
      lastAt: jsonField("lastAt"),
    }
    const answered = { answerStatus: jsonField("answerStatus"), answer: jsonField("answer"), error: jsonField("error") }
    const names = ["status", "attempts", "next_at", "last_at", "answer_status", "answer", "error"]
    const excluded = Object.fromEntries(
      Object.keys({ ...row, ...answered }).map((key, at) => [key, sql.raw(`excluded.${names[at]}`)]),
    )
    return [
      ...(recovered
        ? [
            db
              .update(webhookDeliveries)
              .set({ nextAt: now() })
              .where(sql`${webhookDeliveries.webhookId} = ${this.id} and ${webhookDeliveries.status} = 'waiting'
                and ${ours}`),
          ]
        : []),
      ...(outcomes.length > 0
        ? [
            insertFrom(
              db,
              webhookDeliveries,
              { webhookId: this.id, eventId: jsonField("eventId"), ...row, ...answered },
              sql`from ${rowList(outcomes)} where ${ours}`,
            ).onConflictDoUpdate({ target: [webhookDeliveries.webhookId, webhookDeliveries.eventId], set: excluded }),
          ]
        : []),
      db.update(webhooks).set(standing).where(this.mine),
    ]
  }

  private async trip(statements: Statement[]): Promise<unknown[]> {
    const [first, ...rest] = statements
    return first ? retryOnce(this.db, () => this.db.batch([first, ...rest])) : []
  }

  /** Gives the webhook back. @param left whether there is something for a fresh message */
  private async release(webhook: WebhookRow, left: boolean): Promise<void> {
    const { enabled = true, offReason = "", restsUntil = 0 } = this.standing
    const off = enabled ? undefined : this.told(webhook, offReason)
    this.standing.leaseUntil = -now()
    const results = await this.trip([
      ...(off?.statements ?? []),
      ...this.written(),
      this.db
        .select({ id: webhooks.id })
        .from(webhooks)
        .where(sql`${eq(webhooks.id, this.id)} and ${hasPendingEvents(LAG)}`),
    ])
    off?.dispatch()
    // An event that came while the webhook was held woke nobody.
    const heard = (results.at(-1) as unknown[]).length > 0
    if (enabled && restsUntil === 0 && (left || heard)) await wakeWebhook(this.env, this.id)
  }

  /** The audit row of a webhook that was switched off, and the mail to whoever made it. */
  private told({ url, createdBy }: WebhookRow, offReason: string) {
    const work = new UnitOfWork(this.db, callerAs(null, "anonymous", "job:webhooks"), this.env)
    const because =
      offReason === "gone"
        ? "The receiver answered 410: it wants no more events."
        : "No event could be delivered for three days."
    const mail = queueMailForQuery(
      work,
      "webhook switched off",
      {
        subject: "A webhook was switched off",
        paragraphs: [
          `The webhook at ${new URL(url).host} was switched off.`,
          because,
          "Once it is switched on again, it is sent what happened meanwhile, for up to 30 days.",
        ],
      },
      sql`
        select ${users.id} as user_id, ${users.email} as recipient, ${users.firstName} as name, null as secret,
          null as dedupe
        from ${users}
        where ${users.id} = ${createdBy} and not ${users.disabled} and ${rowExists(webhooks, this.mine)}`,
      { expected: 1 },
    )
    const details = JSON.stringify({ enabled: false, offReason })
    const audit = work.auditMany(
      "updated",
      "webhook",
      sql`
        select ${webhooks.id} as id, ${originOf(url)} as name, ${details} as details
        from ${webhooks}
        where ${this.mine}`,
    )
    return { statements: [...mail.statements, audit], dispatch: mail.dispatch }
  }
}

/** How long a receiver is left alone after so many failures in a row. */
const restAfter = (failures: number) => Math.min(LONGEST_REST, MINUTE * 2 ** (failures - REST_AFTER))

/** Has no attempt held for too long? @param since when the first of them failed; 0: the last one held */
const failing = (since: number) => since > 0 && since <= now() - GIVEN_UP_AFTER

/** When an event is tried again after its attempt of this number; undefined: never. */
function retryAfter(attempts: number): number | undefined {
  const delay = RETRIES[attempts - 1]
  return delay && Math.round(delay * (1 + JITTER * (2 * Math.random() - 1)))
}

function delivery(event: Due, { held, answerStatus, answer, error }: Outcome): Delivery {
  const attempts = event.attempts + 1
  const delay = held ? undefined : retryAfter(attempts)
  return {
    eventId: event.id,
    status: held ? "delivered" : delay === undefined ? "failed" : "waiting",
    attempts,
    nextAt: delay === undefined ? 0 : now() + delay,
    lastAt: now(),
    answerStatus,
    answer,
    error,
  }
}

const failed = (error: string): Outcome => ({ held: false, gone: false, answerStatus: null, answer: "", error })

/** Sends an event once, as Standard Webhooks has it. Never throws. */
async function attempt(env: Bindings, webhook: WebhookRow, event: EventRow): Promise<Outcome> {
  try {
    if (!(await resolvesToPublicAddress(env, webhook.url))) return failed("The host has no public address.")
  } catch {
    return failed("The host could not be looked up.")
  }
  const told = toEvent(event)
  const body = JSON.stringify(told)
  const at = new Date(now())
  const secrets = [webhook.secret, ...(webhook.previousUntil > now() ? [webhook.previousSecret ?? ""] : [])]
  const signed = secrets
    .filter(Boolean)
    .flatMap((secret) => decrypted(env, secret) ?? [])
    .map((secret) => new Webhook(secret).sign(told.id, at, body))
  if (signed.length === 0) return failed("The webhook's secret cannot be read: rotate it.")
  const headers = {
    "content-type": "application/json",
    "user-agent": "Lectern-Webhooks",
    "webhook-id": told.id,
    "webhook-timestamp": String(Math.floor(at.getTime() / SECOND)),
    "webhook-signature": signed.join(" "),
  }
  try {
    const response = await fetchOutbound(env, webhook.url, { method: "POST", headers, body }, PATIENCE)
    const { status } = response
    const answer = await beginningOf(response)
    return { held: response.ok, gone: status === 410, answerStatus: status, answer, error: "" }
  } catch (error) {
    const late = error instanceof Error && error.name === "TimeoutError"
    return failed(late ? "No answer within 15 seconds." : "The receiver could not be reached.")
  }
}

/** The first bytes of an answer, as text; the rest is not read. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ""
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < KEPT_ANSWER) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  await reader.cancel()
  return Buffer.concat(chunks).subarray(0, KEPT_ANSWER).toString("utf8")
}

/**
 * Wakes the webhooks that have something to be sent and that nobody works on: whose wakening was lost, whose consumer
 * died, whose failed events are due, or whose rest is over.
 */
export async function wakeIdleWebhooks(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const retried = rowExists(
    webhookDeliveries,
    sql`${webhookDeliveries.webhookId} = ${webhooks.id} and ${webhookDeliveries.status} = 'waiting'
      and ${webhookDeliveries.nextAt} <= ${now()}`,
  )
  const [waiting] = await db.batch([
    db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(
        sql`${idleWebhook()} and (${webhooks.position} < ${newest} - ${LAG} or ${hasPendingEvents(LAG)} or ${retried})`,
      ),
  ])
  await Promise.all(waiting.map(({ id }) => wakeWebhook(env, id)))
}

/** Deletes the deliveries of forgotten events and webhooks. Run by the cron. */
export async function deleteOldDeliveries(db: Database): Promise<void> {
  const holder = (beyond: SQL) => sql`(
    select min(${webhookDeliveries.webhookId}) from ${webhookDeliveries}
    where ${webhookDeliveries.webhookId} > ${beyond}
  )`
  const forgotten = (limit: number) => sql`(${webhookDeliveries.webhookId}, ${webhookDeliveries.eventId}) in (
    with recursive holders(id) as (
      select ${holder(sql`0`)} union all select ${holder(sql`id`)} from holders where id is not null
    )
    select past.webhook_id, past.event_id
    from holders cross join ${webhookDeliveries} as past
    where past.webhook_id = holders.id
      and past.event_id < iif(
        exists (select 1 from ${webhooks} where ${webhooks.id} = holders.id), ${oldest}, ${Number.MAX_SAFE_INTEGER}
      )
    limit ${limit}
  )`
  await runInSlices(db, 2, (limit) =>
    db.delete(webhookDeliveries).where(forgotten(limit)).returning({ eventId: webhookDeliveries.eventId }),
  )
}
