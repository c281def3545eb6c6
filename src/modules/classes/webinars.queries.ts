import { asc, eq, sql } from "drizzle-orm"
import { alias } from "drizzle-orm/sqlite-core"
import { classEnrollments, classes, classRecordings, classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { canSeeUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { deleteRecords, requireExisting } from "../../db/records.ts"
import { fullNameIn, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { originOf } from "../../lib/text/urls.ts"
import { momentOf } from "../../lib/text/zones.ts"
import { formatClassTime } from "./class-names.ts"
import { recordLastAccess } from "./last-access.queries.ts"
import { meetingName, meetingUrl } from "./meeting.ts"
import { LAUNCH_WINDOW_MS, type MeetingParticipant, signLaunchUrl } from "./webinar-launch.ts"
import type { NewRecording, WEBINAR_STATUSES } from "./webinars.schemas.ts"

const instructors = alias(users, "instructors")

/** The current or next session of the class, else the last, as [start, end] in JSON. */
const currentSession = () => {
  const sessionsOfClass = sql`
    select json_array(${classSessions.startAt}, ${classSessions.endAt}) from ${classSessions}
    where ${classSessions.classId} = ${classes.id}`
  const isNotOver = sql`${classSessions.endAt} > ${now()}`
  return sql`coalesce(
    (${sessionsOfClass} and ${isNotOver} order by ${classSessions.startAt} limit 1),
    (${sessionsOfClass} order by ${classSessions.startAt} desc limit 1),
    json_array(${classes.startAt}, ${classes.endAt})
  )`
    .mapWith((json: string): [start: number, end: number] => JSON.parse(json))
    .as("session_json")
}

/** Selects a class enrollment with its class, if the caller can see the learner or instructs the class. */
const selectEnrollment = (db: Database, caller: Caller, id: number) =>
  db
    .select({
      id: classEnrollments.id,
      userId: classEnrollments.userId,
      status: classEnrollments.status,
      firstName: classEnrollments.firstName,
      lastName: classEnrollments.lastName,
      email: classEnrollments.email,
      classId: classEnrollments.classId,
      disabled: classes.disabled,
      timeZone: classes.timeZone,
      provider: classes.webinarProvider,
      webinarMeetingId: classes.webinarMeetingId,
      instructorId: classes.instructorId,
      instructor: fullNameIn(instructors).as("instructor_name"),
      instructorEmail: sql<string>`${instructors.email}`.as("instructor_email"),
      courseName: courses.name,
      instructions: courses.instructions,
      location: sql<string>`coalesce(${locations.name}, '')`.as("location_name"),
      session: currentSession(),
    })
    .from(classEnrollments)
    .innerJoin(classes, eq(classes.id, classEnrollments.classId))
    .innerJoin(courses, eq(courses.id, classes.courseId))
    .innerJoin(instructors, eq(instructors.id, classes.instructorId))
    .leftJoin(locations, eq(locations.id, classes.locationId))
    .where(
      sql`${classEnrollments.id} = ${id}
        and (${canSeeUser(caller, classEnrollments.userId)} or ${classes.instructorId} = ${caller.id})`,
    )

type WebinarEnrollment = Awaited<ReturnType<typeof selectEnrollment>>[number]

/** The participant that the caller joins as: the host or the learner; undefined for other callers. */
function participantFor(caller: Caller, row: WebinarEnrollment): MeetingParticipant | undefined {
  const { instructorId } = row
  if (caller.id === instructorId)
    return { id: instructorId, name: row.instructor, email: row.instructorEmail, role: "host" }
  // An anonymous call of the `documented` policy acts for the learner.
  if (caller.id !== null && caller.id !== row.userId) return undefined
  const name = `${row.firstName} ${row.lastName}`.trim()
  return { id: row.userId, name, email: row.email, role: row.userId === instructorId ? "host" : "attendee" }
}

const notLaunchable = (message: string) => ({ is_success: false, message, url: "" })

/** Returns the launch URL for the caller, or the reason why there is none. @param base the service's origin */
async function prepareLaunch(env: Bindings, caller: Caller, base: string, row: WebinarEnrollment) {
  const [startAt, endAt] = row.session
  const participant = participantFor(caller, row)
  if (!row.provider) return notLaunchable("This class has no webinar.")
  if (row.disabled) return notLaunchable("This class is disabled.")
  if (!participant) return notLaunchable("Only the enrolled learner and the instructor can join.")
  if (row.status === ClassStatus.Cancelled && participant.role !== "host")
    return notLaunchable("This enrollment is canceled.")
  if (now() >= endAt) return notLaunchable("The webinar has ended.")
  if (now() < startAt - LAUNCH_WINDOW_MS)
    return notLaunchable(
      [
        "The webinar opens 15 minutes before it starts, at",
        `${formatClassTime(startAt - LAUNCH_WINDOW_MS, row)} ${row.timeZone}.`,
      ].join(" "),
    )
  const meeting = { classId: row.classId, meetingId: meetingName(row.classId, row.webinarMeetingId) }
  const url = await signLaunchUrl(env, base, meeting, participant)
  if (!url) return notLaunchable("No webinar provider is configured for this service.")
  return { is_success: true, message: "The webinar is open.", url }
}

function webinarStatusOf([startAt, endAt]: [number, number]): (typeof WEBINAR_STATUSES)[number] {
  if (now() >= endAt) return "Ended"
  return now() >= startAt ? "Live" : "Upcoming"
}

/** Returns the webinar of a class enrollment: its recordings, times and launch state. @throws 404 */
export async function getWebinar(
  db: Database,
  caller: Caller,
  id: number,
  { env, base }: { env: Bindings; base: string },
) {
  const [rows, recordings] = await db.batch([
    selectEnrollment(db, caller, id),
    db
      .select({
        id: classRecordings.id,
        name: classRecordings.name,
        url: classRecordings.url,
        duration: classRecordings.duration,
        recordedAt: classRecordings.recordedAt,
      })
      .from(classRecordings)
      .innerJoin(classEnrollments, eq(classEnrollments.classId, classRecordings.classId))
      .where(eq(classEnrollments.id, id))
      .orderBy(asc(classRecordings.recordedAt), asc(classRecordings.id)),
  ])
  const [row] = rows
  if (!row) throw notFound("registration")
  // Learners who canceled cannot see recordings or join.
  const isCancelled = row.status === ClassStatus.Cancelled && !canSeeAllUsers(caller) && caller.id !== row.instructorId
  const isOpen = row.provider && !row.disabled && !isCancelled
  return {
    ...row,
    recordings: isCancelled ? [] : recordings,
    meetingUrl: (isOpen && meetingUrl(env, meetingName(row.classId, row.webinarMeetingId))?.href) || "",
    webinarStatus: webinarStatusOf(row.session),
    webinarDetails: await prepareLaunch(env, caller, base, row),
  }
}

/** Launches the webinar of a class enrollment. A launch by the learner is recorded as their last access. @throws 404 */
export async function launchWebinar(work: UnitOfWork, base: string, id: number) {
  const { db, caller, env } = work
  const [rows] = await work.read([selectEnrollment(db, caller, id)])
  const [row] = rows
  if (!row) throw notFound("registration")
  const webinarDetails = await prepareLaunch(env, caller, base, row)
  const isLearner = participantFor(caller, row)?.id === row.userId
  const { statement, marker } = recordLastAccess(db, id)
  const answer = { provider: row.provider, webinarDetails }
  return work.commit(webinarDetails.is_success && isLearner ? [statement] : [], answer, { marker })
}

/** Adds a recording to a class. @throws 422 for an unknown class */
export async function createRecording(work: UnitOfWork, input: NewRecording) {
  const { db } = work
  const { classId, name, url, duration = 0, recordedAt } = input
  const [idRows, classRows] = await work.read([
    work.nextIds("class_recordings"),
    db
      .select({ id: classes.id, endAt: classes.endAt, timeZone: classes.timeZone, courseName: courses.name })
      .from(classes)
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .where(eq(classes.id, classId)),
  ])
  requireExisting("classId", [classId], classRows)
  const id = firstRow(idRows).last
  const { endAt, timeZone } = firstRow(classRows)
  const row = { classId, name, url, duration, recordedAt: recordedAt ? momentOf(recordedAt, timeZone) : endAt }
  return work.commit(
    [
      work.guard(rowExists(classes, eq(classes.id, classId))),
      db.insert(classRecordings).values({ id, ...row, createdAt: now() }),
      work.audit("created", "class recording", { id, name }, { ...row, url: originOf(url) }),
    ],
    { id, message: "Recording added." },
  )
}

export const deleteRecordings = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: classRecordings, subject: "class recording", name: classRecordings.name, ids })
