import { z } from "@hono/zod-openapi"
import { ERROR_CODES, type ErrorCode } from "../lib/errors.ts"

/** The body of an error response. */
export const errorBody = z
  .object({
    status: z.literal("error"),
    code: z
      .enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]])
      .openapi({ description: "Identifies the error for a program; /docs/guides/errors lists the codes" }),
    message: z.string().openapi({ description: "A human-readable message" }),
    errors: z.record(z.string(), z.array(z.string())).optional().openapi({ description: "Error messages by field" }),
  })
  .openapi("Error")

/** The component names of error responses in the OpenAPI document. src/http/openapi-parts.ts has their descriptions. */
export const ERROR_ANSWERS = {
  302: "LoginRedirect",
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed",
  413: "TooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  502: "BadGateway",
} as const
export type ErrorStatus = keyof typeof ERROR_ANSWERS
/** A reference to an error response in the OpenAPI document. */
export const errorAnswer = (status: ErrorStatus) => ({ $ref: `#/components/responses/${ERROR_ANSWERS[status]}` })
