import { QueryCache, QueryClient, useMutation, useQueries, useQuery } from "@tanstack/preact-query"
import type { ApiResponse, DataOf, ListPath, RecordOf } from "../../client/index.ts"
import type { GetPath, InitOf } from "../../client/types.ts"
import { announce } from "./announce.ts"
import { api, redirectToSignIn } from "./client.ts"
import { throughStore } from "./offline/through-store.ts"

const MINUTE_MS = 60_000

/** How long data that was fetched ahead waits for its view. */
const AHEAD_MS = 3000

/** Data is fresh for a minute. Retries are the API client's: TanStack Query does none. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: redirectToSignIn }),
  defaultOptions: {
    queries: { staleTime: MINUTE_MS, retry: false, networkMode: "always", refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: "always", onError: redirectToSignIn },
  },
})

interface ReadOptions<Data> {
  enabled?: boolean
  /** Refetches stale data when the user returns to the window. */
  refetchOnFocus?: boolean
  /** Also fetches when the view opens again within the minute: most changes affect the data. */
  isVolatile?: boolean
  /** Refetch interval in milliseconds; false: none. */
  pollMs?: number | false | ((data: Data | undefined) => number | false)
}

/** Options for TanStack's `useQuery` and `useQueries`. */
export const toQueryOptions = <Path extends GetPath>(path: Path, init?: InitOf<Path, "get">) => ({
  queryKey: [path, init ?? {}] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<DataOf<Path, "get">> => {
    const get = api.GET as (path: Path, init: object) => Promise<ApiResponse<DataOf<Path, "get">>>
    return throughStore(path, [path, init], signal, async (signal) => (await get(path, { ...init, signal })).data)
  },
})

/** Fetches data: `useRead("/api/user/{id}", { params: { path: { id } } })`. */
export function useRead<Path extends GetPath>(
  path: Path,
  init?: InitOf<Path, "get">,
  { enabled = true, refetchOnFocus = false, isVolatile = false, pollMs = false }: ReadOptions<DataOf<Path, "get">> = {},
) {
  return useQuery({
    ...toQueryOptions(path, init),
    enabled,
    refetchOnWindowFocus: refetchOnFocus,
    ...(isVolatile && { staleTime: AHEAD_MS }),
    // A failed query is not polled.
    refetchInterval: ({ state: { data, error } }) =>
      error ? false : typeof pollMs === "function" ? pollMs(data as DataOf<Path, "get"> | undefined) : pollMs,
  })
}

/** A record with its ETag, which its change sends as If-Match. */
export interface Versioned<T> {
  record: T
  version: string
}

export async function fetchRecord<Path extends GetPath>(
  path: Path,
  init: InitOf<Path, "get">,
  signal?: AbortSignal,
): Promise<Versioned<DataOf<Path, "get">>> {
  const get = api.GET as (path: Path, init: object) => Promise<ApiResponse<DataOf<Path, "get">>>
  const { data, response } = await get(path, { ...init, ...(signal && { signal }) })
  return { record: data, version: response.headers.get("etag") ?? "" }
}

