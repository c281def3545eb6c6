import { z } from "@hono/zod-openapi"
import { EVENT_TYPES } from "../../../drizzle/schema/event-definitions.ts"
import { DISABLE_REASONS, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

const timeOrNone = (at: number) => (at > 0 ? new Date(at).toISOString() : null)

/** The columns of the list of webhooks; a webhook by itself is answered alike. A secret is never among them. */
export const webhookColumns = listColumns({
  id: integerColumn(webhooks.id),
  url: sortedTextColumn(webhooks.url),
  events: column(webhooks.events, z.array(z.enum(EVENT_TYPES))),
  description: column(webhooks.description, z.string()),
  concurrency: integerColumn(webhooks.concurrency),
  enabled: column(webhooks.enabled, z.boolean()),
  offReason: column(
    webhooks.offReason,
    z.enum(DISABLE_REASONS).openapi({
      description: "Why it was switched off, where no person did it: three days of failure, or a 410 answer",
    }),
  ),
  failingSince: column(
    webhooks.failingSince,
    z.string().nullable().openapi({
      format: "date-time",
      description: "Since when no attempt held; null while the last one did",
    }),
    { show: timeOrNone },
  ),
  createdBy: column(webhooks.createdBy, z.number().int().nullable()),
  created_at: dateColumn(webhooks.createdAt, { sorted: webhooks.createdAt }),
})
