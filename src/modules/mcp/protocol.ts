import { z } from "@hono/zod-openapi"

// JSON-RPC messages of the Model Context Protocol. The server is stateless: each request has its own response, and the
// server sends no messages by itself.

/** The supported revisions of the protocol, newest first. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const

/** Whether a request's `MCP-Protocol-Version` is supported. Clients before 2025-06-18 send none. */
export const isSupportedVersion = (header: string | undefined) =>
  header === undefined || VERSIONS.some((version) => version === header)

/** The revision for a session: the requested one if it is supported, otherwise the newest. */
export const negotiatedVersion = (requested: unknown): string =>
  VERSIONS.find((version) => version === requested) ?? VERSIONS[0]

const params = z.record(z.string(), z.unknown()).optional()
const id = z.union([z.string(), z.number()])

/** A request, a notification (without `id`) or a client's response (without `method`), which is ignored. */
export const rpcMessage = z.union([
  z.object({ jsonrpc: z.literal("2.0"), id: id.optional(), method: z.string(), params }),
  z.object({ jsonrpc: z.literal("2.0"), id, method: z.undefined().optional() }),
])

export const toolsListParams = z.object({ cursor: z.string().optional() })
export const toolsCallParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
})

export const promptsGetParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
})

export const resourcesReadParams = z.object({ uri: z.string() })

export const completeParams = z.object({
  ref: z.union([
    z.object({ type: z.literal("ref/resource"), uri: z.string() }),
    z.object({ type: z.literal("ref/prompt"), name: z.string() }),
  ]),
  argument: z.object({ name: z.string(), value: z.string() }),
})

/** The levels of RFC 5424. */
export const setLevelParams = z.object({
  level: z.enum(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]),
})

export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
} as const

/** An error of the protocol. Errors of an operation are results of its tool, so that a model can read them. */
export class RpcError extends Error {
  override readonly name = "RpcError"
  readonly code: number

  constructor(code: keyof typeof RPC_CODES, message: string) {
    super(message)
    this.code = RPC_CODES[code]
  }
}

type MessageId = z.output<typeof id>

export const rpcResult = (messageId: MessageId, result: object) => ({ jsonrpc: "2.0" as const, id: messageId, result })

export const rpcError = (messageId: MessageId | null, { code, message }: RpcError) => ({
  jsonrpc: "2.0" as const,
  id: messageId,
  error: { code, message },
})
