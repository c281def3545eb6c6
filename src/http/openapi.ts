import { OpenAPIHono } from "@hono/zod-openapi"
import { Hono } from "hono"
import { version } from "../../package.json"
import type { AppEnv } from "../lib/web/app-env.ts"

const DESCRIPTION = `Users, courses, classes, reports and exports of an academy, over JSON.

Sign in with \`POST /login\` and send \`Authorization: Bearer <token>\`. Every error has one shape:
\`{"status":"error","code":"…","message":"…","errors":{"field":["…"]}}\`. Lists take \`page_size\` (1 to 500) and
\`page_number\`; their \`Link\` header leads on at constant cost. \`x-role\` is the least role that may call an
operation; \`x-extension\` marks what goes beyond the interface this service implements.`

const header = (name: string, description: string) => ({
  name,
  in: "header" as const,
  required: false,
  description,
  schema: { type: "string" as const },
})
const IDEMPOTENCY_KEY = header(
  "Idempotency-Key",
  "The same key with the same request answers as at first, for 24 hours",
)
const IF_MATCH = header("If-Match", "The ETag of the record as read: 412 when it has changed since")
const IF_NONE_MATCH = header("If-None-Match", "The ETag of the answer at hand: 304 when it is the same")

/** The headers that an operation reads, by what it is. */
const headersOf = (method: string, statuses: object) => [
  ...(method === "post" || method === "put" ? [IDEMPOTENCY_KEY] : []),
  ...("412" in statuses ? [IF_MATCH] : []),
  ...("304" in statuses ? [IF_NONE_MATCH] : []),
]

function withHeaders(document: ReturnType<OpenAPIHono["getOpenAPI31Document"]>) {
  for (const path of Object.values(document.paths ?? {}))
    for (const method of ["get", "post", "put"] as const) {
      const entry = path[method]
      if (!entry) continue
      const headers = headersOf(method, entry.responses ?? {})
      if (headers.length > 0) entry.parameters = [...(entry.parameters ?? []), ...headers]
    }
  return document
}

/**
 * Serves the OpenAPI 3.1 document of every family. It is made once per isolate, when first asked for.
 * @param everyFamily loads them
 */
export function documentOf(everyFamily: () => Promise<Map<string, Hono<AppEnv>>>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  let text: string | undefined
  app.get("/openapi.json", async (c) => {
    text ??= JSON.stringify(describe(await everyFamily()))
    return c.body(text, 200, { "content-type": "application/json", "cache-control": "public, max-age=300" })
  })
  return app
}

function describe(families: Map<string, Hono<AppEnv>>) {
  const whole = new OpenAPIHono<AppEnv>()
  for (const family of families.values()) whole.route("/", family)
  const { openAPIRegistry } = whole
  openAPIRegistry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer" })
  openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "__Host-session",
    description: "Over http, on a developer's machine, its name is `session`.",
  })
  return withHeaders(
    whole.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Lectern",
        version,
        description: DESCRIPTION,
        license: { name: "MIT", url: "https://opensource.org/license/mit" },
      },
      servers: [{ url: "/" }],
    }),
  )
}
