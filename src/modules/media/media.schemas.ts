import { z } from "@hono/zod-openapi"
import { MEDIA_KINDS } from "../../../drizzle/schema/media.ts"
import { boolean, choice, language, line, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { isoSchema } from "../../lib/spreadsheet/columns.ts"
import { mediaColumns, mediaDetailColumns, mediaFields } from "./media-fields.ts"

const integer = () => z.number().int()

export const mediaListQuery = listQuery(Object.keys(mediaColumns.sort), {
  name: optional(text(100)).openapi({ type: "string", description: "Part of the name or of the alternative text" }),
  kind: optional(choice(MEDIA_KINDS)),
})
export const mediaList = listResponse(mediaColumns.row.openapi("MediaRow"))
export const mediaFile = mediaDetailColumns.row.openapi("MediaFile")
export const mediaChanges = z.object(mediaFields.change).openapi("MediaChanges")
export type MediaChanges = z.output<typeof mediaChanges>

export const fileQuery = z.object({
  download: optional(boolean()).openapi({ type: "boolean", description: "Sends the file as a download" }),
})

export const mediaLink = z
  .object({
    url: z.string().openapi({ description: "Needs no token. It supports Range, as players need it" }),
    expiresAt: isoSchema(),
  })
  .openapi("MediaLink")

export const captionsParams = z.object({
  id: z.coerce
    .number()
    .int()
    .positive()
    .openapi({ param: { name: "id", in: "path", required: true } }),
  language: language().openapi({ param: { name: "language", in: "path", required: true } }),
})
export const captions = z
  .object({
    label: optional(line(100)).openapi({ type: "string", description: "Defaults to the name of the language" }),
    content: text(500_000).openapi({ description: "WebVTT" }),
  })
  .openapi("Captions")
export const captionsDeletion = z.object({ language: language() }).openapi("CaptionsDeletion")

export const uploadState = z
  .object({
    id: integer().openapi({ description: "The id of the file when it is complete" }),
    offset: integer(),
    bytes: integer(),
    expiresAt: isoSchema().optional(),
  })
  .openapi("MediaUpload")
