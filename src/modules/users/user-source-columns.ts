import { z } from "@hono/zod-openapi"
import { userSources } from "../../../drizzle/schema/users.ts"
import { beginning } from "../../db/list.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"

/** The columns of the list of user sources; a source by itself is answered alike. */
export const userSourceColumns = listColumns({
  id: integerColumn(userSources.id),
  name: nameColumn(userSources.name),
  identifier: textColumn(userSources.identifier),
  description: column(userSources.description, z.string().nullable(), {
    sort: { sorted: beginning(userSources.description) },
  }),
  logoUrl: column(userSources.logoUrl, z.string().nullable(), { sort: { sorted: beginning(userSources.logoUrl) } }),
})
