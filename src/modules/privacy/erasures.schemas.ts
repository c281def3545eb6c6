import { z } from "@hono/zod-openapi"
import { ERASURE_REASONS, ERASURE_STATUSES } from "../../../drizzle/schema/erasures.ts"
import { choice, email, id, withDefault } from "../../lib/input/input.ts"

export const newErasure = z
  .object({
    userId: id(),
    email: email().openapi({ description: "The user's email address, to confirm the user" }),
    reason: withDefault(choice(ERASURE_REASONS), "requested").openapi({
      type: "string",
      enum: [...ERASURE_REASONS],
      description: "The reason, which is stored in the audit log",
    }),
  })
  .openapi("NewErasure")
export type NewErasure = z.output<typeof newErasure>

export const erasureStarted = z
  .object({ status: z.literal("success"), user_id: z.number().int(), message: z.string() })
  .openapi("ErasureBegun")

export const erasureState = z
  .object({
    user_id: z.number().int(),
    status: z.enum(ERASURE_STATUSES),
    progress: z.number().int().min(0).max(100).openapi({ description: "Percent; never decreases" }),
    message: z.string(),
    reason: z.enum(ERASURE_REASONS),
    requested_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .openapi("ErasureProgress")
