import { z } from "@hono/zod-openapi"
import { WEBHOOK_PATTERNS } from "../../../drizzle/events/index.ts"
import { DISABLE_REASONS, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

const toIsoOrNull = (at: number) => (at > 0 ? new Date(at).toISOString() : null)

/** The columns of the list of webhooks and of a single webhook. The secret is not included. */
export const webhookColumns = listColumns({
  id: integerColumn(webhooks.id),
  url: sortedTextColumn(webhooks.url),
  events: column(webhooks.events, z.array(z.enum(WEBHOOK_PATTERNS))),
  description: column(webhooks.description, z.string()),
  concurrency: integerColumn(webhooks.concurrency),
  enabled: column(webhooks.enabled, z.boolean()),
  offReason: column(
    webhooks.offReason,
    z.enum(DISABLE_REASONS).openapi({
      description: "Why it was disabled automatically: three days of failures, or a 410 response",
    }),
  ),
  failingSince: column(
    webhooks.failingSince,
    z.string().nullable().openapi({
      format: "date-time",
      description: "Since when every attempt has failed; null if the last one succeeded",
    }),
    { show: toIsoOrNull },
  ),
  createdBy: column(webhooks.createdBy, z.number().int().nullable()),
  created_at: dateColumn(webhooks.createdAt, { sorted: webhooks.createdAt }),
})
