import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi"
import type { Handler, MiddlewareHandler } from "hono"
import { etag } from "hono/etag"
import type { ZodObject, ZodType } from "zod"
import type { Access } from "../lib/caller.ts"
import { foldForm, id } from "../lib/input/input.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { bodyDecoded, limitBody } from "../lib/web/body.ts"
import { weakEtag } from "../lib/web/etag.ts"
import { authorize } from "../middleware/authenticate.ts"
import { forwardChange, forwardUpload } from "../middleware/forward.ts"
import { idempotent } from "../middleware/idempotency.ts"
import { acceptDeletedScope, requireNamedScope } from "../middleware/named-scope.ts"
import { type ErrorStatus, errorAnswer } from "./error-responses.ts"
import { fieldsParameter, limitFields } from "./fields.ts"
import { reportIgnored } from "./ignored-parameters.ts"
import { requireMatchingId } from "./path-record.ts"
import type { Tag } from "./tags.ts"
import { validationHook } from "./validation.ts"

/** The response of an operation: a JSON schema, or one or more media types of a file. */
type ResponseSchema = ZodType | string | readonly string[]

/** One operation, declared once: the router, authorization, the OpenAPI document and the tests read it. */
export interface Operation {
  /** A unique name for generated clients: a verb and a noun, such as `listUsers`. */
  operationId: string
  method: "get" | "post" | "put"
  path: string
  /** The minimum role. */
  access: Access
  /** Requires a session under every access policy: an anonymous call is redirected to the sign-in page. */
  signedIn: boolean
  /** A GET that changes something: never cached or prefetched; with a cookie only scripts may call it. */
  mutates: boolean
  /** A `mutates` operation that also works as a link: with a cookie it then changes nothing. */
  linkable: boolean
  /** Its module in the OpenAPI document and in the scope of API keys. */
  tag: Tag
  /** The API keys that may call it: those whose role and scope allow it, every key, or none. */
  keys: "scope" | "every" | "none"
  response: ResponseSchema
  status: 200 | 201
  /** Body fields that repeat the id in the path. A different value is refused. */
  pathIdFields: readonly string[]
  /** The schemas of its query and its body. */
  inputs: { query?: ZodType; body?: ZodType }
}

/** Every operation, in the order of declaration. */
export const operations: Operation[] = []

type FormBody<T> = { content: { "multipart/form-data": { schema: T } }; required: true }
type Json<T extends ZodType> = { content: { "application/json": { schema: T } } }
type PathIds<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathIds<Rest> : never

interface Spec<
  P extends string,
  A extends ResponseSchema,
  B extends ZodType,
  Q extends ZodObject,
  M extends ZodObject,
  S extends 200 | 201,
  U extends ZodObject,
> {
  /** A unique name for generated clients: a verb and a noun, such as `listUsers`. */
  operationId: string
  method: "get" | "post" | "put"
  path: P
  summary: string
  /** What the summary omits: rules, units, sources of numbers. */
  description?: string
  tag: Tag
  access: Access
  signedIn?: boolean
  mutates?: boolean
  linkable?: boolean
  /** The API keys that may call it. Default: `scope`. */
  keys?: Operation["keys"]
  /** Reads one record: sends an ETag and supports If-None-Match. */
  record?: boolean
  /** Sends a weak ETag of the response and supports If-None-Match. The data is read each time. */
  revalidated?: boolean
  /** Not part of the API document: an extension. */
  extension?: boolean
  /** This path is deprecated in favor of the given one. */
  successor?: string
  /** The portal and the group of the input may be deleted: the operation checks them. For staff only. */
  deletedScope?: boolean
  /** Path parameters that are not ids. */
  params?: M
  /** The last parameter matches the rest of the path, slashes included. */
  rest?: boolean
  query?: Q
  body?: B
  /**
   * Body fields that repeat the id in the path, in the schema or not. A different value returns 422. Default: `id`.
   * Never list the id of another record.
   */
  pathIdFields?: readonly string[]
  /** The body is optional. */
  bodyOptional?: boolean
  /**
   * The fields of a multipart/form-data body, instead of `body`; `file()` of input.ts declares files. `key[]` is
   * accepted for `key`. The handler reads `c.req.valid("form")`.
   */
  upload?: U
  /** The maximum size of the body in bytes. Default: 1 MB. */
  maxBytes?: number
  /** The JSON response's schema, or the media types of a file. */
  response: A
  status?: S
  /** Error responses beyond those of every such operation. */
  errors?: ErrorStatus[]
}

type IdParams<P extends string> = ZodObject<{ [K in PathIds<P>]: ReturnType<typeof id> }>
type Provided<T, Key extends string, Value> = [T] extends [never] ? Record<never, never> : { [K in Key]: Value }

