import { LecternError } from "./errors.ts"
import type { ListPath, RecordOf } from "./types.ts"

/** One page of a list. */
export interface ListPage<Item> {
  /** What the caller may see, before the search. */
  recordsTotal: number
  /** What the search finds. */
  recordsFiltered: number
  records: Item[]
}

/** A list that is read as it is gone through: each record once, while others come and go. */
export interface List<Item> extends AsyncIterable<Item> {
  /** Page by page, with the list's totals. */
  pages(): AsyncGenerator<ListPage<Item>, void, undefined>
}

export type ListOf<Path extends ListPath> = List<RecordOf<Path>>

/** The query of the page that comes next, with its cursor; undefined at the list's end. */
function nextOf(response: Response): string | undefined {
  const link = response.headers.get("link") ?? ""
  const [, address] = /<([^>]+)>;\s*rel="?next"?/.exec(link) ?? []
  return address?.replace(/^[^?]*\??/, "")
}

/**
 * @param read a page by its query, of which the first's is left to it
 * @throws LecternError `unexpected_answer` when a page that is not the last one has no `Link` header: a proxy took it
 */
export function listing<Item>(
  read: (query: string | undefined) => Promise<{ data: ListPage<Item>; response: Response }>,
): List<Item> {
  async function* pages() {
    let received = 0
    for (let query: string | undefined, more = true; more; more = query !== undefined) {
      const { data, response } = await read(query)
      received += data.records.length
      if (received < data.recordsFiltered && !response.headers.has("link"))
        throw new LecternError(
          `The list breaks off after ${received} of ${data.recordsFiltered} records: its answer has no Link header.`,
          { status: response.status, code: "unexpected_answer", body: data },
        )
      yield data
      query = nextOf(response)
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.records
    },
  }
}
