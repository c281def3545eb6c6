import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { subquery } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { brandingFields, portalFields } from "./portal-fields.ts"
import { learnerCount } from "./portal-members.ts"

const id = integerColumn(portals.id)

const beside = {
  created_at: dateColumn(portals.createdAt, { sorted: portals.createdAt }),
  member_count: column(
    subquery(learnerCount(portals.id)),
    z.number().int().openapi({ description: "The number of learners; users/tabularlist with portalId lists them" }),
    { sort: { sorted: learnerCount(portals.id) } },
  ),
}

/** The columns of the list of portals. */
export const portalColumns = listColumns({ id, ...portalFields.listed, ...beside })

/** The columns of one portal, without its administrators. */
export const portalDetailColumns = listColumns({
  id,
  ...portalFields.answers,
  ...brandingFields.answers,
  ...beside,
})

/** A member's type in the portal: learners are `general`. */
export const memberType = sql<string>`iif(${portalMembers.role} = 'admin', ${portals.userType}, 'general')`

/** The columns of the list of a user's portals. */
export const userPortalColumns = listColumns({
  id,
  ...portalFields.answers,
  userType: column(memberType, z.string().openapi({ description: "What the user is in this portal" })),
})
