import { exports } from "cloudflare:workers"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

export const BASE = "https://lectern.test"

interface Listed {
  name: string
  description?: string | undefined
  inputSchema: { properties?: Record<string, object> | undefined; required?: string[] | undefined }
  annotations?: object | undefined
}

/** The official client with a key. */
export async function connected(token: string, queryString = "") {
  const client = new Client({ name: "tests", version: "1.0.0" })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${BASE}/mcp${queryString}`), {
      requestInit: { headers: { authorization: `Bearer ${token}`, "cf-connecting-ip": "203.0.113.7" } },
      fetch: (url, init) => exports.default.fetch(new Request(url, init)),
    }) as never,
  )
  return {
    client,
    /** Calls a tool. @returns its JSON, and whether it is an error */
    call: async (name: string, args: Record<string, unknown> = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: args })
      const [first] = content as { text: string }[]
      return { isError, body: JSON.parse(first?.text ?? "") }
    },
    /** All tools, page by page. */
    tools: async () => {
      const found: Listed[] = []
      const pages: number[] = []
      for (let cursor: string | undefined, hasMore = true; hasMore; hasMore = cursor !== undefined) {
        const page = await client.listTools(cursor === undefined ? {} : { cursor })
        found.push(...page.tools)
        pages.push(page.tools.length)
        cursor = page.nextCursor
      }
      return { tools: found, names: found.map(({ name }) => name), pages }
    },
  }
}
