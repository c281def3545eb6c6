import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { apiKeys, KEY_ACCESS, KEY_SCOPES } from "../../../drizzle/schema/api-keys.ts"
import { userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, type NotNull } from "../../lib/spreadsheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"
import { displayDateTime } from "../../lib/text/dates.ts"

const dateTimeOrNeverColumn = (at: NotNull<number>, description: string) =>
  column(at, z.string().openapi({ example: "Jan 05, 2026 03:04 PM", description }), {
    show: (at) => (at === 0 ? "Never" : displayDateTime(at)),
    sort: { sorted: at },
  })

const maker = sql<string>`coalesce(${userName(apiKeys.createdBy)}, '')`

/** The columns of the list of API keys; a key by itself is answered alike. Nothing of them tells the key. */
export const apiKeyColumns = listColumns({
  id: integerColumn(apiKeys.id),
  name: column(apiKeys.name, z.string(), { sort: { sorted: sql`${apiKeys.name} collate nocase` } }),
  role: column(apiKeys.role, z.string(), { sort: { sorted: apiKeys.role } }),
  access: column(apiKeys.access, z.enum(KEY_ACCESS), { sort: { sorted: apiKeys.access } }),
  families: column(
    apiKeys.families,
    z.array(z.string()).nullable().openapi({ description: "The families that it may call; null: all" }),
  ),
  scopes: column(
    apiKeys.scopes,
    z.array(z.enum(KEY_SCOPES)).openapi({ description: "What it is trusted with beyond its role and families" }),
  ),
  expires_at: dateTimeOrNeverColumn(apiKeys.expiresAt, "Until when it holds, or Never"),
  last_used_at: dateTimeOrNeverColumn(apiKeys.lastUsedAt, "The hour of its last use, or Never"),
  created_by: column(maker, z.string().openapi({ description: "Who made it; empty when they are gone" }), {
    sort: { sorted: sql`${maker} collate nocase` },
  }),
  created_at: dateTimeColumn(apiKeys.createdAt, { sorted: apiKeys.createdAt }),
})
