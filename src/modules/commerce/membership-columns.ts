import { z } from "@hono/zod-openapi"
import { memberships } from "../../../drizzle/memberships.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/sheet/common-columns.ts"
import { dateColumn } from "../../lib/sheet/date-columns.ts"

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
