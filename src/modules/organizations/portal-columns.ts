import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { PORTAL_STATUSES, portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { subquery } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { learnersOf } from "./portal-members.ts"

const shared = {
  id: integerColumn(portals.id),
  name: nameColumn(portals.name),
  slug: textColumn(portals.slug),
  portalType: textColumn(portals.portalType),
  status: column(portals.status, z.enum(PORTAL_STATUSES), { sort: portals.status }),
  totalSeat: integerColumn(portals.totalSeat),
  expiryDate: column(portals.expiresAt, z.string().nullable().openapi({ example: "2026-12-31T00:00:00.000Z" }), {
    // ISO 8601, so that a client can send back what it read.
    show: (at) => (at > 0 ? new Date(at).toISOString() : null),
    sort: portals.expiresAt,
  }),
}

const beside = {
  created_at: dateColumn(portals.createdAt),
  member_count: column(
    subquery(learnersOf(portals.id)),
    z.number().int().openapi({ description: "Its learners; users/tabularlist with portalId lists them" }),
    { sort: { sorted: learnersOf(portals.id) } },
  ),
}

/** The columns of the list of portals. */
export const portalColumns = listColumns({ ...shared, ...beside })

const documented = {
  ...shared,
  referralCode: column(portals.referralCode, z.string()),
  userType: column(portals.userType, z.string()),
  subscriptionId: column(portals.subscriptionId, z.number().int().nullable()),
  parentPortalId: column(portals.parentPortalId, z.number().int().nullable()),
  expiryMessage: column(portals.expiryMessage, z.string(), { show: (message) => message ?? "" }),
}

/** A portal by itself, but for those who administer it. */
export const portalDetailColumns = listColumns({
  ...documented,
  logoUrl: column(portals.logoUrl, z.string().nullable()),
  primaryColor: column(portals.primaryColor, z.string().nullable()),
  secondaryColor: column(portals.secondaryColor, z.string().nullable()),
  senderName: column(portals.senderName, z.string().nullable()),
  replyTo: column(portals.replyTo, z.string().nullable()),
  ...beside,
})

/** What a member is in a portal: its learners are `general` there. */
export const memberType = sql<string>`iif(${portalMembers.role} = 'admin', ${portals.userType}, 'general')`

/** The columns of the list of a user's portals. */
export const userPortalColumns = listColumns({
  ...documented,
  userType: column(memberType, z.string().openapi({ description: "What the user is in this portal" })),
})
