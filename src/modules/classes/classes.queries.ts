import { and, eq, type SQL, sql } from "drizzle-orm"
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
import {
  changedFields,
  existingRecords,
  guardUnchanged,
  requireExisting,
  requireVersion,
  updateChanged,
} from "../../db/records.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { academyZone } from "../../lib/text/zones.ts"
import { classDetails, classFields, decryptHostPassword, encryptHostPassword } from "./class-fields.ts"
import { isSameMaterial, type MaterialInput, mediaIds, selectMaterial, setMaterial } from "./class-files.ts"
import { isAvailableToClass } from "./class-material.queries.ts"
import { classCourseName } from "./class-names.ts"
import { classChangeNotices } from "./class-notices.ts"
import { guardClassCapacity, requireLocationCapacity } from "./class-seats.ts"
import { changedSessions, classSpan, insertSessions, requireOrder, singleSession } from "./class-sessions.ts"
import type { ClassChanges, NewClass } from "./classes.schemas.ts"
import { toInstants, wallSessions } from "./recurrence.ts"

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

interface References {
  id?: number | undefined
  courseId?: number | undefined
  instructor?: number | undefined
  location?: number | null | undefined
  studyMaterial?: MaterialInput[] | undefined
}

type Ids = { id: number }[]

/** @throws 422 for the first field that refers to a missing record or a disabled instructor */
function requireReferences(input: References, [courseRows, instructors, locationRows, media]: [Ids, Ids, Ids, Ids]) {
  requireExisting("courseId", input.courseId === undefined ? [] : [input.courseId], courseRows)
  requireExisting("instructor", input.instructor === undefined ? [] : [input.instructor], instructors)
  requireExisting("location", input.location ? [input.location] : [], locationRows)
  requireExisting("studyMaterial", mediaIds(input.studyMaterial), media)
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
  const { courseId } = input
  const material = input.studyMaterial ?? []
  const external = changeExternalId(db, { object: "class", id, caller }, input)
  return work.commit(
    [
      db.insert(classes).values({
        ...classFields.toInsert(input),
        id,
        type: recurrence ? "recurring" : "onetime",
        recurrence: recurrence ?? null,
        timeZone,
        webinarHostPwd: encryptHostPassword(env, input.webinar_host_pwd),
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

/**
 * Returns a class for its edit form.
 * @param id the id, or an expression of it
 * @throws 404, also for a class of another course
 */
export async function getClass({ db, caller }: UnitOfWork, id: number | SQL, courseId?: number) {
  const isOfCourse = courseId === undefined ? undefined : eq(classes.courseId, courseId)
  const [rows, material] = await db.batch([
    db
      .select({
        ...classDetails.fields,
        version: classes.version,
        externalIdsJson: externalIdsBySource("class", classes.id).as("external_ids_json"),
      })
      .from(classes)
      .where(and(sql`${classes.id} = ${id}`, isOfCourse)),
    selectMaterial(db, id),
  ])
  const [found] = rows
  if (!found) throw notFound("class")
  return { ...found, ...toExternalIds(caller, found.externalIdsJson), material }
}

/**
 * Changes the given fields of a class, and notifies its users if it moves. A `recurrence` makes it recurring, the
 * type `onetime` makes it one-time.
 * @throws 404; 409 when a new location has too few seats; 412; 422 as in create
 */
export async function updateClass(
  work: UnitOfWork,
  base: string,
  id: number,
  changes: ClassChanges,
  expectedVersion?: number,
) {
  const { db, env, caller } = work
  const plan = planBackgroundWork(work, classChangeNotices, { classId: id, at: now(), base })
  const { recurrence, studyMaterial, webinar_host_pwd: password } = changes
  const recurring = recurrence && (await wallSessions(recurrence))
  const sessionCount =
    recurring?.length ?? sql`coalesce((select ${classes.sessionCount} from ${classes} where ${classes.id} = ${id}), 1)`
  const [rows, planned, sessionIds, courseNames, currentMaterial, currentIds, ...references] = await work.read([
    db.select().from(classes).where(eq(classes.id, id)),
    plan.question,
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
  const isPasswordChanged = password !== undefined && password !== currentPassword
  const { startAt: _startAt, endAt: _endAt, ...row } = classFields.toUpdate(before, changes)
  const changed = changedFields(before, {
    ...row,
    recurrence: row.type === "onetime" ? null : row.recurrence,
    webinarHostPwd: isPasswordChanged ? encryptHostPassword(env, password) : before.webinarHostPwd,
    ...(sessions && classSpan(sessions)),
  })
  const material = studyMaterial && !isSameMaterial(studyMaterial, currentMaterial) ? studyMaterial : undefined
  const answer = { message: "Class updated." }
  const external = changeExternalId(db, { object: "class", id, caller }, changes, currentIds)
  if (Object.keys(changed).length === 0 && !sessions && !material && !external.changes) return work.commit([], answer)
  const [, , [locationRow]] = references
  const isNewLocation = changed.locationId !== undefined && locationRow
  if (isNewLocation) requireLocationCapacity({ ...locationRow, size: before.size })
  const { courseId } = row
  const isMoved = sessions !== undefined || changed.locationId !== undefined
  const isUpcoming = (changed.endAt ?? before.endAt) > now() && !(changed.disabled ?? before.disabled)
  const notices = isMoved && isUpcoming ? plan.decide(planned) : undefined
  const response = { ...answer, ...notices?.job }
  const summary = { ...auditDetails(changes), ...(sessions && classSpan(sessions)), ...external.details }
  await work.commit(
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
      ...(notices?.statements ?? []),
      work.audit("updated", "class", { id, name: firstRow(courseNames).name }, summary),
    ],
    response,
    { unique: UNIQUE_EXTERNAL_ID },
  )
  await notices?.start()
  return response
}
