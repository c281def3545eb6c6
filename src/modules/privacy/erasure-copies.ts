import { and, eq, lte, ne, not, or, sql } from "drizzle-orm"
import { bulkUploadChunks, bulkUploads } from "../../../drizzle/schema/bulk-uploads.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { rawStatement } from "../../db/select.ts"
import { inFirstIds, rowExists, textList } from "../../db/sql.ts"
import { now } from "../../lib/clock.ts"
import { discardAttempt } from "../exports/export-attempt.ts"
import { exportLease } from "../exports/exports.queries.ts"
import { CHUNK_SIZE, type ErasureStage, nextRange } from "./erasure-stage.ts"
import { containsAny, identifiersOf, redact, searchesFor } from "./erasure-text.ts"
import { isEventAbout, isMailTo } from "./personal-data-records.ts"

// Stages that remove copies of the person's names and addresses from events, emails, imports, exports, the search
// index and settings.

/** Removes earlier values from the events of the person and deletes the responses of webhook receivers. */
export const eraseFromEvents: ErasureStage = async ({ db, person }, after) => {
  const range = await nextRange(db, [events.id], after)
  if (!range) return undefined
  const { webhookId, eventId } = webhookDeliveries
  return {
    statements: [
      db
        .update(webhookDeliveries)
        .set({ answer: "", error: "" })
        .where(sql`(${webhookId}, ${eventId}) in (
          select ${webhooks.id}, ${events.id} from ${webhooks} cross join ${events}
          where ${range.condition} and ${isEventAbout(person)}
          union all
          select ${webhooks.id}, ${events.id} - 1 from ${webhooks} cross join ${events}
          where ${range.condition} and ${isEventAbout(person)} and ${events.previousPercent} is not null
        ) and (${webhookDeliveries.answer} <> '' or ${webhookDeliveries.error} <> '')`),
      db
        .update(events)
        .set({ previous: null })
        .where(sql`${range.condition} and ${isEventAbout(person)} and ${events.previous} is not null`),
    ],
    after: range.end,
  }
}

/** Deletes emails to the person and removes their names from emails to others. */
export const eraseFromMails: ErasureStage = async ({ db, person }, after) => {
  const range = await nextRange(db, [outbox.mailingId, outbox.number], after)
  if (!range) return undefined
  const isInRange = sql`${mailings.id} >= ${after?.[0] ?? ""} and ${mailings.id} <= ${range.end[0]}`
  return {
    statements: [
      db.delete(outbox).where(sql`${range.condition} and ${isMailTo(person)}`),
      db
        .delete(mailings)
        .where(sql`${isInRange} and not ${rowExists(outbox, sql`${outbox.mailingId} = ${mailings.id}`)}`),
      db
        .update(mailings)
        .set({ template: redact(mailings.template, person) })
        .where(sql`${isInRange} and ${containsAny([mailings.template], identifiersOf(person))}`),
    ],
    after: range.end,
  }
}

/** Removes the person from the file names and the failed rows of bulk uploads. */
export const eraseFromBulkUploads: ErasureStage = async ({ db, person }, after) => {
  const range = await nextRange(db, [bulkUploads.id], after)
  if (!range) return undefined
  const { uploadId, errors } = bulkUploadChunks
  const isInRange = sql`${uploadId} > ${after?.[0] ?? 0} and ${uploadId} <= ${range.end[0]}`
  return {
    statements: [
      db
        .update(bulkUploads)
        .set({ name: redact(bulkUploads.name, person) })
        .where(sql`${range.condition} and ${containsAny([bulkUploads.name], identifiersOf(person))}`),
      db
        .update(bulkUploadChunks)
        .set({ errors: redact(errors, person) })
        .where(sql`${isInRange} and ${containsAny([errors], identifiersOf(person))}`),
    ],
    after: range.end,
  }
}

/** The number of exports that a chunk expires. */
const EXPORTS_PER_CHUNK = 50

/**
 * Expires all exports from before the erasure, because their files cannot be searched for the person. Exports in
 * progress start again, and no message of the previous attempt has the new lease.
 */
