import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm"
import { classEnrollments, classes, classMaterials } from "../../../drizzle/schema/classes.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { userLanguage } from "../../access/accounts.ts"
import { requireUploadQuota } from "../../access/quotas.ts"
import { canSeeUser } from "../../access/scope.ts"
import { type Database, firstRow, openDatabase } from "../../db/client.ts"
import { withCleanup } from "../../db/commit-errors.ts"
import { idList, literal, rowCount } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, canSeeAllUsers, userIdOf } from "../../lib/caller.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { conflict, forbidden, notFound, tooLarge, unsupported } from "../../lib/errors.ts"
import { detectContent, downloadName, fileNameOf } from "../../lib/files/file-kinds.ts"
import { calendarColumns, toCalendarClass } from "./calendar-columns.ts"
import { classCourseName, courseImage, courseInstructions, instructorName, locationName } from "./class-names.ts"
import { recordLastAccess } from "./last-access.queries.ts"

const MAX_FILE_BYTES = 25_000_000
/** How long an uploaded file can wait for a class to use it. */
const UNUSED_LIFETIME_MS = 7 * DAY
/** Unused files are deleted later than they expire, so that no request still uses them. */
const REMOVAL_DELAY_MS = 5 * MINUTE
/** The maximum number of files that R2 deletes in one call. */
const DELETE_BATCH_SIZE = 1000
/** The number of batches in one run of the cron. */
const MAX_BATCHES = 5

/** The condition that a class can use a file: it has the file, or the file is unused and not expired. */
export const isAvailableToClass = (classId: number): SQL => sql`(
  ${classMaterials.classId} = ${classId}
  or (${classMaterials.classId} is null and ${classMaterials.createdAt} > ${now() - UNUSED_LIFETIME_MS})
)`

/** Stores a file that a class can use by its `media_id`. @throws 409 for too many unused files, 413, 415 */
export async function uploadClassMaterial(work: UnitOfWork, base: string, file: File, name = fileNameOf(file)) {
  const { db, caller, env } = work
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge(`The file is larger than ${MAX_FILE_BYTES / 1_000_000} MB.`)
  const content = await detectContent(bytes)
  if (!content) throw unsupported(`The content of ${name} is not a supported file type.`)
  const unused = sql`${classMaterials.uploadedBy} is ${userIdOf(caller)} and ${classMaterials.classId} is null`
  const count = rowCount(classMaterials, unused)
  const [ids, [unusedFiles]] = await work.read([
    work.nextIds("class_materials"),
    db
      .select({
        count: sql<number>`count(*)`.as("unused_files"),
        bytes: sql<number>`coalesce(sum(${classMaterials.size}), 0)`.as("unused_bytes"),
      })
      .from(classMaterials)
      .where(unused),
  ])
  const before = unusedFiles ?? { count: 0, bytes: 0 }
  requireUploadQuota(env, before, bytes.length, "Name them in a class")
  const id = firstRow(ids).last
  const key = `classes/${randomToken()}`
  const { extension, mime } = content
  await env.FILES.put(key, bytes, { httpMetadata: { contentType: mime } })
  return withCleanup(
    () => env.FILES.delete(key),
    () =>
      work.commit(
        [
          work.guard(sql`${count} <= ${before.count}`),
          db.insert(classMaterials).values({
            id,
            name,
            extension,
            mimeType: mime,
            size: bytes.length,
            key,
            uploadedBy: userIdOf(caller),
            createdAt: now(),
          }),
          work.audit("created", "study material", { id, name }, { bytes: bytes.length, type: extension }),
        ],
        {
          media_id: id,
          name,
          type: extension,
          mime_type: mime,
          message: "File uploaded.",
          // Part of the stored answer, so that an idempotent retry has it too.
          storage_url: `${base}/api/class/study-material/${id}/download`,
        },
      ),
  )
}

/**
 * The condition that the caller instructs the class, or can see someone who is enrolled in it.
 */
const isParticipant = (caller: Caller): SQL =>
  sql`(${classes.instructorId} = ${caller.id} or exists (
    select 1 from ${classEnrollments}
    where ${classEnrollments.classId} = ${classes.id}
      and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}
      and ${canSeeUser(caller, classEnrollments.userId)}
  ))`

/**
 * Finds a file of a class for staff, the instructor, enrolled users and their supervisors.
 * @throws 404; 403 for downloads that the class does not allow
 */