const editableOptions = <Path extends GetPath>(path: Path, init: InitOf<Path, "get">) => ({
  queryKey: [path, init ?? {}, "edit"],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchRecord(path, init, signal),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The record that a form edits: fetched again each time the form opens. */
export const useEditableRecord = <Path extends GetPath>(path: Path, init: InitOf<Path, "get">) =>
  useQuery({ ...editableOptions(path, init), gcTime: 0 })

/** Fetches one path with several parameters. @returns the data once all have loaded, or the first error */
export function useReads<Path extends GetPath>(path: Path, inits: readonly InitOf<Path, "get">[]) {
  return useQueries({
    queries: inits.map((init) => toQueryOptions(path, init)),
    combine: (all) => {
      const loaded = all.flatMap(({ data }) => (data === undefined ? [] : [data as DataOf<Path, "get">]))
      return {
        data: loaded.length === all.length ? loaded : undefined,
        error: all.find(({ error }) => error)?.error ?? null,
      }
    },
  })
}

/** One page of a list, with the cursors of the next and previous pages; undefined: there is none. */
export interface ListPage<Row> {
  records: Row[]
  recordsTotal: number
  recordsFiltered: number
  next: string | undefined
  previous: string | undefined
}

/** The page that a Link header names, as `number.cursor`. */
function linkedPage(link: string, rel: string): string | undefined {
  const url = new RegExp(`<([^>]+)>;\\s*rel="?${rel}"?`).exec(link)?.[1]
  if (!url) return undefined
  const { searchParams } = new URL(url, location.origin)
  const [number, cursor] = [searchParams.get("page_number"), searchParams.get("cursor")]
  return cursor ? `${number}.${cursor}` : `${number}`
}

/** Records of a page, unless a list has its own number. */
export const PAGE_SIZE = 25

interface PageRequest {
  /** Filters and order, without paging. */
  query: object
  pathParams?: Record<string, number>
  /** `next` or `previous` of another page; undefined: the first page. */
  page: string | undefined
  size: number
}

/** Fetches one page of a list. `answer` is the entire response body. */
export async function fetchListPage<Path extends ListPath>(
  path: Path,
  { query, pathParams, page, size }: PageRequest,
  signal: AbortSignal,
): Promise<ListPage<RecordOf<Path>> & { answer: DataOf<Path, "get"> }> {
  const [page_number = "1", cursor] = page?.split(/\.(.*)/s) ?? []
  const paged = { ...query, page_size: size, page_number: Number(page_number), ...(cursor && { cursor }) }
  const get = api.GET as (path: Path, init: object) => Promise<ApiResponse<ListPage<RecordOf<Path>>>>
  const { data, response } = await get(path, { params: { query: paged, path: pathParams }, signal })
  const link = response.headers.get("link") ?? ""
  const answer = data as DataOf<Path, "get">
  return { ...data, answer, next: linkedPage(link, "next"), previous: linkedPage(link, "prev") }
}

function listPageOptions<Path extends ListPath>(path: Path, request: PageRequest) {
  const { query, pathParams, page, size } = request
  const queryKey = [path, pathParams ?? {}, query, page ?? "", size]
  return {
    queryKey,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      throughStore(path, queryKey, signal, (signal) => fetchListPage(path, request, signal)),
  }
}

/** A page of a list. Keeps the data of the same list while the next page loads. */
export const useListPage = <Path extends ListPath>(
  path: Path,
  { enabled = true, ...request }: PageRequest & { enabled?: boolean },
) =>
  useQuery({
    ...listPageOptions(path, request),
    enabled,
    placeholderData: (previous, query) => (query?.queryKey[0] === path ? previous : undefined),
  })

/** Fetches ahead what a view reads with `useRead`, while its code loads. */
export const prefetchRead = <Path extends GetPath>(path: Path, init?: InitOf<Path, "get">) =>
  void queryClient.prefetchQuery(toQueryOptions(path, init))

/** Fetches ahead what a view reads with `useEditableRecord`. */
export const prefetchRecord = <Path extends GetPath>(path: Path, init: InitOf<Path, "get">) =>
  void queryClient.prefetchQuery({ ...editableOptions(path, init), gcTime: AHEAD_MS })

/** Fetches ahead the first page of a `Listing`. */
export const prefetchList = (path: ListPath) =>
  void queryClient.prefetchQuery(listPageOptions(path, { query: {}, page: undefined, size: PAGE_SIZE }))

/**
 * Refetches every query whose path starts with one of these.
 * @param refetchType none: queries of the current view stay, and others are fetched when their view opens
 */
export const invalidatePaths = (paths: readonly string[], refetchType: "active" | "none" = "active") =>
  queryClient.invalidateQueries({
    refetchType,
    predicate: ({ queryKey: [path] }) => paths.some((prefix) => String(path).startsWith(prefix)),
  })

interface ChangeOptions<Input, Output> {
  call: (input: Input) => Promise<ApiResponse<Output>>
  /** Path prefixes of the queries to refetch afterward. */
  invalidates: readonly string[]
  /** The notification on success; by default the message of the response, if it has one. */
  successMessage?: string | ((output: Output) => string)
}

const messageOf = (answer: unknown): string | undefined =>
  typeof answer === "object" && answer !== null && "message" in answer ? String(answer.message) : undefined

/** What the home pages show follows from most changes. */
const HOMES = ["/api/home", "/api/me/home"]

/** A call that changes data. The caller shows its errors; a Form does so itself. */
export function useChange<Input, Output>({ call, invalidates, successMessage }: ChangeOptions<Input, Output>) {
  return useMutation({
    mutationFn: async (input: Input) => (await call(input)).data,
    onSuccess: async (output) => {
      const own = typeof successMessage === "function" ? successMessage(output) : successMessage
      const message = own ?? messageOf(output)
      // First the data: until then, the form still counts as unsaved, and leaving it would ask.
      await invalidatePaths([...invalidates, ...HOMES])
      if (message) announce(message, { isFromApi: own === undefined })
    },
  })
}
