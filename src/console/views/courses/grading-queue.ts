import { useInfiniteQuery } from "@tanstack/preact-query"
import { useEffect } from "preact/hooks"
import { readListPage } from "../../api/queries.ts"

/** What of the address says which submissions are gone through, from which page of their list on. */
const NAMES = ["course", "status", "nameOrEmail", "sort", "order", "page"] as const

export type Address = Record<string, string | undefined>

/** The part of an address that says which submissions are gone through. */
export function queueOf(address: Address): string {
  const members = NAMES.flatMap((name) => (address[name] ? [[name, address[name]] as [string, string]] : []))
  return new URLSearchParams(members).toString()
}

/** As on the list. */
const SIZE = 25
const KEPT = 60_000
/** So near to the end of what is known, more is read: whoever is quick finds the next one there. */
const AHEAD = 5

/**
 * The submissions that a list led to, one after the other, by their status rows. They stay in their places when one of
 * them is evaluated, so that one can go back to it.
 * @param at the one that is open
 */
export function useQueue(address: Address, at: number) {
  const course = Number(address.course) || undefined
  const search = {
    ...(address.nameOrEmail && { nameOrEmail: address.nameOrEmail }),
    ...(address.status && { status: [address.status] }),
  }
  const query = {
    ...(course !== undefined && { course_id: course }),
    search_param: search,
    ...(address.sort && { order_by: { colName: address.sort, direction: address.order === "desc" ? "desc" : "asc" } }),
  }
  const pages = useInfiniteQuery({
    queryKey: ["queue", queueOf(address)],
    queryFn: async ({ pageParam, signal }) => {
      const asked = { query, at: pageParam, size: SIZE }
      const { records, next, previous } = await (course === undefined
        ? readListPage("/api/course/all-submissions", asked, signal)
        : readListPage("/api/course/submissions", asked, signal))
      return { ids: records.map(({ status_row_id }) => status_row_id), next, previous }
    },
    initialPageParam: address.page,
    getNextPageParam: ({ next }) => next,
    getPreviousPageParam: ({ previous }) => previous,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT,
  })
  const ids = [...new Set(pages.data?.pages.flatMap((page) => page.ids))]
  const place = ids.indexOf(at)
  const isNearEnd = place >= ids.length - AHEAD
  const isNearBegin = place < AHEAD
  useEffect(() => {
    if (place < 0) return
    if (isNearEnd && pages.hasNextPage && !pages.isFetching) pages.fetchNextPage()
    else if (isNearBegin && pages.hasPreviousPage && !pages.isFetching) pages.fetchPreviousPage()
  }, [place < 0, isNearEnd, isNearBegin, pages.hasNextPage, pages.hasPreviousPage, pages.isFetching])
  return { previous: place > 0 ? ids[place - 1] : undefined, next: ids[place + 1] }
}
