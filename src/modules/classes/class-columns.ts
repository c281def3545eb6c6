import { z } from "@hono/zod-openapi"
import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { classes, classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import type { Sorted } from "../../db/list/listing.ts"
import { subquery } from "../../db/sql.ts"
import { column, isoSchema, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, type NotNull, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { timeZoneAnswer, updatedAtColumn } from "../../lib/spreadsheet/date-columns.ts"
import { externalIdColumn } from "../../lib/spreadsheet/external-id-column.ts"
import { displayDate, displayDateTime, displayTime, isoTime } from "../../lib/text/dates.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"
import type { BaseUrlContext } from "../../lib/web/answers.ts"
import { classCourseName, instructorName, locationName } from "./class-names.ts"

// The columns of the lists of classes and of their sessions.

const integer = () => z.number().int()

const sortByName = (name: SQL): Sorted => ({ sorted: sql`coalesce(${name}, '') collate nocase` })
const nullableNameColumn = (name: SQL<string>) => column(name, z.string(), { sort: sortByName(name) })

type TimestampSource = NotNull<number>
type TimeZoneSource = typeof classes.timeZone | SQL<string>
type WallTimeFormat = (wall: number) => string

const EXAMPLES = new Map<WallTimeFormat, string>([
  [displayDate, "Nov 30, 2026"],
  [displayTime, "09:30 AM"],
  [displayDateTime, "Nov 30, 2026 09:30 AM"],
])

/** A time in the class's time zone. */
const classTimeColumn = (
  at: TimestampSource,
  timeZone: TimeZoneSource,
  format: WallTimeFormat,
  sort: SQLWrapper | Sorted = at,
) =>
  column({ at, timeZone }, z.string().openapi({ example: EXAMPLES.get(format) }), {
    show: (moment) => format(wallTimeOf(moment.at, moment.timeZone)),
    sort,
  })

/** The start and the end as exact instants. */
const instantColumns = (times: { startAt: TimestampSource; endAt: TimestampSource }) => ({
  startsAt: column(times.startAt, isoSchema(), { show: isoTime }),
  endsAt: column(times.endAt, isoSchema(), { show: isoTime }),
})

const timeColumns = (times: { startAt: TimestampSource; endAt: TimestampSource }, timeZone: TimeZoneSource) => ({
  startDate: classTimeColumn(times.startAt, timeZone, displayDate),
  endDate: classTimeColumn(times.endAt, timeZone, displayDate, { sorted: times.endAt }),
  startTime: classTimeColumn(times.startAt, timeZone, displayTime),
  endTime: classTimeColumn(times.endAt, timeZone, displayTime, { sorted: times.endAt }),
  timeZone: column(timeZone, timeZoneAnswer(), { sort: { sorted: timeZone } }),
  ...instantColumns(times),
})

interface RowContext extends BaseUrlContext {
  isAbleToEdit: boolean
}

/** The columns of the list of classes. */
export const classColumns = listColumns({
  id: integerColumn(classes.id),
  course_name: nullableNameColumn(classCourseName),
  start_time: classTimeColumn(classes.startAt, classes.timeZone, displayDateTime),
  end_time: classTimeColumn(classes.endAt, classes.timeZone, displayDateTime, { sorted: classes.endAt }),
  timeZone: column(classes.timeZone, timeZoneAnswer(), { sort: { sorted: classes.timeZone } }),
  ...instantColumns(classes),
  courseId: column(classes.courseId, integer(), { sort: { sorted: classes.courseId } }),
  instructorId: column(classes.instructorId, integer(), { sort: { sorted: classes.instructorId } }),
  locationId: column(classes.locationId, integer().nullable()),
  classSize: column(classes.size, integer().openapi({ description: "Enrollments that are not canceled" })),
  createdAt: column(classes.createdAt, isoSchema(), { show: isoTime }),
  updatedAt: updatedAtColumn(classes.updatedAt),
  location: nullableNameColumn(locationName),
  instructor: nullableNameColumn(instructorName),
  disabled: column(classes.disabled, z.boolean(), { sort: { sorted: classes.disabled } }),
  courseEdit: column(classes.courseId, z.string().openapi({ description: "URL of the class's course" }), {
    show: (courseId, { base }: RowContext) => `${base}/api/course/${courseId}`,
  }),
  isAbleToEdit: column({}, z.boolean().openapi({ description: "Whether the caller may change the class" }), {
    show: (_, { isAbleToEdit }: RowContext) => isAbleToEdit,
  }),
  externalId: externalIdColumn("class", classes.id),
})

/** The columns of the list of a course's classes. */
export const courseClassColumns = listColumns({
  id: sortedIntegerColumn(classes.id),
  ...timeColumns(classes, classes.timeZone),
  location: nullableNameColumn(locationName),
  instructor: nullableNameColumn(instructorName),
  classSize: column(classes.size, integer().openapi({ description: "Enrollments that are not canceled" }), {
    sort: { sorted: classes.size },
  }),
})

/** Selects a value of a session's class. */
const classValue = <T>(expression: SQLWrapper) =>
  subquery(sql<T>`(select ${expression} from ${classes} where ${classes.id} = ${classSessions.classId})`)

const locationId = classValue<number | null>(sql`${classes.locationId}`)
const instructorId = classValue<number>(sql`${classes.instructorId}`)
const sessionZone = classValue<string>(sql`${classes.timeZone}`)

const instantColumn = (at: typeof classSessions.startAt | typeof classSessions.endAt, sort: SQLWrapper | Sorted) =>
  column(at, z.string().openapi({ format: "date-time" }), { show: (moment) => new Date(moment).toISOString(), sort })

/** The columns of the list of sessions. */
export const sessionColumns = listColumns({
  id: column(
    classSessions.classId,
    integer().openapi({ description: "Id of the class. A recurring class has one row per session" }),
    { sort: { sorted: classSessions.classId } },
  ),
  ...timeColumns(classSessions, sessionZone),
  location_id: column(locationId, integer().nullable(), { sort: { sorted: sql`coalesce(${locationId}, 0)` } }),
  location: nullableNameColumn(classValue<string>(locationName)),
  instructor_id: column(instructorId, integer(), { sort: { sorted: instructorId } }),
  instructor: nullableNameColumn(classValue<string>(instructorName)),
  start_time: instantColumn(classSessions.startAt, classSessions.startAt),
  end_time: instantColumn(classSessions.endAt, { sorted: classSessions.endAt }),
  course_id: column(classSessions.courseId, integer(), { sort: { sorted: classSessions.courseId } }),
  course_name: nullableNameColumn(
    subquery(sql<string>`(select ${courses.name} from ${courses} where ${courses.id} = ${classSessions.courseId})`),
  ),
})
