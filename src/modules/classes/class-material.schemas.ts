import { z } from "@hono/zod-openapi"
import { CLASS_STATUSES } from "../../../drizzle/schema/classes.ts"
import { file, line, optional } from "../../lib/input/input.ts"
import { isoSchema } from "../../lib/spreadsheet/columns.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"

const integer = () => z.number().int()

export const materialUpload = z.object({ file: file(), name: optional(line(200)) }).openapi("StudyMaterialUpload")

export const uploadedMaterial = z.object({
  media_id: integer(),
  name: z.string(),
  type: z.string().openapi({ description: "The extension, detected from the content", example: "pdf" }),
  mime_type: z.string(),
  storage_url: z.string(),
  message: z.string(),
})

export const studyMaterial = z
  .object({
    name: z.string().openapi({ description: "Name of the course" }),
    instructions: z.string(),
    featuredImageUrl: z.string().nullable(),
    status: z.enum(CLASS_STATUSES),
    display_status: z.enum(CLASS_STATUSES),
    startDate: z.string(),
    endDate: z.string(),
    startTime: z.string(),
    endTime: z.string(),
    timeZone: timeZoneAnswer(),
    startsAt: isoSchema(),
    endsAt: isoSchema(),
    location: z.string(),
    start: z.string().openapi({ example: "Nov 30, 2026 09:30 AM" }),
    end: z.string(),
    instructor: z.string(),
    classMaterial: z.array(
      z.object({
        id: integer(),
        file_name: z.string(),
        file_type: z.string(),
        status: z.enum(["download", "view"]).openapi({ description: "What the caller may do with the file" }),
        storage_url: z
          .string()
          .nullable()
          .openapi({ description: "Downloads the file; null if it can only be viewed" }),
        media_stream_url: z
          .string()
          .openapi({ description: "Shows the file in the browser; supports ranges for players" }),
        media_stream_id: integer(),
        mime_type: z.string(),
        created_at: z.string(),
        createdAt: isoSchema(),
      }),
    ),
  })
  .openapi("StudyMaterial")
