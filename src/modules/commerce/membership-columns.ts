import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/memberships.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { displayDate } from "../../lib/text/dates.ts"

/** The columns of the list of memberships. */
export const membershipColumns = listColumns({
  id: column(memberships.id, z.number().int(), { sort: memberships.id }),
  name: column(memberships.name, z.string(), { sort: sql`${memberships.name} collate nocase` }),
  expiresAfterDays: column(memberships.expiresAfterDays, z.number().int().nullable(), {
    show: (days) => days || null,
    sort: memberships.expiresAfterDays,
  }),
  created_at: column(memberships.createdAt, z.string(), { show: displayDate, sort: memberships.createdAt }),
})
