import type { MiddlewareHandler } from "hono"
import { routePath } from "hono/route"
import { getMeter } from "../../db/meter.ts"
import { createApp } from "../../http/operation.ts"
import { NO_CONTENT_POLICY } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import * as schemas from "./probes.schemas.ts"
import { getReadiness } from "./readiness.queries.ts"

// These routes need no authentication and no rate limit: src/app.ts mounts them without that middleware.

export const probes = createApp()

/** Sets the headers that the middleware sets elsewhere, also for errors. */
const withDataHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  const meter = getMeter(c.env)
  if (meter) meter.operation = routePath(c, -1)
  await next()
  c.header("content-security-policy", NO_CONTENT_POLICY)
  c.header("cache-control", "no-store")
}

probes.get("/health", withDataHeaders, (c) => c.json({ status: "alive" }))

probes.get("/ready", withDataHeaders, async (c) => c.json({ status: "ready", ...(await getReadiness(c.env)) }))

probes.openAPIRegistry.registerPath({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  summary: "Check whether the service is alive",
  description: "Uses no database, rate limit or session.",
  tags: ["Operating"],
  "x-extension": true,
  security: [],
  responses: { 200: { description: "Alive", content: { "application/json": { schema: schemas.alive } } } },
})

probes.openAPIRegistry.registerPath({
  method: "get",
  path: "/ready",
  operationId: "getReadiness",
  summary: "Check whether the service is ready",
  description: [
    "Checks whether the database responds with the schema that the code needs, and whether emails " +
      "and jobs are processed.",
    "The result can be two seconds old.",
  ].join(" "),
  tags: ["Operating"],
  "x-extension": true,
  security: [],
  responses: {
    200: { description: "The service is ready", content: { "application/json": { schema: schemas.ready } } },
    503: { description: "The problems that were found", content: { "application/json": { schema: schemas.notReady } } },
  },
})
