import { keepPreviousData, QueryCache, QueryClient, useMutation, useQueries, useQuery } from "@tanstack/preact-query"
import type { Answer, DataOf, ListPath, RecordOf } from "../../client/index.ts"
import type { GetPath, InitOf } from "../../client/types.ts"
import { announce } from "./announce.ts"
import { api, toSignIn } from "./client.ts"

const MINUTE = 60_000

/** What was read counts as fresh for a minute; the client itself repeats what may be repeated. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: toSignIn }),
  defaultOptions: {
    queries: { staleTime: MINUTE, retry: false, networkMode: "always", refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: "always", onError: toSignIn },
  },
})

interface ReadOptions<Data> {
  /** false: not yet. */
  enabled?: boolean
  /** Milliseconds after which it is read again, while it is shown; false: never. It may depend on what was read. */
  every?: number | false | ((data: Data | undefined) => number | false)
}

/** One answer as TanStack reads it: for whoever reads several at once. */
export const reading = <Path extends GetPath>(path: Path, init?: InitOf<Path, "get">) => ({
  queryKey: [path, init ?? {}] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<DataOf<Path, "get">> => {
    const get = api.GET as (path: Path, init: object) => Promise<Answer<DataOf<Path, "get">>>
    return (await get(path, { ...init, signal })).data
  },
})

/** Reads one answer: `useRead("/api/user/{id}", { params: { path: { id } } })`. */
export function useRead<Path extends GetPath>(
  path: Path,
  init?: InitOf<Path, "get">,
  { enabled = true, every = false }: ReadOptions<DataOf<Path, "get">> = {},
) {
  return useQuery({
    ...reading(path, init),
    enabled,
    // What was refused once is not asked for again and again.
    refetchInterval: ({ state: { data, error } }) =>
      error ? false : typeof every === "function" ? every(data as DataOf<Path, "get"> | undefined) : every,
  })
}

/** A record, and what its ETag said: for the If-Match of its change. */
export interface Versioned<T> {
  record: T
  version: string
}

/** Reads a record that is to be changed, with its version. */
export async function readRecord<Path extends GetPath>(
  path: Path,
  init: InitOf<Path, "get">,
  signal?: AbortSignal,
): Promise<Versioned<DataOf<Path, "get">>> {
  const get = api.GET as (path: Path, init: object) => Promise<Answer<DataOf<Path, "get">>>
  const { data, response } = await get(path, { ...init, ...(signal && { signal }) })
  return { record: data, version: response.headers.get("etag") ?? "" }
}

/** The record that a form changes: read anew whenever the form is opened. */
export function useRecord<Path extends GetPath>(path: Path, init: InitOf<Path, "get">) {
  return useQuery({
    queryKey: [path, init ?? {}, "to change"],
    queryFn: ({ signal }) => readRecord(path, init, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Reads several answers of one path at once. @returns them once all are there, or why one of them does not come */
export function useReads<Path extends GetPath>(path: Path, inits: readonly InitOf<Path, "get">[]) {
  return useQueries({
    queries: inits.map((init) => reading(path, init)),
    combine: (all) => {
      const there = all.flatMap(({ data }) => (data === undefined ? [] : [data as DataOf<Path, "get">]))
      return {
        data: there.length === all.length ? there : undefined,
        error: all.find(({ error }) => error)?.error ?? null,
      }
    },
  })
}

/** One page of a list, and the cursors of its neighbors; undefined: there is none. */
export interface ListPageOf<Row> {
  records: Row[]
  recordsTotal: number
  recordsFiltered: number
  next: string | undefined
  previous: string | undefined
}

/** The query string of a neighbor, which a Link header names. */
function neighbor(link: string, rel: string): string | undefined {
  const address = new RegExp(`<([^>]+)>;\\s*rel="?${rel}"?`).exec(link)?.[1]
  if (!address) return undefined
  const { searchParams } = new URL(address, location.origin)
  const [number, cursor] = [searchParams.get("page_number"), searchParams.get("cursor")]
  return cursor ? `${number}.${cursor}` : `${number}`
}

/** Which page of a list is read. */
interface AskedPage {
  /** Without its paging. */
  query: object
  /** What stands in the gaps of the path. */
  names?: Record<string, number>
  /** Where the page is: a neighbor of an earlier one; undefined: the first. */
  at: string | undefined
  size: number
}

/** Reads one page of a list, with all that was answered beside it. */
export async function readListPage<Path extends ListPath>(
  path: Path,
  { query, names, at, size }: AskedPage,
  signal: AbortSignal,
): Promise<ListPageOf<RecordOf<Path>> & { answer: DataOf<Path, "get"> }> {
  const [page_number = "1", cursor] = at?.split(/\.(.*)/s) ?? []
  const paged = { ...query, page_size: size, page_number: Number(page_number), ...(cursor && { cursor }) }
  const get = api.GET as (path: Path, init: object) => Promise<Answer<ListPageOf<RecordOf<Path>>>>
  const { data, response } = await get(path, { params: { query: paged, path: names }, signal })
  const link = response.headers.get("link") ?? ""
  const answer = data as DataOf<Path, "get">
  return { ...data, answer, next: neighbor(link, "next"), previous: neighbor(link, "prev") }
}

/** A page of a list, and the one before while it is on its way. @param enabled false: not yet */
export function useListPage<Path extends ListPath>(
  path: Path,
  { enabled = true, ...asked }: AskedPage & { enabled?: boolean },
) {
  const { query, names, at, size } = asked
  return useQuery({
    enabled,
    queryKey: [path, names ?? {}, query, at ?? "", size],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readListPage(path, asked, signal),
  })
}

/** Has all answers read anew whose path begins with one of these. */
export const readAnew = (paths: readonly string[]) =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => paths.some((one) => String(path).startsWith(one)),
  })

interface ChangeOptions<Given, Done> {
  call: (given: Given) => Promise<Answer<Done>>
  /** What is read anew after it: all whose path begins with one of these. */
  changes: readonly string[]
  /** What to say when it is done. The API's own message where it is left out and the answer has one. */
  done?: string | ((answer: Done) => string)
}

const messageOf = (answer: unknown): string | undefined =>
  typeof answer === "object" && answer !== null && "message" in answer ? String(answer.message) : undefined

/** A call that changes something. Failures are the caller's to show: a form does it by itself. */
export function useChange<Given, Done>({ call, changes, done }: ChangeOptions<Given, Done>) {
  return useMutation({
    mutationFn: async (given: Given) => (await call(given)).data,
    onSuccess: async (answer) => {
      const said = typeof done === "function" ? done(answer) : (done ?? messageOf(answer))
      if (said) announce(said)
      await readAnew(changes)
    },
  })
}
