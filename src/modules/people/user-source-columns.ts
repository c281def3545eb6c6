import { z } from "@hono/zod-openapi"
import { userSources } from "../../../drizzle/users.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/sheet/common-columns.ts"
import { beginning } from "../../lib/sql/list.ts"

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
