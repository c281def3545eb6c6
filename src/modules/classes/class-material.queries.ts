import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm"
import { classEnrollments, classes, classMaterials } from "../../../drizzle/schema/classes.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { requireUploadQuota } from "../../access/quotas.ts"
import { canSeeUser } from "../../access/scope.ts"
import { type Database, firstRow, openDatabase } from "../../db/client.ts"
import { withCleanup } from "../../db/commit-errors.ts"
import { idList, literal, rowCount, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, canSeeAllUsers, userIdOf } from "../../lib/caller.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { conflict, forbidden, notFound, tooLarge, unsupported } from "../../lib/errors.ts"
import { detectContent, downloadName, fileNameOf } from "../../lib/files/file-kinds.ts"
import { classCourseName, courseImage, courseInstructions, instructorName, locationName } from "./class-names.ts"
import { recordLastAccess } from "./last-access.queries.ts"
import { meetingName, meetingUrl, webinarLaunchUrl } from "./meeting.ts"

/** Bytes of a file. */
const LARGEST = 25_000_000
/** How long a class can name a file that is in none. */
const UNUSED_LIFETIME = 7 * DAY
/** How much later it is removed: no change that named it in time is under way any more. */
const REMOVED_AFTER = 5 * MINUTE
/** How many files R2 deletes at once. */
const FILES_AT_ONCE = 1000
/** How many times so many one run of the sweep removes. */
const MAX_SLICES = 5

/** The condition that a class can have a file: it is in that class, or was uploaded lately and is in none. */
export const isAvailableToClass = (classId: number): SQL => sql`(
  ${classMaterials.classId} = ${classId}
  or (${classMaterials.classId} is null and ${classMaterials.createdAt} > ${now() - UNUSED_LIFETIME})
)`

/** Keeps a file for a class to name by its `media_id`. @throws 409 for too many unused files, 413, 415 */
export async function uploadClassMaterial(work: UnitOfWork, base: string, file: File, name = fileNameOf(file)) {
  const { db, caller, env } = work
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes.length > LARGEST) throw tooLarge(`The file is larger than ${LARGEST / 1_000_000} MB.`)
  const content = await detectContent(bytes)
  if (!content) throw unsupported(`${name} is, by its content, of no type that is taken here.`)
  const unused = sql`${classMaterials.uploadedBy} is ${userIdOf(caller)} and ${classMaterials.classId} is null`
  const count = rowCount(classMaterials, unused)
  const [ids, [waiting]] = await work.read([
    work.nextIds("class_materials"),
    db
      .select({
        count: sql<number>`count(*)`.as("unused_files"),
        bytes: sql<number>`coalesce(sum(${classMaterials.size}), 0)`.as("unused_bytes"),
      })
      .from(classMaterials)
      .where(unused),
  ])
  const had = waiting ?? { count: 0, bytes: 0 }
  requireUploadQuota(env, had, bytes.length, "Name them in a class")
  const id = firstRow(ids).last
  const key = `classes/${randomToken()}`
  const { extension, mime } = content
  await env.FILES.put(key, bytes, { httpMetadata: { contentType: mime } })
  return withCleanup(
    () => env.FILES.delete(key),
    () =>
      work.commit(
        [
          work.guard(sql`${count} <= ${had.count}`),
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
          // In here, so that the answer to a repeated call has it too.
          storage_url: `${base}/api/class/study-material/${id}/download`,
        },
      ),
  )
}

/**
 * Whether the class of the row is the caller's to instruct, or somebody holds a place in it whom the caller may know.
 */
const takesPart = (caller: Caller): SQL =>
  sql`(${classes.instructorId} = ${caller.id} or exists (
    select 1 from ${classEnrollments}
    where ${classEnrollments.classId} = ${classes.id}
      and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}
      and ${canSeeUser(caller, classEnrollments.userId)}
  ))`

/**
 * A file of a class: for staff, its instructor, those who hold a place in it and their supervisors.
 * @param how to save it, or to show it in place
 * @throws 404; 403 to save what may only be viewed
 */
