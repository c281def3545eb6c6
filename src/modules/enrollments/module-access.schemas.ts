import { z } from "@hono/zod-openapi"
import { id, list, nonEmpty, nullable, time } from "../../lib/input/input.ts"
import { isoSchema, isoSchemaOrNull } from "../../lib/spreadsheet/columns.ts"

export const moduleAccess = z
  .object({
    registrationId: z.number().int(),
    modules: z.array(
      z.object({
        module_id: z.number().int(),
        name: z.string(),
        opensAt: isoSchemaOrNull().openapi({ description: "When it opens for this learner; null: as in the course" }),
        courseOpensAt: isoSchema().openapi({ description: "When it opens by the dates of the course" }),
      }),
    ),
  })
  .openapi("ModuleAccess")

export const moduleAccessChanges = z
  .object({
    modules: nonEmpty(
      list(
        z.object({
          module_id: id(),
          opensAt: nullable(time()).openapi({
            type: ["string", "null"],
            format: "date-time",
            description: "When it opens for this learner; null: as in the course",
          }),
        }),
        1000,
      ).refine((rows) => new Set(rows.map((row) => row.module_id)).size === rows.length, {
        error: "must not contain the same module twice",
      }),
    ),
  })
  .openapi("ModuleAccessChanges")
export type ModuleAccessChanges = z.output<typeof moduleAccessChanges>
