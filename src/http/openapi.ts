import { OpenAPIHono } from "@hono/zod-openapi"
import { Hono } from "hono"
import { version } from "../../package.json"
import { baseUrl } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { exampleOf, type Schema as JsonSchema, requestExampleOf } from "./examples.ts"
import { commonDescription } from "./openapi-descriptions.ts"
import {
  type AnswerHeader,
  answerHeaders,
  componentRef,
  errorComponents,
  headerComponents,
  OTHER_ERROR,
  UNLIMITED,
} from "./openapi-parts.ts"
import { errorAnswer, errorBody } from "./operation.ts"
import { TAGS } from "./tags.ts"

const DESCRIPTION = `Users, courses, classes, reports and exports of an academy, over JSON.

Sign in with \`POST /login\` and send \`Authorization: Bearer <token>\`. Every error has one shape:
\`{"status":"error","code":"…","message":"…","errors":{"field":["…"]}}\`. Lists take \`page_size\` (1 to 500) and
\`page_number\`; their \`Link\` header leads on at constant cost. \`x-role\`, the first badge of an operation, is the
least role that may call it; \`x-extension\` marks what goes beyond the interface this service implements;
\`x-changes\` marks a GET that changes something: with a session cookie only a script of this origin may call it.`

type Schema = Record<string, unknown> & { type?: string | string[]; properties?: Record<string, Schema> }
interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  style?: string
  explode?: boolean
  schema: Schema
}
interface Response {
  $ref?: string
  headers?: object
  content?: Record<string, { schema: Schema; example?: unknown }>
}
interface Entry {
  operationId: string
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
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

const header = (name: string, description: string): Parameter => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
})
const IDEMPOTENCY_KEY = header(
  "Idempotency-Key",
  "The same key with the same request answers as at first, for 24 hours",
)
const IF_MATCH = header("If-Match", "The ETag of the record as read: 412 when it has changed since")
const IF_NONE_MATCH = header("If-None-Match", "The ETag of the answer at hand: 304 when it is the same")

/** The headers that an operation reads, by what it is. */
const requestHeaders = (method: string, statuses: object) => [
  ...(method === "get" ? [] : [IDEMPOTENCY_KEY]),
  ...("412" in statuses ? [IF_MATCH] : []),
  ...("304" in statuses ? [IF_NONE_MATCH] : []),
]

/**
 * Of what is sent as `search_param[status]=…` no member is a list or an object: OpenAPI has no way to write that. So
 * lists are told as what they may be sent as: one text, with commas.
 */
function flattened(schema: Schema): Schema {
  const { type, items, maxItems: _, example, ...rest } = schema
  if (type !== "array") return schema
  const { enum: known, type: of } = items as { enum?: string[]; type?: string }
  const what = known ? `Any of ${known.join(", ")}` : of === "integer" ? "Ids" : "Several"
  return {
    ...rest,
    type: "string",
    ...(Array.isArray(example) && { example: example.join(",") }),
    description: [rest.description, `${what}, separated by commas`].filter(Boolean).join(". "),
  }
}

/** A parameter without what goes without saying, its description once. */
function told({ required, description, schema, ...parameter }: Parameter): Parameter {
  const { description: said, required: members, ...shape } = schema
  const isDeep = parameter.style === "deepObject" && shape.properties
  const properties = isDeep && Object.entries(shape.properties ?? {}).map(([key, member]) => [key, flattened(member)])
  const text = description ?? (said as string | undefined)
  // Proxies and validators read a deep object that is not sent as an empty one, which would lack its members.
  const rest = members && !isDeep ? { ...shape, required: members } : shape
  return {
    ...parameter,
    ...(required && { required }),
    ...(text && { description: text }),
    ...(rest.type === "array" && parameter.in === "query" && { style: "form", explode: false }),
    schema: properties ? { ...rest, type: "object", properties: Object.fromEntries(properties) } : rest,
  }
}

