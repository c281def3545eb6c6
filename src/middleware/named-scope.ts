import type { Context, MiddlewareHandler } from "hono"
import { namedScope } from "../access/scope.ts"
import type { AppEnv } from "../lib/web/app-env.ts"

/** The fields by which calls name a portal or a group, in the query, in `search_param` or in the body. */
const PORTAL_FIELDS = ["portalId"]
const GROUP_FIELDS = ["group_id", "groupId", "groupID"]

type Members = Record<string, unknown>

/** What the validators took, as far as the operation declares it. */
function validMembers(c: Context): Members[] {
  const valid = c.req.valid.bind(c.req) as (target: string) => Members | undefined
  const given = ["query", "json", "form"].map(valid).filter((members) => members !== undefined)
  const searches = given.map(({ search_param: search }) => search).filter((search) => typeof search === "object")
  return [...given, ...(searches as Members[])]
}

const idsAt = (members: Members[], fields: readonly string[]): number[] =>
  members.flatMap((all) => fields.map((field) => all[field])).filter((id) => typeof id === "number")

/**
 * Refuses a call that names a portal or a group which the caller may not know of, whatever the operation does with it.
 * The first batch answers that, at no further trip. Runs behind the validators. @throws 404
 */
export const requireNamedScope: MiddlewareHandler<AppEnv> = async (c, next) => {
  const members = validMembers(c)
  const portalIds = idsAt(members, PORTAL_FIELDS)
  const groupIds = idsAt(members, GROUP_FIELDS)
  if (portalIds.length + groupIds.length === 0) return next()
  const { db, caller } = c.var
  db.check(namedScope(db, caller, portalIds, groupIds))
  await next()
  if (c.error) return
  await db.settleChecks().catch((error: unknown) => {
    c.res = undefined
    throw error
  })
}
