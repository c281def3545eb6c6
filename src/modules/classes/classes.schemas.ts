import { z } from "@hono/zod-openapi"
import { CLASS_TYPES, FREQUENCIES, WEEKDAYS } from "../../../drizzle/schema/classes.ts"
import { invalid } from "../../lib/errors.ts"
import { changedExternalId, externalIdAnswer, externalIdFilter, newExternalId } from "../../lib/input/external-id.ts"
import {
  boolean,
  choice,
  clearable,
  day,
  givenTime,
  id,
  idOrName,
  integer,
  keepIfNone,
  line,
  list,
  optional,
  text,
  timeZone,
  withDefault,
} from "../../lib/input/input.ts"
import { listQuery, listResponse, optionalPaging, period } from "../../lib/input/list-query.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { fromJson } from "../../lib/text/json.ts"
import { classColumns, courseClassColumns, sessionColumns } from "./class-columns.ts"
import { MAX_SESSIONS } from "./recurrence.ts"

const integerAnswer = () => z.number().int()
const upper = (value: unknown) => (typeof value === "string" ? value.trim().toUpperCase() : value)
const lower = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : value)

/** HH:mm, in the class's time zone. */
const timeOfDay = () =>
  z
    .string()
    .trim()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 09:30")
    .openapi({ type: "string", example: "09:30" })

const recurrence = z
  .preprocess(
    fromJson,
    z.object({
      classDays: withDefault(
        list(z.preprocess(upper, z.enum(WEEKDAYS)), 7).transform((days) =>
          WEEKDAYS.filter((day) => days.includes(day)),
        ),
        [],
      ),
      startDate: day(),
      startTime: timeOfDay(),
      endTime: timeOfDay(),
      interval: withDefault(integer(1, 366), 1),
      frequency: z.preprocess(lower, z.enum(FREQUENCIES)),
      end: z.preprocess(
        fromJson,
        z
          .object({ date: optional(day()), count: optional(integer(1, MAX_SESSIONS)) })
          .refine(({ date, count }) => (date === undefined) !== (count === undefined), {
            error: `must be {"date": "2026-12-31"} or {"count": 8}, with a count of ${MAX_SESSIONS} or less`,
          })
          .transform(({ date, count = 0 }) => (date === undefined ? { count } : { date })),
      ),
    }),
  )
  .openapi("Recurrence", {
    description: [
      "A recurrence rule (RFC 5545). Times are in the class's timeZone; an endTime before startTime is on the next",
      "day; end is {date} or {count}. All sessions have the same duration. If a start is skipped by daylight",
      "saving time, the session starts an hour later",
    ].join(" "),
  })

const material = z.object({
  media_id: id(),
  name: optional(line(200)),
  type: optional(line(100)).openapi({
    type: "string",
    description: "Ignored on input: the type is detected from the file",
  }),
})

const webinar = {
  webinarProvider: optional(line(50)),
  webinar_meeting_id: optional(line(200)),
  webinar_host_pwd: optional(text(200)).openapi({
    type: "string",
    description: "Encrypted at rest; visible to staff only",
  }),
}

/** The API contract spells it `starttime` in create and `startTime` in update: both accept either. */
const normalizeStartTime = (body: unknown) =>
  typeof body === "object" && body !== null && "starttime" in body && !("startTime" in body)
    ? { ...body, startTime: body.starttime }
    : body

const classType = choice(CLASS_TYPES)

/** Forms send all fields: the recurrence of a one-time class is ignored, and a recurrence without a type sets it. */
const normalizeRecurrence = (body: unknown) => {
  if (typeof body !== "object" || body === null || !("recurrence" in body)) return body
  const { recurrence, ...rest } = body
  const type = "type" in body ? (classType.safeParse(body.type).data ?? body.type) : undefined
  const isBlank = !recurrence || (typeof recurrence === "object" && Object.keys(recurrence).length === 0)
  if (type === "onetime" || isBlank) return rest
  return type ? body : { ...body, type: "recurring" }
}

const normalizeBody = (body: unknown) => normalizeRecurrence(normalizeStartTime(body))

const timeZoneInput = {
  type: "string",
  example: "Europe/Berlin",
  description: "The IANA time zone of the class: its times are read and shown in it, and it recurs in it",
} as const

const fields = {
  courseId: id(),
  allowDownload: boolean(),
  disabled: boolean(),
  instructor: id(),
  location: optional(id()),
  type: optional(choice(CLASS_TYPES)),
  timeZone: optional(timeZone()).openapi({
    type: "string",
    example: "Europe/Berlin",
    description: "The IANA time zone of the class: its times are read and shown in it. Defaults to the academy's",
  }),
  startTime: optional(givenTime()),
  endTime: optional(givenTime()),
  recurrence: optional(recurrence),
  studyMaterial: optional(list(material, 100)),
  ...webinar,
}

const optionalClassId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

export const newClass = z
  .preprocess(normalizeBody, z.object({ ...fields, ...newExternalId() }))
  .superRefine((input, context) => {
    const addIssue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message })
    if ((input.type ?? "onetime") === "recurring") {
      if (!input.recurrence) addIssue("recurrence", "is required for a recurring class")
      return
    }
    if (input.startTime === undefined) addIssue("starttime", "is required for a one-time class")
    if (input.endTime === undefined) addIssue("endTime", "is required for a one-time class")
  })
  .openapi("NewClass", {
    description: "starttime may be spelled startTime",
    example: {
      courseId: 1,
      instructor: 2,
      timeZone: "Europe/Lisbon",
      starttime: "2026-01-12T18:30:00.000Z",
      endTime: "2026-01-12T20:00:00.000Z",
      allowDownload: true,
      disabled: false,
    },
  })
