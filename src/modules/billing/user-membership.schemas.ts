import { z } from "@hono/zod-openapi"
import { clearable, id, moment, optional } from "../../lib/input/input.ts"

const membershipFields = {
  id: optional(id()).openapi({ type: "integer", description: "The membership; the user's own when left out" }),
  expired_at: optional(moment()).openapi({
    type: "string",
    format: "date-time",
    description: "In the past: revoked. Left out: the membership's own expiry, counted from now",
  }),
  expiryDate: clearable(moment()).openapi({
    type: ["string", "null"],
    example: "2026-01-05T00:00:00Z",
    description: "In place of expired_at, as the user's detail answers it; null: without an end",
  }),
}

export const membershipUpdate = z
  .object({
    ...membershipFields,
    membership: clearable(
      z.object({ ...membershipFields, name: z.unknown().optional().openapi({ type: "string" }) }),
    ).openapi({ description: "The older form, or the user's membership as read. Its name is not read" }),
  })
  .transform(({ membership, ...given }) => {
    const { id = given.id, expired_at = given.expired_at, expiryDate = given.expiryDate } = membership ?? {}
    return { id, end: expired_at ?? expiryDate, isNone: membership === null && id === undefined }
  })
  .openapi("MembershipUpdate")

export type MembershipUpdate = z.output<typeof membershipUpdate>