export const eraseFromExports: ErasureStage = async ({ db, env, job, person }, after) => {
  const isBefore = lte(exportJobs.createdAt, job.createdAt)
  const isRunning = eq(exportJobs.status, "processing")
  const at = now()
  const [ended] = await db.batch([
    db
      .select()
      .from(exportJobs)
      .where(and(isBefore, not(isRunning), or(eq(exportJobs.status, "completed"), ne(exportJobs.filter, "{}"))))
      .limit(EXPORTS_PER_CHUNK),
  ])
  if (ended.length === 0 && after) return undefined
  const completed = ended.filter(({ status }) => status === "completed")
  for (const { objectKey, ...exportJob } of completed) {
    await discardAttempt(env, exportJob)
    if (objectKey) await env.FILES.delete(objectKey)
  }
  const isOneOf = (jobs: { id: string }[]) => sql`${exportJobs.id} in ${textList(jobs.map(({ id }) => id))}`
  const expiry = [
    db
      .update(exportJobs)
      .set({ status: "expired", objectKey: null, upload: null, ...exportLease.over })
      .where(isOneOf(completed)),
    db.update(exportJobs).set({ filter: "{}" }).where(isOneOf(ended)),
  ]
  if (after) return { statements: expiry, after }
  const concernsPerson = sql`(${exportJobs.callerId} = ${person.id} or ${searchesFor(exportJobs.filter, person)})`
  return {
    statements: [
      ...expiry,
      db
        .update(exportJobs)
        .set({
          status: "cancelled",
          message: "Cancelled: it was about, or by, a person who was erased.",
          filter: "{}",
        })
        .where(and(isRunning, concernsPerson)),
      db
        .update(exportJobs)
        .set({ ...exportLease.released(at, at), attempts: 0, lease: sql`${exportJobs.lease} || '.0'` })
        .where(and(isBefore, isRunning)),
    ],
    after: [1],
  }
}

/** The number of index pages that one merge writes. */
const MERGE_PAGES = 500

/**
 * Merges the segments of the search index of users in steps. FTS5 keeps deleted text in its segments until they are
 * merged.
 */
export const eraseFromSearchIndex: ErasureStage = async ({ db }, after) => {
  const [step = 0, changes = 0] = (after ?? []) as number[]
  if (step > 0 && changes < 2) return undefined
  const totalChanges = rawStatement<{ total: number }>(db, sql`select total_changes() as total`)
  // A negative number in the first step includes all segments, regardless of their size.
  const merge = rawStatement(
    db,
    sql`insert into users_search (users_search, rank) values ('merge', ${step === 0 ? -MERGE_PAGES : MERGE_PAGES})`,
  )
  const [[before], , [current]] = await db.batch([totalChanges, merge, totalChanges])
  return { statements: [], after: [step + 1, (current?.total ?? 0) - (before?.total ?? 0)] }
}

/** Removes the person from the mail sender of portals and from descriptions of webhooks. */
export const eraseFromSettings: ErasureStage = async ({ db, person }) => {
  const identifiers = identifiersOf(person)
  const isReplyTo = containsAny([portals.replyTo], person.emails)
  const isSender = containsAny([portals.senderName], identifiers)
  const isDescribed = containsAny([webhooks.description], identifiers)
  const [[hasRows]] = await db.batch([
    rawStatement<{ portals: number; webhooks: number }>(
      db,
      sql`select ${rowExists(portals, sql`${isReplyTo} or ${isSender}`)} as portals,
        ${rowExists(webhooks, isDescribed)} as webhooks`,
    ),
  ])
  if (!hasRows?.portals && !hasRows?.webhooks) return undefined
  return {
    statements: [
      db
        .update(portals)
        .set({
          replyTo: sql`iif(${isReplyTo}, null, ${portals.replyTo})`,
          senderName: sql`iif(${isSender}, null, ${portals.senderName})`,
          version: sql`${portals.version} + 1`,
          updatedAt: nextUpdatedAt,
        })
        .where(inFirstIds(portals.id, sql`${isReplyTo} or ${isSender}`, CHUNK_SIZE)),
      db
        .update(webhooks)
        .set({ description: redact(webhooks.description, person), version: sql`${webhooks.version} + 1` })
        .where(isDescribed),
    ],
  }
}
