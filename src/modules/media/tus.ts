import type { Context } from "hono"
import { ApiError, invalid, tooLarge, unsupported } from "../../lib/errors.ts"
import { decodedText } from "../../lib/text/encoding.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { MAX_BYTES } from "./media-kinds.ts"

// The headers of the tus protocol, https://tus.io/protocols/resumable-upload.

type C = Context<AppEnv>

const VERSION = "1.0.0"
export const CONTENT_TYPE = "application/offset+octet-stream"
/** Cloudflare refuses larger requests before they reach the Worker. */
const MAX_REQUEST_BYTES = 100_000_000
const MAX_METADATA_LENGTH = 4000

/** The headers of the response to OPTIONS. */
export const CAPABILITIES = {
  "tus-resumable": VERSION,
  "tus-version": VERSION,
  "tus-extension": "creation,creation-with-upload,expiration,termination",
  "tus-max-size": String(MAX_BYTES),
}

/** @throws 412 for another version of the protocol */
export function requireTus(c: C) {
  if (c.req.header("tus-resumable") === VERSION) return
  throw new ApiError("precondition_failed", `Send the header Tus-Resumable: ${VERSION}.`, {
    headers: { "tus-resumable": VERSION, "tus-version": VERSION },
  })
}

/** A header with a number of bytes. @throws 422 */
function byteCount(c: C, name: string): number {
  const value = c.req.header(name)
  const number = Number(value)
  if (value === undefined || !/^\d+$/.test(value) || !Number.isSafeInteger(number))
    throw invalid(name, `The header ${name} must be a number of bytes.`)
  return number
}

export const offsetOf = (c: C): number => byteCount(c, "Upload-Offset")

/** The length of the whole file. @throws 413, 422 */
export function lengthOf(c: C): number {
  const length = byteCount(c, "Upload-Length")
  if (length === 0) throw invalid("Upload-Length", "The file is empty.")
  if (length > MAX_BYTES) throw tooLarge(`The file is too large. The maximum is ${MAX_BYTES / 1_000_000} MB.`)
  return length
}

/** The text of base64; undefined if it is not base64 of UTF-8. */
function fromBase64(value: string): string | undefined {
  try {
    return decodedText(Uint8Array.from(atob(value), (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** The header Upload-Metadata and the name of the file in it. @throws 422 */
export function metadataOf(c: C): { metadata: string; filename: string } {
  const metadata = c.req.header("upload-metadata")?.trim() ?? ""
  if (metadata.length > MAX_METADATA_LENGTH)
    throw invalid("Upload-Metadata", `Upload-Metadata must have ${MAX_METADATA_LENGTH} characters or fewer.`)
  const values = new Map<string, string>()
  for (const pair of metadata.split(",").filter(Boolean)) {
    const [, key, value = ""] = /^\s*([^\s,]+)(?: ([^\s,]*))?\s*$/.exec(pair) ?? []
    const text = fromBase64(value)
    if (key === undefined || text === undefined || values.has(key))
      throw invalid("Upload-Metadata", "Upload-Metadata must consist of keys and base64 values, each key once.")
    values.set(key, text)
  }
  const filename = values.get("filename") ?? values.get("name") ?? ""
  if (!filename.trim()) throw invalid("Upload-Metadata", "Upload-Metadata must have the filename.")
  return { metadata, filename }
}

/** The bytes of a request; undefined without a body. @throws 413, 415 */
export function bytesOf(c: C): ReadableStream<Uint8Array> | undefined {
  const { body } = c.req.raw
  if (Number(c.req.header("content-length") ?? 0) > MAX_REQUEST_BYTES)
    throw tooLarge(`A request can have at most ${MAX_REQUEST_BYTES / 1_000_000} MB. Send the file in smaller chunks.`)
  if (c.req.header("content-type") === CONTENT_TYPE) return body ?? undefined
  if (c.req.method === "PATCH") throw unsupported(`Send the bytes as ${CONTENT_TYPE}.`)
  return undefined
}

/** The headers that describe an upload. */
export const uploadHeaders = (upload: { offset: number; bytes: number; metadata?: string; expiresAt?: number }) => ({
  "tus-resumable": VERSION,
  "upload-offset": String(upload.offset),
  "upload-length": String(upload.bytes),
  ...(upload.metadata && { "upload-metadata": upload.metadata }),
  ...(upload.expiresAt && { "upload-expires": new Date(upload.expiresAt).toUTCString() }),
  "cache-control": "no-store",
})