export async function findClassMaterial(db: Database, caller: Caller, id: number, how: "download" | "view") {
  const everything = canSeeAllUsers(caller)
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
      .where(and(eq(classMaterials.id, id), everything ? undefined : takesPart(caller))),
  ])
  const [found] = rows
  if (!found) throw notFound("file")
  const mayDownload = everything || found.isInstructor || found.allowDownload
  if (how === "download" && !mayDownload)
    throw forbidden("The study material of this class may only be viewed.", "view_only")
  const { key, type, filename, extension } = found
  return { key, type, filename: downloadName(filename, extension), inline: how === "view" }
}

/**
 * What a class enrollment gives: the class and its study material. The learner's own call is their last access.
 * @throws 404 outside the caller's reach; 409 to the learner whose place was cancelled
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
  const isOwn = found.userId === caller.id
  if (isOwn && found.status === ClassStatus.Cancelled)
    throw conflict("enrollment_cancelled", "Your place in this class was cancelled.")
  const answer = { ...found, material, mayDownload: found.allowDownload || canSeeAllUsers(caller) }
  if (!isOwn) return work.commit([], answer)
  const { statement, mark } = recordLastAccess(db, registrationId)
  return work.commit([statement], answer, { mark })
}

/**
 * A class for a calendar: for staff, its instructor, those who hold a place in it, and their supervisors. With where it
 * is joined online: those who hold a place launch it there, for others it is the meeting's bare address.
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
      .select({
        id: classes.id,
        version: classes.version,
        timeZone: classes.timeZone,
        startAt: classes.startAt,
        lastAt: classes.endAt,
        recurrence: classes.recurrence,
        sessionCount: classes.sessionCount,
        disabled: classes.disabled,
        webinarProvider: classes.webinarProvider,
        webinarMeetingId: classes.webinarMeetingId,
        // The instructor launches it by any registration of the class.
        registrationId: subquery(
          sql<number | null>`(
            select ${classEnrollments.id} from ${classEnrollments}
            where ${classEnrollments.classId} = ${classes.id}
              and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}
              and (${classEnrollments.userId} = ${caller.id} or ${classes.instructorId} = ${caller.id})
            order by ${classEnrollments.userId} = ${caller.id} desc limit 1
          )`,
        ).as("own_registration_id"),
        courseName: classCourseName.as("course_name"),
        location: locationName.as("location_name"),
        instructor: instructorName.as("instructor_name"),
        endAt: subquery(
          sql<number>`(select min(end_at) from class_sessions where class_sessions.class_id = ${classes.id})`,
        ).as("first_end"),
      })
      .from(classes)
      .where(and(eq(classes.id, id), canSeeAllUsers(caller) ? undefined : takesPart(caller))),
  ])
  const [found] = rows
  if (!found) throw notFound("class")
  const { registrationId, webinarMeetingId, ...held } = found
  const joined = () =>
    registrationId === null
      ? meetingUrl(env, meetingName(id, webinarMeetingId))?.href
      : webinarLaunchUrl(base, registrationId)
  return { ...held, url: held.webinarProvider && !held.disabled ? joined() : undefined }
}

/** Removes files older than seven days that are in no class. Run by the cron. */
export async function deleteUnusedMaterial(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  for (let slices = 0; slices < MAX_SLICES; slices++) if ((await removeUnused(env, db)) < FILES_AT_ONCE) return
}

/** Files first: what a run that dies in between leaves behind, the next one finds. @returns how many were removed */
async function removeUnused(env: Bindings, db: Database): Promise<number> {
  const unused = and(
    sql`${classMaterials.classId} is null`,
    lte(classMaterials.createdAt, now() - UNUSED_LIFETIME - REMOVED_AFTER),
  )
  const [going] = await db.batch([
    db
      .select({ id: classMaterials.id, key: classMaterials.key })
      .from(classMaterials)
      .where(unused)
      .orderBy(asc(classMaterials.createdAt))
      .limit(FILES_AT_ONCE),
  ])
  if (going.length === 0) return 0
  await env.FILES.delete(going.map(({ key }) => key))
  await db.batch([db.delete(classMaterials).where(sql`${classMaterials.id} in ${idList(going.map(({ id }) => id))}`)])
  return going.length
}
