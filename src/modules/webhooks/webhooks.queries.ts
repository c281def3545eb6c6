import { randomBytes } from "node:crypto"
import { eq, lt, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { groups } from "../../../drizzle/schema/groups.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { webhooks } from "../../../drizzle/schema/webhooks.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  deleteRecords,
  existingRecords,
  readRecord,
  requireExisting,
  requireVersion,
  updateRecord,
} from "../../db/records.ts"
import { rowCount, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { wakeWebhook } from "../../db/webhook-listeners.ts"
import type { Bindings } from "../../env.ts"
import { userIdOf } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { encrypt } from "../../lib/crypto/crypto.ts"
import { conflict, invalid } from "../../lib/errors.ts"
import { originOf } from "../../lib/text/urls.ts"
import { outboundUrl } from "../../lib/web/outbound.ts"
import { newest } from "./events.queries.ts"
import { webhookColumns, webhookFields } from "./webhook-fields.ts"
import type { NewWebhook, WebhookChanges } from "./webhooks.schemas.ts"

/** The maximum number of webhooks: every change checks each of them. */
const MAX_WEBHOOKS = 50
/** How long the previous secret remains valid after a rotation. */
const PREVIOUS_SECRET_LIFETIME = DAY

/** A secret in the format of Standard Webhooks: 32 random bytes. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`

const tooMany = () =>
  conflict("too_many_webhooks", `The limit of ${MAX_WEBHOOKS} webhooks is reached. Delete one first.`)

/** @throws 422 for a URL that cannot be called */
function requireCallableUrl(env: Bindings, url: string): string {
  const found = outboundUrl(env, url)
  if (!found) throw invalid("url", "url must be an https URL of a public host, without user and password.")
  return found.href
}

/** Clears earlier failures, and takes the lease from a running consumer so that it stores nothing. */
export const resetState = () => ({ failures: 0, failingSince: 0, pausedUntil: 0, lease: null, leaseUntil: -now() })

/** The records that limit a webhook, by the field that names them. */
const LIMITS = { courseId: courses, groupId: groups, portalId: portals } as const
type Limits = Partial<Record<keyof typeof LIMITS, number | null | undefined>>
const LIMIT_FIELDS = Object.keys(LIMITS) as (keyof typeof LIMITS)[]

/** The ids that differ from those that a webhook has: it keeps the id of a deleted record. */
const newLimits = (limits: Limits, before: Limits = {}) =>
  LIMIT_FIELDS.map((field) => {
    const id = limits[field]
    return { field, ids: id && id !== before[field] ? [id] : [] }
  })

type FoundIds = { id: number }[]

const selectLimits = (db: Database, limits: Limits) =>
  newLimits(limits).map(({ field, ids }) => existingRecords(db, LIMITS[field], ids))

/** @throws 422 for a course, group or portal that does not exist */
function requireLimits(found: FoundIds[], limits: Limits, before?: Limits) {
  for (const [at, { field, ids }] of newLimits(limits, before).entries()) requireExisting(field, ids, found[at] ?? [])
}

/** Creates a webhook for events from now on. The secret is returned only here. @throws 409, 422 */
export async function createWebhook(work: UnitOfWork, input: NewWebhook) {
  const { db, env } = work
  const row = { ...webhookFields.toInsert(input), url: requireCallableUrl(env, input.url) }
  const [ids, [found], ...foundLimits] = await work.read([
    work.nextIds("webhooks"),
    db.select({ count: rowCount(webhooks, sql`1`).as("count") }).from(SINGLE_ROW),
    ...selectLimits(db, row),
  ])
  requireLimits(foundLimits, row)
  if ((found?.count ?? 0) >= MAX_WEBHOOKS) throw tooMany()
  const id = firstRow(ids).last
  const secret = newSecret()
  const name = originOf(row.url)
  return work.commit(
    [
      work.guard(lt(rowCount(webhooks, sql`1`), MAX_WEBHOOKS)),
      insertFrom(
        db,
        webhooks,
        {
          ...row,
          id,
          secret: encrypt(env, secret),
          position: sql`coalesce(${newest}, 0)`,
          createdBy: userIdOf(work.caller),
          createdAt: now(),
        },
        sql`from ${SINGLE_ROW} where true`,
      ),
      work.audit("created", "webhook", { id, name }, { ...row, url: name }),
    ],
    { id, secret, message: "Webhook created." },
  )
}

/** @throws 404 */
export const getWebhook = (db: Database, id: number) =>
  readRecord(db, { table: webhooks, fields: webhookColumns.fields, subject: "webhook" }, id)

export const listWebhooks = (db: Database, query: PageQuery) =>
  readPage(
    db,
    {
      table: webhooks,
      key: webhooks.id,
      fields: webhookColumns.fields,
      sort: webhookColumns.sort,
      defaultSort: { colName: "id", direction: "asc" },
      scope: [],
      search: [],
    },
    query,
  )

/** A webhook, read by the first round trip of a change. @throws 404 */
export async function readWebhook(work: UnitOfWork, id: number) {
  const [rows] = await work.read([work.db.select().from(webhooks).where(eq(webhooks.id, id))])
  return requireVersion(rows, "webhook")
}

/** Updates the provided fields. An enabled webhook continues where it stopped. @throws 404, 412, 422 */
export async function updateWebhook(work: UnitOfWork, id: number, changes: WebhookChanges, expectedVersion?: number) {
  const [rows, ...foundLimits] = await work.read([
    work.db.select().from(webhooks).where(eq(webhooks.id, id)),
    ...selectLimits(work.db, changes),
  ])
  const webhook = requireVersion(rows, "webhook", expectedVersion)
  requireLimits(foundLimits, changes, webhook)
  const url = changes.url === undefined ? webhook.url : requireCallableUrl(work.env, changes.url)
  const next = { ...webhookFields.toUpdate(webhook, changes), url }
  const { enabled } = next
  const isReset = enabled !== webhook.enabled || url !== webhook.url
  const answer = await updateRecord(work, {
    table: webhooks,
    record: webhook,
    next: { ...next, ...(isReset && { ...resetState(), offReason: "" }) },
    subject: "webhook",
    name: originOf(url),
    answer: { id, message: "Webhook updated." },
    details: { ...next, url: originOf(url), ...(url !== webhook.url && { address: "changed" }) },
  })
  if (enabled && isReset) await wakeWebhook(work.env, id)
  return answer
}

/** `originOf` as SQL: the URL starts with `http://` or `https://` and its path with a slash. */
const ORIGIN = sql`substr(${webhooks.url}, 1, 7 + instr(substr(${webhooks.url}, 9), '/'))`

/** Deletes webhooks; the cron deletes their deliveries. */
export const deleteWebhooks = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: webhooks, subject: "webhook", name: ORIGIN, ids })

/** Replaces the secret; the previous one remains valid for a day. @throws 404 */
export async function rotateSecret(work: UnitOfWork, id: number) {
  const webhook = await readWebhook(work, id)
  const secret = newSecret()
  return updateRecord(work, {
    table: webhooks,
    record: webhook,
    next: {
      secret: encrypt(work.env, secret),
      previousSecret: webhook.secret,
      previousUntil: now() + PREVIOUS_SECRET_LIFETIME,
    },
    subject: "webhook",
    name: originOf(webhook.url),
    answer: { id, secret, message: "Secret rotated. The previous secret remains valid for 24 hours." },
    details: { rotated: "secret" },
  })
}
