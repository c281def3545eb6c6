import { z } from "@hono/zod-openapi"
import { type SQLWrapper, sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { CLASS_STATUSES, classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { type Sorted, sortPrefix } from "../../db/list/listing.ts"
import { rowExists, subquery } from "../../db/sql.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { column, isoSchema, isoSchemaOrNull, listColumns, timeColumn } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn, dateOrNeverColumn, timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { displayDate, displayDateTime, displayTime, isoTime } from "../../lib/text/dates.ts"
import { fullName } from "../../lib/text/words.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"
import type { BaseUrlContext } from "../../lib/web/answers.ts"
import { classColumn, classSummary } from "./class-brief.ts"
import { type ClassTimes, formatClassTime, learnerAvatar } from "./class-names.ts"
import { webinarLaunchUrl } from "./meeting.ts"

// Columns of the lists of class enrollments: the learners of a class, the classes of a user, and the reports on both.

const count = () => z.number().int()
const date = () => z.string().openapi({ example: "Jan 05, 2026" })
const time = () => z.string().openapi({ example: "03:04 PM" })
const dateTime = () => z.string().openapi({ example: "Jan 05, 2026 03:04 PM" })

const idColumn = (sort: SQLWrapper | Sorted) =>
  column(classEnrollments.id, count().openapi({ description: "Id of the class enrollment" }), { sort })
const id = idColumn(classEnrollments.id)
const user_id = integerColumn(classEnrollments.userId)
const email = column(classEnrollments.email, z.string(), {
  sort: { sorted: sql`${classEnrollments.email} collate nocase` },
})

const learnerColumns = {
  id: idColumn({ sorted: classEnrollments.id }),
  user_id,
  first_name: column(classEnrollments.firstName, z.string(), { sort: classEnrollments.firstNameKey }),
  last_name: column(classEnrollments.lastName, z.string(), { sort: classEnrollments.lastNameKey }),
  email,
  avatar: column(
    { firstName: classEnrollments.firstName, lastName: classEnrollments.lastName, avatar: learnerAvatar },
    z.string(),
    { show: avatarOf },
  ),
}

const statusColumns = {
  status: column(classEnrollments.status, z.enum(CLASS_STATUSES), { sort: { sorted: classEnrollments.status } }),
  display_status: column(classEnrollments.status, z.enum(CLASS_STATUSES), {
    sort: { sorted: classEnrollments.status },
  }),
  registered_on: dateColumn(classEnrollments.registeredAt),
  last_accessed_on: dateOrNeverColumn(classEnrollments.lastAccessedAt, {
    sort: { sorted: classEnrollments.lastAccessedAt },
  }),
}

/** The columns of the list of a class's learners. */
export const classStudentColumns = listColumns({
  ...learnerColumns,
  ...statusColumns,
  last_accessed_on: timeColumn(
    classEnrollments.lastAccessedAt,
    z.string().openapi({ description: "A date and a time, or Never" }),
    isoSchemaOrNull(),
    { show: (at) => (at ? displayDateTime(at) : "Never"), sort: { sorted: classEnrollments.lastAccessedAt } },
  ),
})

/** The columns of the attendance by session, before the sessions. */
export const attendanceColumns = listColumns({
  id: column(classEnrollments.id, count().openapi({ description: "Id of the class enrollment" })),
  user_id: column(classEnrollments.userId, count()),
  first_name: learnerColumns.first_name,
  last_name: learnerColumns.last_name,
  email: learnerColumns.email,
  status: statusColumns.status,
})

/** Whether the learner has a certificate of the course, however it was earned. */
const HAS_CERTIFICATE = sql<number>`${rowExists(
  certificates,
  sql`${certificates.courseId} = ${classColumn(classes.courseId)}
    and ${certificates.userId} = ${classEnrollments.userId}
    and ${certificates.revokedAt} = 0`,
)}`

const certificateColumn = (sort: SQLWrapper | { sorted: SQLWrapper }) =>
  column(HAS_CERTIFICATE, z.boolean(), { show: (found) => found === 1, sort })

/** The start or the end of the class, which all its learners share. */
const classDateColumn = (at: typeof classes.startAt | typeof classes.endAt) =>
  column(classColumn(at), dateTime(), {
    show: (moment, zone: Pick<ClassTimes, "timeZone">) => formatClassTime(moment, zone),
    sort: { sorted: classEnrollments.id },
  })

/** The columns of the report on a class's learners. */
export const classDetailedColumns = listColumns({
  ...learnerColumns,
  ...statusColumns,
  started_on: classDateColumn(classes.startAt),
  completed_on: classDateColumn(classes.endAt),
  timeZone: column({}, timeZoneAnswer(), { show: (_, zone: Pick<ClassTimes, "timeZone">) => zone.timeZone }),
  notes: column(
    classEnrollments.notes,
    z.string().openapi({ description: "Notes on the user's participation in the webinar" }),
    { sort: { sorted: sortPrefix(classEnrollments.notes) } },
  ),
  certificate_issued: certificateColumn({ sorted: HAS_CERTIFICATE }),
})

/** The start or the end of the class, in its time zone. */
const classTimeColumn = (
  at: typeof classes.startAt | typeof classes.endAt,
  schema: z.ZodString,
  show: (wall: number) => string,
) =>
  column({ at: classColumn(at), brief: classSummary }, schema, {
    show: ({ at: moment, brief }) => show(wallTimeOf(moment, brief.timeZone)),
    sort: classColumn(at),
  })
/** The same as an exact instant. */
const instantColumn = (at: typeof classes.startAt | typeof classes.endAt) =>
  column(classColumn(at), isoSchema(), { show: isoTime })
const instants = { startsAt: instantColumn(classes.startAt), endsAt: instantColumn(classes.endAt) }

const start = classTimeColumn(classes.startAt, dateTime(), displayDateTime)
const end = classTimeColumn(classes.endAt, dateTime(), displayDateTime)

/** The time zone of the times in the same row. */
const timeZone = column(classSummary, timeZoneAnswer(), {
  show: (brief) => brief.timeZone,
  sort: subquery(sql`(select ${classes.timeZone} from ${classes} where ${classes.id} = ${classEnrollments.classId})`),
})

const courseName = column(classSummary, z.string().openapi({ description: "The course's name" }), {
  show: (brief) => brief.courseName,
  sort: sql`(
    select ${courses.name} from ${courses}
    where ${courses.id} = ${classColumn(classes.courseId)}
  ) collate nocase`,
})
const location = column(classSummary, z.string().openapi({ description: "Name of the location; empty without one" }), {
  show: (brief) => brief.location,
})

/** The columns of the report on users' classes. */
export const userClassColumns = listColumns({
  id,
  user_id,
  name: column({ firstName: classEnrollments.firstName, lastName: classEnrollments.lastName }, z.string(), {
    show: fullName,
    sort: sql`${classEnrollments.firstNameKey} || ' ' || ${classEnrollments.lastNameKey}`,
  }),
  email,
  courseName,
  start_time: start,
  end_time: end,
  timeZone,
  ...instants,
  location,
  ...statusColumns,
  certificate_issued: certificateColumn(HAS_CERTIFICATE),
})

const url = () => z.string().openapi({ format: "uri" })

// A user has few classes, so they are read by user and sorted without an index.

/** The columns of the list of a user's classes. */
export const enrolledClassColumns = listColumns({
  id,
  webinarId: column(
    { classId: classEnrollments.classId, brief: classSummary },
    count().nullable().openapi({ description: "Id of the class if it has a webinar, else null" }),
    { show: ({ classId, brief }) => (brief.webinarProvider ? classId : null) },
  ),
  classId: integerColumn(classEnrollments.classId),
  title: courseName,
  courseId: column(classColumn(classes.courseId), count(), { sort: classColumn(classes.courseId) }),
  studyMethod: column({}, z.literal("instructor_led"), { show: () => "instructor_led" as const }),
  featuredImageUrl: column(classSummary, z.string().nullable(), { show: (brief) => brief.featuredImageUrl }),
  launchUrl: column(
    { id: classEnrollments.id, brief: classSummary },
    z.string().openapi({ description: "URL that launches the webinar; empty without one" }),
    { show: ({ id, brief }, { base }: BaseUrlContext) => (brief.webinarProvider ? webinarLaunchUrl(base, id) : "") },
  ),
  classStudyMaterial: column(classEnrollments.id, url(), {
    show: (id, { base }: BaseUrlContext) => `${base}/api/class/study-material?registrationId=${id}`,
  }),
  ...statusColumns,
  startDate: classTimeColumn(classes.startAt, date(), displayDate),
  startTime: classTimeColumn(classes.startAt, time(), displayTime),
  endDate: classTimeColumn(classes.endAt, date(), displayDate),
  endTime: classTimeColumn(classes.endAt, time(), displayTime),
  location,
  start,
  end,
  timeZone,
  ...instants,
  instructor: column(classSummary, z.string(), { show: (brief) => brief.instructor }),
  class: column(
    { startAt: classColumn(classes.startAt), brief: classSummary },
    z.string().openapi({ example: "Algebra, Jan 05, 2026 03:04 PM" }),
    { show: ({ startAt, brief }) => `${brief.courseName}, ${formatClassTime(startAt, brief)}` },
  ),
  add_calendar_link: column(classEnrollments.classId, url(), {
    show: (classId, { base }: BaseUrlContext) => `${base}/api/class/calendar/${classId}`,
  }),
})
