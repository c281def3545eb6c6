import { invalidFields } from "../../lib/errors.ts"
import { IDEMPOTENCY_ARGUMENT, type Tool } from "./tools.ts"

type Arguments = Record<string, unknown>

/** A path or query parameter. Lists and objects are JSON, which every such parameter accepts. */
const parameterText = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value))

const isMissing = (value: unknown) => value === undefined || value === null || value === ""

/** @throws 422 for unknown and missing arguments; the operation checks the others */
function requireArguments({ inputSchema, inPath }: Tool, given: Arguments) {
  const errors: Record<string, string[]> = {}
  for (const name of Object.keys(given))
    if (!Object.hasOwn(inputSchema.properties, name)) errors[name] = [`${name} is not an argument of this tool.`]
  for (const name of Object.keys(inPath)) if (isMissing(given[name])) errors[name] = [`${name} is required.`]
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
}

/**
 * The API request of a tool call.
 * @param base the URL that was called, for its origin
 * @param headers the credential and what identifies the client
 * @throws 422
 */
export function toolRequest(tool: Tool, given: Arguments, base: string, headers: Headers): Request {
  requireArguments(tool, given)
  const { [IDEMPOTENCY_ARGUMENT]: idempotencyKey, ...rest } = given
  let path = tool.path
  for (const [argument, parameter] of Object.entries(tool.inPath)) {
    path = path.replace(`{${parameter}}`, encodeURIComponent(parameterText(rest[argument])))
    delete rest[argument]
  }
  const url = new URL(path, base)
  for (const name of tool.inQuery) {
    if (!isMissing(rest[name])) url.searchParams.set(name, parameterText(rest[name]))
    delete rest[name]
  }
  if (tool.method === "get") return new Request(url, { headers })
  headers.set("content-type", "application/json")
  if (!isMissing(idempotencyKey)) headers.set("idempotency-key", String(idempotencyKey))
  return new Request(url, { method: tool.method.toUpperCase(), headers, body: JSON.stringify(rest) })
}
