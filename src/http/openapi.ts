import { OpenAPIHono } from "@hono/zod-openapi"
import { Hono } from "hono"
import { version } from "../../package.json"
import { baseUrl } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { isScimPath } from "../lib/web/scim-error.ts"
import { errorAnswer, errorBody } from "./error-responses.ts"
import { exampleOf, type Schema as JsonSchema, requestExampleOf } from "./examples.ts"
import { answerName, parameterName, type Response, shareComponents } from "./openapi-components.ts"
import { commonDescription } from "./openapi-descriptions.ts"
import { filterDocument } from "./openapi-filter.ts"
import { type Parameter, type ParameterSchema, requestHeaders, simplifyParameter } from "./openapi-parameters.ts"
import {
  type AnswerHeader,
  answerHeaders,
  componentRef,
  errorComponents,
  headerComponents,
  OTHER_ERROR,
  SCIM_ERROR,
  UNLIMITED,
} from "./openapi-parts.ts"
import { TAGS, tagsOf } from "./tags.ts"

const DESCRIPTION = `The JSON API of a learning academy: users, courses, classes, reports and exports.

Sign in with \`POST /login\` and send \`Authorization: Bearer <token>\`. Every error has one shape:
\`{"status":"error","code":"…","message":"…","errors":{"field":["…"]}}\`. Lists take \`page_size\` (1 to 500) and
\`page_number\`; follow their \`Link\` header to page through long lists. \`x-role\`, the first badge of an operation,
is the minimum role; \`x-extension\` marks operations that extend the API document this service implements;
\`x-changes\` marks a GET that changes data: with a session cookie only a script of this origin may call it.`

interface Entry {
  operationId: string
  requestBody?: { content: Record<string, { schema: ParameterSchema; example?: unknown }> }
  tags: string[]
  description?: string
  deprecated?: boolean
  security?: object[]
  "x-role"?: string
  "x-extension"?: boolean
  "x-changes"?: boolean
  "x-badges"?: { name: string }[]
  parameters?: (Parameter | ReturnType<typeof componentRef>)[]
  responses: Record<string, Response>
}
type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>

const isJsonType = (type: string) => /^application\/(scim\+)?json$/.test(type)

/** The headers of a success response. */
function successHeaders(
  method: string,
  path: string,
  { parameters = [], responses, deprecated }: Entry,
): AnswerHeader[] {
  const isList = parameters.some((parameter) => "name" in parameter && parameter.name === "cursor")
  const isFile = Object.keys(responses["200"]?.content ?? {}).some((type) => !isJsonType(type))
  return [
    ...(path.startsWith("/api/") ? (["x-d1-bookmark"] as const) : []),
    ...(isList || deprecated ? (["Link"] as const) : []),
    ...("304" in responses ? (["ETag"] as const) : []),
    ...(isFile ? (["Content-Disposition"] as const) : []),
    ...(method === "get" || isScimPath(path) ? [] : (["Idempotency-Replayed"] as const)),
    ...(deprecated ? (["Deprecation"] as const) : []),
  ]
}

/** The headers of other responses, by status. */
const HEADERS_BY_STATUS: Record<string, AnswerHeader[]> = {
  302: ["Location"],
  303: ["Location"],
  304: ["ETag"],
  429: ["Retry-After"],
  503: ["Retry-After"],
}

/** The badges that the API reference shows for an operation. */
const badges = (entry: Entry) => [
  ...(entry["x-role"] ? [{ name: entry["x-role"] }] : []),
  ...(entry["x-extension"] ? [{ name: "extension" }] : []),
  ...(entry["x-changes"] ? [{ name: "changes data" }] : []),
]

/** The default security requirements of the access policy `documented`, and of `enforced`. */
const ANY_CREDENTIAL = [{ bearer: [] }, { session: [] }, {}]
const CREDENTIAL = [{ bearer: [] }, { session: [] }]

