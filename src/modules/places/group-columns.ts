import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { groups } from "../../../drizzle/groups.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { counterOf, subquery } from "../../lib/sql/sql.ts"
import { displayDate } from "../../lib/text/dates.ts"

const members = counterOf("group", groups.id)

/** The columns of the list of groups. */
export const groupColumns = listColumns({
  id: column(groups.id, z.number().int(), { sort: groups.id }),
  name: column(groups.name, z.string(), { sort: sql`${groups.name} collate nocase` }),
  created_at: column(groups.createdAt, z.string(), { show: displayDate, sort: groups.createdAt }),
  user_count: column(
    subquery(members),
    z.number().int().openapi({ description: "Its members; users/tabularlist with group_id lists them" }),
    { sort: { sorted: members } },
  ),
})
