import { and, asc, eq, sql } from "drizzle-orm"
import { bulkUploadChunks, bulkUploads, type RowError } from "../../../drizzle/schema/bulk-uploads.ts"
import { UPLOAD_SOURCE } from "../../../drizzle/schema/users.ts"
import { canSetInitialPasswords, LEARNER_TYPE, requireAssignableRole } from "../../access/credentials.ts"
import { firstRow } from "../../db/client.ts"
import { ConflictError } from "../../db/commit-errors.ts"
import { externalIdSourceOf } from "../../db/external-ids.ts"
import { createLease, enqueue } from "../../db/lease.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, hasRole } from "../../lib/caller.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { encrypt } from "../../lib/crypto/crypto.ts"
import { conflict, type FieldErrors, forbidden, invalidFields, notFound, tooLarge } from "../../lib/errors.ts"
import { fileNameOf } from "../../lib/files/file-kinds.ts"
import { readSpreadsheet } from "../../lib/spreadsheet/spreadsheet.ts"
import { truncate } from "../../lib/text/text.ts"
import { pluralize } from "../../lib/text/words.ts"
import {
  MAX_BYTES,
  MAX_ROWS,
  type SpreadsheetUpload,
  type Target,
  type UploadAnswer,
  type UserListUpload,
} from "./bulk-upload.schemas.ts"
import {
  auditUpload,
  type PreparedUpload,
  type Source,
  skippedNotes,
  summary,
  toAnswer,
  uploadValues,
} from "./bulk-upload-answer.ts"
import { readSheet, readUserList, type UploadRow } from "./bulk-upload-rows.ts"
import type { BulkUploadTarget } from "./bulk-upload-seats.ts"
import { contextReads, rowKeysOf, toContext, type UploadContext, validateRows } from "./bulk-upload-validation.ts"
import { reserveIds, toFirstIds, writeRows } from "./bulk-upload-write.ts"

/** More rows are written by the queue's consumer. */
const MAX_SYNCHRONOUS_ROWS = 20
/** The lease is much longer than a chunk takes. */
export const uploadLease = createLease(bulkUploads, MINUTE)

export interface UploadMessage {
  uploadId: number
}

/** @param delaySeconds lets the request finish before a consumer on the same thread starts */
export const enqueueUpload = (env: Bindings, uploadId: number, delaySeconds = 0): Promise<void> =>
  enqueue(env.UPLOADS, "upload not queued", { uploadId } satisfies UploadMessage, { delaySeconds })

/** @throws 403, 413, 422 for an unknown group or membership, 409 for a class that ended or is disabled */
export const uploadUserList = (work: UnitOfWork, baseUrl: string, { userList, ...target }: UserListUpload) =>
  upload(work, target, { name: "userList", baseUrl, read: (fields) => readUserList(userList, fields) })

/** @throws as `uploadUserList`; 415 if the file is not a spreadsheet, 422 if columns are missing */
export async function uploadSpreadsheet(work: UnitOfWork, baseUrl: string, { file, ...target }: SpreadsheetUpload) {
  if (file.size > MAX_BYTES) throw tooLarge("The file is larger than the 5 MB that this operation takes.")
  const sheet = await readSpreadsheet(new Uint8Array(await file.arrayBuffer()), MAX_ROWS)
  const name = fileNameOf(file)
  return upload(work, target, {
    name,
    baseUrl,
    read: (fields) => readSheet(sheet, fields, { isUpdate: target.mode === "update" }),
  })
}

