import { z } from "@hono/zod-openapi"

const timestamp = (what: string) => z.int().openapi({ description: `${what}, in milliseconds since 1970` })

/** The parts of a deployment that can differ from a developer's machine, without secrets. */
export const diagnostics = z
  .object({
    service: z.string().openapi({ description: "The version", example: "0.2.0" }),
    now: timestamp("The service's clock"),
    settings: z.record(z.string(), z.string()).openapi({
      description: "Variables by name; unset ones are empty",
      example: { ACCESS_POLICY: "enforced", BASE_URL: "https://academy.example.org" },
    }),
    secrets: z.record(z.string(), z.int()).openapi({
      description: "The length of each secret; 0: not set",
      example: { APP_SECRET: 43 },
    }),
    bindings: z.record(z.string(), z.boolean()).openapi({
      description: "Whether each binding is configured",
      example: { DB: true, FILES: true },
    }),
    database: z.object({
      schema: z.string().openapi({ description: "The last applied migration" }),
      wanted: z.string().openapi({ description: "The last migration in the code" }),
      bytes: z.int().openapi({ description: "The size of the database" }),
      primaryRegion: z.string().nullable().openapi({ example: "WEUR" }),
      readBy: z.enum(["primary", "replica"]).openapi({ description: "The instance that served a read" }),
      readRegion: z.string().nullable().openapi({ example: "EEUR" }),
    }),
    files: z.boolean().openapi({ description: "Whether the bucket responds" }),
    assets: z.boolean().openapi({ description: "Whether static files are available" }),
    cron: z.object({
      ranAt: timestamp("When the last run ended, up to three minutes ago; null: never").nullable(),
      failed: z.int().openapi({ description: "The number of failed tasks of that run" }),
    }),
    backfills: z.array(z.string()).openapi({ description: "Unfinished backfills" }),
    queues: z
      .record(
        z.string(),
        z.object({
          messages: z.int().nullable(),
          oldestAt: timestamp("When the oldest message was sent; null: unknown").nullable(),
        }),
      )
      .openapi({ description: "The backlog of each queue by binding; null: unknown" }),
    backupNotes: z.boolean().openapi({ description: "Whether a backup records changes, or left its records behind" }),
  })
  .openapi("Diagnostics")
