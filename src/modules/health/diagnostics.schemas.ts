import { z } from "@hono/zod-openapi"

const when = (what: string) => z.int().openapi({ description: `${what}, milliseconds since 1970` })

/** What a deployment says of itself: what may differ from a developer's machine. It holds no secret. */
export const diagnostics = z
  .object({
    service: z.string().openapi({ description: "The version", example: "0.2.0" }),
    now: when("The service's clock"),
    settings: z.record(z.string(), z.string()).openapi({
      description: "Variables by name; those that are not set are empty",
      example: { ACCESS_POLICY: "enforced", BASE_URL: "https://academy.example.org" },
    }),
    secrets: z.record(z.string(), z.int()).openapi({
      description: "How many characters each secret has; 0: it is not set",
      example: { APP_SECRET: 43 },
    }),
    bindings: z.record(z.string(), z.boolean()).openapi({
      description: "Which bindings there are",
      example: { DB: true, FILES: true },
    }),
    database: z.object({
      schema: z.string().openapi({ description: "The last migration that was applied" }),
      wanted: z.string().openapi({ description: "The last migration that the code knows" }),
      bytes: z.int().openapi({ description: "The size" }),
      primaryRegion: z.string().nullable().openapi({ example: "WEUR" }),
      readBy: z.enum(["primary", "replica"]).openapi({ description: "Which instance answered a read from here" }),
      readRegion: z.string().nullable().openapi({ example: "EEUR" }),
    }),
    files: z.boolean().openapi({ description: "The bucket answers" }),
    assets: z.boolean().openapi({ description: "Static files are there" }),
    cron: z.object({
      ranAt: when("When the last run ended; null: never").nullable(),
      failed: z.int().openapi({ description: "How many of its sweeps failed" }),
    }),
    backfills: z.array(z.string()).openapi({ description: "Those that are not done" }),
    queues: z
      .record(
        z.string(),
        z.object({
          messages: z.int().nullable(),
          oldestAt: when("When the oldest was sent; null: not told").nullable(),
        }),
      )
      .openapi({ description: "What waits in each queue, by its binding; null: not told" }),
    backupNotes: z.boolean().openapi({ description: "A backup notes changes, or has left its notes" }),
  })
  .openapi("Diagnostics")
