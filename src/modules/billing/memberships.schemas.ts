import { z } from "@hono/zod-openapi"
import { clearable, ids, integer, kept, keptText, name, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { membershipColumns } from "./membership-columns.ts"

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

export const membership = membershipColumns.row.extend({ course_ids: z.array(z.number().int()) }).openapi("Membership")

export const membershipListQuery = listQuery(Object.keys(membershipColumns.sort), { name: optional(text(100)) })
export const membershipList = envelope(membershipColumns.row.openapi("MembershipRow"))
