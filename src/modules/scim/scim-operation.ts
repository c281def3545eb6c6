import { tracing } from "cloudflare:workers"
import { OpenAPIHono, z } from "@hono/zod-openapi"
import type { Context, Handler, MiddlewareHandler } from "hono"
import { getMeter } from "../../db/meter.ts"
import { componentRef, SCIM_ERROR } from "../../http/openapi-parts.ts"
import { hasRole } from "../../lib/caller.ts"
import { forbidden, LoginRedirect, unsupported } from "../../lib/errors.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { decodeBody, limitBody } from "../../lib/web/body.ts"
import { SCIM_TYPE } from "../../lib/web/scim-error.ts"
import { checkRateLimit } from "../../middleware/authenticate.ts"
import { forwardChange } from "../../middleware/forward.ts"
import { scimErrorBody } from "./scim-schemas.ts"

// Declares SCIM operations. They are not declared with `operation()`: their methods, media type and errors are those of
// RFC 7644, and only API keys with a scope of their own may call them.

type C = Context<AppEnv>

interface ScimOperation {
  operationId: string
  method: "get" | "post" | "put" | "patch" | "delete"
  /** Under /scim/v2. */
  path: string
}

interface ScimSpec extends ScimOperation {
  summary: string
  /** What the summary omits. */
  description: string
  query?: z.ZodObject
  body?: z.ZodType
  /** Without one, the response is empty. */
  response?: z.ZodType
  status?: 200 | 201
}

/** Every SCIM operation, in the order of declaration. */
export const scimOperations: ScimOperation[] = []

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

/** Refuses other media types than JSON, and decodes the body. @throws 400, 415 */
const jsonBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header("content-type") ?? ""
  if (!/^application\/(scim\+)?json\b/i.test(type)) throw unsupported(`Send the body as ${SCIM_TYPE}.`)
  await decodeBody(c)
  await next()
}

/** The path as Hono matches it: an id consists of digits, so any other text is an unknown path (404). */
const honoPath = (path: string) => path.replace("{id}", ":id{[1-9][0-9]*}").replace("{uri}", ":uri")

const content = (schema: z.ZodType) => ({ [SCIM_TYPE]: { schema } })
const ERROR = componentRef("responses", SCIM_ERROR)

/** Adds an operation to the document. */
function describe(app: ScimApp, spec: ScimSpec) {
  const { method, operationId, summary, description, query, body, response, status = 200 } = spec
  const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  const changes = method !== "get"
  app.openAPIRegistry.register("ScimError", scimErrorBody)
  app.openAPIRegistry.registerPath({
    method,
    path: `/scim/v2${spec.path}`,
    operationId,
    summary,
    description,
    tags: ["SCIM"],
    security: [{ bearer: [] }],
    request: {
      ...(names.length > 0 && { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }),
      ...(query && { query }),
      ...(body && { body: { required: true, content: content(body) } }),
    },
    responses: {
      ...(response
        ? { [status]: { description: "Success", content: content(response) } }
        : { 204: { description: "Deleted" } }),
      401: ERROR,
      403: ERROR,
      ...((query || body) && { 400: ERROR }),
      ...(names.length > 0 && { 404: ERROR }),
      ...(changes && { 409: ERROR }),
      ...(changes && names.length > 0 && { 412: ERROR }),
    },
  })
}

type ScimApp = ReturnType<typeof createScimApp>

/** A router of SCIM operations. */
export const createScimApp = () => new OpenAPIHono<AppEnv>()

/** Declares an operation: its route, authorization and entry in the OpenAPI document. */
export function scimOperation(app: ScimApp, spec: ScimSpec, handler: (c: C) => Promise<Response>) {
  const { method, path, operationId } = spec
  scimOperations.push({ method, path, operationId })
  describe(app, spec)
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