/** The headers of a success, by what the operation is. */
function successHeaders(
  method: string,
  path: string,
  { parameters = [], responses, deprecated }: Entry,
): AnswerHeader[] {
  const isList = parameters.some((parameter) => "name" in parameter && parameter.name === "cursor")
  const isFile = Object.keys(responses["200"]?.content ?? {}).some((type) => type !== "application/json")
  return [
    ...(path.startsWith("/api/") ? (["x-d1-bookmark"] as const) : []),
    ...(isList || deprecated ? (["Link"] as const) : []),
    ...("304" in responses ? (["ETag"] as const) : []),
    ...(isFile ? (["Content-Disposition"] as const) : []),
    ...(method === "get" ? [] : (["Idempotency-Replayed"] as const)),
    ...(deprecated ? (["Deprecation"] as const) : []),
  ]
}

/** Of answers that say something else, by status. */
const OF_OTHERS: Record<string, AnswerHeader[]> = {
  302: ["Location"],
  303: ["Location"],
  304: ["ETag"],
  429: ["Retry-After"],
  503: ["Retry-After"],
}

/** What the reference shows beside an operation's name. */
const badges = (entry: Entry) => [
  ...(entry["x-role"] ? [{ name: entry["x-role"] }] : []),
  ...(entry["x-extension"] ? [{ name: "extension" }] : []),
  ...(entry["x-changes"] ? [{ name: "changes something" }] : []),
]

/** `page_size` as PageSize; what some operations can be called without and others not also as OptionalPageSize. */
function parameterName({ name, required }: Parameter, taken: Record<string, Parameter>) {
  const plain = name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (!(plain in taken)) return plain
  return taken[plain]?.required !== required ? `${required ? "Required" : "Optional"}${plain}` : ""
}

/** An answer is called as its schema is, or by the file that it is. */
function answerName({ content = {} }: Response, taken: Record<string, Response>) {
  const [[type, { schema }] = ["", { schema: {} }], ...others] = Object.entries(content)
  const file = type.includes("spreadsheetml") ? "Spreadsheet" : others.length > 0 ? "UploadedFile" : ""
  const plain = String(schema.$ref ?? file).replace(/.*\//, "")
  return plain in taken ? "" : plain
}

/**
 * What is told often, by its JSON, under a name: it stands among the components, and is referred to.
 * @param times what is often
 * @param nameOf the name; empty: it stays where it is
 */
function oftenTold<T>(times: number, all: T[], nameOf: (one: T, taken: Record<string, T>) => string) {
  const components: Record<string, T> = {}
  const names = new Map<string, string>()
  const groups = [...Map.groupBy(all, (one) => JSON.stringify(one))].sort(([, a], [, b]) => b.length - a.length)
  for (const [text, [one, ...others]] of groups) {
    if (one === undefined || others.length + 1 < times) continue
    const name = nameOf(one, components)
    if (name === "" || name in components) continue
    components[name] = one
    names.set(text, name)
  }
  return { components, nameOf: (one: T) => names.get(JSON.stringify(one)) }
}

/** Which credentials an operation asks for under the access policy `documented`, where it says nothing itself. */
const ANY_CREDENTIAL = [{ bearer: [] }, { session: [] }, {}]
const CREDENTIAL = [{ bearer: [] }, { session: [] }]

/** Adds what operations have by being operations. @param enforced every operation of the API asks for a credential */
function complete(document: Document, enforced: boolean) {
  const entries = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ method, path, entry: entry as Entry })),
  )
  for (const { method, path, entry } of entries) {
    if (enforced && path.startsWith("/api/")) {
      entry.responses["302"] = errorAnswer(302)
      delete entry.security
    } else if (JSON.stringify(entry.security) === JSON.stringify(ANY_CREDENTIAL) && !enforced) delete entry.security
    const asked = (entry.parameters ?? []).filter((parameter) => "name" in parameter)
    const names = asked.map(({ name }) => name)
    const description = commonDescription({ method, path, parameters: names, statuses: entry.responses })
    if (description) entry.description ??= description
    if (!UNLIMITED.has(path)) entry.responses.default = componentRef("responses", OTHER_ERROR)
    entry.parameters = [...asked, ...requestHeaders(method, entry.responses)].map(told)
    const shown = badges(entry)
    if (shown.length > 0) entry["x-badges"] = shown
    for (const [status, answer] of Object.entries(entry.responses)) {
      if (answer.$ref) continue
      const headers = status.startsWith("2") ? successHeaders(method, path, entry) : OF_OTHERS[status]
      answer.headers = answerHeaders(headers, !UNLIMITED.has(path))
    }
  }
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>
  const parameters = oftenTold(
    10,
    entries.flatMap(({ entry }) => entry.parameters as Parameter[]),
    parameterName,
  )
  const successes = oftenTold(
    3,
    entries.flatMap(({ entry }) => entry.responses["200"] ?? []),
    answerName,
  )
  for (const { entry } of entries) {
    const { parameters: asked = [], responses } = entry
    delete entry.parameters
    if (asked.length > 0)
      entry.parameters = (asked as Parameter[]).map((parameter) => {
        const name = parameters.nameOf(parameter)
        return name ? componentRef("parameters", name) : parameter
      })
    for (const body of Object.values(entry.requestBody?.content ?? {}))
      body.example = requestExampleOf(body.schema, schemas)
    const name = responses["200"] && successes.nameOf(responses["200"])
    const shown = (name ? successes.components[name] : (responses["200"] ?? responses["201"]))?.content?.[
      "application/json"
    ]
    if (shown) shown.example ??= exampleOf(shown.schema, schemas)
    if (name) responses["200"] = componentRef("responses", name)
  }
  const borne = new Set(entries.flatMap(({ entry }) => entry.tags))
  // Where routers are mounted, the names of webhooks are joined like paths.
  const webhooks = Object.fromEntries(
    Object.entries(document.webhooks ?? {}).map(([name, entry]) => [name.replace("/", ""), entry]),
  )
  return {
    ...document,
    webhooks,
    tags: Object.entries(TAGS).flatMap(([name, description]) => (borne.has(name) ? [{ name, description }] : [])),
    security: enforced ? CREDENTIAL : ANY_CREDENTIAL,
    components: {
      ...document.components,
      parameters: parameters.components,
      headers: headerComponents,
      responses: { ...successes.components, ...errorComponents },
    },
  }
}

