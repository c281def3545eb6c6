import { useInfiniteQuery } from "@tanstack/preact-query"
import { useEffect } from "preact/hooks"
import { fetchListPage } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"

/** URL parameters that define the queue: filters, order and start page. */
const QUEUE_PARAMS = ["course", "status", "nameOrEmail", "sort", "order", "page"] as const

export type UrlQuery = Record<string, string | undefined>

/** The query string that defines the queue. */
function queueSearch(urlQuery: UrlQuery): string {
  const params = QUEUE_PARAMS.flatMap((name) => (urlQuery[name] ? [[name, urlQuery[name]] as [string, string]] : []))
  return new URLSearchParams(params).toString()
}

/** Link to the list of the queue. */
export const queueLink = (urlQuery: UrlQuery) => ({
  href: `/console/assignments?${queueSearch(urlQuery)}`,
  label: t("courses:grading.title"),
})

/** The path of the page that grades a submission, within its queue. */
export const gradingPath = (id: number, isQuiz: boolean, urlQuery: UrlQuery) =>
  `/assignments/${id}?${queueSearch(urlQuery)}${isQuiz ? "&type=quiz" : ""}`

/** The page size of the list. */
const PAGE_SIZE = 25
const CACHE_MS = 60_000
/** Fetches the next page when so few submissions remain. */
const PREFETCH_DISTANCE = 5

export type GradingQueue = ReturnType<typeof useGradingQueue>

/**
 * The submissions of a list by status row id. Graded submissions stay in the queue, so that one can go back.
 * @param currentId the open submission
 */
export function useGradingQueue(urlQuery: UrlQuery, currentId: number) {
  const course = Number(urlQuery.course) || undefined
  const search = {
    ...(urlQuery.nameOrEmail && { nameOrEmail: urlQuery.nameOrEmail }),
    ...(urlQuery.status && { status: [urlQuery.status] }),
  }
  const query = {
    ...(course !== undefined && { course_id: course }),
    search_param: search,
    ...(urlQuery.sort && {
      order_by: { colName: urlQuery.sort, direction: urlQuery.order === "desc" ? "desc" : "asc" },
    }),
  }
  const pages = useInfiniteQuery({
    queryKey: ["queue", queueSearch(urlQuery)],
    queryFn: async ({ pageParam, signal }) => {
      const request = { query, page: pageParam, size: PAGE_SIZE }
      const { records, next, previous } = await (course === undefined
        ? fetchListPage("/api/course/all-submissions", request, signal)
        : fetchListPage("/api/course/submissions", request, signal))
      const entries = records.map(({ status_row_id, module_type }) => [status_row_id, module_type] as const)
      return { entries, next, previous }
    },
    initialPageParam: urlQuery.page,
    getNextPageParam: ({ next }) => next,
    getPreviousPageParam: ({ previous }) => previous,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: CACHE_MS,
  })
  const types = new Map(pages.data?.pages.flatMap((page) => page.entries))
  const ids = [...types.keys()]
  const index = ids.indexOf(currentId)
  const isNearEnd = index >= ids.length - PREFETCH_DISTANCE
  const isNearStart = index < PREFETCH_DISTANCE
  useEffect(() => {
    // A page that failed is fetched again on request only.
    if (index < 0 || pages.isError) return
    if (isNearEnd && pages.hasNextPage && !pages.isFetching) pages.fetchNextPage()
    else if (isNearStart && pages.hasPreviousPage && !pages.isFetching) pages.fetchPreviousPage()
  }, [index < 0, isNearEnd, isNearStart, pages.hasNextPage, pages.hasPreviousPage, pages.isFetching])
  const retry = () => {
    if (pages.isFetchNextPageError) pages.fetchNextPage()
    else if (pages.isFetchPreviousPageError) pages.fetchPreviousPage()
    else pages.refetch()
  }
  const isQuiz = (id: number | undefined) => id !== undefined && types.get(id) === "quiz"
  return {
    previous: index > 0 ? ids[index - 1] : undefined,
    next: ids[index + 1],
    error: pages.error,
    retry,
    isQuiz,
    /** The path of the page that grades a submission. */
    pathOf: (id: number) => gradingPath(id, isQuiz(id), urlQuery),
  }
}
