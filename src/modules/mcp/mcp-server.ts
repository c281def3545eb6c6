import type { Context } from "hono"
import { version } from "../../../package.json"
import { selectSettings } from "../../db/settings.ts"
import { tagsOf } from "../../http/tags.ts"
import type { KeyCaller } from "../../lib/caller.ts"
import { ApiError, forbidden, unauthorized, unsupported } from "../../lib/errors.ts"
import { readJson } from "../../lib/text/json.ts"
import { siteName } from "../../lib/web/academy.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { decodeBody, isJson } from "../../lib/web/body.ts"
import { isAllowedOrigin } from "../../middleware/cors.ts"
import { complete } from "./completions.ts"
import { type Arguments, type Connection, runOperation, type Serve } from "./operations.ts"
import { getPrompt, listPrompts } from "./prompts.ts"
import {
  isSupportedVersion,
  negotiatedVersion,
  RpcError,
  rpcError,
  rpcMessage,
  rpcResult,
  setLevelParams,
  toolsCallParams,
  toolsListParams,
} from "./protocol.ts"
import { listResources, listResourceTemplates, readResource } from "./resources.ts"
import { type ToolSelection, toolNamed, toolPage } from "./tool-list.ts"
import type { Tool } from "./tools.ts"

const INSTRUCTIONS = `Tools are operations of a learning management system's API. IDs are integers: find them with the \
list and look-up tools first. Lists take page_size (1 to 500) and page_number, and return recordsFiltered, the number \
of all matches. Use fields to limit what a tool returns, such as "id,email". The resources are guides of the API and \
records by ID. An error result has a code, a message and messages by field. Before a change, read the record. Ask the \
user before you delete anything.`

/** @throws 401 without a credential, 403 for anything but an API key */
function requireKey(c: Context<AppEnv>): KeyCaller {
  const { caller } = c.var
  if (caller.kind === "anonymous")
    throw unauthorized("invalid_key", "Send an API key as a bearer token: Authorization: Bearer lk_…")
  if (caller.kind !== "key") throw forbidden("This endpoint accepts API keys only.", "api_key_required")
  return caller
}

const isLoopback = (url: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(url)?.hostname ?? "")

/**
 * Pages may connect from this service, from ALLOWED_ORIGINS, and on one machine. The host of the request proves
 * nothing: an attacker's name may resolve to this machine.
 * @throws 403
 */
function requireAllowedOrigin(c: Context<AppEnv>) {
  const origin = c.req.header("origin")
  if (origin === undefined || isAllowedOrigin(c.req.raw, c.env)) return
  const isOwn = c.env.BASE_URL ? origin === new URL(c.env.BASE_URL).origin : isLoopback(origin) && isLoopback(c.req.url)
  if (!isOwn) throw forbidden("This origin is not listed in ALLOWED_ORIGINS.", "origin_not_allowed")
}

/** Reads `?write=1&tag=Users,Courses`. @throws 422 */
function readSelection(c: Context<AppEnv>): ToolSelection {
  const tags = tagsOf(c)
  return { write: /^(1|true)$/i.test(c.req.query("write") ?? ""), tags: tags.length > 0 ? tags : undefined }
}

async function initializeResult(c: Context<AppEnv>, requested: unknown) {
  const [[academy]] = await c.var.db.batch([selectSettings(c.var.db)])
  return {
    protocolVersion: negotiatedVersion(requested),
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    serverInfo: { name: "lectern", title: siteName(c.env, academy?.name), version },
    instructions: INSTRUCTIONS,
  }
}

/** A tool as `tools/list` returns it. */
const listedTool = ({ name, title, description, inputSchema, method, changes, destructive }: Tool) => ({
  name,
  title,
  description,
  inputSchema,
  annotations: changes
    ? { readOnlyHint: false, destructiveHint: destructive, idempotentHint: method === "put", openWorldHint: false }
    : { readOnlyHint: true, openWorldHint: false },
})