export type NewClass = z.output<typeof newClass>

export const classChanges = z
  .preprocess(
    normalizeBody,
    z.object({
      id: optionalClassId("Id of the class; same as classId"),
      classId: optionalClassId("Id of the class; same as id"),
      courseId: keepIfNone(id()),
      allowDownload: keepIfNone(boolean()),
      disabled: keepIfNone(boolean()),
      instructor: keepIfNone(id()),
      location: clearable(id()).openapi({ type: ["integer", "null"], description: "null: no location" }),
      type: keepIfNone(choice(CLASS_TYPES)).openapi({
        type: "string",
        enum: [...CLASS_TYPES],
        description: "onetime reduces a recurring class to its first session, unless times are given",
      }),
      timeZone: keepIfNone(timeZone()).openapi(timeZoneInput),
      startTime: keepIfNone(givenTime()),
      endTime: keepIfNone(givenTime()),
      recurrence: keepIfNone(recurrence),
      studyMaterial: keepIfNone(list(material, 100)).openapi({ description: "Replaces the material; [] removes all" }),
      webinarProvider: clearable(line(50), ""),
      webinar_meeting_id: clearable(line(200), ""),
      webinar_host_pwd: clearable(text(200), ""),
      ...changedExternalId(),
    }),
  )
  .openapi("ClassChanges", { description: "Omitted fields keep their values" })
type ClassChange = z.output<typeof classChanges>
export type ClassChanges = Omit<ClassChange, "id" | "classId">

/** Clients may send the id of the class in the query. */
export const updateQuery = z.object({
  id: optionalClassId("As id in the body"),
  classId: optionalClassId("As id in the body"),
})

/** Returns the id of the class and its changes. @throws 422 for no id or several */
export function toClassChange(
  { id, classId, ...changes }: ClassChange,
  query: z.output<typeof updateQuery>,
): { id: number; changes: ClassChanges } {
  const classIds = new Set([id, classId, query.id, query.classId].filter((one) => one !== undefined))
  const [onlyId] = classIds
  if (onlyId === undefined) throw invalid("id", "id is required.")
  if (classIds.size > 1)
    throw invalid("id", `id and classId must refer to the same class: ${[...classIds].join(", ")}.`)
  return { id: onlyId, changes }
}

export const editQuery = z.object({
  classId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
  courseId: optional(id()).openapi({ type: "integer", minimum: 1 }),
})

const dateTime = () =>
  z.string().openapi({ example: "2026-11-30 09:30:00", description: "In timeZone, in the format that inputs accept" })

export const classDetails = z.object({
  classDetails: z
    .object({
      id: integerAnswer(),
      courseId: integerAnswer(),
      startTime: dateTime(),
      endTime: dateTime(),
      timeZone: timeZoneAnswer(),
      location: integerAnswer().nullable(),
      instructor: integerAnswer(),
      disabled: z.boolean(),
      allowDownload: z.boolean(),
      webinarProvider: z.string(),
      webinar_meeting_id: z.string(),
      webinar_host_pwd: z.string(),
      ...externalIdAnswer(),
      studyMaterial: z.array(z.object({ media_id: integerAnswer(), name: z.string(), type: z.string() })),
      type: z.enum(CLASS_TYPES),
      recurrence: z
        .object({
          classDays: z.array(z.enum(WEEKDAYS)),
          startDate: z.string(),
          startTime: z.string(),
          endTime: z.string(),
          interval: integerAnswer(),
          frequency: z.enum(FREQUENCIES),
          end: z.union([z.object({ date: z.string() }), z.object({ count: integerAnswer() })]),
        })
        .nullable(),
    })
    .openapi("Class"),
})

export const classDeletion = z.object({ classId: id() })
export const courseClassesDeletion = z.object({ courseId: id() })

/** Start dates from the first day to the end of the last; a single date is the first. */
const dates = optional(period({ alone: "from" }))

export const classListQuery = listQuery(Object.keys(classColumns.sort), {
  location: optional(idOrName()),
  courseName: optional(text(100)),
  instructor: optional(idOrName()),
  dates,
}).extend(externalIdFilter())
export const classList = listResponse(classColumns.row.openapi("ClassRow"))

export const scheduleQuery = listQuery(
  Object.keys(sessionColumns.sort),
  { location: optional(idOrName()), dates },
  { paging: "optional" },
).extend({
  courseId: optional(id()).openapi({ type: "integer", minimum: 1 }),
  classId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Only sessions of this class" }),
})
export const schedules = z.object({ classes: z.array(sessionColumns.row.openapi("ClassSchedule")) })

export const courseClassesQuery = listQuery(
  Object.keys(courseClassColumns.sort),
  { location: optional(idOrName()), instructor: optional(idOrName()), dates },
  { paging: "optional" },
).extend({ course_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }) })
export const courseClasses = listResponse(courseClassColumns.row.openapi("CourseClass")).extend({
  courseName: z.string(),
  instructions: z.string(),
  featuredImage: z.string().nullable(),
})

export const locationsQuery = z.object({
  course_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to all courses" }),
  group_id: optional(id()).openapi({ type: "integer", minimum: 1 }),
  ...optionalPaging,
})
export const courseLocations = z
  .record(
    z.string(),
    z
      .object({ id: integerAnswer(), name: z.string(), courseId: integerAnswer(), classId: integerAnswer() })
      .openapi("CourseLocation"),
  )
  .openapi({ description: "By index from 0: one entry for each class that has a location" })
