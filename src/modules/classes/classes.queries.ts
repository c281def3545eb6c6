import { asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import { classes, classMaterials, classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import {
  changeExternalId,
  externalIdsBySource,
  selectExternalIds,
  toExternalIds,
  UNIQUE_EXTERNAL_ID,
} from "../../db/external-ids.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import {
  changedFields,
  existingRecords,
  guardUnchanged,
  requireExisting,
  requireVersion,
  updateChanged,
} from "../../db/records.ts"
import { idList, rowCount, rowList, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { userIdOf } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { decrypted, encrypt } from "../../lib/crypto/crypto.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { shiftDate } from "../../lib/text/dates.ts"
import { pluralize } from "../../lib/text/words.ts"
import { academyZone, type GivenTime, instantOf, isSkipped, momentOf, wallTimeOf } from "../../lib/text/zones.ts"
import { isAvailableToClass } from "./class-material.queries.ts"
import { classCourseName } from "./class-names.ts"
import { guardClassCapacity, requireLocationCapacity } from "./class-seats.ts"
import { type ClassSelection, classDeletion, countSelectedEnrollments, isSelectedClass } from "./classes.background.ts"
import type { ClassChanges, NewClass } from "./classes.schemas.ts"
import { type ClassSession, sessionDuration, singleSessionAt, toInstants, wallSessions } from "./recurrence.ts"

const MAX_SESSION_MS = 31 * DAY

/** @throws 422 */
function requireOrder({ startAt, endAt }: ClassSession) {
  if (endAt <= startAt) throw invalid("endTime", "endTime must be after startTime.")
  if (endAt - startAt > MAX_SESSION_MS) throw invalid("endTime", "endTime must be within 31 days of startTime.")
}

/** Selects the records that a class refers to. */
const selectReferences = (db: Database, input: References) =>
  [
    existingRecords(db, courses, input.courseId === undefined ? [] : [input.courseId]),
    existingRecords(db, users, input.instructor === undefined ? [] : [input.instructor], sql`not ${users.disabled}`),
    db
      .select({ id: locations.id, capacity: locations.capacity })
      .from(locations)
      .where(eq(locations.id, input.location ?? 0)),
    // A file belongs to one class, so files of other classes are not found.
    existingRecords(db, classMaterials, mediaIds(input.studyMaterial), isAvailableToClass(input.id ?? 0)),
  ] as const

/** A file of a class, with a name if it is renamed. */
interface MaterialInput {
  media_id: number
  name?: string | undefined
}

interface References {
  id?: number | undefined
  courseId?: number | undefined
  instructor?: number | undefined
  location?: number | null | undefined
  studyMaterial?: MaterialInput[] | undefined
}
type Ids = { id: number }[]
const mediaIds = (material: MaterialInput[] | undefined) => [
  ...new Set((material ?? []).map(({ media_id }) => media_id)),
]

/** @throws 422 for the first field that refers to a missing record or a disabled instructor */
function requireReferences(input: References, [courseRows, instructors, locationRows, media]: [Ids, Ids, Ids, Ids]) {
  requireExisting("courseId", input.courseId === undefined ? [] : [input.courseId], courseRows)
  requireExisting("instructor", input.instructor === undefined ? [] : [input.instructor], instructors)
  requireExisting("location", input.location ? [input.location] : [], locationRows)
  requireExisting("studyMaterial", mediaIds(input.studyMaterial), media)
}

/** The columns of a class that follow from its sessions. */
function classSpan(sessions: ClassSession[]) {
  const [first] = sessions
  const last = sessions.at(-1)
  if (!first || !last) throw new Error("A class without a session")
  return { startAt: first.startAt, endAt: last.endAt, sessionCount: sessions.length }
}

/** @param lastId the last of the ids that were given out for them */
const insertSessions = (
  db: Database,
  classRow: { id: number; courseId: number },
  sessions: ClassSession[],
  lastId: number,
) =>
  insertFrom(
    db,
    classSessions,
    {
      id: sql`${lastId - sessions.length} + key + 1`,
      classId: classRow.id,
      courseId: classRow.courseId,
      startAt: jsonField("startAt"),
      endAt: jsonField("endAt"),
    },
    sql`from ${rowList(sessions)} where true`,
  )

/** Replaces the material of a class, in the given order and with the given names. */
function setMaterial(work: UnitOfWork, classId: number, material: MaterialInput[]): Statement[] {
  const media = mediaIds(material)
  const names = Object.fromEntries(material.flatMap(({ media_id, name }) => (name ? [[media_id, name]] : [])))
  return [
    work.guard(
      eq(
        rowCount(classMaterials, sql`${classMaterials.id} in ${idList(media)} and ${isAvailableToClass(classId)}`),
        media.length,
      ),
    ),
    work.db
      .update(classMaterials)
      .set({ classId: null })
      .where(sql`${classMaterials.classId} = ${classId} and ${classMaterials.id} not in ${idList(media)}`),
    work.db
      .update(classMaterials)
      .set({
        classId,
        position: sql`(select key from json_each(${JSON.stringify(media)}) where value = ${classMaterials.id})`,
        name: sql`coalesce(
          (select value from json_each(${JSON.stringify(names)}) where key = ${classMaterials.id}),
          ${classMaterials.name}
        )`,
      })
      .where(sql`${classMaterials.id} in ${idList(media)}`),
  ]
}

/** Selects the files of a class in order. */
const selectMaterial = (db: Database, classId: number | SQL) =>
  db
    .select({ id: classMaterials.id, name: classMaterials.name, extension: classMaterials.extension })
    .from(classMaterials)
    .where(sql`${classMaterials.classId} = ${classId}`)
    .orderBy(asc(classMaterials.position))

function isSameMaterial(material: MaterialInput[], current: { id: number; name: string }[]) {
  const namesById = new Map(current.map(({ id, name }) => [id, name]))
  return (
    JSON.stringify(mediaIds(material)) === JSON.stringify(current.map(({ id }) => id)) &&
    material.every(({ media_id, name }) => !name || namesById.get(media_id) === name)
  )
}

/** The audit details of a class, without its password. */
const auditDetails = ({
  webinar_host_pwd: _secret,
  startTime: _start,
  endTime: _end,
  externalId: _id,
  externalIdSource: _source,
  ...input
}: Partial<ClassChanges>) => input

/** Selects the name of the course, which names the class in the audit log. */
const selectCourseName = (db: Database, id: number) =>
  db.select({ name: courses.name }).from(courses).where(eq(courses.id, id))

/** The session of a one-time class. */
function singleSession({ startTime, endTime }: NewClass, zone: string): ClassSession {
  if (!startTime || !endTime) throw new Error("A class without times")
  if (startTime.isWall && endTime.isWall) return singleSessionAt(zone, { startAt: startTime.at, endAt: endTime.at })
  return { startAt: momentOf(startTime, zone), endAt: momentOf(endTime, zone) }
}

/** @throws 422 for references to missing records or files of other classes, and for a recurrence without dates */
export async function createClass(work: UnitOfWork, input: NewClass) {
  const { db, caller, env } = work
  const recurrence = input.type === "recurring" ? input.recurrence : undefined
  const { timeZone = academyZone(env) } = input
  const sessions = recurrence ? toInstants(timeZone, await wallSessions(recurrence)) : [singleSession(input, timeZone)]
  for (const session of sessions) requireOrder(session)
  const [ids, sessionIds, courseRows, ...references] = await work.read([
    work.nextIds("classes"),
    work.nextIds("class_sessions", sessions.length),
    selectCourseName(db, input.courseId),
    ...selectReferences(db, input),
  ])
  requireReferences(input, references)
  const id = firstRow(ids).last
  const { courseId, webinar_host_pwd: password } = input
  const material = input.studyMaterial ?? []
  const external = changeExternalId(db, { object: "class", id, caller }, input)
  return work.commit(
    [
      db.insert(classes).values({
        id,
        courseId,
        type: recurrence ? "recurring" : "onetime",
        recurrence: recurrence ?? null,
        timeZone,
        disabled: input.disabled,
        allowDownload: input.allowDownload,
        instructorId: input.instructor,
        locationId: input.location ?? null,
        webinarProvider: input.webinarProvider ?? "",
        webinarMeetingId: input.webinar_meeting_id ?? "",
        webinarHostPwd: password ? encrypt(env, password) : null,
        ...classSpan(sessions),
        createdBy: userIdOf(caller),
        createdAt: now(),
      }),
      insertSessions(db, { id, courseId }, sessions, firstRow(sessionIds).last),
      ...(material.length > 0 ? setMaterial(work, id, material) : []),
      ...external.statements,
      work.audit(
        "created",
        "class",
        { id, name: firstRow(courseRows).name },
        { ...auditDetails(input), ...classSpan(sessions), ...external.details },
      ),
    ],
    { id, message: recurrence ? `Class with ${pluralize(sessions.length, "session")} created.` : "Class created." },
    { unique: UNIQUE_EXTERNAL_ID },
  )
}

/** Decrypts the host password of the webinar; empty if there is none or its key was removed. */
const decryptHostPassword = (env: Bindings, encrypted: string | null): string =>
  (encrypted && decrypted(env, encrypted)) || ""

/**
 * Returns a class for its edit form.
 * @param id the id, or an expression of it
 * @throws 404, also for a class of another course
 */
export async function getClass({ db, caller, env }: UnitOfWork, id: number | SQL, courseId?: number) {
  const [rows, material] = await db.batch([
    db
      .select({
        ...getTableColumns(classes),
        externalIdsJson: externalIdsBySource("class", classes.id).as("external_ids_json"),
      })
      .from(classes)
      .where(sql`${classes.id} = ${id}`),
    selectMaterial(db, id),
  ])
  const [found] = rows
  if (!found || (courseId !== undefined && found.courseId !== courseId)) throw notFound("class")
  const { webinarHostPwd: encrypted, externalIdsJson } = found
  return {
    ...found,
    ...toExternalIds(caller, externalIdsJson),
    material,
    webinarHostPwd: decryptHostPassword(env, encrypted),
  }
}

type ClassRow = typeof classes.$inferSelect
type NewTimes = Partial<Pick<ClassChanges, "startTime" | "endTime">>

/**
 * Returns the start and the end of a class after a change of its times or its zone. A change of the zone keeps the wall
 * times. If daylight saving time skips the start, the start and the end move together.
 */
function rescheduledSpan(before: ClassRow, { startTime, endTime }: NewTimes, zone: string): ClassSession {
  const wallTimeBefore = (at: number) => wallTimeOf(at, before.timeZone)
  const unchanged = (at: number) => (zone === before.timeZone ? at : instantOf(wallTimeBefore(at), zone))
  // A form that sends the displayed time changes nothing, even if that wall time occurs twice in the night.
  const changedTime = (at: number, input: GivenTime | undefined) => {
    if (!input) return unchanged(at)
    const displayed = input.isWall ? wallTimeBefore(at) : at
    if (shiftDate(displayed, input) !== displayed) return momentOf(input, zone)
    return input.isWall ? unchanged(at) : at
  }
  const areWalls = (startTime?.isWall ?? true) && (endTime?.isWall ?? true)
  const wall = {
    startAt: startTime?.at ?? wallTimeBefore(before.startAt),
    endAt: endTime?.at ?? wallTimeBefore(before.endAt),
  }
  if (areWalls && isSkipped(wall.startAt, zone)) return singleSessionAt(zone, wall)
  return { startAt: changedTime(before.startAt, startTime), endAt: changedTime(before.endAt, endTime) }
}

/**
 * Returns the sessions of a class after a change; undefined if they stay the same. A recurring class that becomes
 * one-time keeps its first session, unless the change has other times.
 * @param recurring the wall times of the new recurrence
 * @throws 422 for times of a recurring class, and for a recurring class without a recurrence
 */
async function changedSessions(
  before: ClassRow,
  changes: ClassChanges,
  recurring: ClassSession[] | undefined,
): Promise<ClassSession[] | undefined> {
  const { recurrence, type = before.type, timeZone: zone = before.timeZone } = changes
  const isMoved = zone !== before.timeZone
  const isNew = recurrence && JSON.stringify(recurrence) !== JSON.stringify(before.recurrence)
  if (recurring) return isNew || isMoved ? toInstants(zone, recurring) : undefined
  const [unchanged, session] = [rescheduledSpan(before, {}, zone), rescheduledSpan(before, changes, zone)]
  const [isSameStart, isSameEnd] = [session.startAt === unchanged.startAt, session.endAt === unchanged.endAt]
  if (type === "onetime") {
    if (before.recurrence && isSameEnd) session.endAt = session.startAt + sessionDuration(before.recurrence)
    return session.startAt === before.startAt && session.endAt === before.endAt ? undefined : [session]
  }
  if (!before.recurrence) throw invalid("recurrence", "recurrence is required for a recurring class.")
  if (!isSameStart || !isSameEnd)
    throw invalid(
      "startTime",
      "A recurring class takes its times from recurrence. Send recurrence instead of startTime and endTime.",
    )
  return isMoved ? toInstants(zone, await wallSessions(before.recurrence)) : undefined
}

/**
 * Changes the given fields of a class. A `recurrence` makes it recurring, the type `onetime` makes it one-time.
 * @throws 404; 409 when a new location has too few seats; 412; 422 as in create
 */
export async function updateClass(work: UnitOfWork, id: number, changes: ClassChanges, expectedVersion?: number) {
  const { db, env, caller } = work
  const { type, recurrence, studyMaterial, webinar_host_pwd: password, location } = changes
  const recurring = recurrence && (await wallSessions(recurrence))
  const sessionCount =
    recurring?.length ?? sql`coalesce((select ${classes.sessionCount} from ${classes} where ${classes.id} = ${id}), 1)`
  const [rows, sessionIds, courseNames, currentMaterial, currentIds, ...references] = await work.read([
    db.select().from(classes).where(eq(classes.id, id)),
    work.nextIds("class_sessions", sessionCount),
    db
      .select({ name: classCourseName.as("course_name") })
      .from(classes)
      .where(eq(classes.id, id)),
    selectMaterial(db, id),
    selectExternalIds(db, "class", id),
    ...selectReferences(db, { ...changes, id }),
  ])
  const before = requireVersion(rows, "class", expectedVersion)
  requireReferences(changes, references)
  const sessions = await changedSessions(before, changes, recurring)
  for (const session of sessions ?? []) requireOrder(session)
  const currentPassword = decryptHostPassword(env, before.webinarHostPwd)
  const changed = changedFields(before, {
    courseId: changes.courseId ?? before.courseId,
    timeZone: changes.timeZone ?? before.timeZone,
    disabled: changes.disabled ?? before.disabled,
    allowDownload: changes.allowDownload ?? before.allowDownload,
    instructorId: changes.instructor ?? before.instructorId,
    locationId: location === undefined ? before.locationId : location,
    webinarProvider: changes.webinarProvider ?? before.webinarProvider,
    webinarMeetingId: changes.webinar_meeting_id ?? before.webinarMeetingId,
    ...(password !== undefined &&
      password !== currentPassword && { webinarHostPwd: password ? encrypt(env, password) : null }),
    ...(recurrence && { type: "recurring" as const, recurrence }),
    ...(type === "onetime" && { type, recurrence: null }),
    ...(sessions && classSpan(sessions)),
  })
  const material = studyMaterial && !isSameMaterial(studyMaterial, currentMaterial) ? studyMaterial : undefined
  const answer = { message: "Class updated." }
  const external = changeExternalId(db, { object: "class", id, caller }, changes, currentIds)
  if (Object.keys(changed).length === 0 && !sessions && !material && !external.changes) return work.commit([], answer)
  const [, , [locationRow]] = references
  const isNewLocation = changed.locationId !== undefined && locationRow
  if (isNewLocation) requireLocationCapacity({ ...locationRow, size: before.size })
  const courseId = changes.courseId ?? before.courseId
  const summary = { ...auditDetails(changes), ...(sessions && classSpan(sessions)), ...external.details }
  return work.commit(
    [
      guardUnchanged(classes, before),
      updateChanged(db, classes, before, changed),
      ...(isNewLocation ? [guardClassCapacity(work, [id])] : []),
      ...(sessions
        ? [
            db.delete(classSessions).where(eq(classSessions.classId, id)),
            insertSessions(db, { id, courseId }, sessions, firstRow(sessionIds).last),
          ]
        : []),
      ...(material ? setMaterial(work, id, material) : []),
      ...external.statements,
      work.audit("updated", "class", { id, name: firstRow(courseNames).name }, summary),
    ],
    answer,
    { unique: UNIQUE_EXTERNAL_ID },
  )
}

/**
 * Deletes classes with their enrollments, in a background job if there are many.
 * @param owner the record in the request
 * @param messageOf makes the message from counts that the batch guards
 * @throws 404 when the record does not exist
 */
async function deleteClasses(
  work: UnitOfWork,
  {
    of: owner,
    which: selection,
  }: { of: { table: typeof classes | typeof courses; id: number; thing: string }; which: ClassSelection },
  messageOf: (deleted: number, enrollments: number) => string,
) {
  const { db } = work
  const count = sql<number>`count(*)`.as("count")
  const isSelected = isSelectedClass(selection)
  const plan = planBackgroundWork(work, classDeletion, selection)
  const [ownerRows, found, planned] = await work.read([
    existingRecords(db, owner.table, [owner.id]),
    db
      .select({ count, enrollments: subquery(countSelectedEnrollments(selection)).as("held") })
      .from(classes)
      .where(isSelected),
    plan.question,
  ])
  if (ownerRows.length === 0) throw notFound(owner.thing)
  const { count: deleted, enrollments } = firstRow(found)
  if (deleted === 0) return work.commit([], { message: messageOf(deleted, enrollments) })
  const { statements, job, start } = plan.decide(planned)
  const answer = { message: messageOf(deleted, enrollments), ...job }
  await work.commit(
    [
      work.guard(
        sql`${eq(rowCount(classes, isSelected), deleted)} and ${eq(countSelectedEnrollments(selection), enrollments)}`,
      ),
      ...statements,
    ],
    answer,
  )
  await start()
  return answer
}

/** Deletes a class with its enrollments. @throws 404 */
export const deleteClass = (work: UnitOfWork, id: number) =>
  deleteClasses(work, { of: { table: classes, id, thing: "class" }, which: { classId: id } }, (_, enrollments) =>
    enrollments > 0 ? `Class deleted, with ${pluralize(enrollments, "enrollment")}.` : "Class deleted.",
  )

/** Deletes all classes of a course. @throws 404 for an unknown course */
export const deleteCourseClasses = (work: UnitOfWork, courseId: number) =>
  deleteClasses(
    work,
    { of: { table: courses, id: courseId, thing: "course" }, which: { courseId } },
    (deleted, enrollments) =>
      `${pluralize(deleted, "class", "classes")} deleted and ${pluralize(enrollments, "enrollment")} removed.`,
  )
