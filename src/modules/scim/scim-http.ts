import { tracing } from "cloudflare:workers"
import { OpenAPIHono } from "@hono/zod-openapi"
import type { Context, Handler, MiddlewareHandler } from "hono"
import type { z } from "zod"
import { getMeter } from "../../db/meter.ts"
import { validationHook } from "../../http/validation.ts"
import { hasRole } from "../../lib/caller.ts"
import { forbidden, LoginRedirect, malformed, notFound, unsupported } from "../../lib/errors.ts"
import { fingerprint } from "../../lib/text/fingerprint.ts"
import { readJson } from "../../lib/text/json.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { decodeBody, limitBody } from "../../lib/web/body.ts"
import { SCIM_TYPE } from "../../lib/web/scim-error.ts"
import { checkRateLimit } from "../../middleware/authenticate.ts"
import { forwardChange } from "../../middleware/forward.ts"
import { isObject, type Json, LIST_SCHEMA } from "./scim-names.ts"

// Mounts SCIM operations: who may call them, their bodies, and their responses.

type C = Context<AppEnv>
type Method = "get" | "post" | "put" | "patch" | "delete"

const MAX_BYTES = 1_000_000
const limit = limitBody(MAX_BYTES, "The body is too large. The maximum is 1 MB.")

/** Only API keys with the scope `scim` may call SCIM. @throws 401, 403 */
function requireScimKey(c: C, changes: boolean) {
  const { caller } = c.var
  if (caller.kind === "anonymous") throw new LoginRedirect()
  if (caller.kind !== "key" || !caller.grant?.scopes.includes("scim"))
    throw forbidden("SCIM needs an API key with the scope scim.", "key_scope_insufficient")
  if (!hasRole(caller, "staff")) throw forbidden()
  if (changes && caller.grant.access === "read") throw forbidden("This API key is read-only.", "key_read_only")
}

const authorize =
  (operationId: string, changes: boolean): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const meter = getMeter(c.env)
    if (meter) meter.operation = operationId
    requireScimKey(c, changes)
    if (changes) await checkRateLimit(c)
    c.set("changes", changes)
    await tracing.enterSpan(operationId, () => next())
  }

export type ScimApp = OpenAPIHono<AppEnv>

/** A router of SCIM operations. `createApp` has those with the methods and the errors of this API. */
export const createScimApp = (): ScimApp => new OpenAPIHono<AppEnv>()

/** Refuses other media types than JSON, and decodes the body. @throws 400, 415 */
const jsonBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header("content-type") ?? ""
  if (!/^application\/(scim\+)?json\b/i.test(type)) throw unsupported(`Send the body as ${SCIM_TYPE}.`)
  await decodeBody(c)
  await next()
}

/** The path as Hono matches it: an id consists of digits, so any other text is an unknown path (404). */
const honoPath = (path: string) => path.replace("{id}", ":id{[1-9][0-9]*}").replace("{uri}", ":uri")

/** Mounts an operation under /scim/v2. */
export function mount(
  app: ScimApp,
  { method, path, operationId }: { method: Method; path: string; operationId: string },
  handler: (c: C) => Promise<Response>,
) {
  const changes = method !== "get"
  const run: Handler<AppEnv> = (c) => (changes ? c.var.work.retryOnConflict(() => handler(c)) : handler(c))
  const hasBody = changes && method !== "delete"
  app[method](
    honoPath(`/scim/v2${path}`),
    authorize(operationId, changes),
    ...(hasBody ? [limit, jsonBody] : []),
    ...(changes ? [forwardChange] : []),
    run,
  )
}

/** The JSON object of the body. @throws 400 `invalidSyntax` */
export async function bodyOf(c: C): Promise<Json> {
  const read = readJson((await decodeBody(c)) ?? "")
  if (!isObject(read)) throw malformed("The body is not a valid JSON object.")
  return read
}

/** The query parameters. @throws 400 `invalidValue` */
export async function queryOf<T extends z.ZodType>(c: C, schema: T): Promise<z.output<T>> {
  const found = schema.safeParse(c.req.query())
  if (!found.success) {
    await validationHook({ success: false, target: "query", error: found.error }, c)
    throw found.error
  }
  return found.data
}

/** The id in the path. @throws 404 for a number that no id can have */
export function idOf(c: C): number {
  const id = Number(c.req.param("id"))
  if (!Number.isSafeInteger(id)) throw notFound("resource")
  return id
}

const location = (c: C, path: string) => `${baseUrl(c)}/scim/v2${path}`

interface Stored {
  version: number
  createdAt: number
  updatedAt: number
}

/** A resource's metadata. The version covers what other records show in the resource, such as members. */
export function withMeta<T extends Json>(
  c: C,
  resourceType: "User" | "Group",
  row: Stored & { id: number },
  content: T,
) {
  const meta = {
    resourceType,
    created: new Date(row.createdAt).toISOString(),
    lastModified: new Date(row.updatedAt).toISOString(),
    location: location(c, `/${resourceType}s/${row.id}`),
  }
  const version = `W/"${row.version}-${fingerprint(JSON.stringify(content))}"`
  return { ...content, meta: { ...meta, version } }
}

export const refTo = (c: C, resourceType: "User" | "Group", id: number | string) =>
  location(c, `/${resourceType}s/${id}`)

/** A response in SCIM's media type. */
export const scimAnswer = (c: C, body: object, status: 200 | 201 = 200, headers: Record<string, string> = {}) =>
  c.body(JSON.stringify(body), status, { "content-type": SCIM_TYPE, ...headers })

/** A page of a list. */
export const scimListResponse = (c: C, total: number, startIndex: number, resources: object[]) =>
  scimAnswer(c, {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

/** A resource with its ETag; 304 if the client has it. */
export function resourceAnswer(
  c: C,
  resource: { meta: { version: string; location: string } },
  shown: object,
  status: 200 | 201 = 200,
) {
  const { version, location } = resource.meta
  const headers = { etag: version, ...(status === 201 && { location }) }
  const known = c.req
    .header("if-none-match")
    ?.split(",")
    .map((tag) => tag.trim())
  if (c.req.method === "GET" && known?.some((tag) => tag === "*" || tag === version))
    return c.body(null, 304, { etag: version })
  return scimAnswer(c, shown, status, headers)
}
