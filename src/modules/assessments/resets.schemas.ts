import { z } from "@hono/zod-openapi"
import { id, optional, requiredIds, time } from "../../lib/input/input.ts"

const whole = () => z.number().int()

export const reset = z
  .object({
    registration_ids: requiredIds(),
    expire_on: optional(time()).openapi({
      format: "date-time",
      description: "When all of them expire; unless given, those that have expired get the course's own term",
    }),
  })
  .openapi("ProgressReset")
export type Reset = z.output<typeof reset>
export const resetAnswer = z.object({ message: z.string(), reset: whole(), skipped: whole() })
export const recertification = z.object({ registrationId: id() }).openapi("Recertification")
