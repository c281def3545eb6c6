import type { RouteConfig } from "@hono/zod-openapi"
import { z } from "@hono/zod-openapi"
import { componentRef, SCIM_ERROR } from "../../http/openapi-parts.ts"
import { SCIM_TYPE } from "../../lib/web/scim-error.ts"
import type { ScimApp } from "./scim-http.ts"
import { scimErrorBody } from "./scim-schemas.ts"

// Describes SCIM operations in /openapi.json. They are not declared with `operation()`: their methods, media type and
// errors are those of RFC 7644.

interface Description {
  summary: string
  /** What the summary omits. */
  description: string
  query?: z.ZodObject
  body?: z.ZodType
  /** The response; without one it is empty. */
  answer?: z.ZodType
  status?: 200 | 201
}

const content = (schema: z.ZodType) => ({ [SCIM_TYPE]: { schema } })

const ERROR = componentRef("responses", SCIM_ERROR)

/** Adds an operation to the document. */
export function describeScim(
  app: ScimApp,
  { method, path, operationId }: { method: RouteConfig["method"]; path: string; operationId: string },
  { summary, description, query, body, answer, status = 200 }: Description,
) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  const changes = method !== "get"
  app.openAPIRegistry.register("ScimError", scimErrorBody)
  app.openAPIRegistry.registerPath({
    method,
    path: `/scim/v2${path}`,
    operationId,
    summary,
    description,
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
      401: ERROR,
      403: ERROR,
      ...((query || body) && { 400: ERROR }),
      ...(names.length > 0 && { 404: ERROR }),
      ...(changes && { 409: ERROR }),
      ...(changes && names.length > 0 && { 412: ERROR }),
    },
  })
}
