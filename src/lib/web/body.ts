import { isUtf8 } from "node:buffer"
import type { Context, HonoRequest, MiddlewareHandler } from "hono"
import { bodyLimit } from "hono/body-limit"
import type { BodyData } from "hono/utils/body"
import { malformed, tooLarge, unsupported } from "../errors.ts"
import { decodedText, isUtf8Encoded } from "../text/encoding.ts"
import { readJson, requirePairs, requireShallow } from "../text/json.ts"
import type { AppEnv } from "./app-env.ts"

// The only place that reads a request body. Validators and handlers find it in Hono's body cache.

const MULTIPART = /^multipart\/form-data\b/i
const URL_ENCODED = /^application\/x-www-form-urlencoded\b/i
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i

const NOT_UTF8 = "The body is not valid UTF-8. Encode the text as UTF-8."
const NOT_A_FORM = "The body is not a valid form."

const typeOf = (c: Context) => c.req.header("content-type") ?? ""

/** Whether the body is a form. */
export const isForm = (c: Context): boolean => MULTIPART.test(typeOf(c)) || URL_ENCODED.test(typeOf(c))

/** Whether the body is JSON. */
export const isJson = (c: Context): boolean => /^application\/json\b/i.test(typeOf(c))

/** Whether the body is a multipart form. */
export const isMultipart = (c: Context): boolean => MULTIPART.test(typeOf(c))

/** @throws 415 for a charset other than UTF-8 or US-ASCII */
function requireUtf8Charset(type: string) {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset))
    throw unsupported(`The charset ${charset} is not supported. Encode the body as UTF-8.`)
}

/** The text of a body. @throws 400 */
function textOf(bytes: Uint8Array): string {
  const text = decodedText(bytes)
  if (text === undefined) throw malformed(NOT_UTF8)
  return text
}

/** The parts of a multipart body: a delimiter, headers, an empty line and the content. */
function* partsOf(body: Buffer, type: string): Generator<Buffer> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(type) ?? []
  const delimiter = `\n--${quoted ?? plain}`
  for (let start = body.indexOf(delimiter.slice(1)); start >= 0; ) {
    const end = body.indexOf(delimiter, start)
    if (end < 0) return
    yield body.subarray(start, end)
    start = end + 1
  }
}

/** For a file only the name is checked. */
function hasUtf8Text(part: Buffer): boolean {
  const end = part.indexOf("\r\n\r\n")
  const headers = part.subarray(0, end < 0 ? part.length : end)
  return isUtf8(/;\s*filename\*?=/i.test(headers.toString("latin1")) ? headers : part)
}

/** @throws 400 for a truncated form, and for a field or file name that is not UTF-8 */
async function multipartOf(bytes: ArrayBuffer, type: string): Promise<FormData> {
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    throw malformed(NOT_A_FORM)
  })
  for (const part of partsOf(Buffer.from(bytes), type)) if (!hasUtf8Text(part)) throw malformed(NOT_UTF8)
  return form
}

async function decode(c: Context): Promise<string | undefined> {
  const type = typeOf(c)
  const isText = JSON_TYPE.test(type) || URL_ENCODED.test(type)
  if (!isText && !MULTIPART.test(type)) return undefined
  requireUtf8Charset(type)
  if (!isText) {
    // Not parsed by Hono, which would cache the bytes in addition to the files.
    c.req.bodyCache.formData = await multipartOf(await c.req.raw.arrayBuffer(), type)
    return undefined
  }
  const text = textOf(new Uint8Array(await c.req.arrayBuffer()))
  if (JSON_TYPE.test(type)) {
    requireShallow(text)
    requirePairs(text)
    // Otherwise Hono copies the bytes into a response to decode them again. It expects promises, which its type omits.
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) })
  } else if (!isUtf8Encoded(text)) throw malformed(NOT_UTF8)
  return text
}

const decoded = new WeakMap<HonoRequest, ReturnType<typeof decode>>()

/**
 * Decodes a JSON body or a form, once per request; other bodies are left alone. Call it after `limitBody`.
 * @returns the text of JSON or a URL-encoded form
 * @throws 400 for invalid UTF-8, a truncated form, and JSON that is nested too deep or has an unpaired surrogate; 415
 * for a charset other than UTF-8
 */
export function decodeBody(c: Context): Promise<string | undefined> {
  const reading = decoded.get(c.req) ?? decode(c)
  decoded.set(c.req, reading)
  return reading
}

/** Decodes the body before anything else reads it. @throws like `decodeBody` */
export const bodyDecoded: MiddlewareHandler<AppEnv> = async (c, next) => {
  await decodeBody(c)
  await next()
}

/** The fields of a form, repeated ones as arrays; empty for other bodies. @throws like `decodeBody` */
export async function formFields(c: Context): Promise<BodyData<{ all: true }>> {
  await decodeBody(c)
  return isForm(c) ? c.req.parseBody({ all: true }) : {}
}

/** Like `formFields`, but empty for a body that was refused: for error pages. */
export const formFieldsIfRead = (c: Context): Promise<BodyData<{ all: true }>> =>
  decoded.has(c.req) ? formFields(c).catch(() => ({})) : Promise.resolve({})

/** The members of a JSON object or form as sent; empty for bodies that validators refuse. */
export async function bodyMembers(c: Context): Promise<Record<string, unknown>> {
  if (isForm(c)) return formFields(c)
  const read = readJson((await decodeBody(c)) ?? "")
  return typeof read === "object" && read !== null && !Array.isArray(read) ? { ...read } : {}
}

/** A body for another entry of the service. */
export interface ForwardedBody {
  /** The bytes, or a stream that can be read once. */
  content: BodyInit | null
  /** Whether it can be sent again, and read here. */
  isKept: boolean
}

/** Larger multipart forms are streamed. */
const MAX_KEPT_BYTES = 1_000_000

/** The body to forward. A handler can still read it if it `isKept`. */
export async function bodyToForward(c: Context): Promise<ForwardedBody> {
  const { raw, method } = c.req
  if (raw.body === null || method === "GET") return { content: null, isKept: true }
  if (!isMultipart(c)) return { content: await c.req.arrayBuffer(), isKept: true }
  const length = Number(c.req.header("content-length") ?? Number.POSITIVE_INFINITY)
  return length <= MAX_KEPT_BYTES
    ? { content: await raw.clone().arrayBuffer(), isKept: true }
    : { content: raw.body, isKept: false }
}

/** Refuses a body of more than `maxBytes`. @throws 413 with `message` */
export function limitBody(maxBytes: number, message: string): MiddlewareHandler<AppEnv> {
  const refuse = () => {
    throw tooLarge(message)
  }
  const countBytes = bodyLimit({ maxSize: maxBytes, onError: refuse })
  return (c, next) => {
    const length = c.req.header("content-length")
    // Hono's middleware creates a stream of the body even if its length is known.
    if (length === undefined || c.req.header("transfer-encoding") !== undefined) return countBytes(c, next)
    return Number(length) > maxBytes ? refuse() : next()
  }
}
