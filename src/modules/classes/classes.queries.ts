import { asc, eq, sql } from "drizzle-orm"
import { classes, classMaterials, classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
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

/** How long one session may last. */
const LONGEST = 31 * DAY

/** @throws 422 */
function requireOrder({ startAt, endAt }: ClassSession) {
  if (endAt <= startAt) throw invalid("endTime", "endTime must be after startTime.")
  if (endAt - startAt > LONGEST) throw invalid("endTime", "endTime must be within 31 days of startTime.")
}

/** The records that a class names, and that there are. */
const named = (db: Database, input: Named) =>
  [
    existingRecords(db, courses, input.courseId === undefined ? [] : [input.courseId]),
    existingRecords(db, users, input.instructor === undefined ? [] : [input.instructor], sql`not ${users.disabled}`),
    db
      .select({ id: locations.id, capacity: locations.capacity })
      .from(locations)
      .where(eq(locations.id, input.location ?? 0)),
    // A file is in one class: another's is none for this one.
    existingRecords(db, classMaterials, mediaOf(input.studyMaterial), isAvailableToClass(input.id ?? 0)),
  ] as const

/** A file as a class names it: under a name of its own where one is given. */
interface Material {
  media_id: number
  name?: string | undefined
}

interface Named {
  id?: number | undefined
  courseId?: number | undefined
  instructor?: number | undefined
  location?: number | null | undefined
  studyMaterial?: Material[] | undefined
}
type Ids = { id: number }[]
const mediaOf = (material: Material[] | undefined) => [...new Set((material ?? []).map(({ media_id }) => media_id))]

/** @throws 422 for the first field that names what does not exist; an instructor must be enabled */
function requireNamed(input: Named, [courseRows, people, places, media]: [Ids, Ids, Ids, Ids]) {
  requireExisting("courseId", input.courseId === undefined ? [] : [input.courseId], courseRows)
  requireExisting("instructor", input.instructor === undefined ? [] : [input.instructor], people)
  requireExisting("location", input.location ? [input.location] : [], places)
  requireExisting("studyMaterial", mediaOf(input.studyMaterial), media)
}

/** What its sessions make of a class's columns. */
function spanOf(sessions: ClassSession[]) {
  const [first] = sessions
  const last = sessions.at(-1)
  if (!first || !last) throw new Error("A class without a session")
  return { startAt: first.startAt, endAt: last.endAt, sessionCount: sessions.length }
}

/** @param last the last of the ids that were given out for them */
const addSessions = (db: Database, of: { id: number; courseId: number }, sessions: ClassSession[], last: number) =>
  insertFrom(
    db,
    classSessions,
    {
      id: sql`${last - sessions.length} + key + 1`,
      classId: of.id,
      courseId: of.courseId,
      startAt: jsonField("startAt"),
      endAt: jsonField("endAt"),
    },
    sql`from ${rowList(sessions)} where true`,
  )

/** Makes these files the class's material, in this order and under the names given; a file is in one class. */
function setMaterial(work: UnitOfWork, classId: number, material: Material[]): Statement[] {
  const media = mediaOf(material)
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

/** A class's files, in order. */
const materialOf = (db: Database, classId: number) =>
  db
    .select({ id: classMaterials.id, name: classMaterials.name, extension: classMaterials.extension })
    .from(classMaterials)
    .where(eq(classMaterials.classId, classId))
    .orderBy(asc(classMaterials.position))

/** Whether a class's files are already these, so named. */
function isThere(material: Material[], held: { id: number; name: string }[]) {
  const named = new Map(held.map(({ id, name }) => [id, name]))
  return (
    JSON.stringify(mediaOf(material)) === JSON.stringify(held.map(({ id }) => id)) &&
    material.every(({ media_id, name }) => !name || named.get(media_id) === name)
  )
}

/** What a class's audit row says; never its password. */
const summaryOf = ({ webinar_host_pwd: _secret, startTime: _start, endTime: _end, ...input }: Partial<ClassChanges>) =>
  input

/** The class's name, for the audit row: its course's. */
const courseOf = (db: Database, id: number) => db.select({ name: courses.name }).from(courses).where(eq(courses.id, id))

/** The session of a class held once. */
function onceOf({ startTime, endTime }: NewClass, zone: string): ClassSession {
  if (!startTime || !endTime) throw new Error("A class without times")
  if (startTime.isWall && endTime.isWall) return singleSessionAt(zone, { startAt: startTime.at, endAt: endTime.at })
  return { startAt: momentOf(startTime, zone), endAt: momentOf(endTime, zone) }
}

/** @throws 422 for what does not exist, a file of another class among it, and for no dates */
export async function createClass(work: UnitOfWork, input: NewClass) {
  const { db, caller, env } = work
  const recurrence = input.type === "recurring" ? input.recurrence : undefined
  const { timeZone = academyZone(env) } = input
  const sessions = recurrence ? toInstants(timeZone, await wallSessions(recurrence)) : [onceOf(input, timeZone)]
  for (const session of sessions) requireOrder(session)
  const [ids, sessionIds, courseRows, ...found] = await work.read([
    work.nextIds("classes"),
    work.nextIds("class_sessions", sessions.length),
    courseOf(db, input.courseId),
    ...named(db, input),
  ])
  requireNamed(input, found)
  const id = firstRow(ids).last
  const { courseId, webinar_host_pwd: password } = input
  const material = input.studyMaterial ?? []
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
        ...spanOf(sessions),
        createdBy: userIdOf(caller),
        createdAt: now(),
      }),
      addSessions(db, { id, courseId }, sessions, firstRow(sessionIds).last),
      ...(material.length > 0 ? setMaterial(work, id, material) : []),
      work.audit(
        "created",
        "class",
        { id, name: firstRow(courseRows).name },
        { ...summaryOf(input), ...spanOf(sessions) },
      ),
    ],
    { id, message: recurrence ? `Class of ${pluralize(sessions.length, "session")} created.` : "Class created." },
  )
}

