import { z } from "@hono/zod-openapi"
import { nonEmpty, nullable, optional, requiredIds, requiredText } from "../../lib/input/input.ts"
import { isDateOnly } from "../../lib/text/dates.ts"
import { type GivenTime, parseGiven } from "../../lib/text/zones.ts"

const MAX_ENROLLMENTS = 500

const registrationIds = () =>
  nonEmpty(requiredIds(MAX_ENROLLMENTS)).openapi({
    description: `Up to ${MAX_ENROLLMENTS} enrollments. Those that the caller may not change are skipped.`,
  })
const reason = () => requiredText(500)
/** A day, which means its end, or a time. Without an offset both are in the time zone of the learner. */
export interface Deadline extends GivenTime {
  isDay: boolean
}

const deadline = () =>
  z
    .string()
    .transform((value, context): Deadline => {
      const parsed = parseGiven(value)
      if (parsed) return { ...parsed, isDay: isDateOnly(value) }
      context.addIssue({ code: "custom", message: "must be a date such as 2026-01-05, 2026-01-05 15:04 or ISO 8601" })
      return z.NEVER
    })
    .openapi({
      ...{ type: "string", example: "2026-01-05" },
      description: "A day means its end. Without an offset, it is in the time zone of each learner.",
    })

export const dueDate = z
  .object({
    registrationIds: registrationIds(),
    dueAt: nullable(deadline()).openapi({
      description: "null: the due date of the assignment rules applies again, or none",
    }),
  })
  .openapi("DueDateChange")
export type DueDate = z.output<typeof dueDate>

export const extension = z
  .object({ registrationIds: registrationIds(), dueAt: deadline(), reason: reason() })
  .openapi("DueDateExtension")
export type Extension = z.output<typeof extension>

export const exemption = z
  .object({
    registrationIds: registrationIds(),
    until: optional(deadline()).openapi({ description: "Without it, the exemption ends with the cycle" }),
    reason: reason(),
  })
  .openapi("Exemption")
export type Exemption = z.output<typeof exemption>

export const endOfExemption = z.object({ registrationIds: registrationIds() }).openapi("EndOfExemption")
export const reminder = z.object({ registrationIds: registrationIds() }).openapi("Reminder")

const count = () => z.number().int()
export const changeResponse = z.object({ message: z.string(), changed: count(), skipped: count() })
export const reminderResponse = z.object({ message: z.string(), reminded: count(), skipped: count() })
