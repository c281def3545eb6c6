import { z } from "@hono/zod-openapi"
import { PORTAL_STATUSES } from "../../../drizzle/schema/portals.ts"
import {
  bool,
  choice,
  clearable,
  email,
  id,
  ids,
  integer,
  kept,
  keptText,
  line,
  list,
  name,
  optional,
  text,
  time,
} from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { portalType } from "../users/user-types.ts"
import { portalColumns, portalDetailColumns, userPortalColumns } from "./portal-columns.ts"

const lowered = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : value)

const slug = () =>
  z
    .preprocess(
      lowered,
      z
        .string()
        .max(100)
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "must be small letters and digits with single dashes between" }),
    )
    .openapi({ type: "string", maxLength: 100, description: "Unique; made from the name unless given" })

const color = () =>
  z
    .preprocess(lowered, z.string().regex(/^#[0-9a-f]{6}$/, { error: "must be a color such as #1a2b3c" }))
    .openapi({ type: "string", example: "#1a2b3c" })

const webAddress = () =>
  text(2000)
    .pipe(z.string().regex(/^https?:\/\/\S+$/i, { error: "must be an http(s) URL" }))
    .openapi({ type: "string", format: "uri" })

/** A portal as `portal-create` takes it. */
const fields = {
  name: name(),
  slug: kept(slug()).openapi({ type: "string" }),
  referralCode: kept(text(50)).openapi({ type: "string", description: "Unique; made unless given" }),
  userType: kept(portalType()).openapi({
    type: "string",
    description: "The type of those who administer it; portal_admin unless given",
  }),
  totalSeat: clearable(integer(0, 10_000_000), 0).openapi({
    type: "integer",
    minimum: 0,
    description: "How many learners it takes; 0: any number",
  }),
  subscriptionId: clearable(id()),
  parentPortalId: clearable(id()),
  portalType: clearable(text(50), ""),
  status: kept(choice(PORTAL_STATUSES)).openapi({
    type: "string",
    enum: [...PORTAL_STATUSES],
    description: "An inactive portal takes nobody new",
  }),
  expiryDate: clearable(time(), 0).openapi({
    type: ["string", "null"],
    format: "date-time",
    description: "From then on it takes nobody new; null: never",
  }),
  expiryMessage: clearable(text(1000)),
}

/** What `cloneBrandingNotifications` copies. */
const branding = {
  logoUrl: clearable(webAddress()),
  primaryColor: clearable(color()),
  secondaryColor: clearable(color()),
  senderName: clearable(line(100)).openapi({ type: "string", description: "Whom mail to its members is from" }),
  replyTo: clearable(email()).openapi({ type: "string", description: "Where answers to that mail go" }),
}

const people = (description: string) => kept(ids()).openapi({ type: "array", items: { type: "integer" }, description })

const members = {
  member_ids: people("All its learners"),
  admin_ids: people("All who administer it"),
}

const portalFields = z.object(fields)
export type PortalFields = z.output<typeof portalFields>

export const newPortal = z.object({ ...fields, ...branding, ...members }).openapi("NewPortal")
export type NewPortal = z.output<typeof newPortal>

export const portalChanges = z
  .object({
    ...newPortal.shape,
    name: keptText(name()),
    add_member_ids: people("Learners who come in; the others stay"),
    remove_member_ids: people("Learners who go; the others stay"),
  })
  .refine((input) => !input.member_ids || !(input.add_member_ids || input.remove_member_ids), {
    path: ["member_ids"],
    error: "is the whole set: leave out add_member_ids and remove_member_ids",
  })
  .openapi("PortalChanges")
export type PortalChanges = z.output<typeof portalChanges>

export const portalCreateQuery = z.object({
  portalId: optional(id()).openapi({ type: "integer", minimum: 1, description: "The portal to clone from" }),
})

export const portalCreate = z
  .object({
    userId: id(),
    portals: list(portalFields, 100).refine((portals) => portals.length > 0, { error: "must hold a portal or more" }),
    clonePortalAdmins: optional(bool()),
    cloneBrandingNotifications: optional(bool()),
  })
  .openapi("PortalCreate")
export type PortalCreate = z.output<typeof portalCreate>

export const portal = portalDetailColumns.row.extend({ admin_ids: z.array(z.number().int()) }).openapi("Portal")

export const portalListQuery = listQuery(Object.keys(portalColumns.sort), {
  name: optional(text(100)),
  status: optional(choice(PORTAL_STATUSES)),
  portalType: optional(text(50)),
})

export const portalList = envelope(portalColumns.row)

export const userPortalsQuery = z.object({
  userId: optional(id()).openapi({ type: "integer", minimum: 1, description: "The caller unless given" }),
  type: optional(text(50)).openapi({
    type: "string",
    description: "Only portals of this portalType, or where the user is of this type, such as portal_admin or general",
  }),
})

export const userPortalList = z.object({
  portals: z.array(userPortalColumns.row.openapi("UserPortal")),
  siteLogo: z
    .string()
    .openapi({ description: "The logo of the first of these portals that has one, else the service's" }),
  baseUrl: z.string(),
})
