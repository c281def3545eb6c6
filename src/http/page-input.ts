import { zValidator } from "@hono/zod-validator"
import type { Context, MiddlewareHandler } from "hono"
import { HTTPException } from "hono/http-exception"
import type { ZodType } from "zod"
import { malformed, unsupported } from "../lib/errors.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { decodeBody, isForm, isJson } from "../lib/web/body.ts"
import { message } from "./crud.ts"
import { type ErrorStatus, errorAnswer } from "./operation.ts"
import { fieldErrors } from "./validation.ts"

/** What the validator reads of a form; of a field that is repeated it makes an array. */
const lastOf = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]))

/**
 * The body of a page's call: a form, or the same as JSON. Of a form's field that is repeated the last value counts.
 * @param what the body holds, for whoever sends another type
 * @throws 400, 415, 422
 */
export async function pageInput<T>(c: Context<AppEnv>, schema: ZodType<T>, what: string): Promise<T> {
  const form = isForm(c)
  if (!form && !isJson(c)) throw unsupported(`Send ${what} as application/json, or as a form.`)
  await decodeBody(c)
  return new Promise((resolve, reject) => {
    const validate: MiddlewareHandler<AppEnv> = zValidator(
      form ? "form" : "json",
      schema,
      (result) => {
        if (result.success) resolve(result.data)
        else reject(fieldErrors(result.error))
      },
      { validationFunction: (schema, given) => schema.safeParseAsync(form ? lastOf(given) : given) },
    )
    validate(c, async () => {}).catch((error: unknown) =>
      reject(error instanceof HTTPException ? malformed("The body is not valid JSON.") : error),
    )
  })
}

/**
 * Where a sign-in goes on to: a path of this origin.
 * @param elsewhere where it goes on to without one
 */
export function safeNext(next: string | undefined, origin: string, elsewhere: string): string {
  if (!next?.startsWith("/")) return elsewhere
  const target = URL.canParse(next, origin) ? new URL(next, origin) : undefined
  // Of `/.//elsewhere` the URL makes the path `//elsewhere`: to a browser another origin.
  const own = target?.origin === origin && !target.pathname.startsWith("//")
  return own ? `${target.pathname}${target.search}${target.hash}` : elsewhere
}

/** What the OpenAPI document tells of a page's call that anybody may make: `pageInput`'s body, a message in answer. */
export const pageCall = ({
  schema,
  done,
  statuses,
  ...told
}: {
  operationId: string
  path: string
  summary: string
  description: string
  schema: ZodType
  /** What 200 means. */
  done: string
  /** The statuses of its errors. */
  statuses: readonly ErrorStatus[]
}) => ({
  ...told,
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
    200: { description: done, content: { "application/json": { schema: message } } },
    ...Object.fromEntries(statuses.map((status) => [status, errorAnswer(status)])),
  },
})
