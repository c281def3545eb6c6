import { z } from "@hono/zod-openapi"
import { badges } from "../../../drizzle/schema/badges.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { absoluteUrl } from "../../lib/text/urls.ts"
import type { Addressed } from "../../lib/web/answers.ts"

const shared = {
  id: integerColumn(badges.id),
  title: nameColumn(badges.title),
  badgeIconUrl: column(badges.badgeIconUrl, z.string(), {
    show: (url, { base }: Addressed) => absoluteUrl(base, url),
    // The list sorts by the address as it is shown.
    sort: { sorted: badges.badgeIconUrl },
  }),
  points: integerColumn(badges.points),
}

/** The columns of the list of badges. */
export const badgeColumns = listColumns(shared)

/** What is answered of a badge by itself. */
export const badgeDetails = listColumns({
  ...shared,
  defaultIconUrl: column(badges.defaultIconUrl, z.string().nullable(), {
    show: (url, { base }: Addressed) => url && absoluteUrl(base, url),
  }),
  organizationId: column(badges.organizationId, z.union([z.string(), z.number().int()]).nullable()),
})
