import { z } from "@hono/zod-openapi"
import { PORTAL_STATUSES } from "../../../drizzle/schema/portals.ts"
import { boolean, choice, id, ids, keepIfNone, list, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { portalColumns, portalDetailColumns, userPortalColumns } from "./portal-columns.ts"
import { brandingFields, portalFields } from "./portal-fields.ts"

const people = (description: string) =>
  keepIfNone(ids()).openapi({ type: "array", items: { type: "integer" }, description })

const members = {
  member_ids: people("All learners; replaces the current set"),
  admin_ids: people("All administrators; replaces the current set"),
}

const newPortalFields = z.object(portalFields.create)
export type PortalFields = z.output<typeof newPortalFields>

export const newPortal = z.object({ ...portalFields.create, ...brandingFields.create, ...members }).openapi("NewPortal")
export type NewPortal = z.output<typeof newPortal>

export const portalChanges = z
  .object({
    ...portalFields.change,
    ...brandingFields.change,
    ...members,
    add_member_ids: people("Learners who come in; the others stay"),
    remove_member_ids: people("Learners who go; the others stay"),
  })
  .refine((input) => !input.member_ids || !(input.add_member_ids || input.remove_member_ids), {
    path: ["member_ids"],
    error: "replaces the complete set: omit add_member_ids and remove_member_ids",
  })
  .openapi("PortalChanges")
export type PortalChanges = z.output<typeof portalChanges>

export const portalCreateQuery = z.object({
  portalId: optional(id()).openapi({ type: "integer", minimum: 1, description: "The portal to clone from" }),
})

export const portalCreate = z
  .object({
    userId: id(),
    portals: list(newPortalFields, 100).refine((portals) => portals.length > 0, {
      error: "must hold a portal or more",
    }),
    clonePortalAdmins: optional(boolean()),
    cloneBrandingNotifications: optional(boolean()),
  })
  .openapi("PortalCreate")
export type PortalCreate = z.output<typeof portalCreate>

export const portal = portalDetailColumns.row.extend({ admin_ids: z.array(z.number().int()) }).openapi("Portal")

export const portalListQuery = listQuery(Object.keys(portalColumns.sort), {
  name: optional(text(100)),
  status: optional(choice(PORTAL_STATUSES)),
  portalType: optional(text(50)),
})

export const portalList = listResponse(portalColumns.row)

export const userPortalsQuery = z.object({
  userId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to the caller" }),
  type: optional(text(50)).openapi({
    type: "string",
    description: "Filters by portalType, or by the user's type in the portal, such as portal_admin or general",
  }),
})

export const userPortalList = z.object({
  portals: z.array(userPortalColumns.row.openapi("UserPortal")),
  siteLogo: z
    .string()
    .openapi({ description: "The logo of the first of these portals with one, or else the service's logo" }),
  baseUrl: z.string(),
})
