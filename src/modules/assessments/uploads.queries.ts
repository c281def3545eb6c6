import { and, eq, sql } from "drizzle-orm"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { submissionFiles, submissions } from "../../../drizzle/schema/submissions.ts"
import { requireUploadQuota } from "../../access/quotas.ts"
import { canSeeUser } from "../../access/scope.ts"
import { type Database, firstRow, openDatabase } from "../../db/client.ts"
import { withCleanup } from "../../db/commit-errors.ts"
import { idList, rowCount, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, userIdOf } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { notFound, tooLarge, unsupported } from "../../lib/errors.ts"
import { detectContent, downloadName, fileNameOf, isAllowed } from "../../lib/files/file-kinds.ts"
import { MAX_UPLOAD_MB } from "../courses/module-fields.ts"
import { canSubmitFor, type ModuleRef, resolveModule } from "../enrollments/module-progress.queries.ts"
import { selectAssignment } from "./assignments.queries.ts"

const MEGABYTE = 1_000_000

/** Files that are not part of a submission are deleted after this time. */
const UNUSED_LIFETIME = 7 * DAY
/** The number of files that R2 deletes in one call. */
const BATCH_SIZE = 1000
/** The number of batches that one run deletes. */
const MAX_BATCHES = 5

/** The API path that downloads an upload. */
export const storageUrl = (id: number) => `/api/module/assignment/upload/${id}`

interface Upload {
  filename: string
  extension: string
  bytes: number
}

/** @throws 413, 415 for a file that the assignment does not accept */
export function requireAcceptedFile(
  { allowedFiletypes, maxUploadSize }: { allowedFiletypes: string[]; maxUploadSize: number },
  { filename, extension, bytes }: Upload,
) {
  const maxMegabytes = maxUploadSize || MAX_UPLOAD_MB
  if (bytes > maxMegabytes * MEGABYTE) throw tooLarge(`${filename} is larger than the allowed ${maxMegabytes} MB.`)
  if (!isAllowed(extension, allowedFiletypes))
    throw unsupported(`${filename} is a ${extension} file. Accepted file types: ${allowedFiletypes.join(", ")}.`)
}

/**
 * Stores a file for a later submission.
 * @param ref the assignment, if the request names one
 * @throws 404 for an assignment that the caller can't submit; 409 too many unused files; 413 too large; 415 unsupported
 * type
 */
export async function saveUpload(work: UnitOfWork, file: File, ref: ModuleRef) {
  const { db, caller, env } = work
  const bytes = new Uint8Array(await file.arrayBuffer())
  const filename = fileNameOf(file)
  if (bytes.length > MAX_UPLOAD_MB * MEGABYTE) throw tooLarge(`The file is larger than ${MAX_UPLOAD_MB} MB.`)
  const content = await detectContent(bytes)
  if (!content) throw unsupported(`${filename} has an unsupported file type. See allowed_filetypes.`)
  const hasAssignment = (ref.statusRowId ?? 0) > 0 || (ref.registrationId !== undefined && ref.moduleId !== undefined)
  const unused = sql`${assignmentUploads.userId} is ${userIdOf(caller)} and ${assignmentUploads.state} = 'new'`
  const count = rowCount(assignmentUploads, unused)
  const [ids, [unusedUploads], found] = await work.read([
    work.nextIds("assignment_uploads"),
    db
      .select({
        count: sql<number>`count(*)`.as("unused_files"),
        bytes: sql<number>`coalesce(sum(${assignmentUploads.bytes}), 0)`.as("unused_bytes"),
      })
      .from(assignmentUploads)
      .where(unused),
    selectAssignment(db, resolveModule(ref), canSubmitFor(caller)),
  ])
  if (hasAssignment) {
    const [assignment] = found
    if (!assignment) throw notFound("assignment module of a registration")
    requireAcceptedFile(assignment, { filename, extension: content.extension, bytes: bytes.length })
  }
  const unusedBefore = unusedUploads ?? { count: 0, bytes: 0 }
  requireUploadQuota(env, unusedBefore, bytes.length, "Submit them")
  const id = firstRow(ids).last
  const objectKey = `assignments/${randomToken()}`
  await env.FILES.put(objectKey, bytes, { httpMetadata: { contentType: content.mime } })
  return withCleanup(
    () => env.FILES.delete(objectKey),
    () =>
      work.commit(
        [
          work.guard(sql`${count} <= ${unusedBefore.count}`),
          db.insert(assignmentUploads).values({
            id,
            userId: userIdOf(caller),
            objectKey,
            filename,
            extension: content.extension,
            mime: content.mime,
            bytes: bytes.length,
            createdAt: now(),
          }),
          work.audit(
            "created",
            "assignment file",
            { id, name: filename },
            { bytes: bytes.length, type: content.extension },
          ),
        ],
        { storage_url: storageUrl(id), file_name: filename, mime_type: content.mime, bytes: bytes.length },
      ),
  )
}

/** Finds an upload for its uploader, the learner who submitted it, the learner's supervisors, or staff. @throws 404 */
export async function findUpload(db: Database, caller: Caller, id: number) {
  const submitted = rowExists(
    sql`${submissionFiles} join ${submissions} on ${submissions.id} = ${submissionFiles.submissionId}`,
    and(eq(submissionFiles.uploadId, assignmentUploads.id), canSeeUser(caller, submissions.userId)),
  )
  const [rows] = await db.batch([
    db
      .select({
        key: assignmentUploads.objectKey,
        filename: assignmentUploads.filename,
        extension: assignmentUploads.extension,
        type: assignmentUploads.mime,
      })
      .from(assignmentUploads)
      .where(sql`
        ${assignmentUploads.id} = ${id}
        and ${assignmentUploads.state} <> 'expired'
        and (${canSeeUser(caller, assignmentUploads.userId)} or ${submitted})`),
  ])
  const [found] = rows
  if (!found) throw notFound("file")
  const { key, type, filename, extension } = found
  return { key, type, filename: downloadName(filename, extension) }
}

/** Deletes files that were not submitted within seven days. Runs on a cron schedule. */
export async function deleteUnusedFiles(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  for (let batches = 0; batches < MAX_BATCHES; batches++) if ((await deleteUnusedBatch(env, db)) < BATCH_SIZE) return
}

/** @returns the number of deleted files */
async function deleteUnusedBatch(env: Bindings, db: Database): Promise<number> {
  // Files are first marked as expired, so that no submission can use them. Rows are deleted last, so that the next run
  // continues an interrupted one.
  const [, expired] = await db.batch([
    db
      .update(assignmentUploads)
      .set({ state: "expired" })
      .where(sql`${assignmentUploads.id} in (
        select id
        from assignment_uploads
        where state = 'new' and created_at <= ${now() - UNUSED_LIFETIME}
        order by created_at
        limit ${BATCH_SIZE}
      )`),
    db
      .select({ id: assignmentUploads.id, objectKey: assignmentUploads.objectKey })
      .from(assignmentUploads)
      .where(eq(assignmentUploads.state, "expired"))
      .limit(BATCH_SIZE),
  ])
  if (expired.length === 0) return 0
  await env.FILES.delete(expired.map(({ objectKey }) => objectKey))
  await db.batch([
    db.delete(assignmentUploads).where(sql`${assignmentUploads.id} in ${idList(expired.map(({ id }) => id))}`),
  ])
  return expired.length
}
