import { asc, eq, type SQL, sql } from "drizzle-orm"
import { classEnrolments, classes, classMaterials, classSessions } from "../../../drizzle/classes.ts"
import { courses } from "../../../drizzle/courses.ts"
import { locations } from "../../../drizzle/locations.ts"
import { users } from "../../../drizzle/users.ts"
import { DAY, now } from "../../lib/clock.ts"
import { seal, unseal } from "../../lib/crypto.ts"
import { type Database, one } from "../../lib/db.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { current, differences, present, requireAll, unchanged } from "../../lib/records.ts"
import { idList, rowList } from "../../lib/sql.ts"
import { counted } from "../../lib/words.ts"
import type { Statement, UnitOfWork } from "../../lib/work.ts"
import { courseName } from "./class-names.ts"
import type { ClassChanges, NewClass } from "./classes.schemas.ts"
import { type Session, sessionsOf } from "./recurrence.ts"

/** How long one session may last. */
const LONGEST = 31 * DAY

/** @throws 422 */
function requireOrder({ startAt, endAt }: Session) {
  if (endAt <= startAt) throw invalid("endTime", "endTime must be after startTime.")
  if (endAt - startAt > LONGEST) throw invalid("endTime", "endTime must be within 31 days of startTime.")
}

/** The records that a class names, and that there are. */
const named = (db: Database, input: Named) =>
  [
    present(db, courses, input.courseId === undefined ? [] : [input.courseId]),
    present(db, users, input.instructor === undefined ? [] : [input.instructor], sql`not ${users.disabled}`),
    present(db, locations, input.location ? [input.location] : []),
    // A file is in one class: another's is none for this one.
    present(
      db,
      classMaterials,
      mediaOf(input.studyMaterial),
      sql`(${classMaterials.classId} is null or ${classMaterials.classId} = ${input.id ?? 0})`,
    ),
  ] as const

interface Named {
  id?: number | undefined
  courseId?: number | undefined
  instructor?: number | undefined
  location?: number | null | undefined
  studyMaterial?: { media_id: number }[] | undefined
}
type Ids = { id: number }[]
const mediaOf = (material: { media_id: number }[] | undefined) => [
  ...new Set((material ?? []).map(({ media_id }) => media_id)),
]

/** @throws 422 for the first field that names what does not exist; an instructor must be enabled */
function requireNamed(input: Named, [courseRows, people, places, media]: [Ids, Ids, Ids, Ids]) {
  requireAll("courseId", input.courseId === undefined ? [] : [input.courseId], courseRows)
  requireAll("instructor", input.instructor === undefined ? [] : [input.instructor], people)
  requireAll("location", input.location ? [input.location] : [], places)
  requireAll("studyMaterial", mediaOf(input.studyMaterial), media)
}

/** What its sessions make of a class's columns. */
function spanOf(sessions: Session[]) {
  const [first] = sessions
  const last = sessions.at(-1)
  if (!first || !last) throw new Error("A class without a session")
  return { startAt: first.startAt, endAt: last.endAt, sessionCount: sessions.length }
}

/** @param last the last of the ids that were given out for them */
const addSessions = (db: Database, of: { id: number; courseId: number }, sessions: Session[], last: number) =>
  db
    .insert(classSessions)
    .select(
      sql`select ${last - sessions.length} + key + 1 as id, ${of.id} as class_id, ${of.courseId} as course_id, value ->> '$.startAt' as start_at, value ->> '$.endAt' as end_at from ${rowList(sessions)} where true`,
    )

/** Makes these files the class's material, in this order; a file is in one class. */
const setMaterial = (work: UnitOfWork, classId: number, media: number[]): Statement[] => [
  work.guard(
    sql`(select count(*) from ${classMaterials} where ${classMaterials.id} in ${idList(media)} and (${classMaterials.classId} is null or ${classMaterials.classId} = ${classId})) = ${media.length}`,
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
    })
    .where(sql`${classMaterials.id} in ${idList(media)}`),
]

/** What a class's audit row says; never its password. */
const summaryOf = ({ webinar_host_pwd: _secret, ...input }: Partial<ClassChanges>) => input

