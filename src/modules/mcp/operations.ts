import type { Context } from "hono"
import { getMeter } from "../../db/meter.ts"
import type { KeyCaller } from "../../lib/caller.ts"
import { ApiError } from "../../lib/errors.ts"
import { readJson } from "../../lib/text/json.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { handOver } from "../../middleware/authenticate.ts"
import { RpcError } from "./protocol.ts"
import { isOffered, type ToolSelection } from "./tool-list.ts"
import { toolRequest } from "./tool-request.ts"
import type { Tool } from "./tools.ts"

/** Serves a request of this service in-process. */
export type Serve = (request: Request, env: AppEnv["Bindings"], ctx: ExecutionContext) => Promise<Response>

/** A message's connection: who sent it, and what it may use. */
export interface Connection {
  c: Context<AppEnv>
  serve: Serve
  caller: KeyCaller
  selection: ToolSelection
}

export type Arguments = Record<string, unknown>

/** The headers of a tool's request. The credential is a fallback only: the caller is handed over. */
function requestHeaders(c: Context<AppEnv>): Headers {
  const headers = new Headers({ accept: "application/json", "x-request-id": c.var.requestId })
  for (const name of ["authorization", "cf-connecting-ip", "x-d1-bookmark"]) {
    const value = c.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return headers
}

/** Runs an operation with the middleware of its own route. Wrong arguments are a response, too. */
export async function runOperation({ c, serve }: Connection, tool: Tool, given: Arguments): Promise<Response> {
  try {
    const request = toolRequest(tool, given, c.req.url, requestHeaders(c))
    const response = await serve(handOver(c, request), c.env, c.executionCtx as ExecutionContext)
    // The primary may have set the headers of the tool's response, but sets none of this one.
    const meter = getMeter(c.env)
    if (meter) meter.forwarded = false
    const bookmark = response.headers.get("x-d1-bookmark")
    if (bookmark) c.header("x-d1-bookmark", bookmark)
    return response
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return Response.json(error.body(), { status: error.status })
  }
}

/** The JSON text of an operation that reads. @throws RpcError if the operation fails */
export async function readOperation(connection: Connection, tool: Tool, given: Arguments): Promise<string> {
  const response = await runOperation(connection, tool, given)
  const text = await response.text()
  if (response.ok) return text
  const { message = "The operation failed." } = (readJson(text) ?? {}) as { message?: string }
  if (response.status === 404) throw new RpcError("resourceNotFound", message)
  throw new RpcError(response.status < 500 && response.status !== 429 ? "invalidParams" : "internalError", message)
}

/** Whether the connection offers all of these tools. */
export async function offersTools({ c, caller, selection }: Connection, names: readonly string[]): Promise<boolean> {
  for (const name of names) if (!(await isOffered(c.env, caller, selection, name))) return false
  return true
}
