import type { RouteConfig } from "@hono/zod-openapi"
import { z } from "@hono/zod-openapi"
import type { createApp } from "../../http/operation.ts"
import { SCIM_TYPE } from "../../lib/web/scim-error.ts"
import * as schemas from "./scim-schemas.ts"

// Describes SCIM operations in /openapi.json. They are not declared with `operation()`: their methods, media type and
// errors are those of RFC 7644.

interface Description {
  summary: string
  description?: string
  query?: z.ZodObject
  body?: z.ZodType
  /** The response; without one it is empty. */
  answer?: z.ZodType
  status?: 200 | 201
}

const content = (schema: z.ZodType) => ({ [SCIM_TYPE]: { schema } })

const errorOf = (description: string) => ({ description, content: content(schemas.errorBody) })

const ERRORS = {
  401: errorOf("The API key is missing, invalid, expired or revoked"),
  403: errorOf("The key does not have the scope scim, or its role does not allow it"),
  429: errorOf("Rate limit exceeded"),
}

/** Adds an operation to the document. */
export function describe(
  app: ReturnType<typeof createApp>,
  { method, path, operationId }: { method: RouteConfig["method"]; path: string; operationId: string },
  { summary, description, query, body, answer, status = 200 }: Description,
) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  const changes = method !== "get"
  app.openAPIRegistry.registerPath({
    method,
    path: `/scim/v2${path}`,
    operationId,
    summary,
    ...(description && { description }),
    tags: ["SCIM"],
    security: [{ bearer: [] }],
    request: {
      ...(names.length > 0 && { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }),
      ...(query && { query }),
      ...(body && { body: { required: true, content: content(body) } }),
    },
    responses: {
      ...(answer
        ? { [status]: { description: "Success", content: content(answer) } }
        : { 204: { description: "Deleted" } }),
      ...ERRORS,
      ...((query || body) && { 400: errorOf("The body, a parameter or the filter is invalid. See scimType") }),
      ...(names.length > 0 && { 404: errorOf("The resource does not exist") }),
      ...(changes && { 409: errorOf("Another resource has this userName or externalId") }),
      ...(changes && names.length > 0 && { 412: errorOf("`If-Match` does not match the current version") }),
      ...(body && { 413: errorOf("The body is too large"), 415: errorOf("Unsupported content type") }),
    },
  })
}
