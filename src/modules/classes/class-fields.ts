import { z } from "@hono/zod-openapi"
import { CLASS_TYPES, classes, FREQUENCIES, WEEKDAYS } from "../../../drizzle/schema/classes.ts"
import type { Bindings } from "../../env.ts"
import { decrypted, encrypt } from "../../lib/crypto/crypto.ts"
import {
  boolean,
  choice,
  clearable,
  day,
  givenTime,
  id,
  integer,
  keepIfNone,
  line,
  list,
  optional,
  text,
  timeZone,
  withDefault,
} from "../../lib/input/input.ts"
import { column, isoSchema, listColumns } from "../../lib/spreadsheet/columns.ts"
import type { NotNull } from "../../lib/spreadsheet/common-columns.ts"
import { timeZoneAnswer, updatedAtColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { isoTime } from "../../lib/text/dates.ts"
import { fromJson } from "../../lib/text/json.ts"
import { toInputTime } from "./class-names.ts"
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

const recurrenceAnswer = z.object({
  classDays: z.array(z.enum(WEEKDAYS)),
  startDate: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  interval: integerAnswer(),
  frequency: z.enum(FREQUENCIES),
  end: z.union([z.object({ date: z.string() }), z.object({ count: integerAnswer() })]),
})

const timeZoneInput = {
  type: "string",
  example: "Europe/Berlin",
  description: "The IANA time zone of the class: its times are read and shown in it",
} as const

/** A time in the class's time zone, in the format that inputs accept. */
const inputTime = (at: NotNull<number>) => ({
  create: optional(givenTime()),
  change: keepIfNone(givenTime()),
  answer: column(
    { at, timeZone: classes.timeZone },
    z
      .string()
      .openapi({ example: "2026-11-30 09:30:00", description: "In timeZone, in the format that inputs accept" }),
    { show: ({ at, timeZone }) => toInputTime(at, { timeZone }) },
  ),
})

const textOrEmpty = (max: number, source: NotNull<string>) => ({
  create: optional(line(max)),
  change: clearable(line(max), ""),
  answer: column(source, z.string()),
})

/** Decrypts the host password of the webinar; empty if there is none or its key was removed. */
export const decryptHostPassword = (env: Bindings, encrypted: string | null): string =>
  (encrypted && decrypted(env, encrypted)) || ""

/** Encrypts the host password of the webinar; null if there is none. */
export const encryptHostPassword = (env: Bindings, password: string | undefined): string | null =>
  password ? encrypt(env, password) : null

export const classFields = recordFields(classes, {
  courseId: { create: id(), change: keepIfNone(id()), answer: column(classes.courseId, integerAnswer()) },
  allowDownload: {
    create: boolean(),
    change: keepIfNone(boolean()),
    answer: column(classes.allowDownload, z.boolean()),
  },
  disabled: { create: boolean(), change: keepIfNone(boolean()), answer: column(classes.disabled, z.boolean()) },
  instructor: {
    column: "instructorId",
    create: id(),
    change: keepIfNone(id()),
    answer: column(classes.instructorId, integerAnswer()),
  },
  location: {
    column: "locationId",
    create: optional(id()),
    change: clearable(id()).openapi({ type: ["integer", "null"], description: "null: no location" }),
    answer: column(classes.locationId, integerAnswer().nullable()),
  },
  type: {
    create: optional(choice(CLASS_TYPES)),
    change: keepIfNone(choice(CLASS_TYPES)).openapi({
      type: "string",
      enum: [...CLASS_TYPES],
      description: "onetime reduces a recurring class to its first session, unless times are given",
    }),
    answer: column(classes.type, z.enum(CLASS_TYPES)),
  },
  timeZone: {
    create: optional(timeZone()).openapi({
      ...timeZoneInput,
      description: `${timeZoneInput.description}. Defaults to the academy's`,
    }),
    change: keepIfNone(timeZone()).openapi({
      ...timeZoneInput,
      description: `${timeZoneInput.description}, and it recurs in it`,
    }),
    answer: column(classes.timeZone, timeZoneAnswer()),
  },
  // The first session starts and the last session ends at the stored times.
  startTime: { column: "startAt", ...inputTime(classes.startAt) },
  endTime: { column: "endAt", ...inputTime(classes.endAt) },
  recurrence: {
    create: optional(recurrence),
    change: keepIfNone(recurrence),
    answer: column(classes.recurrence, recurrenceAnswer.nullable()),
  },
  webinarProvider: textOrEmpty(50, classes.webinarProvider),
  webinar_meeting_id: { column: "webinarMeetingId", ...textOrEmpty(200, classes.webinarMeetingId) },
  webinar_host_pwd: {
    column: "webinarHostPwd",
    create: optional(text(200)).openapi({
      type: "string",
      description: "Encrypted at rest; visible to staff only",
    }),
    change: clearable(text(200), ""),
    answer: column(classes.webinarHostPwd, z.string(), {
      show: (encrypted, { env }: { env: Bindings }) => decryptHostPassword(env, encrypted),
    }),
  },
})

/** The columns of a class in its edit form. */
export const classDetails = listColumns({
  id: column(classes.id, integerAnswer()),
  ...classFields.answers,
  startsAt: column(classes.startAt, isoSchema(), { show: isoTime }),
  endsAt: column(classes.endAt, isoSchema(), { show: isoTime }),
  createdAt: column(classes.createdAt, isoSchema(), { show: isoTime }),
  updatedAt: updatedAtColumn(classes.updatedAt),
})
