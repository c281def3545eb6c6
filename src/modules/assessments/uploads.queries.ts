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
import { type ModuleRef, resolveModule } from "../enrollments/module-progress.queries.ts"
import { canSubmitFor, selectAssignment } from "./assignments.queries.ts"

const MEGABYTE = 1_000_000
/** MB of a file, whatever the assignment says. */
export const LARGEST = 25
/** How long a file stays that no submission refers to. */
const UNUSED_LIFETIME = 7 * DAY
/** How many files R2 deletes at once. */
const FILES_AT_ONCE = 1000
/** How many times so many one run of the sweep removes. */
const MAX_SLICES = 5

/** Where an uploaded file is read: a path of this API. */
export const storageUrl = (id: number) => `/api/module/assignment/upload/${id}`

interface Upload {
  filename: string
  extension: string
  bytes: number
}

/** @throws 413, 415 for a file that an assignment does not take */
export function requireAcceptedFile(
  { allowedFiletypes, maxUploadSize }: { allowedFiletypes: string[]; maxUploadSize: number },
  { filename, extension, bytes }: Upload,
) {
  const most = maxUploadSize || LARGEST
  if (bytes > most * MEGABYTE) throw tooLarge(`${filename} is larger than the ${most} MB that the assignment takes.`)
  if (!isAllowed(extension, allowedFiletypes))
    throw unsupported(
      `${filename} is of the type ${extension}, by its content; the assignment takes ${allowedFiletypes.join(", ")}.`,
    )
}

/**
 * Keeps a file for a submission to refer to.
 * @param ref the assignment that it is for, where the call names one
 * @throws 404 for an assignment that is not the caller's; 409 for too many unused files; 413 too large; 415 for a type
 * that is not taken
 */
export async function saveUpload(work: UnitOfWork, file: File, ref: ModuleRef) {
  const { db, caller, env } = work
  const bytes = new Uint8Array(await file.arrayBuffer())
  const filename = fileNameOf(file)
  if (bytes.length > LARGEST * MEGABYTE) throw tooLarge(`The file is larger than ${LARGEST} MB.`)
  const content = await detectContent(bytes)
  if (!content)
    throw unsupported(`${filename} is, by its content, of no type that assignments take: see allowed_filetypes.`)
  const isNamed = (ref.statusRowId ?? 0) > 0 || (ref.registrationId !== undefined && ref.moduleId !== undefined)
  const unused = sql`${assignmentUploads.userId} is ${userIdOf(caller)} and ${assignmentUploads.state} = 'new'`
  const count = rowCount(assignmentUploads, unused)
  const [ids, [waiting], found] = await work.read([
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
  if (isNamed) {
    const [assignment] = found
    if (!assignment) throw notFound("assignment module of a registration")
    requireAcceptedFile(assignment, { filename, extension: content.extension, bytes: bytes.length })
  }
  const had = waiting ?? { count: 0, bytes: 0 }
  requireUploadQuota(env, had, bytes.length, "Submit them")
  const id = firstRow(ids).last
  const objectKey = `assignments/${randomToken()}`
  await env.FILES.put(objectKey, bytes, { httpMetadata: { contentType: content.mime } })
  return withCleanup(
    () => env.FILES.delete(objectKey),
    () =>
      work.commit(
        [
          work.guard(sql`${count} <= ${had.count}`),
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

/** A file, for whoever uploaded it, the learner who submitted it, their supervisors, and staff. @throws 404 */
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

/** Removes files that no submission has referred to for seven days. Run by the cron. */
export async function deleteUnusedFiles(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  for (let slices = 0; slices < MAX_SLICES; slices++) if ((await removeUnused(env, db)) < FILES_AT_ONCE) return
}

/** @returns how many files were removed */
async function removeUnused(env: Bindings, db: Database): Promise<number> {
  // Marked first, so that no submission can refer to a file that is about to go; rows last, so that a sweep that dies
  // in between is gone on with by the next.
  const [, expired] = await db.batch([
    db
      .update(assignmentUploads)
      .set({ state: "expired" })
      .where(sql`${assignmentUploads.id} in (
        select id
        from assignment_uploads
        where state = 'new' and created_at <= ${now() - UNUSED_LIFETIME}
        order by created_at
        limit ${FILES_AT_ONCE}
      )`),
    db
      .select({ id: assignmentUploads.id, objectKey: assignmentUploads.objectKey })
      .from(assignmentUploads)
      .where(eq(assignmentUploads.state, "expired"))
      .limit(FILES_AT_ONCE),
  ])
  if (expired.length === 0) return 0
  await env.FILES.delete(expired.map(({ objectKey }) => objectKey))
  await db.batch([
    db.delete(assignmentUploads).where(sql`${assignmentUploads.id} in ${idList(expired.map(({ id }) => id))}`),
  ])
  return expired.length
}
