import { z } from "@hono/zod-openapi"
import { CLASS_STATUSES } from "../../../drizzle/schema/classes.ts"
import { file, line, optional } from "../../lib/input/input.ts"
import { timeZoneAnswer } from "../../lib/spreadsheet/date-columns.ts"

const whole = () => z.number().int()

export const materialUpload = z.object({ file: file(), name: optional(line(200)) }).openapi("StudyMaterialUpload")

export const uploadedMaterial = z.object({
  media_id: whole(),
  name: z.string(),
  type: z.string().openapi({ description: "The extension, as judged from the content", example: "pdf" }),
  mime_type: z.string(),
  storage_url: z.string(),
  message: z.string(),
})

export const studyMaterial = z
  .object({
    name: z.string().openapi({ description: "The course's" }),
    instructions: z.string(),
    featuredImageUrl: z.string().nullable(),
    status: z.enum(CLASS_STATUSES),
    display_status: z.enum(CLASS_STATUSES),
    startDate: z.string(),
    endDate: z.string(),
    startTime: z.string(),
    endTime: z.string(),
    timeZone: timeZoneAnswer(),
    location: z.string(),
    start: z.string().openapi({ example: "Nov 30, 2026 09:30 AM" }),
    end: z.string(),
    instructor: z.string(),
    classMaterial: z.array(
      z.object({
        id: whole(),
        file_name: z.string(),
        file_type: z.string(),
        status: z.enum(["download", "view"]).openapi({ description: "What the caller may do with it" }),
        storage_url: z.string().nullable().openapi({ description: "Saves the file; null where it may only be viewed" }),
        media_stream_url: z.string().openapi({ description: "Shows it in place, with ranges for players" }),
        media_stream_id: whole(),
        mime_type: z.string(),
        created_at: z.string(),
      }),
    ),
  })
  .openapi("StudyMaterial")
