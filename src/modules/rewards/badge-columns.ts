import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { badges } from "../../../drizzle/badges.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { inFull } from "../../lib/text/urls.ts"

interface Service {
  /** Its address, without a slash at the end. */
  base: string
}

const shared = {
  id: column(badges.id, z.number().int(), { sort: badges.id }),
  title: column(badges.title, z.string(), { sort: sql`${badges.title} collate nocase` }),
  badgeIconUrl: column(badges.badgeIconUrl, z.string(), {
    show: (url, { base }: Service) => inFull(base, url),
    sort: badges.badgeIconUrl,
  }),
  points: column(badges.points, z.number().int(), { sort: badges.points }),
}

/** The columns of the list of badges. */
export const badgeColumns = listColumns(shared)

/** What is answered of a badge by itself. */
export const badgeDetails = listColumns({
  ...shared,
  defaultIconUrl: column(badges.defaultIconUrl, z.string().nullable(), {
    show: (url, { base }: Service) => url && inFull(base, url),
  }),
  organizationId: column(badges.organizationId, z.union([z.string(), z.number().int()]).nullable()),
})