async function listTools({ c, caller, selection }: Connection, params: unknown) {
  const read = toolsListParams.safeParse(params ?? {})
  const page = read.success && (await toolPage(c.env, caller, selection, read.data.cursor))
  if (!page) throw new RpcError("invalidParams", "The cursor is invalid. List the tools from the start.")
  return { tools: page.tools.map(listedTool), ...(page.nextCursor && { nextCursor: page.nextCursor }) }
}

const textResult = (text: string, isError: boolean, more: string[] = []) => ({
  content: [text, ...more].map((part) => ({ type: "text" as const, text: part })),
  isError,
})

/** The result of a tool: what its operation returns. */
async function runTool(connection: Connection, tool: Tool, given: Arguments) {
  const response = await runOperation(connection, tool, given)
  const retryAfter = response.headers.get("retry-after")
  return textResult(await response.text(), !response.ok, retryAfter ? [`Retry after ${retryAfter} seconds.`] : [])
}

async function callTool(connection: Connection, params: unknown) {
  const { c, selection } = connection
  const read = toolsCallParams.safeParse(params)
  if (!read.success) throw new RpcError("invalidParams", "tools/call requires the name of a tool and its arguments.")
  const { name, arguments: given = {} } = read.data
  const tool = await toolNamed(c.env, name)
  if (!tool) throw new RpcError("invalidParams", `Unknown tool: ${name}`)
  if (tool.changes && !selection.write)
    throw new RpcError("invalidParams", `${name} changes data. Connect to ${baseUrl(c)}/mcp?write=1 to use it.`)
  return runTool(connection, tool, given)
}

/** Without streams the server sends no log messages, so it need not keep the level. */
function setLogLevel(params: unknown) {
  if (!setLevelParams.safeParse(params).success)
    throw new RpcError("invalidParams", "logging/setLevel requires a level such as info.")
  return {}
}

/** @throws 400 for an unsupported version, 415 for a body that is not JSON */
function requireTransport(c: Context<AppEnv>) {
  if (!isJson(c)) throw unsupported("Send the message as application/json.")
  const requested = c.req.header("mcp-protocol-version")
  if (!isSupportedVersion(requested))
    throw new ApiError("malformed_body", `The protocol version ${requested} is not supported.`)
}

async function answerRequest(
  c: Context<AppEnv>,
  serve: Serve,
  { method, params }: { method: string; params?: Record<string, unknown> | undefined },
): Promise<object> {
  const connection = { c, serve, caller: requireKey(c), selection: readSelection(c) }
  if (method === "initialize") return initializeResult(c, params?.protocolVersion)
  if (method === "ping") return {}
  if (method === "tools/list") return listTools(connection, params)
  if (method === "tools/call") return callTool(connection, params)
  if (method === "resources/list") return listResources(c)
  if (method === "resources/templates/list") return listResourceTemplates(connection)
  if (method === "resources/read") return readResource(connection, params)
  if (method === "prompts/list") return listPrompts(connection)
  if (method === "prompts/get") return getPrompt(connection, params)
  if (method === "completion/complete") return complete(connection, params)
  if (method === "logging/setLevel") return setLogLevel(params)
  throw new RpcError("methodNotFound", `Unknown method: ${method}`)
}

/** Answers one message of the Model Context Protocol: Streamable HTTP without sessions and streams. */
export async function answerMessage(c: Context<AppEnv>, serve: Serve): Promise<Response> {
  requireAllowedOrigin(c)
  requireKey(c)
  requireTransport(c)
  const refuse = (error: RpcError, status: 200 | 400, id: string | number | null = null) =>
    c.json(rpcError(id, error), status)
  const sent = readJson((await decodeBody(c)) ?? "")
  if (sent === undefined) return refuse(new RpcError("parseError", "The body is not JSON."), 400)
  const { success, data: message } = rpcMessage.safeParse(sent)
  if (!success) return refuse(new RpcError("invalidRequest", "The body is not one JSON-RPC 2.0 message."), 400)
  const { id } = message
  if (message.method === undefined || id === undefined) return c.body(null, 202)
  try {
    return c.json(rpcResult(id, await answerRequest(c, serve, message)))
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return refuse(error, 200, id)
  }
}
