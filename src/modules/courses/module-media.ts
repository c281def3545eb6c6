import { z } from "@hono/zod-openapi"
import { eq, sql } from "drizzle-orm"
import { MEDIA_KINDS, media, mediaCaptions } from "../../../drizzle/schema/media.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import type { Database } from "../../db/client.ts"
import { rowExists, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { invalid } from "../../lib/errors.ts"
import { column } from "../../lib/spreadsheet/columns.ts"

// The file of the media library that a video module plays: a video, an audio file or a PDF.

interface MediaInput {
  mediaId?: number | null | undefined
}

const mediaOfModule = z
  .object({
    id: z.number().int(),
    kind: z.enum(MEDIA_KINDS),
    name: z.string(),
    mimeType: z.string(),
    bytes: z.number().int(),
    url: z.string(),
    transcript: z.string(),
    captions: z.array(z.object({ language: z.string(), label: z.string(), url: z.string() })),
  })
  .nullable()
  .openapi({ description: "The file with this mediaId" })

const path = sql`'/api/media/' || ${media.id}`

/** The module's file with its captions; null: none. */
export const moduleMedia = column(
  subquery(sql<string | null>`(
    select json_object(
      'id', ${media.id}, 'kind', ${media.kind}, 'name', ${media.name}, 'mimeType', ${media.mimeType},
      'bytes', ${media.bytes}, 'url', ${path} || '/file', 'transcript', ${media.transcript},
      'captions', json((
        select json_group_array(json_object('language', language, 'label', label, 'url', url))
        from (
          select ${mediaCaptions.language} as language, ${mediaCaptions.label} as label,
            ${path} || '/captions/' || ${mediaCaptions.language} as url
          from ${mediaCaptions}
          where ${mediaCaptions.mediaId} = ${media.id}
          order by 1
        )
      ))
    )
    from ${media}
    where ${media.id} = ${modules.mediaId}
  )`),
  mediaOfModule,
  { show: (json): z.output<typeof mediaOfModule> => (json === null ? null : JSON.parse(json)) },
)

/** Selects the file that a module is to play, if the input names one. */
export const selectModuleMedia = (db: Database, { mediaId }: MediaInput) =>
  mediaId ? [db.select({ kind: media.kind }).from(media).where(eq(media.id, mediaId))] : []

/** @throws 422 for an unknown file, and for an image */
export function requireModuleMedia({ mediaId }: MediaInput, [found]: { kind: string }[] = []) {
  if (!mediaId) return
  if (!found) throw invalid("mediaId", `mediaId refers to a file that does not exist: ${mediaId}.`)
  if (found.kind === "image") throw invalid("mediaId", "mediaId must refer to a video, an audio file or a PDF.")
}

/** Makes the change fail if the file is deleted meanwhile. */
export const guardModuleMedia = (work: UnitOfWork, { mediaId }: MediaInput) =>
  mediaId ? [work.guard(rowExists(media, eq(media.id, mediaId)))] : []
