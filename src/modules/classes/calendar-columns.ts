import { type SQL, sql } from "drizzle-orm"
import { classEnrollments, classes, type Recurrence } from "../../../drizzle/schema/classes.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { literal, subquery } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import type { CalendarClass } from "./calendar.ts"
import { classCourseName, instructorName, locationName } from "./class-names.ts"
import { meetingName, meetingUrl, webinarLaunchUrl } from "./meeting.ts"

/** The columns of a class in a person's calendar. @param userId the person */
export const calendarColumns = (userId: SQL) => ({
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
  // The instructor launches the webinar with any enrollment of the class.
  registrationId: subquery(
    sql<number | null>`(
      select ${classEnrollments.id} from ${classEnrollments}
      where ${classEnrollments.classId} = ${classes.id}
        and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}
        and (${classEnrollments.userId} = ${userId} or ${classes.instructorId} = ${userId})
      order by ${classEnrollments.userId} = ${userId} desc limit 1
    )`,
  ).as("own_registration_id"),
  courseName: classCourseName.as("course_name"),
  location: locationName.as("location_name"),
  instructor: instructorName.as("instructor_name"),
  endAt: subquery(
    sql<number>`(select min(end_at) from class_sessions where class_sessions.class_id = ${classes.id})`,
  ).as("first_end"),
})

interface CalendarRow extends Omit<CalendarClass, "url"> {
  recurrence: Recurrence | null
  disabled: boolean
  webinarProvider: string
  webinarMeetingId: string
  registrationId: number | null
}

/** Adds the URL at which the person joins online. @param base the URL of this service */
export function toCalendarClass<Row extends CalendarRow>(
  { registrationId, webinarMeetingId, ...row }: Row,
  { env, base }: { env: Bindings; base: string },
) {
  const joinUrl = () =>
    registrationId === null
      ? meetingUrl(env, meetingName(row.id, webinarMeetingId))?.href
      : webinarLaunchUrl(base, registrationId)
  return { ...row, url: row.webinarProvider && !row.disabled ? joinUrl() : undefined }
}