/** The class's name, for the audit row: its course's. */
const courseOf = (db: Database, id: number) => db.select({ name: courses.name }).from(courses).where(eq(courses.id, id))

/** @throws 422 for what does not exist, a file of another class among it, and for no dates */
export async function createClass(work: UnitOfWork, input: NewClass) {
  const { db, caller, env } = work
  const recurrence = input.type === "recurring" ? input.recurrence : undefined
  const sessions = recurrence
    ? await sessionsOf(recurrence)
    : [{ startAt: input.startTime ?? 0, endAt: input.endTime ?? 0 }]
  for (const session of sessions) requireOrder(session)
  const [ids, sessionIds, courseRows, ...found] = await work.read([
    work.nextIds("classes"),
    work.nextIds("class_sessions", sessions.length),
    courseOf(db, input.courseId),
    ...named(db, input),
  ])
  requireNamed(input, found)
  const id = one(ids).last
  const { courseId, webinar_host_pwd: password } = input
  const media = mediaOf(input.studyMaterial)
  return work.commit(
    [
      db.insert(classes).values({
        id,
        courseId,
        type: recurrence ? "recurring" : "onetime",
        recurrence: recurrence ?? null,
        disabled: input.disabled,
        allowDownload: input.allowDownload,
        instructorId: input.instructor,
        locationId: input.location ?? null,
        webinarProvider: input.webinarProvider ?? "",
        webinarMeetingId: input.webinar_meeting_id ?? "",
        webinarHostPwd: password ? seal(env.APP_SECRET, password) : null,
        ...spanOf(sessions),
        createdBy: caller.id,
        createdAt: now(),
      }),
      addSessions(db, { id, courseId }, sessions, one(sessionIds).last),
      ...(media.length > 0 ? setMaterial(work, id, media) : []),
      work.audit("created", "class", { id, name: one(courseRows).name }, summaryOf(input)),
    ],
    { id, message: recurrence ? `Class of ${counted(sessions.length, "session")} created.` : "Class created." },
  )
}

/** One class, for the form that changes it. @throws 404, also where it is another course's */
export async function editClass(db: Database, secret: string, id: number, courseId: number | undefined) {
  const [rows, material] = await db.batch([
    db.select().from(classes).where(eq(classes.id, id)),
    db
      .select({ id: classMaterials.id, name: classMaterials.name, extension: classMaterials.extension })
      .from(classMaterials)
      .where(eq(classMaterials.classId, id))
      .orderBy(asc(classMaterials.position)),
  ])
  const [found] = rows
  if (!found || (courseId !== undefined && found.courseId !== courseId)) throw notFound("class")
  const { webinarHostPwd: sealed } = found
  return { ...found, material, webinarHostPwd: sealed === null ? "" : unseal(secret, sealed) }
}

/** The dates of a onetime class after a change; undefined: as they are. @throws 422 for a recurring class */
function movedSession(
  before: typeof classes.$inferSelect,
  { startTime, endTime }: ClassChanges,
): Session[] | undefined {
  const session = { startAt: startTime ?? before.startAt, endAt: endTime ?? before.endAt }
  if (session.startAt === before.startAt && session.endAt === before.endAt) return undefined
  if (before.type === "recurring")
    throw invalid(
      "startTime",
      "startTime and endTime of a recurring class come from its recurrence; give that instead.",
    )
  return [session]
}

/**
 * Changes the given fields and leaves the others. A `recurrence` makes the class recur.
 * @throws 404; 409 when somebody else was faster; 422 as in create
 */
