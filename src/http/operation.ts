import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi"
import type { Context, Handler, MiddlewareHandler } from "hono"
import { etag } from "hono/etag"
import type { ZodObject, ZodType } from "zod"
import type { Access } from "../lib/caller.ts"
import { ERROR_CODES, type ErrorCode, invalid } from "../lib/errors.ts"
import { foldForm, id } from "../lib/input/input.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { bodyDecoded, isMultipart, limitBody } from "../lib/web/body.ts"
import { authorize } from "../middleware/authenticate.ts"
import { requireNamedScope } from "../middleware/named-scope.ts"
import { samePathRecord } from "./path-record.ts"
import type { Tag } from "./tags.ts"
import { validationHook } from "./validation.ts"

/** What an operation answers: JSON of a schema, or a file of a media type, or of one of several. */
type Answer = ZodType | string | readonly string[]

/** One operation, declared once: the router, the gate, the OpenAPI document and the tests all read this. */
export interface Operation {
  /** What a generated client calls it: a verb and what it is about, such as `listUsers`. No other has it. */
  operationId: string
  method: "get" | "post" | "put"
  path: string
  /** The least role that may call it. */
  access: Access
  /** Asks for a session under every access policy: an anonymous call is sent to the login page. */
  signedIn: boolean
  /** Changes something although it is a GET: never cached or prefetched, and with a cookie a script's to call. */
  mutates: boolean
  /** Such a GET that answers a link too: with a cookie it then changes nothing. */
  linkable: boolean
  /** The family of operations that it belongs to, by which the OpenAPI document and API keys name it. */
  tag: Tag
  /** Which API keys may call it: those whose role and scope allow it, every key, or none, for it needs a person. */
  keys: "scope" | "every" | "none"
  answer: Answer
  status: 200 | 201
  /** Fields of the body that mean the id of the path: a body with another value is refused. */
  pathIdFields: readonly string[]
  /** The schemas of its query and of its body, JSON or a form. */
  inputs: { query?: ZodType; body?: ZodType }
}

/** Every operation of the service, in the order of declaration. */
export const operations: Operation[] = []

/** The body of an error answer. */
export const errorBody = z
  .object({
    status: z.literal("error"),
    code: z
      .enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]])
      .openapi({ description: "Identifies the error for a program; /docs/guides/errors lists the codes" }),
    message: z.string().openapi({ description: "What to change, for the person who makes the call" }),
    errors: z.record(z.string(), z.array(z.string())).optional().openapi({ description: "Messages by field" }),
  })
  .openapi("Error")

/** Error answers by status, as the OpenAPI document names them: src/http/openapi-parts.ts says when each is given. */
export const ERROR_ANSWERS = {
  302: "LoginRedirect",
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed",
  413: "TooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  502: "BadGateway",
} as const
export type ErrorStatus = keyof typeof ERROR_ANSWERS
/** An error answer as the OpenAPI document has it. */
export const errorAnswer = (status: ErrorStatus) => ({ $ref: `#/components/responses/${ERROR_ANSWERS[status]}` })

type FormBody<T> = { content: { "multipart/form-data": { schema: T } }; required: true }
type Json<T extends ZodType> = { content: { "application/json": { schema: T } } }
type PathIds<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathIds<Rest> : never

interface Spec<
  P extends string,
  A extends Answer,
  B extends ZodType,
  Q extends ZodObject,
  M extends ZodObject,
  S extends 200 | 201,
  U extends ZodObject,
> {
  /** What a generated client calls it, such as `listUsers`: a verb and what it is about, as no other operation. */
  operationId: string
  method: "get" | "post" | "put"
  path: P
  summary: string
  /** What the summary leaves open: rules, units, where the numbers come from. */
  description?: string
  tag: Tag
  access: Access
  signedIn?: boolean
  mutates?: boolean
  linkable?: boolean
  /** Which API keys may call it; `scope` unless told. */
  keys?: Operation["keys"]
  /** A read of one record: it sends an ETag and honors If-None-Match. */
  record?: boolean
  /** Not of the interface: an extension of ours. */
  extension?: boolean
  /** The older spelling of another operation, whose path this is. */
  successor?: string
  /** The parameters of the path, where they are not ids. */
  params?: M
  /** The last parameter takes the rest of the path, slashes and all. */
  rest?: boolean
  query?: Q
  body?: B
  /**
   * Fields of the body that mean the id of the path, in the schema or not: one with another value is 422. `id` unless
   * given; another record's id is not to be among them.
   */
  pathIdFields?: readonly string[]
  /** A body that may be left out. */
  bodyOptional?: boolean
  /**
   * The fields of a multipart/form-data body, in place of `body`; files by `file()` of input.ts. A field may come as
   * `key[]` too. The handler reads `c.req.valid("form")`.
   */
  upload?: U
  /** Bytes of body; 1 MB unless told. */
  maxBytes?: number
  /** The JSON answer's schema, or the media type of a file: all of them, where it has several. */
  answer: A
  status?: S
  /** Further error answers beyond those that every operation of its kind has. */
  errors?: ErrorStatus[]
}

