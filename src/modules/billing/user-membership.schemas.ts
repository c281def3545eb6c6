import { z } from "@hono/zod-openapi"
import { clearable, id, moment, optional } from "../../lib/input/input.ts"

const membershipFields = {
  id: optional(id()).openapi({ type: "integer", description: "The membership. Defaults to the user's current one" }),
  expired_at: optional(moment()).openapi({
    type: "string",
    format: "date-time",
    description: "A date in the past revokes the membership. Defaults to the membership's duration from now",
  }),
  expiryDate: clearable(moment()).openapi({
    type: ["string", "null"],
    example: "2026-01-05T00:00:00Z",
    description: "Alternative to expired_at, as in the user's detail; null: no end",
  }),
}

export const membershipUpdate = z
  .object({
    ...membershipFields,
    membership: clearable(
      z.object({ ...membershipFields, name: z.unknown().optional().openapi({ type: "string" }) }),
    ).openapi({ description: "The older format, or the user's membership as in responses. Its name is ignored" }),
  })
  .transform(({ membership, ...fields }) => {
    const { id = fields.id, expired_at = fields.expired_at, expiryDate = fields.expiryDate } = membership ?? {}
    return { id, end: expired_at ?? expiryDate, isNone: membership === null && id === undefined }
  })
  .openapi("MembershipUpdate")

export type MembershipUpdate = z.output<typeof membershipUpdate>