export async function updateClass(work: UnitOfWork, changes: ClassChanges) {
  const { db, env } = work
  const { id, recurrence, studyMaterial, webinar_host_pwd: password } = changes
  const recurring = recurrence && (await sessionsOf(recurrence))
  const [rows, sessionIds, names, ...found] = await work.read([
    db.select().from(classes).where(eq(classes.id, id)),
    work.nextIds("class_sessions", recurring?.length ?? 1),
    db
      .select({ name: courseName.as("course_name") })
      .from(classes)
      .where(eq(classes.id, id)),
    ...named(db, changes),
  ])
  const before = current(rows, "class")
  requireNamed(changes, found)
  const sessions = recurring ?? movedSession(before, changes)
  for (const session of sessions ?? []) requireOrder(session)
  const changed = differences(before, {
    courseId: changes.courseId ?? before.courseId,
    disabled: changes.disabled ?? before.disabled,
    allowDownload: changes.allowDownload ?? before.allowDownload,
    instructorId: changes.instructor ?? before.instructorId,
    locationId: changes.location === undefined ? before.locationId : changes.location,
    webinarProvider: changes.webinarProvider ?? before.webinarProvider,
    webinarMeetingId: changes.webinar_meeting_id ?? before.webinarMeetingId,
    ...(password !== undefined && { webinarHostPwd: password ? seal(env.APP_SECRET, password) : null }),
    ...(recurrence && { type: "recurring", recurrence }),
    ...(sessions && spanOf(sessions)),
  })
  const answer = { message: "Class updated." }
  if (Object.keys(changed).length === 0 && !sessions && !studyMaterial) return work.commit([], answer)
  const courseId = changes.courseId ?? before.courseId
  return work.commit(
    [
      unchanged(work, classes, before),
      db
        .update(classes)
        .set({ ...changed, version: sql`${classes.version} + 1` })
        .where(eq(classes.id, id)),
      ...(sessions
        ? [
            db.delete(classSessions).where(eq(classSessions.classId, id)),
            addSessions(db, { id, courseId }, sessions, one(sessionIds).last),
          ]
        : []),
      ...(studyMaterial ? setMaterial(work, id, mediaOf(studyMaterial)) : []),
      work.audit("updated", "class", { id, name: one(names).name }, summaryOf(changes)),
    ],
    answer,
  )
}

/**
 * Deletes classes with the places in them.
 * @param of the record that the call names
 * @param messageOf what to say, of counts that the batch makes sure of
 * @throws 404 where there is no such record
 */
async function removeClasses(
  work: UnitOfWork,
  { of, which }: { of: { table: typeof classes | typeof courses; id: number; thing: string }; which: SQL },
  messageOf: (deleted: number, enrolments: number) => string,
) {
  const { db } = work
  const count = sql<number>`count(*)`.as("count")
  const places = sql`${classEnrolments.classId} in (select ${classes.id} from ${classes} where ${which})`
  const [known, found, held] = await work.read([
    present(db, of.table, [of.id]),
    db.select({ count }).from(classes).where(which),
    db.select({ count }).from(classEnrolments).where(places),
  ])
  if (known.length === 0) throw notFound(of.thing)
  const [deleted, enrolments] = [one(found).count, one(held).count]
  const answer = { message: messageOf(deleted, enrolments) }
  if (deleted === 0) return work.commit([], answer)
  return work.commit(
    [
      work.guard(
        sql`(select count(*) from ${classes} where ${which}) = ${deleted} and (select count(*) from ${classEnrolments} where ${places}) = ${enrolments}`,
      ),
      work.auditMany(
        "deleted",
        "class",
        sql`select ${classes.id} as id, ${courseName} as name, json_object('enrolments', (select count(*) from ${classEnrolments} where ${classEnrolments.classId} = ${classes.id})) as details from ${classes} where ${which}`,
      ),
      db.delete(classEnrolments).where(places),
      db.delete(classes).where(which),
    ],
    answer,
  )
}

/** Deletes a class with the places in it. @throws 404 */
export const deleteClass = (work: UnitOfWork, id: number) =>
  removeClasses(work, { of: { table: classes, id, thing: "class" }, which: eq(classes.id, id) }, (_, enrolments) =>
    enrolments > 0 ? `Class deleted, with ${counted(enrolments, "enrolment")}.` : "Class deleted.",
  )

/** Deletes all classes of a course. @throws 404 for an unknown course */
export const deleteCourseClasses = (work: UnitOfWork, courseId: number) =>
  removeClasses(
    work,
    { of: { table: courses, id: courseId, thing: "course" }, which: eq(classes.courseId, courseId) },
    (deleted, enrolments) =>
      `${counted(deleted, "class", "classes")} deleted and ${counted(enrolments, "enrolment")} removed.`,
  )
