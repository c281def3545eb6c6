import { z } from "@hono/zod-openapi"
import { CLASS_STATUSES } from "../../../drizzle/schema/classes.ts"
import { givenTime, id, integer, name, optional, requiredIds, text } from "../../lib/input/input.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { classStatus } from "./class-enrollments.schemas.ts"

const required = { param: { required: true } } as const
const optionalId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

const marked = {
  ids: requiredIds().openapi({
    example: [1, 2],
    description: "Class enrollments' ids, a JSON array",
    ...required,
  }),
  webinarId: optionalId("Only those of this class"),
  portalId: optionalId("Only those of this portal's members"),
}

export const webinarStatusQuery = z.object({ ...marked, status: classStatus().openapi(required) })
export const webinarNotesQuery = z.object({
  ...marked,
  notes: text(5000).openapi({
    type: "string",
    maxLength: 5000,
    description: "Empty: takes the notes away",
    ...required,
  }),
})

/** What a launch comes to. */
const webinarDetails = z
  .object({
    is_success: z.boolean(),
    message: z.string().openapi({ description: "Why it cannot be launched, where it cannot" }),
    url: z
      .string()
      .openapi({ description: "The meeting with a signed credential of two hours; empty where it cannot" }),
  })
  .openapi("WebinarLaunch")

export const WEBINAR_STATUSES = ["Upcoming", "Live", "Ended"] as const

const dateTime = () =>
  z.string().openapi({
    example: "2026-01-05 15:04:00",
    description: "In timeZone; of the session that is on, next or last",
  })

export const webinar = z.object({
  recordings: z.array(
    z
      .object({
        id: z.number().int(),
        name: z.string(),
        url: z.string(),
        duration: z.number().int().openapi({ description: "Seconds; 0: not said" }),
        recorded_on: z.string().openapi({ example: "Jan 05, 2026" }),
      })
      .openapi("ClassRecording"),
  ),
  name: z.string().openapi({ description: "The course's name" }),
  instructions: z.string().openapi({ description: "The course's, as HTML" }),
  status: z.enum(CLASS_STATUSES),
  display_status: z.enum(CLASS_STATUSES),
  startTime: dateTime(),
  endTime: dateTime(),
  location: z.string(),
  instructor: z.string(),
  serviceProvider: z.string().openapi({ description: "Who holds it; empty: the class has no webinar" }),
  meetingUrl: z
    .string()
    .openapi({ description: "The meeting's address without a credential; empty where there is none" }),
  timeZone: timeZoneAnswer(),
  webinarTimezone: z.string().openapi({ description: "As timeZone", example: "Europe/Berlin" }),
  duration: z.number().int().openapi({ description: "Minutes, of one session" }),
  webinarStatus: z.enum(WEBINAR_STATUSES),
  webinarDetails,
})

export const webinarLaunch = z.object({ provider: z.string(), webinarDetails })

const httpsUrl = () =>
  z
    .url({ protocol: /^https$/, error: "must be an https address" })
    .max(2000)
    .openapi({ type: "string", format: "uri" })

export const newRecording = z
  .object({
    classId: id(),
    name: name(),
    url: httpsUrl(),
    duration: optional(integer(0, 1_000_000)).openapi({ type: "integer", description: "Seconds" }),
    recordedAt: optional(givenTime()).openapi({
      type: "string",
      description: "In the class's time zone unless it has an offset; the class's end unless given",
    }),
  })
  .openapi("NewClassRecording")
export type NewRecording = z.output<typeof newRecording>
