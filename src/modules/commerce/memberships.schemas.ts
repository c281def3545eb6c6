import { z } from "@hono/zod-openapi"
import { clearable, ids, integer, kept, keptText, name, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"

const fields = {
  expiresAfterDays: clearable(integer(0, 36_500), 0).openapi({
    type: ["integer", "null"],
    description: "Days from the start; null or 0: it does not expire",
  }),
  course_ids: kept(ids(1000)).openapi({ description: "The courses that it gives; a PUT replaces them" }),
}

export const newMembership = z.object({ name: name(), ...fields }).openapi("NewMembership")
export type NewMembership = z.output<typeof newMembership>

export const membershipChanges = z.object({ name: keptText(name()), ...fields }).openapi("MembershipChanges")
export type MembershipChanges = z.output<typeof membershipChanges>

const row = {
  id: z.number().int(),
  name: z.string(),
  expiresAfterDays: z.number().int().nullable(),
  created_at: z.string(),
}

export const membership = z.object({ ...row, course_ids: z.array(z.number().int()) }).openapi("Membership")

const MEMBERSHIP_COLUMNS = ["id", "name", "expiresAfterDays", "created_at"] as const
export const membershipListQuery = listQuery(MEMBERSHIP_COLUMNS, { name: optional(text(100)) })
export const membershipList = envelope(z.object(row).openapi("MembershipRow"))
