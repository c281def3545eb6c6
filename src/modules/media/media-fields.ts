import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { MEDIA_KINDS, media, mediaCaptions, mediaUses } from "../../../drizzle/schema/media.ts"
import { rowExists, subquery, userName } from "../../db/sql.ts"
import { clearable, keepIfNull, line, requiredText, text } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import {
  integerColumn,
  nameColumn,
  sortedIntegerColumn,
  sortedTextColumn,
} from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"

export const mediaFields = recordFields(media, {
  name: {
    create: requiredText(255),
    change: keepIfNull(line(255)),
    answer: nameColumn(media.name),
    listed: true,
    searched: true,
  },
  altText: {
    create: clearable(line(500), "").openapi({ description: "Images: what they show" }),
    answer: column(media.altText, z.string()),
    listed: true,
    searched: true,
  },
  transcript: {
    create: clearable(text(200_000), "").openapi({ description: "Audio and video: what is said" }),
    answer: column(media.transcript, z.string()),
  },
})

/** The tracks of a file, by language. */
export const captionsAnswer = z.array(z.object({ language: z.string(), label: z.string(), url: z.string() }))

const captions = subquery(sql`(
  select json_group_array(json_object('language', language, 'label', label, 'url', url))
  from (
    select ${mediaCaptions.language} as language, ${mediaCaptions.label} as label,
      '/api/media/' || ${media.id} || '/captions/' || ${mediaCaptions.language} as url
    from ${mediaCaptions}
    where ${mediaCaptions.mediaId} = ${media.id}
    order by 1
  )
)`).mapWith((json: string): z.output<typeof captionsAnswer> => JSON.parse(json))

const listed = {
  id: integerColumn(media.id),
  ...mediaFields.listed,
  kind: column(media.kind, z.enum(MEDIA_KINDS), { sort: { sorted: media.kind } }),
  mimeType: sortedTextColumn(media.mimeType),
  bytes: sortedIntegerColumn(media.bytes),
  url: column(
    subquery(sql<string>`'/api/media/' || ${media.id} || '/file'`),
    z.string().openapi({ description: "The path of the file", example: "/api/media/12/file" }),
  ),
  used: column(
    subquery(sql<number>`${rowExists(mediaUses, sql`${mediaUses.mediaId} = ${media.id}`)}`),
    z.boolean().openapi({ description: "Whether a record, such as a course, refers to it" }),
    { show: (count) => count > 0 },
  ),
  uploadedBy: column(subquery(sql<string>`coalesce(${userName(media.uploadedBy)}, '')`), z.string()),
  created_at: dateColumn(media.createdAt),
}

export const mediaColumns = listColumns(listed)
export const mediaDetailColumns = listColumns({
  ...listed,
  ...mediaFields.answers,
  captions: column(captions, captionsAnswer),
})
