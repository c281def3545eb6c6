import { and, asc, eq, sql } from "drizzle-orm"
import { bulkUploadChunks, bulkUploads, type RowError } from "../../../drizzle/schema/bulk-uploads.ts"
import { UPLOAD_SOURCE } from "../../../drizzle/schema/users.ts"
import { canSetInitialPasswords, LEARNER_TYPE, requireAssignableRole } from "../../access/credentials.ts"
import { firstRow } from "../../db/client.ts"
import { ConflictError } from "../../db/commit-errors.ts"
import { createLease, enqueue } from "../../db/lease.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, hasRole } from "../../lib/caller.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { encrypt } from "../../lib/crypto/crypto.ts"
import { conflict, type FieldErrors, forbidden, invalidFields, notFound, tooLarge } from "../../lib/errors.ts"
import { fileNameOf } from "../../lib/files/file-kinds.ts"
import { readSpreadsheet } from "../../lib/spreadsheet/spreadsheet.ts"
import { truncate } from "../../lib/text/text.ts"
import { pluralize } from "../../lib/text/words.ts"
import type { FieldDefinition } from "../users/custom-field-values.ts"
import {
  MAX_BYTES,
  MAX_ROWS,
  type SpreadsheetUpload,
  type Target,
  type UploadAnswer,
  type UserListUpload,
} from "./bulk-upload.schemas.ts"
import { type Reading, type Row, readSheet, readUserList } from "./bulk-upload-rows.ts"
import type { Places } from "./bulk-upload-seats.ts"
import {
  addressesOf,
  decide,
  idsFor,
  land,
  type Surroundings,
  surroundings,
  toIds,
  toSurroundings,
  type UploadVerdict,
} from "./bulk-upload-write.ts"

/** So many rows land while the caller waits; more are taken and land in the queue's consumer. */
const ROWS_AT_ONCE = 20
/** A consumer may be silent for far longer than a chunk takes. */
export const uploadLease = createLease(bulkUploads, MINUTE)
/** How long a completed upload is known. */
const REMEMBERED = 7 * DAY

/** A queue message: which upload to work on. */
export interface UploadMessage {
  uploadId: number
}

/**
 * Hands an upload to a consumer.
 * @param delaySeconds so that a consumer on the same thread does not begin before the call is answered
 */
export const enqueueUpload = (env: Bindings, uploadId: number, delaySeconds = 0): Promise<void> =>
  enqueue(env.UPLOADS, "upload not queued", { uploadId } satisfies UploadMessage, { delaySeconds })

/** @throws 403, 413, 422 for a group or membership that is not there, 409 for a class that takes nobody */
export const uploadUserList = (work: UnitOfWork, baseUrl: string, { userList, ...target }: UserListUpload) =>
  upload(work, target, { name: "userList", baseUrl, read: (fields) => readUserList(userList, fields) })

/** @throws as `uploadUserList`; 415 for a file that is no spreadsheet, 422 for one without the columns */
export async function uploadSpreadsheet(work: UnitOfWork, baseUrl: string, { file, ...target }: SpreadsheetUpload) {
  if (file.size > MAX_BYTES) throw tooLarge("The file is larger than the 5 MB that this operation takes.")
  const sheet = await readSpreadsheet(new Uint8Array(await file.arrayBuffer()), MAX_ROWS)
  const name = fileNameOf(file)
  return upload(work, target, { name, baseUrl, read: (fields) => readSheet(sheet, fields) })
}

interface Source {
  name: string
  baseUrl: string
  /** Reads the rows, once the custom fields are known. */
  read(fields: readonly FieldDefinition[]): Reading
}