export async function findClassMaterial(db: Database, caller: Caller, id: number, mode: "download" | "view") {
  const canSeeAll = canSeeAllUsers(caller)
  const [rows] = await db.batch([
    db
      .select({
        key: classMaterials.key,
        filename: classMaterials.name,
        extension: classMaterials.extension,
        type: classMaterials.mimeType,
        allowDownload: classes.allowDownload,
        isInstructor: sql<number>`coalesce(${classes.instructorId} = ${caller.id}, 0)`.as("is_instructor"),
      })
      .from(classMaterials)
      .leftJoin(classes, eq(classes.id, classMaterials.classId))
      .where(and(eq(classMaterials.id, id), canSeeAll ? undefined : isParticipant(caller))),
  ])
  const [found] = rows
  if (!found) throw notFound("file")
  const mayDownload = canSeeAll || found.isInstructor || found.allowDownload
  if (mode === "download" && !mayDownload)
    throw forbidden("The study material of this class can be viewed but not downloaded.", "view_only")
  const { key, type, filename, extension } = found
  return { key, type, filename: downloadName(filename, extension), inline: mode === "view" }
}

/**
 * Returns a class and its study material. A call by the learner is recorded as their last access.
 * @throws 404 for an enrollment that the caller cannot see; 409 for learners who canceled
 */
export async function openClassWithMaterial(work: UnitOfWork, registrationId: number) {
  const { db, caller } = work
  const [rows, material] = await work.read([
    db
      .select({
        userId: classEnrollments.userId,
        status: classEnrollments.status,
        allowDownload: classes.allowDownload,
        startAt: classes.startAt,
        endAt: classes.endAt,
        timeZone: classes.timeZone,
        courseName: classCourseName.as("course_name"),
        instructions: courseInstructions.as("its_instructions"),
        featuredImageUrl: courseImage.as("its_image"),
        locationName: locationName.as("location_name"),
        instructorName: instructorName.as("instructor_name"),
      })
      .from(classEnrollments)
      .innerJoin(classes, eq(classes.id, classEnrollments.classId))
      .where(and(eq(classEnrollments.id, registrationId), canSeeUser(caller, classEnrollments.userId))),
    db
      .select({
        id: classMaterials.id,
        name: classMaterials.name,
        extension: classMaterials.extension,
        mimeType: classMaterials.mimeType,
        createdAt: classMaterials.createdAt,
      })
      .from(classMaterials)
      .where(
        sql`${classMaterials.classId} = (
          select ${classEnrollments.classId} from ${classEnrollments}
          where ${classEnrollments.id} = ${registrationId}
        )`,
      )
      .orderBy(asc(classMaterials.position)),
  ])
  const [found] = rows
  if (!found) throw notFound("class enrollment")
  const isLearner = found.userId === caller.id
  if (isLearner && found.status === ClassStatus.Cancelled)
    throw conflict("enrollment_cancelled", "Your enrollment in this class was canceled.")
  const answer = { ...found, material, mayDownload: found.allowDownload || canSeeAllUsers(caller) }
  if (!isLearner) return work.commit([], answer)
  const { statement, marker } = recordLastAccess(db, registrationId)
  return work.commit([statement], answer, { marker })
}

/**
 * Returns a class for a calendar, for staff, the instructor, enrolled users and their supervisors. Its URL launches the
 * webinar for enrolled users and the instructor; for others it is the address of the meeting without a credential.
 * @param base the service's origin
 * @throws 404
 */
export async function getCalendarClass(
  db: Database,
  caller: Caller,
  id: number,
  { env, base }: { env: Bindings; base: string },
) {
  const [rows] = await db.batch([
    db
      .select({ ...calendarColumns(sql`${caller.id}`), language: userLanguage(sql`${caller.id}`) })
      .from(classes)
      .where(and(eq(classes.id, id), canSeeAllUsers(caller) ? undefined : isParticipant(caller))),
  ])
  const [found] = rows
  if (!found) throw notFound("class")
  return toCalendarClass(found, { env, base })
}

/** Deletes unused files that have expired. Run by the cron. */
export async function deleteUnusedMaterial(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  for (let batches = 0; batches < MAX_BATCHES; batches++)
    if ((await deleteUnusedBatch(env, db)) < DELETE_BATCH_SIZE) return
}

/** Deletes files before rows: the next run finds what an interrupted one leaves. @returns the number of files */
async function deleteUnusedBatch(env: Bindings, db: Database): Promise<number> {
  const unused = and(
    sql`${classMaterials.classId} is null`,
    lte(classMaterials.createdAt, now() - UNUSED_LIFETIME_MS - REMOVAL_DELAY_MS),
  )
  const [files] = await db.batch([
    db
      .select({ id: classMaterials.id, key: classMaterials.key })
      .from(classMaterials)
      .where(unused)
      .orderBy(asc(classMaterials.createdAt))
      .limit(DELETE_BATCH_SIZE),
  ])
  if (files.length === 0) return 0
  await env.FILES.delete(files.map(({ key }) => key))
  await db.batch([db.delete(classMaterials).where(sql`${classMaterials.id} in ${idList(files.map(({ id }) => id))}`)])
  return files.length
}