/** The generator says of a component that may be null that it is both at once, which nothing is: it is either. */
function orNull(_: string, value: { allOf?: [object, object] } | null) {
  if (JSON.stringify(value?.allOf?.[1]) !== '{"type":["object","null"]}') return value
  const { allOf: [component] = [], ...rest } = value ?? {}
  return { ...rest, oneOf: [component, { type: "null" }] }
}

/** Where the service is, each answer says anew: it may have several names. */
const NO_SERVERS = '"servers":[]'

/**
 * Serves the OpenAPI 3.1 document of every family, as the access policy has it. It is made once per isolate, when first
 * asked for.
 * @param allRouters loads them
 */
export function documentOf(allRouters: () => Promise<Map<string, Hono<AppEnv>>>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const texts = new Map<boolean, string>()
  app.get("/openapi.json", async (c) => {
    const enforced = c.env?.ACCESS_POLICY !== "documented"
    const text = texts.get(enforced) ?? JSON.stringify(describe(await allRouters(), enforced), orNull)
    texts.set(enforced, text)
    const servers = JSON.stringify([{ url: baseUrl(c) }])
    return c.body(
      text.replace(NO_SERVERS, () => `"servers":${servers}`),
      200,
      { "content-type": "application/json", "cache-control": "public, max-age=300" },
    )
  })
  return app
}

function describe(families: Map<string, Hono<AppEnv>>, enforced: boolean) {
  const whole = new OpenAPIHono<AppEnv>()
  for (const family of families.values()) whole.route("/", family)
  const { openAPIRegistry } = whole
  openAPIRegistry.register("Error", errorBody)
  openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description:
      "The token that `POST /login` answers, an API key, or the token that `POST /oauth/token` answers for one.",
  })
  // No operation asks for it by name: generated clients would set one header twice, for its token is sent as `bearer`.
  openAPIRegistry.registerComponent("securitySchemes", "oauth2", {
    type: "oauth2",
    description:
      "For programs that speak OAuth 2.0: an API key's id and the key, for a token that is sent as `bearer`.",
    flows: {
      clientCredentials: {
        tokenUrl: "/oauth/token",
        scopes: { read: "Calls that change nothing", write: "All that the key may" },
      },
    },
  })
  openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "__Host-session",
    description: "A browser's, after the sign-in page. Over http, on a developer's machine, its name is `session`.",
  })
  return complete(
    whole.getOpenAPI31Document({
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