type IdParams<P extends string> = ZodObject<{ [K in PathIds<P>]: ReturnType<typeof id> }>
type Provided<T, Key extends string, Value> = [T] extends [never] ? Record<never, never> : { [K in Key]: Value }

/** What `app.openapi` needs to know of an operation to type its handler. */
export type Route<P extends string, A extends Answer, B, Q, M, S extends 200 | 201, U> = {
  method: "get" | "post" | "put"
  path: P
  middleware: MiddlewareHandler<AppEnv>[]
  request: Provided<B, "body", { content: { "application/json": { schema: B } }; required: true }> &
    Provided<U, "body", FormBody<U>> &
    Provided<Q, "query", Q> &
    Provided<PathIds<P>, "params", [M] extends [never] ? IdParams<P> : M>
  responses: {
    [K in S]: A extends ZodType ? Json<A> & { description: string } : { description: string }
  }
}

const MEGABYTE = 1_000_000

const fileOf = (types: string | readonly string[]) =>
  Object.fromEntries([types].flat().map((type) => [type, { schema: { type: "string", format: "binary" } }]))

/** An operation's id of words: of "create API key" `createApiKey`. */
export const operationId = (words: string) =>
  words.replace(
    /[ -]+(\w)(\w*)/g,
    (_, first: string, rest: string) => first.toUpperCase() + (rest === rest.toUpperCase() ? rest.toLowerCase() : rest),
  )

/**
 * Declares an operation. Adds what a route could forget: the access check, the body limit, the error answers and the
 * path ids, which are positive integers unless `params` says otherwise.
 */
export function operation<
  const P extends string,
  const A extends Answer,
  B extends ZodType = never,
  Q extends ZodObject = never,
  M extends ZodObject = never,
  S extends 200 | 201 = 200,
  U extends ZodObject = never,
>(spec: Spec<P, A, B, Q, M, S, U>): Route<P, A, B, Q, M, S, U> {
  const { method, path, answer, access } = spec
  const status = spec.status ?? 200
  const hasBody = spec.body !== undefined || spec.upload !== undefined
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  const [pathId] = hasBody && !spec.params ? names : []
  const pathIdFields = pathId === undefined ? [] : (spec.pathIdFields ?? ["id"])
  const declared: Operation = {
    operationId: spec.operationId,
    method,
    path,
    access,
    signedIn: spec.signedIn ?? false,
    mutates: spec.mutates ?? false,
    linkable: spec.linkable ?? false,
    tag: spec.tag,
    keys: spec.keys ?? "scope",
    answer,
    status,
    pathIdFields,
    inputs: { ...(spec.query && { query: spec.query }), ...(hasBody && { body: spec.body ?? spec.upload }) },
  }
  operations.push(declared)

  const params =
    spec.params ??
    (names.length > 0
      ? z.object(
          Object.fromEntries(
            names.map((name) => [name, id().openapi({ param: { name, in: "path", required: true } })]),
          ),
        )
      : undefined)
  patterns.set(honoPath(path), honoPath(path, spec.rest ? ".+" : spec.params ? undefined : "[1-9][0-9]*"))
  const maxSize = spec.maxBytes ?? MEGABYTE
  const limit = limitBody(maxSize, `The body is larger than the ${maxSize / MEGABYTE} MB that this operation takes.`)
  const errors: ErrorStatus[] = [
    ...(spec.signedIn ? ([302] as const) : []),
    401,
    403,
    ...(names.length > 0 ? ([404] as const) : []),
    ...(hasBody ? ([400, 413, 415] as const) : []),
    ...(hasBody || spec.query ? ([422] as const) : []),
    429,
    ...(spec.errors ?? []),
  ]

  const route = createRoute({
    method,
    path,
    operationId: spec.operationId,
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    tags: [spec.tag],
    "x-role": access,
    ...(spec.mutates && { "x-changes": true }),
    ...(spec.extension && { "x-extension": true }),
    ...(spec.successor && { deprecated: true }),
    security: spec.signedIn ? [{ bearer: [] }, { session: [] }] : [{ bearer: [] }, { session: [] }, {}],
    middleware: [
      authorize(declared),
      ...(method === "get" ? [] : [limit, bodyDecoded]),
      ...(pathId === undefined ? [] : [samePathRecord(pathId, pathIdFields)]),
      ...(method === "get" ? [] : [idempotent]),
      ...(spec.record ? [etag()] : []),
      ...(spec.successor ? [deprecated(spec.successor)] : []),
    ],
    request: {
      ...(params && { params }),
      ...(spec.query && { query: spec.query }),
      ...(spec.body && {
        body: { content: { "application/json": { schema: spec.body } }, required: !spec.bodyOptional },
      }),
      ...(spec.upload && {
        body: {
          content: { "multipart/form-data": { schema: z.preprocess(foldForm, spec.upload) } },
          required: true,
        },
      }),
    },
    responses: {
      [status]:
        typeof answer === "string" || Array.isArray(answer)
          ? { description: "The file", content: fileOf(answer) }
          : { description: "Success", content: { "application/json": { schema: answer } } },
      ...(spec.record && { 304: { description: "As If-None-Match has it" } }),
      ...Object.fromEntries([...new Set(errors)].sort().map((code) => [code, errorAnswer(code)])),
    },
  })
  // The handler's types come from the declaration's own type parameters: createRoute cannot see through the spreads.
  return route as unknown as Route<P, A, B, Q, M, S, U>
}