/** The webinar host's password; empty: none, or one that nobody can read any more. */
const hostPassword = (env: Bindings, sealed: string | null): string => (sealed && decrypted(env, sealed)) || ""

/** One class, for the form that changes it. @throws 404, also where it is another course's */
export async function getClass(db: Database, id: number, courseId: number | undefined, env: Bindings) {
  const [rows, material] = await db.batch([db.select().from(classes).where(eq(classes.id, id)), materialOf(db, id)])
  const [found] = rows
  if (!found || (courseId !== undefined && found.courseId !== courseId)) throw notFound("class")
  const { webinarHostPwd: sealed } = found
  return { ...found, material, webinarHostPwd: hostPassword(env, sealed) }
}

type ClassRow = typeof classes.$inferSelect
type NewTimes = Partial<Pick<ClassChanges, "startTime" | "endTime">>

/**
 * The span of a class after a change of its times or its zone, in which wall times stay.
 * A skipped start is shifted with its end.
 */
function movedSpan(before: ClassRow, { startTime, endTime }: NewTimes, zone: string): ClassSession {
  const wallThen = (at: number) => wallTimeOf(at, before.timeZone)
  const stays = (at: number) => (zone === before.timeZone ? at : instantOf(wallThen(at), zone))
  // What a form read and sends back stays, be it a wall time that comes twice that night.
  const then = (at: number, given: GivenTime | undefined) => {
    if (!given) return stays(at)
    const shown = given.isWall ? wallThen(at) : at
    if (shiftDate(shown, given) !== shown) return momentOf(given, zone)
    return given.isWall ? stays(at) : at
  }
  const areWalls = (startTime?.isWall ?? true) && (endTime?.isWall ?? true)
  const wall = { startAt: startTime?.at ?? wallThen(before.startAt), endAt: endTime?.at ?? wallThen(before.endAt) }
  if (areWalls && isSkipped(wall.startAt, zone)) return singleSessionAt(zone, wall)
  return { startAt: then(before.startAt, startTime), endAt: then(before.endAt, endTime) }
}

/**
 * The dates of a class after a change; undefined: as they are. A recurring class that is to be held once keeps its
 * first session, unless the change has times other than those that its form shows.
 * @param recurring what a new recurrence comes to, as wall times
 * @throws 422 for times of a recurring class, and for a recurring class without a recurrence
 */
async function redated(
  before: ClassRow,
  changes: ClassChanges,
  recurring: ClassSession[] | undefined,
): Promise<ClassSession[] | undefined> {
  const { recurrence, type = before.type, timeZone: zone = before.timeZone } = changes
  const isMoved = zone !== before.timeZone
  const isNew = recurrence && JSON.stringify(recurrence) !== JSON.stringify(before.recurrence)
  if (recurring) return isNew || isMoved ? toInstants(zone, recurring) : undefined
  const [there, session] = [movedSpan(before, {}, zone), movedSpan(before, changes, zone)]
  const [startStays, endStays] = [session.startAt === there.startAt, session.endAt === there.endAt]
  if (type === "onetime") {
    if (before.recurrence && endStays) session.endAt = session.startAt + sessionDuration(before.recurrence)
    return session.startAt === before.startAt && session.endAt === before.endAt ? undefined : [session]
  }
  if (!before.recurrence) throw invalid("recurrence", "recurrence is required for a recurring class.")
  if (!startStays || !endStays)
    throw invalid(
      "startTime",
      "startTime and endTime of a recurring class come from its recurrence; give that instead.",
    )
  return isMoved ? toInstants(zone, await wallSessions(before.recurrence)) : undefined
}

/**
 * Changes the given fields and leaves the others. A `recurrence` makes the class recur; the type `onetime` ends that.
 * @throws 404; 409 when its people are more than a new location has room for; 412; 422 as in create
 */
