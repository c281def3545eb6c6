import { zValidator } from "@hono/zod-validator"
import type { Context, MiddlewareHandler } from "hono"
import { HTTPException } from "hono/http-exception"
import type { ZodType } from "zod"
import { malformed, unsupported } from "../lib/errors.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { decodeBody, isForm, isJson } from "../lib/web/body.ts"
import { messageResponse } from "./crud.ts"
import { type ErrorStatus, errorAnswer } from "./error-responses.ts"
import { fieldErrors } from "./validation.ts"

/** The last value of each form field: the validator returns an array for repeated fields. */
const lastValues = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]))

/**
 * The body of a page's form, or the same as JSON. For a repeated field the last value is used.
 * @param what the content, for the message about an unsupported type
 * @throws 400, 415, 422
 */
export async function readPageInput<T>(c: Context<AppEnv>, schema: ZodType<T>, what: string): Promise<T> {
  const form = isForm(c)
  if (!form && !isJson(c)) throw unsupported(`Send ${what} as application/json or as a form.`)
  await decodeBody(c)
  return new Promise((resolve, reject) => {
    const validate: MiddlewareHandler<AppEnv> = zValidator(
      form ? "form" : "json",
      schema,
      (result) => {
        if (result.success) resolve(result.data)
        else reject(fieldErrors(result.error))
      },
      { validationFunction: (schema, input) => schema.safeParseAsync(form ? lastValues(input) : input) },
    )
    validate(c, async () => {}).catch((error: unknown) =>
      reject(error instanceof HTTPException ? malformed("The body is not valid JSON.") : error),
    )
  })
}

/**
 * The path of this origin to redirect to after sign-in.
 * @param fallback used if `next` is absent or another origin's
 */
export function safeRedirectPath(next: string | undefined, origin: string, fallback: string): string {
  if (!next?.startsWith("/")) return fallback
  const target = URL.canParse(next, origin) ? new URL(next, origin) : undefined
  // `/.//example.com` becomes the path `//example.com`, which browsers read as another origin.
  const isSameOrigin = target?.origin === origin && !target.pathname.startsWith("//")
  return isSameOrigin ? `${target.pathname}${target.search}${target.hash}` : fallback
}

/** The OpenAPI entry of a page's public form: the body of `readPageInput`, and a message as the response. */
export const pageOperation = ({
  schema,
  done,
  redirect,
  statuses,
  ...entry
}: {
  operationId: string
  path: string
  summary: string
  description: string
  schema: ZodType
  /** The description of the 200 response. */
  done: string
  /** The description of the 303 response, if forms get one. */
  redirect?: string
  /** The statuses of error responses. */
  statuses: readonly ErrorStatus[]
}) => ({
  ...entry,
  method: "post" as const,
  tags: ["Sessions"],
  security: [],
  request: {
    body: {
      required: true,
      content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } },
    },
  },
  responses: {
    200: { description: done, content: { "application/json": { schema: messageResponse } } },
    ...(redirect && { 303: { description: redirect } }),
    ...Object.fromEntries(statuses.map((status) => [status, errorAnswer(status)])),
  },
})
