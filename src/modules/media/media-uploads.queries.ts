import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm"
import { media, mediaUploads } from "../../../drizzle/schema/media.ts"
import { quota } from "../../access/quotas.ts"
import { type Database, firstRow, openDatabase } from "../../db/client.ts"
import { counter, idList, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { userIdOf } from "../../lib/caller.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { conflict, gone, notFound, tooLarge } from "../../lib/errors.ts"
import { fileNameOf } from "../../lib/files/file-kinds.ts"
import { discardObject } from "../../lib/files/multipart.ts"
import { mediaFields } from "./media-fields.ts"
import { type DetectedMedia, requireLikelySize } from "./media-kinds.ts"
import { appendBytes, deleteRest, deleteRests } from "./upload-writer.ts"

const MEGABYTE = 1_000_000
/** How long an upload can be continued: R2 aborts an unfinished one after seven days. */
const UPLOAD_LIFETIME_MS = 3 * DAY
/** Expired uploads are deleted later, so that no request still writes to them. */
const REMOVAL_DELAY_MS = 30 * MINUTE
/** How many uploads one run of the cron deletes: each takes three calls to R2, of the 1,000 of an invocation. */
const DELETE_BATCH_SIZE = 100

type Upload = typeof mediaUploads.$inferSelect

/** The condition that the caller started an upload. */
const isOwn = ({ caller }: UnitOfWork): SQL => sql`${mediaUploads.uploadedBy} is ${userIdOf(caller)}`

/** @throws 409 for too many unfinished uploads, and if the academy's quota has no space for the file */
function requireSpace(env: Bindings, uploads: { count: number; bytes: number }, stored: number, bytes: number) {
  const [maxUploads, maxMegabytes] = [quota(env, "MAX_UNUSED_FILES"), quota(env, "MAX_MEDIA_MB")]
  if (uploads.count >= maxUploads)
    throw conflict(
      "too_many_files",
      `You have ${uploads.count} unfinished uploads. Finish or cancel one of them first.`,
    )
  if (stored + uploads.bytes + bytes > maxMegabytes * MEGABYTE)
    throw conflict(
      "too_many_files",
      `The media library is full: it has ${Math.ceil(stored / MEGABYTE)} of ${maxMegabytes} MB. Delete unused files.`,
    )
}

/** Starts an upload. @throws 409 without space for it; 413 */
export async function createUpload(
  work: UnitOfWork,
  { bytes, metadata, filename }: { bytes: number; metadata: string; filename: string },
): Promise<Upload> {
  const { db, caller, env } = work
  const name = fileNameOf({ name: filename })
  requireLikelySize(name, bytes)
  const [ids, [unfinished]] = await work.read([
    work.nextIds("media"),
    db
      .select({
        count: sql<number>`count(*)`.as("unfinished_uploads"),
        bytes: sql<number>`coalesce(sum(${mediaUploads.bytes}), 0)`.as("unfinished_bytes"),
        stored: counter("media_bytes:all").as("stored_bytes"),
      })
      .from(mediaUploads)
      .where(isOwn(work)),
  ])
  requireSpace(env, unfinished ?? { count: 0, bytes: 0 }, unfinished?.stored ?? 0, bytes)
  const upload: Upload = {
    id: firstRow(ids).last,
    uploadedBy: userIdOf(caller),
    name,
    metadata,
    bytes,
    offset: 0,
    key: `media/${randomToken()}`,
    multipartId: null,
    parts: [],
    createdAt: now(),
    expiresAt: now() + UPLOAD_LIFETIME_MS,
  }
  return work.commit([db.insert(mediaUploads).values(upload)], upload, {
    marker: () => rowExists(mediaUploads, eq(mediaUploads.id, upload.id)),
  })
}

/** An upload, or the complete file that it became. */
export interface UploadState {
  id: number
  offset: number
  bytes: number
  metadata?: string
  expiresAt?: number
}

const selectUpload = (work: UnitOfWork, id: number) =>
  work.db
    .select()
    .from(mediaUploads)
    .where(and(eq(mediaUploads.id, id), isOwn(work)))

const selectFile = (work: UnitOfWork, id: number) =>
  work.db
    .select({ id: media.id, bytes: media.bytes })
    .from(media)
    .where(sql`${media.id} = ${id} and ${media.uploadedBy} is ${userIdOf(work.caller)}`)

/** @throws 404; 410 for an expired upload */
export async function getUploadState(work: UnitOfWork, id: number): Promise<UploadState> {
  const [[upload], [file]] = await work.db.batch([selectUpload(work, id), selectFile(work, id)])
  if (file) return { ...file, offset: file.bytes }
  return requireUpload(upload)
}

function requireUpload(upload: Upload | undefined): Upload {
  if (!upload) throw notFound("upload")
  if (upload.expiresAt <= now()) throw gone("upload_expired", "The upload has expired. Upload the file again.")
  return upload
}

/** The condition that no other request continued the upload. */
const isUnchanged = (upload: Upload): SQL =>
  rowExists(mediaUploads, sql`${mediaUploads.id} = ${upload.id} and ${mediaUploads.offset} = ${upload.offset}`)

const offsetMismatch = (offset: number) =>
  conflict("offset_mismatch", `The upload continues at byte ${offset}. Read Upload-Offset with HEAD.`)

interface Bytes {
  /** undefined: none. */
  body: ReadableStream<Uint8Array> | undefined
  /** undefined: unknown. */
  length: number | undefined
}

/**
 * Appends bytes to an upload. The last ones make it a file of the library.
 * @throws 404, 410; 409 for another offset than the stored one; 413, 415
 */
export async function continueUpload(work: UnitOfWork, id: number, offset: number, bytes: Bytes): Promise<UploadState> {
  const [rows] = await work.db.batch([selectUpload(work, id)])
  const upload = requireUpload(rows[0])
  if (offset !== upload.offset) throw offsetMismatch(upload.offset)
  return append(work, upload, bytes)
}

/** As `continueUpload`, for an upload that this request has read or created. */
export async function append(work: UnitOfWork, upload: Upload, { body, length = 0 }: Bytes): Promise<UploadState> {
  const { db, env } = work
  if (upload.offset + length > upload.bytes)
    throw tooLarge(`The request has more bytes than the ${upload.bytes - upload.offset} that are missing.`)
  if (!body) return upload
  const appended = await appendBytes(env.FILES, upload, body).catch(async (error: unknown) => {
    if (isRefused(error)) await removeUpload(work, upload)
    throw error
  })
  const { offset, multipartId, parts, file } = appended
  if (file) return finish(work, upload, file)
  if (offset === upload.offset) return upload
  const next = { ...upload, offset }
  await work.commit(
    [
      work.guard(isUnchanged(upload)),
      db.update(mediaUploads).set({ offset, multipartId, parts }).where(eq(mediaUploads.id, upload.id)),
    ],
    next,
    {
      marker: () =>
        rowExists(mediaUploads, sql`${mediaUploads.id} = ${upload.id} and ${mediaUploads.offset} = ${offset}`),
      guardError: () => conflict("offset_mismatch", "Another request continued this upload. Read Upload-Offset again."),
    },
  )
  if (upload.offset > 0) await deleteRest(env.FILES, upload.key, upload.offset)
  return next
}

/** Whether the content of a file was refused: its upload cannot be continued. */
const isRefused = (error: unknown) =>
  typeof error === "object" && error !== null && "status" in error && [413, 415].includes(Number(error.status))

/** Adds a complete file to the library. */
async function finish(
  work: UnitOfWork,
  upload: Upload,
  { kind, extension, mime }: DetectedMedia,
): Promise<UploadState> {
  const { db, env } = work
  const { id, name, bytes, key, uploadedBy } = upload
  const row = { id, kind, name, extension, mimeType: mime, bytes, key, uploadedBy, createdAt: now() }
  const state = { id, bytes, offset: bytes, metadata: upload.metadata }
  await work.commit(
    [
      work.guard(isUnchanged(upload)),
      db.insert(media).values({ ...row, searchText: mediaFields.searchText({ name, altText: "" }) }),
      db.delete(mediaUploads).where(eq(mediaUploads.id, id)),
      work.audit("created", "media file", { id, name }, { bytes, type: extension }),
    ],
    state,
    {
      guardError: () => conflict("offset_mismatch", "Another request completed this upload. Read Upload-Offset again."),
    },
  )
  await deleteRests(env.FILES, key)
  return state
}

/** Deletes what an upload stored, and then the upload. */
async function removeUpload(work: UnitOfWork, { id, key, multipartId }: Upload) {
  const { db, env } = work
  await discardUpload(env.FILES, key, multipartId)
  const isGone = sql`not ${rowExists(mediaUploads, eq(mediaUploads.id, id))}`
  await work.commit([db.delete(mediaUploads).where(eq(mediaUploads.id, id))], {}, { marker: () => isGone })
}

async function discardUpload(bucket: R2Bucket, key: string, multipartId: string | null) {
  await discardObject(bucket, key, multipartId)
  await deleteRests(bucket, key)
}

/** Cancels an upload. @throws 404 */
export async function cancelUpload(work: UnitOfWork, id: number) {
  const [rows] = await work.db.batch([selectUpload(work, id)])
  const [upload] = rows
  if (!upload) throw notFound("upload")
  await removeUpload(work, upload)
}

/** Deletes expired uploads: files before rows, so that the next run finds what an interrupted one leaves. */
export async function deleteExpiredMediaUploads(env: Bindings, db: Database = openDatabase(env.DB, "first-primary")) {
  const [expired] = await db.batch([
    db
      .select({ id: mediaUploads.id, key: mediaUploads.key, multipartId: mediaUploads.multipartId })
      .from(mediaUploads)
      .where(lte(mediaUploads.expiresAt, now() - REMOVAL_DELAY_MS))
      .orderBy(asc(mediaUploads.expiresAt))
      .limit(DELETE_BATCH_SIZE),
  ])
  if (expired.length === 0) return
  for (const { key, multipartId } of expired) await discardUpload(env.FILES, key, multipartId)
  await db.batch([db.delete(mediaUploads).where(sql`${mediaUploads.id} in ${idList(expired.map(({ id }) => id))}`)])
}