async function upload(work: UnitOfWork, target: Target, source: Source): Promise<UploadAnswer> {
  const { dryRun = false } = target
  requireAssignableRole(work.caller, LEARNER_TYPE)
  if (target.membershipId !== undefined && !hasRole(work.caller, "admin"))
    throw forbidden("Your role does not allow you to give memberships.")
  const places: Places = {
    groupId: target.groupId ?? null,
    membershipId: target.membershipId ?? null,
    sourceId: target.user_source_id ?? UPLOAD_SOURCE,
    courseIds: target.selectedCourses ?? [],
    classIds: target.classIds ?? [],
  }
  // The custom fields are read with the rest, so that which header is whose is not known yet: addresses are.
  const early = source.read([]).rows
  const atOnce = dryRun || early.length <= ROWS_AT_ONCE
  const reads = surroundings(work.db, places, atOnce ? addressesOf(early) : [])
  const count = atOnce ? early.length : 0
  const [uploadIds, userIds, enrollmentIds, placeIds, ...found] = dryRun
    ? [[], [], [], [], ...(await work.read(reads))]
    : await work.read([work.nextIds("bulk_uploads"), ...idsFor(work, places, count), ...reads])
  const around = toSurroundings(found)
  requireTarget(target, around)
  // What is unknown now stays out, should something come to have its id before the rows land.
  const known = { ...places, courseIds: around.courses.forEveryone, classIds: around.classes.forEveryone }
  const skipped = {
    skippedCourses: places.courseIds.length - known.courseIds.length,
    skippedClasses: places.classIds.length - known.classIds.length,
  }

  const reading = source.read(around.fields)
  const { ignored } = reading
  const { rows, dropped } = withPasswords(work.caller, reading.rows)
  const notes = [
    ...skippedNotes(skipped),
    ...(dropped > 0
      ? [` ${pluralize(dropped, "password")} passed over: this API key may set none; links to choose one are sent.`]
      : []),
    ...(ignored.length > 0 ? [` Nobody's columns, passed over: ${sortableNames(ignored)}.`] : []),
  ]
  const taken = { places: known, source, rows, notes, skipped }
  if (!atOnce) return take(work, firstRow(uploadIds).last, taken)
  const verdict = await decide(rows, around, work.env.ASSETS)
  if (dryRun) return work.commit([], outcome(null, verdict, taken))

  const uploadId = firstRow(uploadIds).last
  const ids = toIds([userIds, enrollmentIds, placeIds], places, around, early.length)
  const landing = await land(work, verdict, around, { places, baseUrl: source.baseUrl, ids, uploadId })
  const { created, existing, failed, errors, ...answer } = outcome(uploadId, verdict, taken)
  await work.commit(
    [
      work.db.insert(bulkUploads).values({
        ...described(work, uploadId, taken),
        status: "completed",
        created,
        existing,
        failed,
      }),
      work.db
        .insert(bulkUploadChunks)
        .values({ uploadId, number: 0, rows: rows.map(({ row }) => row), encryptedRows: null, errors }),
      ...landing.statements,
      audited(work, uploadId, taken),
    ],
    { ...answer, created, existing, failed, errors },
    { unique: { "users.email": () => new ConflictError() } },
  )
  landing.dispatch()
  return { ...answer, created, existing, failed, errors }
}

/**
 * The rows with the passwords that the caller may give. Decided here: the job that lands rows later has no scope.
 * @returns `dropped`: how many passwords they had
 */
function withPasswords(caller: Caller, rows: Row[]): { rows: Row[]; dropped: number } {
  if (canSetInitialPasswords(caller)) return { rows, dropped: 0 }
  const dropped = rows.filter(({ own }) => String(own.password ?? "").trim() !== "").length
  return { rows: rows.map((row) => ({ ...row, own: { ...row.own, password: "" } })), dropped }
}

interface Skipped {
  skippedCourses: number
  skippedClasses: number
}

const skippedNotes = ({ skippedCourses, skippedClasses }: Skipped) => [
  ...(skippedCourses > 0 ? [` ${pluralize(skippedCourses, "unknown course")} skipped.`] : []),
  ...(skippedClasses > 0 ? [` ${pluralize(skippedClasses, "unknown class", "unknown classes")} skipped.`] : []),
]

/** How many headers that are nobody's a message names, and how much of each. */
const sortableNames = (ignored: string[]) =>
  `${ignored
    .slice(0, 20)
    .map((header) => truncate(header, 100))
    .join(", ")}${ignored.length > 20 ? ", …" : ""}`

/** Refuses a group or membership that is not there, and a class that takes nobody. @throws 422, 409 */
function requireTarget(target: Target, { source, group, membership, classes }: Surroundings) {
  const errors: FieldErrors = {}
  const unknown = (field: string, id: number) => {
    errors[field] = [`${field} names what does not exist: ${id}.`]
  }
  if (target.user_source_id !== undefined && !source) unknown("user_source_id", target.user_source_id)
  if (target.groupId !== undefined && !group) unknown("groupId", target.groupId)
  if (target.membershipId !== undefined && !membership) unknown("membershipId", target.membershipId)
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
  const closed = classes.places.flatMap(({ id, closed }) => (closed === null ? [] : [`Class ${id} ${closed}.`]))
  if (closed.length > 0)
    throw conflict("class_ended", `${closed.join(" ")} Such a class takes nobody; nothing was uploaded.`)
}

interface Taken {
  places: Places
  source: Source
  rows: Row[]
  notes: string[]
  /** How many of the ids given are nobody's. */
  skipped: Skipped
}

