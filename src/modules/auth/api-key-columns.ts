import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { apiKeys, KEY_ACCESS, KEY_SCOPES } from "../../../drizzle/schema/api-keys.ts"
import { userName } from "../../db/sql.ts"
import { column, isoSchemaOrNull, listColumns, timeColumn } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, type NotNull } from "../../lib/spreadsheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"
import { displayDateTime } from "../../lib/text/dates.ts"

const dateTimeOrNeverColumn = (at: NotNull<number>, description: string) =>
  timeColumn(at, z.string().openapi({ example: "Jan 05, 2026 03:04 PM", description }), isoSchemaOrNull(), {
    show: (at) => (at === 0 ? "Never" : displayDateTime(at)),
    sort: { sorted: at },
  })

const creator = sql<string>`coalesce(${userName(apiKeys.createdBy)}, '')`

/** The columns of the list of API keys and of a single key. None of them reveals the key. */
export const apiKeyColumns = listColumns({
  id: integerColumn(apiKeys.id),
  name: column(apiKeys.name, z.string(), { sort: { sorted: sql`${apiKeys.name} collate nocase` } }),
  role: column(apiKeys.role, z.string(), { sort: { sorted: apiKeys.role } }),
  access: column(apiKeys.access, z.enum(KEY_ACCESS), { sort: { sorted: apiKeys.access } }),
  families: column(
    apiKeys.families,
    z.array(z.string()).nullable().openapi({ description: "The scopes of operations that it may call; null: all" }),
  ),
  scopes: column(
    apiKeys.scopes,
    z.array(z.enum(KEY_SCOPES)).openapi({ description: "Special permissions beyond its role" }),
  ),
  expires_at: dateTimeOrNeverColumn(apiKeys.expiresAt, "The expiry date, or Never"),
  last_used_at: dateTimeOrNeverColumn(apiKeys.lastUsedAt, "The hour of its last use, or Never"),
  created_by: column(
    creator,
    z.string().openapi({ description: "The name of its creator; empty if the user was deleted" }),
    {
      sort: { sorted: sql`${creator} collate nocase` },
    },
  ),
  created_at: dateTimeColumn(apiKeys.createdAt, { sorted: apiKeys.createdAt }),
})