async function upload(work: UnitOfWork, target: Target, source: Source): Promise<UploadAnswer> {
  const { dryRun = false } = target
  requireAssignableRole(work.caller, LEARNER_TYPE)
  if (target.membershipId !== undefined && !hasRole(work.caller, "admin"))
    throw forbidden("Your role does not allow you to give memberships.")
  const places: BulkUploadTarget = {
    groupId: target.groupId ?? null,
    membershipId: target.membershipId ?? null,
    sourceId: target.user_source_id ?? UPLOAD_SOURCE,
    courseIds: target.selectedCourses ?? [],
    classIds: target.classIds ?? [],
    mode: target.mode ?? "create",
    externalIdSource: target.externalIdSource ?? externalIdSourceOf(work.caller),
  }
  // The same round trip reads the custom fields and the users, which needs only the addresses.
  const rowsBeforeFields = source.read([]).rows
  const isSynchronous = dryRun || rowsBeforeFields.length <= MAX_SYNCHRONOUS_ROWS
  const reads = contextReads(work.db, places, rowKeysOf(isSynchronous ? rowsBeforeFields : [], places))
  const count = isSynchronous ? rowsBeforeFields.length : 0
  const [uploadIds, userIds, enrollmentIds, placeIds, ...found] = dryRun
    ? [[], [], [], [], ...(await work.read(reads))]
    : await work.read([work.nextIds("bulk_uploads"), ...reserveIds(work, places, count), ...reads])
  const context = toContext(found)
  requireTarget(target, context)
  // Unknown IDs are removed, in case a record gets one of them before the rows are written.
  const known = { ...places, courseIds: context.courses.forEveryone, classIds: context.classes.forEveryone }
  const skipped = {
    skippedCourses: places.courseIds.length - known.courseIds.length,
    skippedClasses: places.classIds.length - known.classIds.length,
  }

  const reading = source.read(context.fields)
  const { ignored } = reading
  const { rows, dropped } = withAllowedPasswords(work.caller, reading.rows)
  const notes = [
    ...skippedNotes(skipped),
    ...(dropped > 0
      ? [` ${pluralize(dropped, "password")} ignored: this API key may not set any. The users get links to set them.`]
      : []),
    ...(ignored.length > 0 ? [` Unknown columns ignored: ${listHeaders(ignored)}.`] : []),
  ]
  const prepared = { places: known, source, rows, notes, skipped }
  if (!isSynchronous) return queueRows(work, firstRow(uploadIds).last, prepared)
  const results = await validateRows(rows, context, {
    mode: places.mode,
    caller: work.caller,
    assets: work.env.ASSETS,
  })
  if (dryRun) return work.commit([], toAnswer(null, results, prepared, undefined))

  const uploadId = firstRow(uploadIds).last
  const ids = toFirstIds([userIds, enrollmentIds, placeIds], places, context, rowsBeforeFields.length)
  const writes = await writeRows(work, results, context, { places, baseUrl: source.baseUrl, ids, uploadId })
  const answer = toAnswer(uploadId, results, prepared, ids.users)
  const { created, existing, updated, failed, errors } = answer
  await work.commit(
    [
      work.db.insert(bulkUploads).values({
        ...uploadValues(work, uploadId, prepared),
        status: "completed",
        created,
        existing,
        updated,
        failed,
      }),
      work.db.insert(bulkUploadChunks).values({
        uploadId,
        number: 0,
        rows: rows.map(({ row }) => row),
        encryptedRows: null,
        errors,
        results: answer.rows,
      }),
      ...writes.statements,
      auditUpload(work, uploadId, prepared),
    ],
    answer,
    { unique: { "users.email": () => new ConflictError(), "external_ids.object": () => new ConflictError() } },
  )
  writes.dispatch()
  return answer
}

/**
 * Removes passwords that the caller may not set. The job that writes the rows later has no scope.
 * @returns `dropped`: the number of removed passwords
 */
function withAllowedPasswords(caller: Caller, rows: UploadRow[]): { rows: UploadRow[]; dropped: number } {
  if (canSetInitialPasswords(caller)) return { rows, dropped: 0 }
  const dropped = rows.filter(({ own }) => String(own.password ?? "").trim() !== "").length
  return { rows: rows.map((row) => ({ ...row, own: { ...row.own, password: "" } })), dropped }
}

/** Names the first unknown headers in a message. */
const listHeaders = (ignored: string[]) =>
  `${ignored
    .slice(0, 20)
    .map((header) => truncate(header, 100))
    .join(", ")}${ignored.length > 20 ? ", …" : ""}`

