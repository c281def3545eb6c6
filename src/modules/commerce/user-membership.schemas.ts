import { z } from "@hono/zod-openapi"
import { id, optional, time } from "../../lib/input/input.ts"

const membershipFields = {
  id: optional(id()).openapi({ type: "integer", description: "The membership; the user's own when left out" }),
  expired_at: optional(time()).openapi({
    type: "string",
    format: "date-time",
    description: "In the past: revoked. Left out: the membership's own expiry, counted from now",
  }),
}

export const membershipUpdate = z
  .object({
    ...membershipFields,
    membership: optional(
      z.object({ ...membershipFields, name: z.unknown().optional().openapi({ type: "string" }) }),
    ).openapi({ description: "The older form; the membership's name is not read" }),
  })
  .transform(({ membership, id, expired_at }) => ({
    id: membership?.id ?? id,
    expiredAt: membership?.expired_at ?? expired_at,
  }))
  .openapi("MembershipUpdate")

export type MembershipUpdate = z.output<typeof membershipUpdate>
