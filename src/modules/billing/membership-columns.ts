import { z } from "@hono/zod-openapi"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

/** The columns of the list of memberships. */
export const membershipColumns = listColumns({
  id: integerColumn(memberships.id),
  name: nameColumn(memberships.name),
  expiresAfterDays: column(memberships.expiresAfterDays, z.number().int().nullable(), {
    show: (days) => days || null,
    sort: memberships.expiresAfterDays,
  }),
  created_at: dateColumn(memberships.createdAt),
})