/** What `app.openapi` needs to type an operation's handler. */
export type Route<P extends string, A extends ResponseSchema, B, Q, M, S extends 200 | 201, U> = {
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

const isSchema = (answer: ResponseSchema): answer is ZodType => typeof answer === "object" && "safeParse" in answer

const fileOf = (types: string | readonly string[]) =>
  Object.fromEntries([types].flat().map((type) => [type, { schema: { type: "string", format: "binary" } }]))

/** The operation id for words: `createApiKey` for "create API key". */
export const operationId = (words: string) =>
  words.replace(
    /[ -]+(\w)(\w*)/g,
    (_, first: string, rest: string) => first.toUpperCase() + (rest === rest.toUpperCase() ? rest.toLowerCase() : rest),
  )

/**
 * Declares an operation with authorization, body limit, error responses and path ids (positive integers unless
 * `params` is given).
 */
export function operation<
  const P extends string,
  const A extends ResponseSchema,
  B extends ZodType = never,
  Q extends ZodObject = never,
  M extends ZodObject = never,
  S extends 200 | 201 = 200,
  U extends ZodObject = never,
>(spec: Spec<P, A, B, Q, M, S, U>): Route<P, A, B, Q, M, S, U> {
  const { method, path, response: answer, access } = spec
  const status = spec.status ?? 200
  const isRevalidated = spec.record || spec.revalidated
  const limited = method === "get" && !spec.mutates && isSchema(answer) ? answer : undefined
  const query = limited ? (spec.query ?? z.object({})).safeExtend({ fields: fieldsParameter }) : spec.query
  const hasBody = spec.body !== undefined || spec.upload !== undefined
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  const [pathId] = hasBody && (!spec.params || names[0] === "id") ? names : []
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
    response: answer,
    status,
    pathIdFields,
    inputs: { ...(query && { query }), ...(hasBody && { body: spec.body ?? spec.upload }) },
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
  const limit = limitBody(maxSize, `The body is too large. The maximum is ${maxSize / MEGABYTE} MB.`)
  const errors: ErrorStatus[] = [
    ...(spec.signedIn ? ([302] as const) : []),
    401,
    403,
    ...(names.length > 0 ? ([404] as const) : []),
    ...(hasBody ? ([400, 413, 415] as const) : []),
    ...(hasBody || query ? ([422] as const) : []),
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
    ...(spec.keys && spec.keys !== "scope" && { "x-keys": spec.keys }),
    ...(spec.extension && { "x-extension": true }),
    ...(spec.successor && { deprecated: true }),
    security: spec.signedIn ? [{ bearer: [] }, { session: [] }] : [{ bearer: [] }, { session: [] }, {}],
    middleware: [
      authorize(declared),
      reportIgnored(query),
      ...(method === "get" ? [] : [limit, forwardUpload, bodyDecoded]),
      ...(pathId === undefined ? [] : [requireMatchingId(pathId, pathIdFields)]),
      ...(method === "get" ? [] : [idempotent]),
      ...(spec.deletedScope ? [acceptDeletedScope] : []),
      ...(spec.revalidated ? [weakEtag] : []),
      ...(limited ? [limitFields(limited)] : []),
      ...(isRevalidated ? [etag()] : []),
      ...(spec.successor ? [deprecated(spec.successor)] : []),
    ],
    request: {
      ...(params && { params }),
      ...(query && { query }),
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
      [status]: isSchema(answer)
        ? { description: "Success", content: { "application/json": { schema: answer } } }
        : { description: "The file", content: fileOf(answer) },
      ...(isRevalidated && { 304: { description: "Not modified" } }),
      ...Object.fromEntries([...new Set(errors)].sort().map((code) => [code, errorAnswer(code)])),
    },
  })
  // createRoute cannot infer types through the spreads, so they come from the type parameters.
  return route as unknown as Route<P, A, B, Q, M, S, U>
}

/** The first release, in which these paths were already deprecated. */
const DEPRECATED_SINCE = Date.UTC(2026, 10, 22)

const deprecated =
  (successor: string): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await next()
    // The primary entry has set it.
    if (c.res.headers.has("deprecation")) return
    // RFC 9745: a date, in Unix seconds.
    c.header("deprecation", `@${DEPRECATED_SINCE / 1000}`)
    c.header("link", `<${successor}>; rel="successor-version"`, { append: true })
  }

/** The path in Hono's syntax, each parameter with a pattern if one is given. */
const honoPath = (path: string, pattern?: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (pattern ? `:${name}{${pattern}}` : `:${name}`))

/** The patterns of parameters, by the path that the OpenAPI router generates. */
const patterns = new Map<string, string>()

/** Runs a handler again after a ConflictError. Health probes have no unit of work. */
const withRetry =
  (handler: Handler<AppEnv>): Handler<AppEnv> =>
  (c, next) => {
    const work: AppEnv["Variables"]["work"] | undefined = c.get("work")
    return work ? work.retryOnConflict(async () => handler(c, next)) : handler(c, next)
  }

const forwardOperation: MiddlewareHandler<AppEnv> = (c, next) => (c.get("changes") ? forwardChange(c, next) : next())

/**
 * Posts outside of operations that are not forwarded: those that ask Durable Objects near the client only, and those
 * that ask them first and then forward by themselves.
 */
const SERVED_AT_EDGE = new Set(["/login", "/logout", "/oauth/token", "/session/refresh"])

/**
 * Creates a module's router. Ids in paths match digits without a leading zero, so `/api/user/{id}` never matches
 * `/api/user/portals`, and an invalid id is an unknown path (404).
 */
export function createApp() {
  const app = new OpenAPIHono<AppEnv>({ defaultHook: validationHook })
  type Mount<Prefix extends unknown[]> = (...args: [...Prefix, ...Handler<AppEnv>[]]) => unknown
  const on = app.on.bind(app) as Mount<[methods: string[], paths: string[]]>
  const post = app.post.bind(app) as Mount<[path: string]>
  return Object.assign(app, {
    // The OpenAPI router mounts an operation with its validators before its handler.
    on: (methods: string[], paths: string[], ...handlers: Handler<AppEnv>[]) =>
      on(
        methods,
        paths.map((path) => patterns.get(path) ?? path),
        ...handlers.slice(0, -1),
        forwardOperation,
        requireNamedScope,
        ...handlers.slice(-1).map(withRetry),
      ),
    // Pages mount their forms this way.
    post: (path: string, ...handlers: Handler<AppEnv>[]) =>
      post(
        path,
        ...handlers.slice(0, -1),
        ...(SERVED_AT_EDGE.has(path) ? [] : [forwardChange]),
        ...handlers.slice(-1).map(withRetry),
      ),
  })
}
