import type { MiddlewareHandler } from "hono"
import { routePath } from "hono/route"
import { getMeter } from "../../db/meter.ts"
import { createApp } from "../../http/operation.ts"
import { NO_CONTENT_POLICY } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import * as schemas from "./probes.schemas.ts"
import { getReadiness } from "./readiness.queries.ts"

// Who calls is asked of nobody here, and nothing is counted: src/app.ts has no gate around this family.

export const probes = createApp()

/** What the gate sets elsewhere, on errors as well. */
const asData: MiddlewareHandler<AppEnv> = async (c, next) => {
  const meter = getMeter(c.env)
  if (meter) meter.operation = routePath(c, -1)
  await next()
  c.header("content-security-policy", NO_CONTENT_POLICY)
  c.header("cache-control", "no-store")
}

probes.get("/health", asData, (c) => c.json({ status: "alive" }))

probes.get("/ready", asData, async (c) => c.json({ status: "ready", ...(await getReadiness(c.env)) }))

probes.openAPIRegistry.registerPath({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  summary: "Is the service alive?",
  description: "Asks nothing of the database, of a limit or of a session.",
  tags: ["Operating"],
  "x-extension": true,
  security: [],
  responses: { 200: { description: "Alive", content: { "application/json": { schema: schemas.alive } } } },
})

probes.openAPIRegistry.registerPath({
  method: "get",
  path: "/ready",
  operationId: "getReadiness",
  summary: "Does the service work?",
  description: [
    "Whether the database answers, has the schema that the code needs, and mails and jobs go their way.",
    "An answer may be two seconds old.",
  ].join(" "),
  tags: ["Operating"],
  "x-extension": true,
  security: [],
  responses: {
    200: { description: "It works", content: { "application/json": { schema: schemas.ready } } },
    503: { description: "What is wrong", content: { "application/json": { schema: schemas.notReady } } },
  },
})
