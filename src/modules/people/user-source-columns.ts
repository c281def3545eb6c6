import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { userSources } from "../../../drizzle/users.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { beginning } from "../../lib/sql/list.ts"

/** The columns of the list of user sources; a source by itself is answered alike. */
export const userSourceColumns = listColumns({
  id: column(userSources.id, z.number().int(), { sort: userSources.id }),
  name: column(userSources.name, z.string(), { sort: sql`${userSources.name} collate nocase` }),
  identifier: column(userSources.identifier, z.string(), { sort: userSources.identifier }),
  description: column(userSources.description, z.string().nullable(), {
    sort: { sorted: beginning(userSources.description) },
  }),
  logoUrl: column(userSources.logoUrl, z.string().nullable(), { sort: { sorted: beginning(userSources.logoUrl) } }),
})
