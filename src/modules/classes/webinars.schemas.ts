import { z } from "@hono/zod-openapi"
import { CLASS_STATUSES } from "../../../drizzle/schema/classes.ts"
import { givenTime, id, integer, name, optional, requiredIds, text } from "../../lib/input/input.ts"
import { isoSchema } from "../../lib/spreadsheet/columns.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { classStatus } from "./class-enrollments.schemas.ts"

const required = { param: { required: true } } as const
const optionalId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

const selection = {
  ids: requiredIds().openapi({
    example: [1, 2],
    description: "Ids of class enrollments, as a JSON array",
    ...required,
  }),
  webinarId: optionalId("Only enrollments in this class"),
  portalId: optionalId("Only enrollments of members of this portal"),
}

export const webinarStatusQuery = z.object({ ...selection, status: classStatus().openapi(required) })
export const webinarNotesQuery = z.object({
  ...selection,
  notes: text(5000).openapi({
    type: "string",
    maxLength: 5000,
    description: "An empty text removes the notes",
    ...required,
  }),
})

const webinarDetails = z
  .object({
    is_success: z.boolean(),
    message: z.string().openapi({ description: "Why the webinar cannot be launched" }),
    url: z.string().openapi({
      description:
        "The meeting with a signed credential that is valid for two hours; empty if the webinar cannot be launched",
    }),
  })
  .openapi("WebinarLaunch")

export const WEBINAR_STATUSES = ["Upcoming", "Live", "Ended"] as const

const dateTime = () =>
  z.string().openapi({
    example: "2026-01-05 15:04:00",
    description: "In timeZone; of the current, next or last session",
  })

export const webinar = z.object({
  recordings: z.array(
    z
      .object({
        id: z.number().int(),
        name: z.string(),
        url: z.string(),
        duration: z.number().int().openapi({ description: "Seconds; 0 if unknown" }),
        recorded_on: z.string().openapi({ example: "Jan 05, 2026" }),
        recordedAt: isoSchema(),
      })
      .openapi("ClassRecording"),
  ),
  name: z.string().openapi({ description: "Name of the course" }),
  instructions: z.string().openapi({ description: "Instructions of the course, as HTML" }),
  status: z.enum(CLASS_STATUSES),
  display_status: z.enum(CLASS_STATUSES),
  startsAt: isoSchema(),
  endsAt: isoSchema(),
  startTime: dateTime(),
  endTime: dateTime(),
  location: z.string(),
  instructor: z.string(),
  serviceProvider: z.string().openapi({ description: "The webinar provider; empty for a class without a webinar" }),
  meetingUrl: z.string().openapi({ description: "The address of the meeting without a credential; empty without one" }),
  timeZone: timeZoneAnswer(),
  webinarTimezone: z.string().openapi({ description: "Same as timeZone", example: "Europe/Berlin" }),
  duration: z.number().int().openapi({ description: "Minutes of one session" }),
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
      description: "In the class's time zone unless it has an offset. Defaults to the end of the class",
    }),
  })
  .openapi("NewClassRecording")
export type NewRecording = z.output<typeof newRecording>
