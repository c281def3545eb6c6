import type { Context, MiddlewareHandler } from "hono"
import { checkNamedScope } from "../access/scope.ts"
import type { AppEnv } from "../lib/web/app-env.ts"

/** The fields that name a portal or a group in the query, `search_param` or the body. */
const PORTAL_FIELDS = ["portalId"]
const GROUP_FIELDS = ["group_id", "groupId", "groupID"]

type Members = Record<string, unknown>

/** The validated input, as far as the operation declares it. */
function validatedInputs(c: Context): Members[] {
  const valid = c.req.valid.bind(c.req) as (target: string) => Members | undefined
  const inputs = ["query", "json", "form"].map(valid).filter((members) => members !== undefined)
  const searches = inputs.map(({ search_param: search }) => search).filter((search) => typeof search === "object")
  return [...inputs, ...(searches as Members[])]
}

const idsAt = (members: Members[], fields: readonly string[]): number[] =>
  members.flatMap((input) => fields.map((field) => input[field])).filter((id) => typeof id === "number")

/**
 * Answers 404 if a call names a portal or a group that the caller cannot see. The check runs in the call's first
 * batch, without a further round trip. Runs after the validators.
 */
export const requireNamedScope: MiddlewareHandler<AppEnv> = async (c, next) => {
  const members = validatedInputs(c)
  const portalIds = idsAt(members, PORTAL_FIELDS)
  const groupIds = idsAt(members, GROUP_FIELDS)
  if (portalIds.length + groupIds.length === 0) return next()
  const { db, caller } = c.var
  db.addCheck(checkNamedScope(db, caller, portalIds, groupIds))
  await next()
  if (c.error) return
  await db.runChecks().catch((error: unknown) => {
    c.res = undefined
    throw error
  })
}
