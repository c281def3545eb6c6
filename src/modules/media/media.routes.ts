import { deletionBody, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { isoTime } from "../../lib/text/dates.ts"
import { baseUrl, NO_STORE } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { allowPdfFrame, serveFile } from "../../lib/web/files.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { deleteCaptions, getCaptions, saveCaptions } from "./captions.queries.ts"
import { deleteMedia, findMediaFile, getMedia, listMedia, updateMedia } from "./media.queries.ts"
import * as schemas from "./media.schemas.ts"
import { mediaColumns, mediaDetailColumns } from "./media-fields.ts"
import { SERVED_TYPES } from "./media-kinds.ts"
import { createMediaToken } from "./media-link.ts"

export const media = createApp()

const COMMON = { tag: "Media", extension: true } as const
const SEEN = "Available to staff, and to those who may see a record that uses the file."

media.openapi(
  operation({
    ...COMMON,
    operationId: "listMedia",
    method: "get",
    path: "/api/media",
    summary: "List the files of the media library",
    access: "staff",
    query: schemas.mediaListQuery,
    response: schemas.mediaList,
  }),
  async (c) => c.json(listPage(c, await listMedia(c.var.db, c.req.valid("query")), mediaColumns.toRow), 200),
)

media.openapi(
  operation({
    ...COMMON,
    operationId: "getMedia",
    method: "get",
    path: "/api/media/{id}",
    summary: "Get a file of the media library",
    access: "staff",
    record: true,
    response: schemas.mediaFile,
  }),
  async (c) =>
    c.json(
      withEtag(c, await getMedia(c.var.db, c.req.valid("param").id), (row) => mediaDetailColumns.toRow(row)),
      200,
    ),
)

media.openapi(
  operation({
    ...COMMON,
    operationId: "updateMedia",
    method: "put",
    path: "/api/media/{id}",
    summary: "Change the name, alternative text or transcript of a file",
    access: "staff",
    body: schemas.mediaChanges,
    response: messageResponse,
    errors: [412],
  }),
  async (c) => {
    const { id } = c.req.valid("param")
    return c.json(await updateMedia(c.var.work, id, c.req.valid("json"), expectedVersion(c)), 200)
  },
)

media.openapi(
  operation({
    ...COMMON,
    operationId: "deleteMedia",
    method: "post",
    path: "/api/media/delete",
    summary: "Delete files of the media library",
    description: "If one of them is used, none is deleted: 409 `media_in_use` names where.",
    access: "staff",
    body: deletionBody,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteMedia(c.var.work, c.req.valid("json").delete_ids), 200),
)

media.openapi(
  operation({
    ...COMMON,
    operationId: "downloadMedia",
    method: "get",
    path: "/api/media/{id}/file",
    summary: "Show or download a file of the media library",
    description: `${SEEN} Supports Range, If-Range and If-None-Match.`,
    access: "general",
    query: schemas.fileQuery,
    response: SERVED_TYPES,
    errors: [410],
  }),
  async (c) => {
    const file = await findMediaFile(c.var.db, c.var.caller, c.req.valid("param").id)
    const inline = c.req.valid("query").download !== true
    if (inline) allowPdfFrame(c, file.type)
    return serveFile(c, { ...file, inline })
  },
)

media.openapi(
  operation({
    ...COMMON,
    operationId: "linkMedia",
    method: "get",
    path: "/api/media/{id}/link",
    summary: "Get a link to a file for a player that cannot send a token",
    description: `${SEEN} Anyone with the link can read the file until it expires after 12 hours.`,
    access: "general",
    response: schemas.mediaLink,
  }),
  async (c) => {
    const { key, type, filename } = await findMediaFile(c.var.db, c.var.caller, c.req.valid("param").id)
    const { token, expiresAt } = createMediaToken(c.env, { media: key, type, filename })
    return c.json({ url: `${baseUrl(c)}/media/${token}`, expiresAt: isoTime(expiresAt) }, 200, NO_STORE)
  },
)

const CAPTIONS = { ...COMMON, path: "/api/media/{id}/captions/{language}", params: schemas.captionsParams } as const

media.openapi(
  operation({
    ...CAPTIONS,
    operationId: "getCaptions",
    method: "get",
    summary: "Get the captions of a file in a language",
    description: SEEN,
    access: "general",
    response: "text/vtt",
  }),
  async (c) => {
    const { id, language } = c.req.valid("param")
    const content = await getCaptions(c.var.db, c.var.caller, id, language)
    return c.body(content, 200, { "content-type": "text/vtt; charset=utf-8" })
  },
)

media.openapi(
  operation({
    ...CAPTIONS,
    operationId: "saveCaptions",
    method: "put",
    summary: "Set the captions of an audio or video file in a language",
    description: "The content is WebVTT. It replaces captions in the same language.",
    access: "staff",
    body: schemas.captions,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await saveCaptions(c.var.work, c.req.valid("param"), c.req.valid("json")), 200),
)

media.openapi(
  operation({
    ...COMMON,
    operationId: "deleteCaptions",
    method: "post",
    path: "/api/media/{id}/captions/delete",
    summary: "Delete the captions of a file in a language",
    access: "staff",
    body: schemas.captionsDeletion,
    response: messageResponse,
  }),
  async (c) => c.json(await deleteCaptions(c.var.work, c.req.valid("param").id, c.req.valid("json").language), 200),
)
