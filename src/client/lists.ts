import { LecternError } from "./errors.ts"
import type { LimitedRecord, ListPath } from "./types.ts"

/** One page of a list. */
export interface ListPage<Item> {
  /** Number of records that the caller may see, before filters. */
  recordsTotal: number
  /** Number of records that match the filters. */
  recordsFiltered: number
  records: Item[]
}

/** A list that is fetched page by page. Returns each record once, even if others are created or deleted meanwhile. */
export interface List<Item> extends AsyncIterable<Item> {
  /** Page by page, with the list's totals. */
  pages(): AsyncGenerator<ListPage<Item>, void, undefined>
  /** The first records as an array. @param limit the maximum number of records */
  toArray(limit: number): Promise<Item[]>
}

export type ListOf<Path extends ListPath, Init = unknown> = List<LimitedRecord<Path, Init>>

/** The query of the next page; undefined on the last page. */
function nextPageQuery(response: Response): string | undefined {
  const link = response.headers.get("link") ?? ""
  const [, url] = /<([^>]+)>;\s*rel="?next"?/.exec(link) ?? []
  return url?.replace(/^[^?]*\??/, "")
}

/**
 * @param readPage fetches a page by its query; undefined: the first page
 * @throws LecternError `unexpected_answer` if a page other than the last one has no `Link` header: a proxy removed it
 */
export function createList<Item>(
  readPage: (query: string | undefined) => Promise<{ data: ListPage<Item>; response: Response }>,
): List<Item> {
  async function* pages() {
    let received = 0
    for (let query: string | undefined, hasMore = true; hasMore; hasMore = query !== undefined) {
      const { data, response } = await readPage(query)
      received += data.records.length
      if (received < data.recordsFiltered && !response.headers.has("link"))
        throw new LecternError(
          `The list ended after ${received} of ${data.recordsFiltered} records: the response has no Link header.`,
          { status: response.status, code: "unexpected_answer", body: data },
        )
      yield data
      query = nextPageQuery(response)
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.records
    },
    toArray: async (limit) => {
      const found: Item[] = []
      for await (const page of pages()) {
        found.push(...page.records.slice(0, limit - found.length))
        if (found.length >= limit) break
      }
      return found
    },
  }
}
