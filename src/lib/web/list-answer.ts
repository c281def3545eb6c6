import type { Context } from "hono"
import type { Page } from "../../db/list/page.ts"
import type { AppEnv } from "./app-env.ts"

/** The maximum length of the Link header: clients and proxies refuse responses with more than 16 KB of headers. */
const MAX_LINK_LENGTH = 8192

/**
 * The response of a list, and its Link header with `next`, `prev`, `first` and `last`. Links repeat the query; if
 * they are too long, the last ones are omitted.
 */
export function listPage<Row, T>(c: Context<AppEnv>, page: Page<Row>, toRow: (row: Row) => T) {
  const { origin, pathname, searchParams } = new URL(c.req.url)
  const number = Number(searchParams.get("page_number") ?? 1)
  searchParams.delete("page_number")
  searchParams.delete("cursor")
  const query = searchParams.size > 0 ? `${searchParams}&` : ""
  const link = (rel: string, pageNumber: number, cursor?: string) =>
    `<${origin}${pathname}?${query}page_number=${pageNumber}${cursor ? `&cursor=${cursor}` : ""}>; rel="${rel}"`
  const { next, prev, lastPage } = page.neighbors
  const [firstLink = "", ...others] = [
    ...(next ? [link("next", number + 1, next)] : []),
    ...(prev ? [link("prev", Math.max(1, number - 1), prev)] : []),
    link("first", 1),
    link("last", lastPage),
  ]
  const join = (links: string, added: string) =>
    links.length + added.length < MAX_LINK_LENGTH ? `${links}, ${added}` : links
  c.header("link", others.reduce(join, firstLink))
  return {
    recordsTotal: page.recordsTotal,
    recordsFiltered: page.recordsFiltered,
    records: page.rows.map((row) => toRow(row)),
  }
}
