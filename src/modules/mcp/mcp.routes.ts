import { Hono } from "hono"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { limitBody } from "../../lib/web/body.ts"
import { answerMessage } from "./mcp-server.ts"
import type { Serve } from "./operations.ts"

/** A bulk upload as JSON is the largest body. The operations have their own limits. */
const MAX_BYTES = 6_000_000

/** @param serve runs the operation of a tool */
export function mcpRouter(serve: Serve): Hono<AppEnv> {
  const mcp = new Hono<AppEnv>()
  mcp.post("/mcp", limitBody(MAX_BYTES, "The message is too large. The maximum is 6 MB."), (c) =>
    answerMessage(c, serve),
  )
  return mcp
}
