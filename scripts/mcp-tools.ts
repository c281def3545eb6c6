// The tools that /mcp offers, made from the OpenAPI document: the Worker need not load every module to list them.
import { type Tool, toolsOf } from "../src/modules/mcp/tools.ts"
import { openApiDocument } from "./generate/app.ts"

export const mcpTools = async (): Promise<Tool[]> => toolsOf(await openApiDocument())