/** @throws 422 for an unknown group or membership, 409 for a class that ended or is disabled */
function requireTarget(target: Target, { source, group, membership, classes }: UploadContext) {
  const errors: FieldErrors = {}
  const unknown = (field: string, id: number) => {
    errors[field] = [`${field} refers to a record that does not exist: ${id}.`]
  }
  if (target.user_source_id !== undefined && !source) unknown("user_source_id", target.user_source_id)
  if (target.groupId !== undefined && !group) unknown("groupId", target.groupId)
  if (target.membershipId !== undefined && !membership) unknown("membershipId", target.membershipId)
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
  const closed = classes.entries.flatMap(({ id, closed }) => (closed === null ? [] : [`Class ${id} ${closed}.`]))
  if (closed.length > 0)
    throw conflict("class_ended", `${closed.join(" ")} Users cannot be enrolled in such classes. Nothing was uploaded.`)
}

/** Stores the encrypted rows for a queue consumer. */
async function queueRows(work: UnitOfWork, uploadId: number, prepared: PreparedUpload): Promise<UploadAnswer> {
  const { db, env } = work
  const queued = `${pluralize(prepared.rows.length, "row")} queued. Request the progress with the upload_id.`
  const answer = {
    message: `${queued}${prepared.notes.join("")}`,
    upload_id: uploadId,
    dryRun: false,
    status: "processing" as const,
    progress: 0,
    created: 0,
    existing: 0,
    updated: 0,
    failed: 0,
    ...prepared.skipped,
    errors: [],
    rows: [],
  }
  const chunks = splitIntoChunks(prepared.rows).map((rows, number) =>
    db.insert(bulkUploadChunks).values({
      uploadId,
      number,
      rows: rows.map(({ row }) => row),
      encryptedRows: encrypt(env, JSON.stringify(rows)),
      errors: [],
    }),
  )
  await work.commit(
    [
      db.insert(bulkUploads).values({
        ...uploadValues(work, uploadId, prepared),
        status: "processing",
        ...uploadLease.queued(now()),
      }),
      ...chunks,
      auditUpload(work, uploadId, prepared),
    ],
    answer,
  )
  await enqueueUpload(env, uploadId, 1)
  return answer
}

/** A chunk has up to 250 rows, or 25 with a password, which take about five seconds to hash. */
const MAX_CHUNK = { rows: 250, perPassword: 10, characters: 300_000 }

function splitIntoChunks(rows: readonly UploadRow[]): UploadRow[][] {
  const chunks: UploadRow[][] = []
  let [weight, size] = [0, 0]
  for (const row of rows) {
    const [heavier, longer] = [row.own.password ? MAX_CHUNK.perPassword : 1, JSON.stringify(row).length]
    if (chunks.length === 0 || weight + heavier > MAX_CHUNK.rows || size + longer > MAX_CHUNK.characters) {
      chunks.push([])
      ;[weight, size] = [0, 0]
    }
    chunks.at(-1)?.push(row)
    weight += heavier
    size += longer
  }
  return chunks
}

/** Returns the progress of an upload of the caller. @throws 404 */
export async function uploadProgress(work: UnitOfWork, uploadId: number) {
  const { db, caller } = work
  const isOwn = and(eq(bulkUploads.id, uploadId), eq(bulkUploads.client, caller.client))
  const [uploads, chunks] = await db.batch([
    db.select().from(bulkUploads).where(isOwn),
    db
      .select({ errors: bulkUploadChunks.errors, results: bulkUploadChunks.results })
      .from(bulkUploadChunks)
      .innerJoin(bulkUploads, eq(bulkUploads.id, bulkUploadChunks.uploadId))
      .where(and(isOwn, sql`${bulkUploadChunks.encryptedRows} is null`))
      .orderBy(asc(bulkUploadChunks.number)),
  ])
  const [upload] = uploads
  if (!upload) throw notFound("upload")
  const completed = upload.status === "completed"
  const done = upload.created + upload.existing + upload.updated + upload.failed
  const soFar = [summary(upload, false), ...skippedNotes(upload)].join("")
  return {
    id: upload.id,
    message: completed ? soFar : `${done} of ${upload.rows} rows so far: ${soFar}`,
    status: upload.status,
    progress: Math.floor((100 * done) / upload.rows),
    created: upload.created,
    existing: upload.existing,
    updated: upload.updated,
    failed: upload.failed,
    skippedCourses: upload.skippedCourses,
    skippedClasses: upload.skippedClasses,
    errors: chunks.flatMap((chunk): RowError[] => chunk.errors),
    rows: chunks.flatMap((chunk) => chunk.results),
  }
}
