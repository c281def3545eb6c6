import { z } from "@hono/zod-openapi"
import { PAUSE_REASONS } from "../../../drizzle/schema/outbox.ts"

export const alive = z.object({ status: z.literal("alive") }).openapi("Liveness")

const seconds = (what: string) =>
  z.int().openapi({ description: `How many seconds the oldest ${what} has been due without being processed` })

/** Due items by type. */
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

/** Whether the mail provider accepts email. */
const mail = z
  .object({
    provider: z.string().openapi({ example: "cloudflare", description: "MAIL_PROVIDER" }),
    paused: z
      .object({
        reason: z.enum(PAUSE_REASONS),
        error: z.string().openapi({ example: "E_DAILY_LIMIT_EXCEEDED", description: "The provider's code for it" }),
        since: z.iso.datetime(),
        until: z.iso.datetime().openapi({ description: "When the next email is tried" }),
      })
      .nullable()
      .openapi({ description: "Why the provider accepts no email; queued emails are not lost. null: not paused" }),
  })
  .openapi("MailStatus")

/** The database instance that serves reads from this location. */
const reads = z
  .object({
    by: z.enum(["primary", "replica"]),
    region: z.string().nullable().openapi({ example: "EEUR", description: "The location; null: unknown" }),
  })
  .openapi("ReadsOfDatabase")

/** The state of the database. */
const found = {
  schema: z.string().openapi({ example: "0001_triggers.sql", description: "The last applied migration" }),
  waiting,
  mail,
  reads,
  backfills: z
    .array(z.string())
    .openapi({ description: "Unfinished backfills of a migration; the service works meanwhile" }),
}

export const ready = z.object({ status: z.literal("ready"), ...found }).openapi("Readiness")

const why = z.array(z.string())

/** The error body of a service that is not ready, with the problems by part. */
export const notReady = z
  .object({
    status: z.literal("error"),
    code: z.literal("unavailable"),
    message: z.string(),
    errors: z
      .object({ database: why.optional(), schema: why.optional(), outbox: why.optional(), jobs: why.optional() })
      .openapi({ description: "The problems by part" }),
    schema: found.schema.optional(),
    waiting: waiting.optional(),
    mail: mail.optional(),
    reads: reads.optional(),
    backfills: found.backfills.optional(),
  })
  .openapi("NotReady")
