import { z } from "@hono/zod-openapi"
import { groups } from "../../../drizzle/schema/groups.ts"
import { counterOf, subquery } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { externalIdColumn } from "../../lib/spreadsheet/external-id-column.ts"

const members = counterOf("group", groups.id)

/** The columns of the list of groups. */
export const groupColumns = listColumns({
  id: integerColumn(groups.id),
  name: nameColumn(groups.name),
  created_at: dateColumn(groups.createdAt, { sorted: groups.createdAt }),
  user_count: column(
    subquery(members),
    z.number().int().openapi({ description: "The number of members; users/tabularlist with group_id lists them" }),
    { sort: { sorted: members } },
  ),
  externalId: externalIdColumn("group", groups.id),
})
