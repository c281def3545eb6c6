import { z } from "@hono/zod-openapi"
import { id, optional, requiredIds, time } from "../../lib/input/input.ts"

const integerAnswer = () => z.number().int()

export const reset = z
  .object({
    registration_ids: requiredIds(),
    expire_on: optional(time()).openapi({
      format: "date-time",
      description: "The new expiry of all enrollments; by default, expired ones get the course's access duration",
    }),
  })
  .openapi("ProgressReset")
export type Reset = z.output<typeof reset>
export const resetAnswer = z.object({ message: z.string(), reset: integerAnswer(), skipped: integerAnswer() })
export const recertification = z.object({ registrationId: id() }).openapi("Recertification")