/** The call's Idempotency-Key; undefined: it has none. @throws 422 */
export function idempotencyKeyOf(c: Context): string | undefined {
  const key = c.req.header("idempotency-key")?.trim()
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid("Idempotency-Key", "Idempotency-Key must be 1 to 255 printable characters without spaces.")
  return key
}

/** Takes the call's Idempotency-Key: the unit of work answers a repeated call with its first answer. */
const idempotent: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = idempotencyKeyOf(c)
  if (key !== undefined) {
    const body = await sameBody(c)
    const { pathname, search } = new URL(c.req.url)
    const head = new TextEncoder().encode(`${c.req.method} ${pathname}${search}\n`)
    c.var.work.under(key, Buffer.concat([head, body]))
  }
  await next()
}

/** What makes two bodies the same: their bytes; of a form its parts, since each sending marks them off anew. */
async function sameBody(c: Context<AppEnv>): Promise<Uint8Array> {
  const bytes = () => c.req.arrayBuffer().then((buffer) => new Uint8Array(buffer))
  if (!isMultipart(c)) return bytes()
  const form = await c.req.formData()
  const parts: Uint8Array[] = []
  for (const [key, value] of form) {
    const content = Buffer.from(typeof value === "string" ? value : await value.arrayBuffer())
    const head = JSON.stringify([key, typeof value === "string" ? null : value.name, content.length])
    parts.push(Buffer.from(`${head}\n`), content)
  }
  return Buffer.concat(parts)
}

/** The first release, which had the older spellings as such already. */
const DEPRECATED_SINCE = Date.UTC(2026, 10, 22)

const deprecated =
  (successor: string): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await next()
    // RFC 9745: a date, in Unix seconds.
    c.header("deprecation", `@${DEPRECATED_SINCE / 1000}`)
    c.header("link", `<${successor}>; rel="successor-version"`, { append: true })
  }

/** The path as Hono writes it, each parameter held to a pattern if one is given. */
const honoPath = (path: string, pattern?: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (pattern ? `:${name}{${pattern}}` : `:${name}`))

/** What the parameters of declared paths match, by the path that the OpenAPI router makes of a declaration. */
const patterns = new Map<string, string>()

/** A handler that runs again when another call changed what it had read. Probes have no unit of work. */
const retried =
  (handler: Handler<AppEnv>): Handler<AppEnv> =>
  (c, next) => {
    const work: AppEnv["Variables"]["work"] | undefined = c.var.work
    return work ? work.retryOnConflict(async () => handler(c, next)) : handler(c, next)
  }

/**
 * A family's router. Its paths match what their declarations say: ids are digits without a leading zero, so that
 * `/api/user/{id}` never takes what belongs to `/api/user/portals`, and what is no id is an unknown path: 404.
 */
export function createApp() {
  const app = new OpenAPIHono<AppEnv>({ defaultHook: validationHook })
  type Mount<Where extends unknown[]> = (...given: [...Where, ...Handler<AppEnv>[]]) => unknown
  const on = app.on.bind(app) as Mount<[methods: string[], paths: string[]]>
  const post = app.post.bind(app) as Mount<[path: string]>
  return Object.assign(app, {
    // How the OpenAPI router mounts an operation: its validators stand before its handler.
    on: (methods: string[], paths: string[], ...handlers: Handler<AppEnv>[]) =>
      on(
        methods,
        paths.map((path) => patterns.get(path) ?? path),
        ...handlers.slice(0, -1),
        requireNamedScope,
        ...handlers.slice(-1).map(retried),
      ),
    // How a page mounts its form.
    post: (path: string, ...handlers: Handler<AppEnv>[]) =>
      post(path, ...handlers.slice(0, -1), ...handlers.slice(-1).map(retried)),
  })
}