export async function updateClass(work: UnitOfWork, id: number, changes: ClassChanges, demanded?: number) {
  const { db, env } = work
  const { type, recurrence, studyMaterial, webinar_host_pwd: password, location } = changes
  const recurring = recurrence && (await wallSessions(recurrence))
  const dates =
    recurring?.length ?? sql`coalesce((select ${classes.sessionCount} from ${classes} where ${classes.id} = ${id}), 1)`
  const [rows, sessionIds, names, held, ...found] = await work.read([
    db.select().from(classes).where(eq(classes.id, id)),
    work.nextIds("class_sessions", dates),
    db
      .select({ name: classCourseName.as("course_name") })
      .from(classes)
      .where(eq(classes.id, id)),
    materialOf(db, id),
    ...named(db, { ...changes, id }),
  ])
  const before = requireVersion(rows, "class", demanded)
  requireNamed(changes, found)
  const sessions = await redated(before, changes, recurring)
  for (const session of sessions ?? []) requireOrder(session)
  const known = hostPassword(env, before.webinarHostPwd)
  const changed = changedFields(before, {
    courseId: changes.courseId ?? before.courseId,
    timeZone: changes.timeZone ?? before.timeZone,
    disabled: changes.disabled ?? before.disabled,
    allowDownload: changes.allowDownload ?? before.allowDownload,
    instructorId: changes.instructor ?? before.instructorId,
    locationId: location === undefined ? before.locationId : location,
    webinarProvider: changes.webinarProvider ?? before.webinarProvider,
    webinarMeetingId: changes.webinar_meeting_id ?? before.webinarMeetingId,
    ...(password !== undefined && password !== known && { webinarHostPwd: password ? encrypt(env, password) : null }),
    ...(recurrence && { type: "recurring" as const, recurrence }),
    ...(type === "onetime" && { type, recurrence: null }),
    ...(sessions && spanOf(sessions)),
  })
  const material = studyMaterial && !isThere(studyMaterial, held) ? studyMaterial : undefined
  const answer = { message: "Class updated." }
  if (Object.keys(changed).length === 0 && !sessions && !material) return work.commit([], answer)
  const [, , [room]] = found
  const enters = changed.locationId !== undefined && room
  if (enters) requireLocationCapacity({ ...room, size: before.size })
  const courseId = changes.courseId ?? before.courseId
  const summary = { ...summaryOf(changes), ...(sessions && spanOf(sessions)) }
  return work.commit(
    [
      guardUnchanged(work, classes, before),
      updateChanged(db, classes, before, changed),
      ...(enters ? [guardClassCapacity(work, [id])] : []),
      ...(sessions
        ? [
            db.delete(classSessions).where(eq(classSessions.classId, id)),
            addSessions(db, { id, courseId }, sessions, firstRow(sessionIds).last),
          ]
        : []),
      ...(material ? setMaterial(work, id, material) : []),
      work.audit("updated", "class", { id, name: firstRow(names).name }, summary),
    ],
    answer,
  )
}

/**
 * Deletes classes with the places in them; a job does it where they are many.
 * @param of the record that the call names
 * @param messageOf what to say, of counts that the batch makes sure of
 * @throws 404 where there is no such record
 */
async function removeClasses(
  work: UnitOfWork,
  { of, which }: { of: { table: typeof classes | typeof courses; id: number; thing: string }; which: ClassSelection },
  messageOf: (deleted: number, enrollments: number) => string,
) {
  const { db } = work
  const count = sql<number>`count(*)`.as("count")
  const these = isSelectedClass(which)
  const plan = planBackgroundWork(work, classDeletion, which)
  const [known, found, planned] = await work.read([
    existingRecords(db, of.table, [of.id]),
    db
      .select({ count, enrollments: subquery(countSelectedEnrollments(which)).as("held") })
      .from(classes)
      .where(these),
    plan.question,
  ])
  if (known.length === 0) throw notFound(of.thing)
  const { count: deleted, enrollments } = firstRow(found)
  if (deleted === 0) return work.commit([], { message: messageOf(deleted, enrollments) })
  const { statements, job, start } = plan.decide(planned)
  const answer = { message: messageOf(deleted, enrollments), ...job }
  await work.commit(
    [
      work.guard(sql`${eq(rowCount(classes, these), deleted)} and ${eq(countSelectedEnrollments(which), enrollments)}`),
      ...statements,
    ],
    answer,
  )
  await start()
  return answer
}

/** Deletes a class with the places in it. @throws 404 */
export const deleteClass = (work: UnitOfWork, id: number) =>
  removeClasses(work, { of: { table: classes, id, thing: "class" }, which: { classId: id } }, (_, enrollments) =>
    enrollments > 0 ? `Class deleted, with ${pluralize(enrollments, "enrollment")}.` : "Class deleted.",
  )

/** Deletes all classes of a course. @throws 404 for an unknown course */
export const deleteCourseClasses = (work: UnitOfWork, courseId: number) =>
  removeClasses(
    work,
    { of: { table: courses, id: courseId, thing: "course" }, which: { courseId } },
    (deleted, enrollments) =>
      `${pluralize(deleted, "class", "classes")} deleted and ${pluralize(enrollments, "enrollment")} removed.`,
  )
