import { z } from "@hono/zod-openapi"
import { WEBHOOK_PATTERNS } from "../../../drizzle/events/index.ts"
import { DISABLE_REASONS, webhooks } from "../../../drizzle/schema/webhooks.ts"
import {
  boolean,
  choice,
  clearable,
  id,
  integer,
  keepIfNone,
  keepIfNull,
  list,
  nonEmpty,
  optional,
  requiredText,
  text,
  withDefault,
} from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"

/** The maximum number of concurrent deliveries per webhook. */
const MAX_CONCURRENCY = 8

const url = () =>
  requiredText(2000).openapi({
    type: "string",
    format: "uri",
    maxLength: 2000,
    example: "https://hooks.example.org/lectern",
    description: "An HTTPS URL of a public host",
  })

const patterns = () =>
  nonEmpty(list(choice(WEBHOOK_PATTERNS), WEBHOOK_PATTERNS.length).transform((values) => [...new Set(values)])).openapi(
    {
      type: "array",
      items: { type: "string", enum: [...WEBHOOK_PATTERNS] },
      minItems: 1,
      description: "The types of events to send. `user.*` is every event of a user, `*` is every event",
    },
  )

const concurrency = () =>
  integer(1, MAX_CONCURRENCY).openapi({
    type: "integer",
    minimum: 1,
    maximum: MAX_CONCURRENCY,
    description: "The number of events to send concurrently. Above 1, events can arrive out of order",
  })

const filterId = (description: string) => {
  const input = () => id().openapi({ type: "integer", minimum: 1, description })
  return { create: optional(input()), change: clearable(input()) }
}

const shownFilterId = () => z.number().int().nullable().openapi({ description: "null: all" })

const toIsoOrNull = (at: number) => (at > 0 ? new Date(at).toISOString() : null)

export const webhookFields = recordFields(webhooks, {
  url: { create: url(), change: keepIfNull(url()), answer: sortedTextColumn(webhooks.url) },
  events: {
    create: patterns(),
    change: keepIfNone(patterns()),
    answer: column(webhooks.events, z.array(z.enum(WEBHOOK_PATTERNS))),
  },
  courseId: {
    ...filterId("Only events of this course"),
    answer: column(webhooks.courseId, shownFilterId()),
  },
  groupId: {
    ...filterId("Only events of this group and of its current members"),
    answer: column(webhooks.groupId, shownFilterId()),
  },
  portalId: {
    ...filterId("Only events of this portal and of its current members"),
    answer: column(webhooks.portalId, shownFilterId()),
  },
  description: {
    create: optional(text(500)),
    change: keepIfNull(text(500)),
    answer: column(webhooks.description, z.string()),
  },
  concurrency: {
    create: withDefault(concurrency(), 1),
    change: keepIfNone(concurrency()),
    answer: integerColumn(webhooks.concurrency),
  },
  enabled: {
    change: keepIfNone(boolean()).openapi({ description: "true: continues where it stopped" }),
    answer: column(webhooks.enabled, z.boolean()),
  },
  offReason: {
    answer: column(
      webhooks.offReason,
      z.enum(DISABLE_REASONS).openapi({
        description: "Why it was disabled automatically: three days of failures, or a 410 response",
      }),
    ),
  },
  failingSince: {
    answer: column(
      webhooks.failingSince,
      z.string().nullable().openapi({
        format: "date-time",
        description: "Since when every attempt has failed; null if the last one succeeded",
      }),
      { show: toIsoOrNull },
    ),
  },
  createdBy: { answer: column(webhooks.createdBy, z.number().int().nullable()) },
})

/** The columns of the list of webhooks and of a single webhook. The secret is not included. */
export const webhookColumns = listColumns({
  id: integerColumn(webhooks.id),
  ...webhookFields.answers,
  created_at: dateColumn(webhooks.createdAt, { sorted: webhooks.createdAt }),
})
