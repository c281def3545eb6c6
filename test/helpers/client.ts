import { exports } from "cloudflare:workers"
import { expect } from "vitest"
import { z } from "zod"
import { type RequestOptions, toRequest } from "../../scripts/lib/request.ts"
import { fieldsWithin, rowsField } from "../../src/http/fields.ts"
import { UNLIMITED } from "../../src/http/openapi-parts.ts"
import { operations } from "../../src/http/operation.ts"
import { ERROR_CODES, type ErrorCode } from "../../src/lib/errors.ts"
import { PASSWORD } from "../factories/index.ts"

export { query } from "../../scripts/lib/request.ts"

const ORIGIN = "https://lectern.test"
/** The origin of packages, which vitest.config.ts sets. */
export const CONTENT_ORIGIN = "https://content.lectern.test"

export interface Answer<T = Json> {
  status: number
  headers: Headers
  body: T
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of a response, which its schema has checked
type Json = any

export type CallOptions = RequestOptions

/** The body of every error. */
const errorBody = z.strictObject({
  status: z.literal("error"),
  code: z.enum(Object.keys(ERROR_CODES)),
  message: z.string().min(1),
  errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
  twoFactorRequired: z.literal(true).optional(),
  passwordChangeRequired: z.literal(true).optional(),
  setPasswordUrl: z.string().optional(),
  signInUrl: z.string().optional(),
  schema: z.string().optional(),
  waiting: z.record(z.string(), z.int()).optional(),
  mail: z.object({ provider: z.string() }).loose().optional(),
  reads: z.record(z.string(), z.string().nullable()).optional(),
  backfills: z.array(z.string()).optional(),
})

/** The one exception: SCIM clients get the error body of RFC 7644. */
const scimErrorBody = z.strictObject({
  schemas: z.tuple([z.literal("urn:ietf:params:scim:api:messages:2.0:Error")]),
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string().min(1),
})

/** The operations of called paths, cached because every response is checked. */
const called = new Map<string, (typeof operations)[number] | undefined>()

function declared(method: string, path: string) {
  const call = `${method} ${path}`
  if (!called.has(call)) called.set(call, operationOf(method, path))
  return called.get(call)
}

function operationOf(method: string, path: string) {
  const ofMethod = operations.filter((operation) => operation.method === method.toLowerCase())
  const pattern = (operation: (typeof operations)[number]) =>
    new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`)
  return (
    ofMethod.find((operation) => operation.path === path) ??
    ofMethod.find((operation) => operation.path.includes("{") && pattern(operation).test(path))
  )
}

/** Members of a response that its schema does not declare. */
export function strictly(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(
      Object.entries(schema.shape).map(([key, member]) => [key, strictly(member as z.ZodType)]),
    )
    return z.strictObject(shape)
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return z.union(schema.options.map((of) => strictly(of as z.ZodType)))
  if (schema instanceof z.ZodArray) return z.array(strictly(schema.element as z.ZodType))
  if (schema instanceof z.ZodNullable) return strictly(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodOptional) return strictly(schema.unwrap() as z.ZodType).optional()
  return schema
}

/** The schema of a response limited by `fields`: an object has only the named fields. */
function limitedTo(schema: z.ZodType, paths: readonly string[][]): z.ZodType {
  if (paths.some(([name]) => name === undefined)) return strictly(schema)
  if (schema instanceof z.ZodObject) {
    const names = new Set(paths.flatMap(([name]) => name ?? []))
    const shape = [...names].flatMap((name) => {
      const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
      const field = schema.shape[name] as z.ZodType | undefined
      return field ? [[name, limitedTo(field, below)] as const] : []
    })
    return z.strictObject(Object.fromEntries(shape))
  }
  if (schema instanceof z.ZodDiscriminatedUnion || schema instanceof z.ZodUnion)
    return z.union(schema.options.map((option) => limitedTo(option as z.ZodType, paths)))
  if (schema instanceof z.ZodArray) return z.array(limitedTo(schema.element as z.ZodType, paths))
  if (schema instanceof z.ZodNullable) return limitedTo(schema.unwrap() as z.ZodType, paths).nullable()
  if (schema instanceof z.ZodOptional) return limitedTo(schema.unwrap() as z.ZodType, paths).optional()
  return schema
}

/** The schema of a response to a call with `fields`: the envelope of a list is unchanged. */
function limitedAnswer(answer: z.ZodType, fields: string): z.ZodType {
  const names = fields.split(",").flatMap((name) => name.trim() || [])
  if (names.length === 0 || fields === "null") return strictlyOnce(answer)
  const paths = names.map((name) => name.split("."))
  const rows = rowsField(answer)
  const within = rows === undefined ? undefined : fieldsWithin(answer).get(rows)?.[0]
  if (rows === undefined || !within || !(answer instanceof z.ZodObject)) return limitedTo(answer, paths)
  return (strictlyOnce(answer) as z.ZodObject).extend({ [rows]: limitedTo(within, paths) })
}

/** Strict schemas by their declaration. */
const strict = new Map<z.ZodType, z.ZodType>()
function strictlyOnce(schema: z.ZodType): z.ZodType {
  const made = strict.get(schema) ?? strictly(schema)
  strict.set(schema, made)
  return made
}

/**
 * A GET writes only if its operation declares it. Exceptions: a provider's redirect creates a session, and a poll of a
 * job's progress queues the job again if its consumer died.
 */
function checkSafe(method: string, pathname: string, { headers }: Answer<unknown>) {
  if (!["GET", "HEAD"].includes(method) || /^\/sso\/|\/progress\//.test(pathname) || declared("GET", pathname)?.mutates)
    return
  const [, written = "0"] = /d1;desc="[^"]* written=(\d+)"/.exec(headers.get("server-timing") ?? "") ?? []
  expect(Number(written), `rows that ${method} ${pathname} writes`).toBe(0)
}

/** Checks that a file has a media type that its operation declares. */
function checkMedia(method: string, url: string, answer: Answer<unknown>) {
  const { pathname } = new URL(url, ORIGIN)
  checkSafe(method, pathname, answer)
  const types = declared(method, pathname)?.response
  if (types === undefined || types instanceof z.ZodType || answer.status >= 300) return
  const sent = answer.headers.get("content-type")?.split(";")[0]
  expect([types].flat(), `${method} ${pathname}`).toContain(sent)
}

/** Checks a response against the declaration of its operation. */
function check(method: string, url: string, answer: Answer) {
  const { origin, pathname, searchParams } = new URL(url, ORIGIN)
  const operation = declared(method, pathname)
  expect(answer.headers.get("x-request-id"), "x-request-id").toBeTruthy()
  if (!UNLIMITED.has(pathname) && !pathname.startsWith("/scorm/") && origin !== CONTENT_ORIGIN)
    expect(answer.headers.get("x-ratelimit-limit"), "x-ratelimit-limit").toBeTruthy()
  expect(answer.status, `${method} ${pathname} answered ${JSON.stringify(answer.body)}`).not.toBe(500)
  expect(JSON.stringify(answer.body).includes(PASSWORD), `${method} ${pathname} answers a password`).toBe(false)
  if (answer.status >= 400) {
    const isPage = !pathname.startsWith("/api/") && answer.headers.get("content-type")?.startsWith("text/html")
    if (pathname.startsWith("/scim/")) {
      expect(scimErrorBody.parse(answer.body).status).toBe(String(answer.status))
    } else if (method !== "HEAD" && !isPage) {
      const { code } = errorBody.parse(answer.body)
      expect(ERROR_CODES[code as ErrorCode], `${method} ${pathname}: ${code}`).toBe(answer.status)
    }
  } else if (operation && answer.status < 300 && operation.response instanceof z.ZodType && method !== "HEAD") {
    expect(answer.status).toBe(operation.status)
    const fields = searchParams.get("fields")
    const schema = fields ? limitedAnswer(operation.response, fields) : strictlyOnce(operation.response)
    const checked = schema.safeParse(answer.body)
    expect(checked.error?.issues ?? [], `${method} ${pathname} against its schema`).toEqual([])
  }
}

/** Called with every response, for checks of all responses (test/helpers/secrets.ts). */
export const listeners = new Set<(call: string, answer: Answer) => void>()

function send(method: string, path: string, options: CallOptions): Promise<Response> {
  const headers = { "cf-connecting-ip": "203.0.113.7", ...options.headers }
  return exports.default.fetch(new URL(path, ORIGIN).href, toRequest(method, { ...options, headers }))
}

/** Gets a file as bytes, with any content type. */
export async function download(path: string, options: CallOptions = {}): Promise<Answer<Uint8Array>> {
  const response = await send("GET", path, options)
  expect(response.headers.get("x-request-id"), "x-request-id").toBeTruthy()
  const body = new Uint8Array(await response.arrayBuffer())
  const answer = { status: response.status, headers: response.headers, body }
  checkMedia("GET", path, answer)
  return answer
}

/** Calls the Worker. Every response is checked against the declaration of its operation. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await send(method, path, options)
  const isJson = /^application\/(scim\+)?json\b/.test(response.headers.get("content-type") ?? "")
  const text = await response.text()
  const answer: Answer = {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text,
  }
  check(method, path, answer)
  checkMedia(method, path, answer)
  for (const listener of listeners) listener(`${method} ${path}`, answer)
  return answer
}

export const get = (path: string, options?: CallOptions) => call("GET", path, options)
export const post = (path: string, body: unknown, options?: CallOptions) => call("POST", path, { ...options, body })
export const put = (path: string, body: unknown, options?: CallOptions) => call("PUT", path, { ...options, body })

/** The session cookie of a browser over https. */
export const cookieOf = (token: string) => ({ cookie: `__Host-session=${token}` })

/** The Durable Objects that a call used, and the rows that they wrote (an alarm is one), from `Server-Timing`. */
export function objectCost(answer: Answer): { calls: number; written: number } {
  const found = /do;desc="calls=(\d+) written=(\d+)"/.exec(answer.headers.get("server-timing") ?? "")
  if (!found) throw new Error("No Server-Timing in the answer.")
  return { calls: Number(found[1]), written: Number(found[2]) }
}

/** The round trips to the nearest replica before the request was forwarded, from `Server-Timing`. */
export const nearTrips = (answer: Answer): number =>
  Number(/near;desc="trips=(\d+)"/.exec(answer.headers.get("server-timing") ?? "")?.[1] ?? 0)

/** The cost of a call in D1, from `Server-Timing`. */
export function cost(answer: Answer): { roundTrips: number; read: number; written: number } {
  const found = /trips=(\d+) read=(\d+) written=(\d+)/.exec(answer.headers.get("server-timing") ?? "")
  if (!found) throw new Error("No Server-Timing in the answer.")
  return { roundTrips: Number(found[1]), read: Number(found[2]), written: Number(found[3]) }
}
