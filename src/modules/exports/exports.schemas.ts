import { z } from "@hono/zod-openapi"
import { EXPORT_STATUSES } from "../../../drizzle/schema/exports.ts"

/** `{exportId}`: a UUID. */
export const exportParams = z.object({
  exportId: z.uuid().openapi({ param: { name: "exportId", in: "path", required: true } }),
})

export const exportInitiated = z
  .object({
    status: z.literal("success"),
    export_id: z.uuid(),
    message: z.string(),
  })
  .openapi("ExportInitiated")

export const exportCancelled = z
  .object({ status: z.literal("success"), message: z.string() })
  .openapi("ExportCancelled")

export const exportState = z
  .object({
    status: z.enum(EXPORT_STATUSES).exclude(["expired"]),
    progress: z.number().int().min(0).max(100).openapi({ description: "Percent; never decreases" }),
    message: z.string(),
    filename: z.string().nullable().openapi({ description: "Set when the export is completed" }),
    download_url: z
      .string()
      .nullable()
      .openapi({ description: "Path of the download; set when the export is completed" }),
  })
  .openapi("ExportProgress")
