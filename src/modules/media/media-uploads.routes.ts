import { OpenAPIHono, z } from "@hono/zod-openapi"
import type { Context, MiddlewareHandler } from "hono"
import { openDatabase } from "../../db/client.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import { errorAnswer } from "../../http/error-responses.ts"
import { notFound } from "../../lib/errors.ts"
import { isoTime } from "../../lib/text/dates.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { authorize } from "../../middleware/authenticate.ts"
import { uploadState } from "./media.schemas.ts"
import { append, cancelUpload, continueUpload, createUpload, getUploadState } from "./media-uploads.queries.ts"
import {
  bytesOf,
  CAPABILITIES,
  CONTENT_TYPE,
  lengthOf,
  metadataOf,
  offsetOf,
  requireTus,
  uploadHeaders,
} from "./tus.ts"

// Resumable uploads with the tus protocol. They are not declared with `operation()`: their methods, headers and bodies
// are those of the protocol. They run near the client, because a body is streamed to R2.

type C = Context<AppEnv>

export const mediaUploads = new OpenAPIHono<AppEnv>()

const PATH = "/api/media/uploads"
const UPLOAD = `${PATH}/:id{[1-9][0-9]*}`

const access = (operationId: string, method: string): MiddlewareHandler<AppEnv> =>
  authorize({
    operationId,
    method,
    access: "staff",
    signedIn: false,
    mutates: false,
    linkable: false,
    tag: "Media",
    keys: "scope",
  })

/** @throws 404 for a number that no id can have */
function idOf(c: C): number {
  const id = Number(c.req.param("id"))
  if (!Number.isSafeInteger(id)) throw notFound("upload")
  return id
}

const lengthOfBody = (c: C) => {
  const length = c.req.header("content-length")
  return length === undefined ? undefined : Number(length)
}

/** Continues after the client's connection is lost, so that what has arrived is stored. */
const untilStored = <T>(c: C, work: Promise<T>): Promise<T> => {
  c.executionCtx.waitUntil(work.catch(() => {}))
  return work
}

mediaUploads.options(PATH, (c) => c.body(null, 204, CAPABILITIES))
mediaUploads.options(UPLOAD, (c) => c.body(null, 204, CAPABILITIES))

mediaUploads.post(PATH, access("createMediaUpload", "post"), async (c) => {
  requireTus(c)
  const { work } = c.var
  const bytes = lengthOf(c)
  const body = bytesOf(c)
  const upload = await work.retryOnConflict(() => createUpload(work, { bytes, ...metadataOf(c) }))
  const state = body ? await untilStored(c, append(work, upload, { body, length: lengthOfBody(c) })) : upload
  return c.body(null, 201, { ...uploadHeaders(state), location: `${baseUrl(c)}${PATH}/${upload.id}` })
})

// Also HEAD, which Hono serves as GET without the body.
mediaUploads.get(UPLOAD, access("getMediaUpload", "get"), async (c) => {
  // A replica may not have the last change yet.
  const work = new UnitOfWork(openDatabase(c.env.DB, "first-primary"), c.var.caller, c.env)
  const upload = await getUploadState(work, idOf(c))
  const { id, offset, bytes, expiresAt } = upload
  return c.json({ id, offset, bytes, ...(expiresAt && { expiresAt: isoTime(expiresAt) }) }, 200, uploadHeaders(upload))
})

mediaUploads.patch(UPLOAD, access("continueMediaUpload", "patch"), async (c) => {
  requireTus(c)
  const offset = offsetOf(c)
  const body = bytesOf(c)
  const state = await untilStored(c, continueUpload(c.var.work, idOf(c), offset, { body, length: lengthOfBody(c) }))
  return c.body(null, 204, uploadHeaders(state))
})

mediaUploads.delete(UPLOAD, access("cancelMediaUpload", "delete"), async (c) => {
  requireTus(c)
  const { work } = c.var
  await work.retryOnConflict(() => cancelUpload(work, idOf(c)))
  return c.body(null, 204, { "tus-resumable": CAPABILITIES["tus-version"] })
})

const header = (name: string) => z.string().openapi({ param: { name, in: "header", required: true } })
const tusHeaders = { "Tus-Resumable": header("Tus-Resumable").openapi({ example: "1.0.0" }) }
const params = z.object({
  id: z
    .int()
    .positive()
    .openapi({ param: { name: "id", in: "path", required: true } }),
})
const content = { [CONTENT_TYPE]: { schema: z.string().openapi({ format: "binary" }) } }

/** Adds the operations to the OpenAPI document. */
function describe(
  method: "post" | "get" | "patch" | "delete",
  operationId: string,
  summary: string,
  { status, headers = {}, hasBody = false }: { status: 200 | 201 | 204; headers?: z.ZodRawShape; hasBody?: boolean },
) {
  const errors = [401, 403, 429, ...(method === "get" ? [] : [412]), ...(method === "post" ? [409, 413, 422] : [404])]
  mediaUploads.openAPIRegistry.registerPath({
    method,
    path: method === "post" ? PATH : `${PATH}/{id}`,
    operationId,
    summary,
    description: "The tus protocol 1.0: https://tus.io/protocols/resumable-upload",
    tags: ["Media"],
    "x-role": "staff",
    "x-extension": true,
    security: [{ bearer: [] }, { session: [] }, {}],
    request: {
      ...(method !== "post" && { params }),
      ...(method !== "get" && { headers: z.object({ ...tusHeaders, ...headers }) }),
      ...(hasBody && { body: { required: method === "patch", content } }),
    },
    responses: {
      [status]: {
        description: "Success",
        ...(status === 200 && { content: { "application/json": { schema: uploadState } } }),
      },
      ...Object.fromEntries(
        [...errors, ...(method === "patch" ? ([409, 410, 413, 415, 422] as const) : [])].map((code) => [
          code,
          errorAnswer(code as Parameters<typeof errorAnswer>[0]),
        ]),
      ),
    },
  })
}

const creation = { "Upload-Length": header("Upload-Length"), "Upload-Metadata": header("Upload-Metadata") }
describe("post", "createMediaUpload", "Start an upload", { status: 201, headers: creation, hasBody: true })
describe("get", "getMediaUpload", "Read how much of an upload is stored", { status: 200 })
describe("patch", "continueMediaUpload", "Append bytes to an upload", {
  status: 204,
  headers: { "Upload-Offset": header("Upload-Offset") },
  hasBody: true,
})
describe("delete", "cancelMediaUpload", "Cancel an upload", { status: 204 })
