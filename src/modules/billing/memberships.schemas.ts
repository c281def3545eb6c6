import { z } from "@hono/zod-openapi"
import { ids, keepIfNone, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { membershipColumns, membershipFields } from "./membership-fields.ts"

const links = {
  course_ids: keepIfNone(ids(1000)).openapi({ description: "The courses that it gives; a PUT replaces them" }),
}

export const newMembership = z.object({ ...membershipFields.create, ...links }).openapi("NewMembership")
export type NewMembership = z.output<typeof newMembership>

export const membershipChanges = z.object({ ...membershipFields.change, ...links }).openapi("MembershipChanges")
export type MembershipChanges = z.output<typeof membershipChanges>

export const membership = membershipColumns.row.extend({ course_ids: z.array(z.number().int()) }).openapi("Membership")

export const membershipListQuery = listQuery(Object.keys(membershipColumns.sort), { name: optional(text(100)) })
export const membershipList = listResponse(membershipColumns.row.openapi("MembershipRow"))
