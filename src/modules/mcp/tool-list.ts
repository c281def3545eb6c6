import type { Bindings } from "../../env.ts"
import { hasRole, type KeyCaller } from "../../lib/caller.ts"
import { unavailable } from "../../lib/errors.ts"
import type { Tool } from "./tools.ts"

/** What a connection offers: the query of its URL. */
export interface ToolSelection {
  /** Whether tools that change something are offered. */
  write: boolean
  /** The tags whose tools are offered; undefined: all. */
  tags: readonly string[] | undefined
}

const PAGE_SIZE = 50

let loaded: Tool[] | undefined

/** All tools, which the build made from the OpenAPI document (scripts/mcp-tools.ts). */
async function allTools({ ASSETS }: Bindings): Promise<Tool[]> {
  if (loaded) return loaded
  const asset = await ASSETS.fetch("https://assets.local/mcp-tools.json")
  if (!asset.ok) throw unavailable("The list of tools is temporarily unavailable. Try again in a few seconds.")
  loaded = await asset.json<Tool[]>()
  return loaded
}

/** Whether the key's role and permissions allow a tool. The operation itself checks them again. */
function allows(caller: KeyCaller, { role, tag, changes, everyKey }: Tool): boolean {
  if (!hasRole(caller, role as Parameters<typeof hasRole>[1])) return false
  const { grant } = caller
  if (everyKey || !grant) return true
  if (grant.scopes.includes("scim")) return false
  return (!changes || grant.access === "write") && (grant.families?.includes(tag) ?? true)
}

/** Whether a connection offers a tool. */
const offers = (caller: KeyCaller, { write, tags }: ToolSelection, tool: Tool) =>
  allows(caller, tool) && (write || !tool.changes) && (tags?.includes(tool.tag) ?? true)

/**
 * One page of the tools that a key may call.
 * @param cursor the name of the previous page's last tool; undefined: the first page
 * @returns undefined for a cursor that no page ends with
 */
export async function toolPage(env: Bindings, caller: KeyCaller, selection: ToolSelection, cursor: string | undefined) {
  const tools = (await allTools(env)).filter((tool) => offers(caller, selection, tool))
  const start = cursor === undefined ? 0 : tools.findIndex(({ name }) => name === cursor) + 1
  if (cursor !== undefined && start === 0) return undefined
  const page = tools.slice(start, start + PAGE_SIZE)
  const last = page.at(-1)
  return { tools: page, nextCursor: start + page.length < tools.length ? last?.name : undefined }
}

/** A tool by its name, whether or not the key may call it. */
export const toolNamed = async (env: Bindings, name: string): Promise<Tool | undefined> =>
  (await allTools(env)).find((tool) => tool.name === name)

/** Whether a connection offers the tool with this name. */
export async function isOffered(env: Bindings, caller: KeyCaller, selection: ToolSelection, name: string) {
  const tool = await toolNamed(env, name)
  return tool !== undefined && offers(caller, selection, tool)
}
