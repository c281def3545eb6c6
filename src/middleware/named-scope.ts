import type { Context, MiddlewareHandler } from "hono"
import { checkNamedScope } from "../access/scope.ts"
import type { AppEnv } from "../lib/web/app-env.ts"

/** The fields that name a portal or a group in the query, `search_param` or the body. */
const PORTAL_FIELDS = ["portalId"]
const GROUP_FIELDS = ["group_id", "groupId", "groupID"]

/** For operations of staff that accept deleted portals and groups, and check them by themselves. */
export const acceptDeletedScope: MiddlewareHandler<AppEnv> = (c, next) => {
  c.set("acceptsDeletedScope", true)
  return next()
}

const INPUTS = ["query", "json", "form"]

type Members = Record<string, unknown>

/** The validated input, as far as the operation declares it. */
function validatedInputs(c: Context): Members[] {
  const valid = c.req.valid.bind(c.req) as (target: string) => Members | undefined
  const inputs: Members[] = []
  for (const target of INPUTS) {
    const members = valid(target)
    if (!members) continue
    inputs.push(members)
    const { search_param: search } = members
    if (typeof search === "object" && search !== null) inputs.push(search as Members)
  }
  return inputs
}

function idsAt(members: Members[], fields: readonly string[]): number[] {
  const ids: number[] = []
  for (const input of members)
    for (const field of fields) {
      const id = input[field]
      if (typeof id === "number") ids.push(id)
    }
  return ids
}

/**
 * Answers 404 if a call names a portal or a group that the caller cannot see. The check runs in the call's first
 * batch, without a further round trip. Runs after the validators.
 */
export const requireNamedScope: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.get("acceptsDeletedScope")) return next()
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
