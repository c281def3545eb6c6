import { z } from "@hono/zod-openapi"
import { PORTAL_STATUSES, portals } from "../../../drizzle/schema/portals.ts"
import {
  choice,
  clearable,
  email,
  id,
  integer,
  keepIfNone,
  keepIfNull,
  line,
  name,
  text,
  time,
} from "../../lib/input/input.ts"
import { column } from "../../lib/spreadsheet/columns.ts"
import { nameColumn, sortedIntegerColumn, sortedTextColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { logoUrl } from "../settings/logo.ts"
import { portalType } from "../users/user-types.ts"

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

const idOrNull = () => z.number().int().nullable()
const textOrNull = () => z.string().nullable()

export const portalFields = recordFields(portals, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(portals.name), listed: true, searched: true },
  slug: { create: keepIfNone(slug()).openapi({ type: "string" }), answer: textColumn(portals.slug), listed: true },
  portalType: { create: clearable(text(50), ""), answer: sortedTextColumn(portals.portalType), listed: true },
  status: {
    create: keepIfNone(choice(PORTAL_STATUSES)).openapi({
      type: "string",
      enum: [...PORTAL_STATUSES],
      description: "An inactive portal accepts no new members",
    }),
    answer: column(portals.status, z.enum(PORTAL_STATUSES), { sort: { sorted: portals.status } }),
    listed: true,
  },
  totalSeat: {
    create: clearable(integer(0, 10_000_000), 0).openapi({
      type: "integer",
      minimum: 0,
      description: "How many learners it takes; 0: any number",
    }),
    answer: sortedIntegerColumn(portals.totalSeat),
    listed: true,
  },
  expiryDate: {
    column: "expiresAt",
    create: clearable(time(), 0).openapi({
      type: ["string", "null"],
      format: "date-time",
      description: "From then on it accepts no new members; null: never",
    }),
    answer: column(portals.expiresAt, textOrNull().openapi({ example: "2026-12-31T00:00:00.000Z" }), {
      // ISO 8601, so that a client can send back what it read.
      show: (at) => (at > 0 ? new Date(at).toISOString() : null),
      sort: { sorted: portals.expiresAt },
    }),
    listed: true,
  },
  referralCode: {
    create: keepIfNone(text(50)).openapi({ type: "string", description: "Unique; made unless given" }),
    answer: column(portals.referralCode, z.string()),
  },
  userType: {
    create: keepIfNone(portalType()).openapi({
      type: "string",
      description: "The type of those who administer it; portal_admin unless given",
    }),
    answer: column(portals.userType, z.string()),
  },
  subscriptionId: { create: clearable(id()), answer: column(portals.subscriptionId, idOrNull()) },
  parentPortalId: { create: clearable(id()), answer: column(portals.parentPortalId, idOrNull()) },
  expiryMessage: {
    create: clearable(text(1000)),
    answer: column(portals.expiryMessage, z.string(), { show: (message) => message ?? "" }),
  },
})

/** What `cloneBrandingNotifications` copies. */
export const brandingFields = recordFields(portals, {
  logoUrl: { create: clearable(logoUrl()), answer: column(portals.logoUrl, textOrNull()) },
  primaryColor: { create: clearable(color()), answer: column(portals.primaryColor, textOrNull()) },
  secondaryColor: { create: clearable(color()), answer: column(portals.secondaryColor, textOrNull()) },
  senderName: {
    create: clearable(line(100)).openapi({ type: "string", description: "The sender name of emails to its members" }),
    answer: column(portals.senderName, textOrNull()),
  },
  replyTo: {
    create: clearable(email()).openapi({ type: "string", description: "Where answers to that mail go" }),
    answer: column(portals.replyTo, textOrNull()),
  },
})
