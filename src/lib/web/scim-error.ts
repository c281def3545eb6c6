import type { ContentfulStatusCode } from "hono/utils/http-status"
import { ApiError, LoginRedirect } from "../errors.ts"

// SCIM clients get errors in the shape of RFC 7644, section 3.12. All other paths have the shape of `ApiError`.

const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error"

/** The media type of SCIM. */
export const SCIM_TYPE = "application/scim+json"

export const isScimPath = (path: string) => path.startsWith("/scim/")

/** The error types of RFC 7644, table 9, that this service uses. */
export type ScimErrorType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "tooMany"

/** 400 with a SCIM error type. */
export const scimError = (scimType: ScimErrorType, detail: string) =>
  new ApiError("validation_failed", detail, { extra: { scimType } })

/** SCIM has no 422: invalid values are 400, and a value that another resource has is 409. */
function statusOf(error: ApiError): { status: ContentfulStatusCode; scimType?: unknown } {
  if (error.takenBy !== undefined) return { status: 409, scimType: "uniqueness" }
  if (error.code === "malformed_body") return { status: 400, scimType: "invalidSyntax" }
  if (error.code === "validation_failed") return { status: 400, scimType: error.extra.scimType ?? "invalidValue" }
  return { status: error.status }
}

/** The response to an error. */
export function scimErrorResponse(error: ApiError | LoginRedirect): Response {
  const { status, ...type } = error instanceof LoginRedirect ? { status: 401 } : statusOf(error)
  const detail =
    error instanceof LoginRedirect ? "Send an API key with the scope `scim` as a bearer token." : error.message
  const headers = error instanceof LoginRedirect ? { "www-authenticate": "Bearer" } : error.headers
  return Response.json(
    { schemas: [ERROR_SCHEMA], status: String(status), ...type, detail },
    { status, headers: { ...headers, "content-type": SCIM_TYPE } },
  )
}
