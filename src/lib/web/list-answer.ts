import type { Context } from "hono"
import type { Page } from "../../db/list/page.ts"
import type { AppEnv } from "./app-env.ts"

/** How long a Link header may be: clients and servers between refuse answers whose headers pass 16 KB together. */
const MOST_LINK = 8192

/**
 * The envelope's members, and the Link header with `next`, `prev`, `first` and `last`, each of which repeats the query:
 * of those that a long one leaves no room for, the first ones.
 */
export function listAnswer<Row, T>(c: Context<AppEnv>, found: Page<Row>, toRow: (row: Row) => T) {
  const { origin, pathname, searchParams } = new URL(c.req.url)
  const number = Number(searchParams.get("page_number") ?? 1)
  searchParams.delete("page_number")
  searchParams.delete("cursor")
  const asked = searchParams.size > 0 ? `${searchParams}&` : ""
  const link = (rel: string, pageNumber: number, cursor?: string) =>
    `<${origin}${pathname}?${asked}page_number=${pageNumber}${cursor ? `&cursor=${cursor}` : ""}>; rel="${rel}"`
  const { next, prev, lastPage } = found.neighbors
  const [foremost = "", ...others] = [
    ...(next ? [link("next", number + 1, next)] : []),
    ...(prev ? [link("prev", Math.max(1, number - 1), prev)] : []),
    link("first", 1),
    link("last", lastPage),
  ]
  const join = (links: string, one: string) => (links.length + one.length < MOST_LINK ? `${links}, ${one}` : links)
  c.header("link", others.reduce(join, foremost))
  return {
    recordsTotal: found.recordsTotal,
    recordsFiltered: found.recordsFiltered,
    records: found.rows.map((row) => toRow(row)),
  }
}
