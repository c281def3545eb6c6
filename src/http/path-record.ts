import type { MiddlewareHandler } from "hono"
import { invalidFields } from "../lib/errors.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { bodyMembers } from "../lib/web/body.ts"

/** Values that mean "no id". */
const NO_ID = new Set(["", "0", "null"])

const isOther = (value: unknown, id: string) => {
  const text = String(value ?? "").trim()
  return !NO_ID.has(text) && Number(text) !== Number(id)
}

/**
 * Refuses a body whose id differs from the path.
 * @param param the path parameter
 * @param fields the body fields that repeat the id
 * @throws 422
 */
export const requireMatchingId =
  (param: string, fields: readonly string[]): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const id = c.req.param(param) ?? ""
    const members = await bodyMembers(c)
    const wrong = fields.filter((field) => Object.hasOwn(members, field) && isOther(members[field], id))
    if (wrong.length > 0)
      throw invalidFields(
        Object.fromEntries(
          wrong.map((field) => [field, [`${field} must match the id in the path (${id}). Change or omit it.`]]),
        ),
      )
    await next()
  }
