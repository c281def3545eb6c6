import { z } from "@hono/zod-openapi"
import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { classes, classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import type { Sorted } from "../../db/list/listing.ts"
import { subquery } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, type NotNull, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { displayDate, displayDateTime, displayTime } from "../../lib/text/dates.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"
import type { BaseUrlContext } from "../../lib/web/answers.ts"
import { classCourseName, instructorName, locationName } from "./class-names.ts"

// The columns of the lists of classes and of their sessions.

const whole = () => z.number().int()

/** A name, which may be missing, to sort by. */
const nocase = (name: SQL): Sorted => ({ sorted: sql`coalesce(${name}, '') collate nocase` })
const named = (name: SQL<string>) => column(name, z.string(), { sort: nocase(name) })

type Moment = NotNull<number>
type TimeZone = typeof classes.timeZone | SQL<string>
type Shown = (wall: number) => string

const EXAMPLES = new Map<Shown, string>([
  [displayDate, "Nov 30, 2026"],
  [displayTime, "09:30 AM"],
  [displayDateTime, "Nov 30, 2026 09:30 AM"],
])

/** A moment on the clocks of its class. */
const onClock = (at: Moment, timeZone: TimeZone, show: Shown, sort: SQLWrapper | Sorted = at) =>
  column({ at, timeZone }, z.string().openapi({ example: EXAMPLES.get(show) }), {
    show: (moment) => show(wallTimeOf(moment.at, moment.timeZone)),
    sort,
  })

const when = (of: { startAt: Moment; endAt: Moment }, timeZone: TimeZone) => ({
  startDate: onClock(of.startAt, timeZone, displayDate),
  endDate: onClock(of.endAt, timeZone, displayDate, { sorted: of.endAt }),
  startTime: onClock(of.startAt, timeZone, displayTime),
  endTime: onClock(of.endAt, timeZone, displayTime, { sorted: of.endAt }),
  timeZone: column(timeZone, timeZoneAnswer(), { sort: { sorted: timeZone } }),
})

interface Asked extends BaseUrlContext {
  isAbleToEdit: boolean
}

/** The columns of the list of classes. */
export const classColumns = listColumns({
  id: integerColumn(classes.id),
  course_name: named(classCourseName),
  start_time: onClock(classes.startAt, classes.timeZone, displayDateTime),
  end_time: onClock(classes.endAt, classes.timeZone, displayDateTime, { sorted: classes.endAt }),
  timeZone: column(classes.timeZone, timeZoneAnswer(), { sort: { sorted: classes.timeZone } }),
  location: named(locationName),
  instructor: named(instructorName),
  disabled: column(classes.disabled, z.boolean(), { sort: { sorted: classes.disabled } }),
  courseEdit: column(classes.courseId, z.string().openapi({ description: "URL of the course to edit" }), {
    show: (courseId, { base }: Asked) => `${base}/api/course/${courseId}`,
  }),
  isAbleToEdit: column({}, z.boolean().openapi({ description: "Whether the caller may change the class" }), {
    show: (_, { isAbleToEdit }: Asked) => isAbleToEdit,
  }),
})

/** The columns of the list of a course's classes. */
export const courseClassColumns = listColumns({
  id: sortedIntegerColumn(classes.id),
  ...when(classes, classes.timeZone),
  location: named(locationName),
  instructor: named(instructorName),
  classSize: column(classes.size, whole().openapi({ description: "How many are enrolled and have not cancelled" }), {
    sort: { sorted: classes.size },
  }),
})

/** Something of a session's class. */
const ofClass = <T>(what: SQLWrapper) =>
  subquery(sql<T>`(select ${what} from ${classes} where ${classes.id} = ${classSessions.classId})`)

const locationId = ofClass<number | null>(sql`${classes.locationId}`)
const instructorId = ofClass<number>(sql`${classes.instructorId}`)
const sessionZone = ofClass<string>(sql`${classes.timeZone}`)

const instant = (at: typeof classSessions.startAt | typeof classSessions.endAt, sort: SQLWrapper | Sorted) =>
  column(at, z.string().openapi({ format: "date-time" }), { show: (moment) => new Date(moment).toISOString(), sort })

/** The columns of the list of sessions. */
export const sessionColumns = listColumns({
  id: column(
    classSessions.classId,
    whole().openapi({ description: "The class's: a recurring one has a row per session" }),
    { sort: { sorted: classSessions.classId } },
  ),
  ...when(classSessions, sessionZone),
  location_id: column(locationId, whole().nullable(), { sort: { sorted: sql`coalesce(${locationId}, 0)` } }),
  location: named(ofClass<string>(locationName)),
  instructor_id: column(instructorId, whole(), { sort: { sorted: instructorId } }),
  instructor: named(ofClass<string>(instructorName)),
  start_time: instant(classSessions.startAt, classSessions.startAt),
  end_time: instant(classSessions.endAt, { sorted: classSessions.endAt }),
  course_id: column(classSessions.courseId, whole(), { sort: { sorted: classSessions.courseId } }),
  course_name: named(
    subquery(sql<string>`(select ${courses.name} from ${courses} where ${courses.id} = ${classSessions.courseId})`),
  ),
})