const described = (work: UnitOfWork, id: number, { places, source, rows, skipped }: Taken) => ({
  id,
  client: work.caller.client,
  callerId: work.caller.id,
  callerType: work.caller.userType,
  name: source.name,
  baseUrl: source.baseUrl,
  ...places,
  ...skipped,
  rows: rows.length,
  createdAt: now(),
  expiresAt: now() + REMEMBERED,
})

const audited = (work: UnitOfWork, id: number, { places, source, rows }: Taken) =>
  work.audit("created", "bulk upload", { id, name: source.name }, { rows: rows.length, ...places })

/** What has become of every row. */
function outcome(
  uploadId: number | null,
  { newcomers, existing, errors }: UploadVerdict,
  { notes, skipped }: Taken,
): UploadAnswer {
  const counts = { created: newcomers.length, existing: existing.length, failed: errors.length }
  return {
    message: `${summary(counts, uploadId === null)}${notes.join("")}`,
    upload_id: uploadId,
    dryRun: uploadId === null,
    status: "completed",
    progress: 100,
    ...counts,
    ...skipped,
    errors,
  }
}

function summary({ created, existing, failed }: { created: number; existing: number; failed: number }, dry: boolean) {
  const text = [
    `${pluralize(created, "user")} ${dry ? "to create" : "created"}`,
    `${existing} there already`,
    `${pluralize(failed, "row")} ${dry ? "at fault" : "failed"}`,
  ].join(", ")
  return dry ? `A dry run, nothing was changed: ${text}.` : `${text}.`
}

/** Stores the encrypted rows for a queue consumer. */
async function take(work: UnitOfWork, uploadId: number, taken: Taken): Promise<UploadAnswer> {
  const { db, env } = work
  const answer = {
    message: `${pluralize(taken.rows.length, "row")} taken; ask for the progress.${taken.notes.join("")}`,
    upload_id: uploadId,
    dryRun: false,
    status: "processing" as const,
    progress: 0,
    created: 0,
    existing: 0,
    failed: 0,
    ...taken.skipped,
    errors: [],
  }
  const chunks = chunked(taken.rows).map((rows, number) =>
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
        ...described(work, uploadId, taken),
        status: "processing",
        ...uploadLease.queued(now()),
      }),
      ...chunks,
      audited(work, uploadId, taken),
    ],
    answer,
  )
  await enqueueUpload(env, uploadId, 1)
  return answer
}

/** What a chunk may weigh: 250 rows, or 25 with a password, whose hashes take a consumer some five seconds. */
const CHUNK = { rows: 250, perPassword: 10, characters: 300_000 }

/** Rows in the pieces in which they land. */
function chunked(rows: readonly Row[]): Row[][] {
  const chunks: Row[][] = []
  let [weight, size] = [0, 0]
  for (const row of rows) {
    const [heavier, longer] = [row.own.password ? CHUNK.perPassword : 1, JSON.stringify(row).length]
    if (chunks.length === 0 || weight + heavier > CHUNK.rows || size + longer > CHUNK.characters) {
      chunks.push([])
      ;[weight, size] = [0, 0]
    }
    chunks.at(-1)?.push(row)
    weight += heavier
    size += longer
  }
  return chunks
}

/** How far an upload of the caller's own is. @throws 404 */
export async function uploadProgress(work: UnitOfWork, uploadId: number) {
  const { db, caller } = work
  const mine = and(eq(bulkUploads.id, uploadId), eq(bulkUploads.client, caller.client))
  const [uploads, chunks] = await db.batch([
    db.select().from(bulkUploads).where(mine),
    db
      .select({ errors: bulkUploadChunks.errors })
      .from(bulkUploadChunks)
      .innerJoin(bulkUploads, eq(bulkUploads.id, bulkUploadChunks.uploadId))
      .where(and(mine, sql`${bulkUploadChunks.errors} <> '[]'`))
      .orderBy(asc(bulkUploadChunks.number)),
  ])
  const [upload] = uploads
  if (!upload) throw notFound("upload")
  const completed = upload.status === "completed"
  const done = upload.created + upload.existing + upload.failed
  const soFar = [summary(upload, false), ...skippedNotes(upload)].join("")
  return {
    id: upload.id,
    message: completed ? soFar : `${done} of ${upload.rows} rows so far: ${soFar}`,
    status: upload.status,
    progress: Math.floor((100 * done) / upload.rows),
    created: upload.created,
    existing: upload.existing,
    failed: upload.failed,
    skippedCourses: upload.skippedCourses,
    skippedClasses: upload.skippedClasses,
    errors: chunks.flatMap((chunk): RowError[] => chunk.errors),
  }
}
