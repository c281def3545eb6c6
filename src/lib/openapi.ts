import type { OpenAPIHono } from "@hono/zod-openapi"
import type { AppEnv } from "../env.ts"

const DESCRIPTION = `Users, courses, classes, reports and exports of an academy, over JSON.

Sign in with \`POST /login\` and send \`Authorization: Bearer <token>\`. Every error has one shape:
\`{"status":"error","message":"…","errors":{"field":["…"]}}\`. Lists take \`page_size\` (1 to 500) and \`page_number\`;
their \`Link\` header leads on at constant cost. \`x-role\` is the least role that may call an operation; \`x-extension\`
marks what goes beyond the interface this service implements.`

/** Serves the OpenAPI 3.1 document of everything that is mounted on `app`. It is made once per isolate, when first asked for. */
export function serveDocument(app: OpenAPIHono<AppEnv>) {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer" })
  app.openAPIRegistry.registerComponent("securitySchemes", "session", { type: "apiKey", in: "cookie", name: "session" })
  let text: string | undefined
  app.get("/openapi.json", (c) => {
    text ??= JSON.stringify(
      app.getOpenAPI31Document({
        openapi: "3.1.0",
        info: {
          title: "Lectern",
          version: "1.0.0",
          description: DESCRIPTION,
          license: { name: "MIT", url: "https://opensource.org/license/mit" },
        },
        servers: [{ url: "/" }],
      }),
    )
    return c.body(text, 200, { "content-type": "application/json", "cache-control": "public, max-age=300" })
  })
}
