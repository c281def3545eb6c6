import { z } from "@hono/zod-openapi"
import { groups } from "../../../drizzle/groups.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/sheet/common-columns.ts"
import { dateColumn } from "../../lib/sheet/date-columns.ts"
import { counterOf, subquery } from "../../lib/sql/sql.ts"

const members = counterOf("group", groups.id)

/** The columns of the list of groups. */
export const groupColumns = listColumns({
  id: integerColumn(groups.id),
  name: nameColumn(groups.name),
  created_at: dateColumn(groups.createdAt),
  user_count: column(
    subquery(members),
    z.number().int().openapi({ description: "Its members; users/tabularlist with group_id lists them" }),
    { sort: { sorted: members } },
  ),
})
