import type { MiddlewareHandler } from "hono"
import { invalidFields } from "../lib/errors.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { bodyMembers } from "../lib/web/body.ts"

/** Values of a field that give no id. */
const NO_ID = new Set(["", "0", "null"])

const isOther = (given: unknown, id: string) => {
  const text = String(given ?? "").trim()
  return !NO_ID.has(text) && Number(text) !== Number(id)
}

/**
 * Refuses a body that names another record than the path does.
 * @param param the path's id
 * @param fields the fields of a body that mean the same id
 * @throws 422
 */
export const samePathRecord =
  (param: string, fields: readonly string[]): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const id = c.req.param(param) ?? ""
    const members = await bodyMembers(c)
    const wrong = fields.filter((field) => Object.hasOwn(members, field) && isOther(members[field], id))
    if (wrong.length > 0)
      throw invalidFields(
        Object.fromEntries(wrong.map((field) => [field, [`${field} must be ${id}, as in the path, or be left out.`]])),
      )
    await next()
  }
