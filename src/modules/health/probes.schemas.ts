import { z } from "@hono/zod-openapi"
import { PAUSE_REASONS } from "../../../drizzle/schema/outbox.ts"

export const alive = z.object({ status: z.literal("alive") }).openapi("Liveness")

/** Seconds for which the oldest has waited. */
const seconds = (what: string) =>
  z.int().openapi({ description: `Seconds for which the oldest ${what} has been due with nobody at work on it` })

/** What waits, by kind. */
const waiting = z
  .object({
    mails: seconds("mail"),
    exports: seconds("export"),
    bulkUploads: seconds("bulk upload"),
    erasures: seconds("erasure of a person"),
    backgroundJobs: seconds("background job"),
    webhooks: seconds("webhook"),
  })
  .openapi("Waiting")

/** Whether the mail provider takes mail. */
const mail = z
  .object({
    provider: z.string().openapi({ example: "cloudflare", description: "MAIL_PROVIDER" }),
    paused: z
      .object({
        reason: z.enum(PAUSE_REASONS),
        error: z.string().openapi({ example: "E_DAILY_LIMIT_EXCEEDED", description: "The provider's code for it" }),
        since: z.iso.datetime(),
        until: z.iso.datetime().openapi({ description: "When the next mail is tried" }),
      })
      .nullable()
      .openapi({ description: "Why the provider takes no mail for now; nothing is lost meanwhile. null: it does" }),
  })
  .openapi("MailStatus")

/** Which instance of the database answers a read from where this was asked. */
const reads = z
  .object({
    by: z.enum(["primary", "replica"]),
    region: z.string().nullable().openapi({ example: "EEUR", description: "Where it is; null: D1 does not tell" }),
  })
  .openapi("ReadsOfDatabase")

/** What was found of the database. */
const found = {
  schema: z.string().openapi({ example: "0001_triggers.sql", description: "The last migration that was applied" }),
  waiting,
  mail,
  reads,
  backfills: z
    .array(z.string())
    .openapi({ description: "What still fills in rows of before a migration; the service works meanwhile" }),
}

export const ready = z.object({ status: z.literal("ready"), ...found }).openapi("Readiness")

const why = z.array(z.string())

/** Why it is not ready, by part: the one error body, and what was found. */
export const notReady = z
  .object({
    status: z.literal("error"),
    code: z.literal("unavailable"),
    message: z.string(),
    errors: z
      .object({ database: why.optional(), schema: why.optional(), outbox: why.optional(), jobs: why.optional() })
      .openapi({ description: "What is wrong, by part" }),
    schema: found.schema.optional(),
    waiting: waiting.optional(),
    mail: mail.optional(),
    reads: reads.optional(),
    backfills: found.backfills.optional(),
  })
  .openapi("NotReady")
