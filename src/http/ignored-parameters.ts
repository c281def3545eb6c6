import type { MiddlewareHandler } from "hono"
import type { ZodType } from "zod"
import { invalidFields } from "../lib/errors.ts"
import { readJson } from "../lib/text/json.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { fieldsWithin } from "./fields.ts"

// Query parameters and keys of `search_param` that an operation does not have. They are ignored, and named in the
// header `x-ignored`; with `Prefer: handling=strict` (RFC 7240) they are errors.

const HEADER = "x-ignored"
const SEARCH = "search_param"
/** The maximum number of names, and of characters of a name. */
const MAX_NAMES = 20
const MAX_LENGTH = 100

const STRICT = /(?:^|[,;\s])handling\s*=\s*"?strict"?(?:$|[,;\s])/i

/** The names that a query and its `search_param` may have. */
function namesOf(query: ZodType | undefined) {
  const fields = query ? fieldsWithin(query) : new Map<string, ZodType[]>()
  const search = fields.get(SEARCH)
  return {
    query: new Set(fields.keys()),
    search: search && new Set(search.flatMap((schema) => [...fieldsWithin(schema).keys()])),
  }
}

function searchKeys(text: string): string[] {
  const read = readJson(text)
  return typeof read === "object" && read !== null && !Array.isArray(read) ? Object.keys(read) : []
}

/** Names or refuses what an operation ignores. @throws 422 with `Prefer: handling=strict` */
export function reportIgnored(query: ZodType | undefined): MiddlewareHandler<AppEnv> {
  let names: ReturnType<typeof namesOf> | undefined
  return async (c, next) => {
    const sent = c.req.queries()
    if (Object.keys(sent).length === 0) return next()
    names ??= namesOf(query)
    const { query: known, search } = names
    const ignored = [
      ...Object.keys(sent).filter((name) => !known.has(name)),
      ...(search
        ? (sent[SEARCH] ?? []).flatMap((text) =>
            searchKeys(text).flatMap((key) => (search.has(key) ? [] : [`${SEARCH}.${key}`])),
          )
        : []),
    ].map((name) => name.slice(0, MAX_LENGTH))
    if (ignored.length === 0) return next()
    const listed = [...new Set(ignored)].slice(0, MAX_NAMES)
    if (STRICT.test(c.req.header("prefer") ?? ""))
      throw invalidFields(
        Object.fromEntries(listed.map((name) => [name, [`${name} is not a parameter of this operation.`]])),
      )
    await next()
    c.header(HEADER, listed.map((name) => encodeURIComponent(name)).join(", "))
  }
}