/** Adds what all operations have in common. @param enforced whether every API operation requires a credential */
function complete(document: Document, enforced: boolean) {
  const entries = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ method, path, entry: entry as Entry })),
  )
  for (const { method, path, entry } of entries) {
    if (enforced && path.startsWith("/api/")) {
      entry.responses["302"] = errorAnswer(302)
      delete entry.security
    } else if (JSON.stringify(entry.security) === JSON.stringify(ANY_CREDENTIAL) && !enforced) delete entry.security
    const parameters = (entry.parameters ?? []).filter((parameter) => "name" in parameter)
    const names = parameters.map(({ name }) => name)
    const description = commonDescription({ method, path, parameters: names, statuses: entry.responses })
    if (description) entry.description ??= description
    const isScim = isScimPath(path)
    if (!UNLIMITED.has(path)) entry.responses.default = componentRef("responses", isScim ? SCIM_ERROR : OTHER_ERROR)
    const headers = requestHeaders(isScim ? "get" : method, entry.responses)
    entry.parameters = [...parameters, ...headers].map(simplifyParameter)
    const shown = badges(entry)
    if (shown.length > 0) entry["x-badges"] = shown
    for (const [status, response] of Object.entries(entry.responses)) {
      if (response.$ref) continue
      const headers = status.startsWith("2") ? successHeaders(method, path, entry) : HEADERS_BY_STATUS[status]
      response.headers = answerHeaders(headers, !UNLIMITED.has(path))
    }
  }
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>
  const parameters = shareComponents(
    10,
    entries.flatMap(({ entry }) => entry.parameters as Parameter[]),
    parameterName,
  )
  const successes = shareComponents(
    3,
    entries.flatMap(({ entry }) => entry.responses["200"] ?? []),
    answerName,
  )
  for (const { entry } of entries) {
    const { parameters: inline = [], responses } = entry
    delete entry.parameters
    if (inline.length > 0)
      entry.parameters = (inline as Parameter[]).map((parameter) => {
        const name = parameters.nameOf(parameter)
        return name ? componentRef("parameters", name) : parameter
      })
    for (const body of Object.values(entry.requestBody?.content ?? {}))
      body.example = requestExampleOf(body.schema, schemas)
    const name = responses["200"] && successes.nameOf(responses["200"])
    const { content = {} } = (name ? successes.components[name] : (responses["200"] ?? responses["201"])) ?? {}
    const shown = Object.entries(content).find(([type]) => isJsonType(type))?.[1]
    if (shown) shown.example ??= exampleOf(shown.schema, schemas)
    if (name) responses["200"] = componentRef("responses", name)
  }
  const usedTags = new Set(entries.flatMap(({ entry }) => entry.tags))
  // Mounting routers prefixes webhook names with a slash.
  const webhooks = Object.fromEntries(
    Object.entries(document.webhooks ?? {}).map(([name, entry]) => [name.replace("/", ""), entry]),
  )
  return {
    ...document,
    webhooks,
    tags: Object.entries(TAGS).flatMap(([name, description]) => (usedTags.has(name) ? [{ name, description }] : [])),
    security: enforced ? CREDENTIAL : ANY_CREDENTIAL,
    components: {
      ...document.components,
      parameters: { ...document.components?.parameters, ...parameters.components },
      headers: headerComponents,
      responses: { ...document.components?.responses, ...successes.components, ...errorComponents },
    },
  }
}

/** The generator describes a nullable component as both types at once. This makes it one of the two. */
function fixNullable(_: string, value: { allOf?: [object, object] } | null) {
  if (JSON.stringify(value?.allOf?.[1]) !== '{"type":["object","null"]}') return value
  const { allOf: [component] = [], ...rest } = value ?? {}
  return { ...rest, oneOf: [component, { type: "null" }] }
}

/** Replaced in each response: the service may have several host names. */
const SERVERS_PLACEHOLDER = '"servers":[]'

/**
 * Serves the OpenAPI 3.1 document for the access policy. Each isolate generates it once, on the first request.
 * @param allRouters loads all routers
 */
export function documentOf(allRouters: () => Promise<Map<string, Hono<AppEnv>>>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const texts = new Map<boolean, string>()
  app.get("/openapi.json", async (c) => {
    const enforced = c.env?.ACCESS_POLICY !== "documented"
    const text = texts.get(enforced) ?? JSON.stringify(describe(await allRouters(), enforced), fixNullable)
    texts.set(enforced, text)
    const servers = JSON.stringify([{ url: baseUrl(c) }])
    const tags = tagsOf(c)
    const shown = tags.length > 0 ? JSON.stringify(filterDocument(JSON.parse(text), tags)) : text
    return c.body(
      shown.replace(SERVERS_PLACEHOLDER, () => `"servers":${servers}`),
      200,
      { "content-type": "application/json", "cache-control": "public, max-age=300" },
    )
  })
  return app
}

function describe(routers: Map<string, Hono<AppEnv>>, enforced: boolean) {
  const all = new OpenAPIHono<AppEnv>()
  for (const router of routers.values()) all.route("/", router)
  const { openAPIRegistry } = all
  openAPIRegistry.register("Error", errorBody)
  openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "The token from `POST /login`, an API key, or the token from `POST /oauth/token`.",
  })
  // Operations do not list this scheme: generated clients would set the Authorization header twice.
  openAPIRegistry.registerComponent("securitySchemes", "oauth2", {
    type: "oauth2",
    description: "OAuth 2.0 client credentials: exchanges an API key's id and the key for a bearer token.",
    flows: {
      clientCredentials: {
        tokenUrl: "/oauth/token",
        scopes: { read: " Read-only operations", write: "All operations that the key allows" },
      },
    },
  })
  openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "__Host-session",
    description: "The browser session cookie. Over http in development its name is `session`.",
  })
  return complete(
    all.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Lectern",
        version,
        description: DESCRIPTION,
        license: { name: "MIT", url: "https://opensource.org/license/mit" },
      },
      servers: [],
    }),
    enforced,
  )
}
