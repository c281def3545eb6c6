import createOpenApiClient from "openapi-fetch"
import type { paths } from "./api.generated.d.ts"
import { errorOf, jsonOf } from "./errors.ts"
import { type EventFeed, type EventOptions, events } from "./events.ts"
import { finished, type JobOptions } from "./jobs.ts"
import { type ListOf, type ListPage, listing } from "./lists.ts"
import { type Fetch, newKey, type RetryOptions, send } from "./send.ts"
import { Credentials, type OAuthClient, type OnTokens, type SignedInUser, type SignIn, type Tokens } from "./session.ts"
import type {
  Answer,
  Call,
  ExportBody,
  ExportPath,
  ListInit,
  ListPath,
  RawInit,
  RecordOf,
  Schemas,
  UploadAnswer,
  UploadState,
  UploadTarget,
} from "./types.ts"

export interface ClientOptions {
  /** Where the service is: `https://academy.example`. */
  baseUrl: string
  /** `lk_…`, for a program of your own. It is a secret: never in a browser or an app. */
  apiKey?: string
  /** A key as an OAuth 2.0 client, exchanged for tokens of an hour whenever one is needed. */
  clientCredentials?: OAuthClient
  /** What an earlier sign-in gave, as `onTokens` was told it. */
  tokens?: Tokens | undefined
  /** Told whenever the tokens change, so that they can be kept. */
  onTokens?: OnTokens
  retry?: RetryOptions
  /** Sent with every call. */
  headers?: Record<string, string>
  /** The platform's own unless given. */
  fetch?: Fetch
}

/** A file that an export wrote. */
export interface ExportedFile {
  filename: string
  /** The download, not yet read: `blob()`, `arrayBuffer()` or `body`, a stream. */
  response: Response
}

/** A client of one service, for one user or key. Every method throws {@link LecternError}. */
export interface LecternClient {
  GET: Call<"get">
  POST: Call<"post">
  PUT: Call<"put">
  /**
   * Any call, also of a path that the types do not know, with the credential, the retries and the bookmark of all
   * others. @returns the answer, whatever its status
   */
  fetch(path: string, init?: RawInit): Promise<Response>
  /** A list, read as it is gone through: `for await (const user of client.list("/api/users/tabularlist"))`. */
  list<Path extends ListPath>(
    path: Path,
    ...init: Record<never, never> extends ListInit<Path> ? [init?: ListInit<Path>] : [init: ListInit<Path>]
  ): ListOf<Path>
  /** What happened, in order, each once: the feed, for administrators and their keys. */
  events(options?: EventOptions): EventFeed
  /**
   * Exports to a spreadsheet, waits for it and begins its download.
   * @param path what begins the export: `/api/users/export`
   * @param body which records; all unless told
   */
  exportFile<Path extends ExportPath>(
    path: Path,
    body?: ExportBody<Path>,
    options?: JobOptions<Schemas["ExportProgress"]>,
  ): Promise<ExportedFile>
  /**
   * Creates many users from a spreadsheet, and waits until all rows have landed or failed.
   * @param file xlsx or csv, up to 5 MB and 5,000 rows
   * @returns the counts; rows that failed are in `errors`
   */
  bulkUpload(
    file: Blob,
    options?: JobOptions<UploadState> & { filename?: string; dryRun?: boolean; target?: UploadTarget },
  ): Promise<UploadAnswer | UploadState>
  /** Signs in. With two-factor on and no `code` it throws `two_factor_required`: ask for one, and call again. */
  signIn(given: SignIn): Promise<SignedInUser>
  /** Ends the session, or all sessions of the user. */
  signOut(options?: { everywhere?: boolean }): Promise<void>
  /** What is to be kept between runs; undefined: nobody is signed in. */
  readonly tokens: Tokens | undefined
}

interface AnyListInit {
  pageSize?: number
  signal?: AbortSignal
  query?: Record<string, unknown>
  path?: unknown
}

/** A query string; lists and objects go as JSON, and what is undefined does not go. */
function queryString(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== null)
      parameters.set(key, typeof value === "object" ? JSON.stringify(value) : String(value))
  return parameters.toString()
}

const isFile = (value: unknown): value is Blob => value instanceof Blob

/** A body with a file is sent as a form, any other as JSON. */
function bodyOf(body: unknown) {
  if (typeof body !== "object" || body === null) return typeof body === "string" ? body : JSON.stringify(body)
  if (body instanceof FormData || body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body))
    return body as BodyInit
  if (!Object.values(body).some(isFile)) return JSON.stringify(body)
  const form = new FormData()
  for (const [key, value] of Object.entries(body)) {
    if (isFile(value)) form.append(key, value)
    else if (value !== undefined) form.append(key, typeof value === "string" ? value : JSON.stringify(value))
  }
  return form
}

/** A client of the service at `baseUrl`. */
export function createClient(options: ClientOptions): LecternClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, "")
  const platform: Fetch = options.fetch ?? ((request, init) => globalThis.fetch(request, init))
  // The newest that an answer told: bookmarks sort as they were written.
  let bookmark = ""

  /** Sends a request with what all calls have, but the credential. */
  async function plain(request: Request): Promise<Response> {
    if (bookmark) request.headers.set("x-d1-bookmark", bookmark)
    const response = await send(platform, request, options.retry)
    const told = response.headers.get("x-d1-bookmark") ?? ""
    if (told > bookmark) bookmark = told
    return response
  }

  const requestOf = (path: string, { method = "GET", headers, body, query, signal }: RawInit = {}) => {
    // A credential goes to its own service only, whatever a path was made of.
    if (!path.startsWith("/")) throw new TypeError(`${path} is no path: it begins with a slash.`)
    const url = `${baseUrl}${path}${query ? `?${queryString(query)}` : ""}`
    const serialized = body === undefined ? undefined : bodyOf(body)
    const isJson = typeof serialized === "string"
    return new Request(url, {
      method,
      redirect: "manual",
      headers: { ...(isJson && { "content-type": "application/json" }), ...options.headers, ...headers },
      ...(serialized !== undefined && { body: serialized }),
      ...(signal && { signal }),
    })
  }

  const session = new Credentials(
    (path, { headers, body }) => plain(requestOf(path, { method: "POST", ...(headers && { headers }), body })),
    options,
  )

  /** Sends a request as the client's user or key: with a new credential, where one that has ended was refused. */
  async function authorized(request: Request): Promise<Response> {
    const changes = request.method !== "GET" && request.method !== "HEAD"
    if (changes && !request.headers.has("idempotency-key")) request.headers.set("idempotency-key", newKey())
    if (request.headers.has("authorization")) return plain(request)
    for (let again = false; ; again = true) {
      const token = await session.credential()
      const copy = request.clone() as Request
      if (token) copy.headers.set("authorization", `Bearer ${token}`)
      const response = await plain(copy)
      if (again || !token || !(await session.replace(token, response))) return response
    }
  }

  const api = createOpenApiClient<paths>({
    baseUrl,
    redirect: "manual",
    querySerializer: queryString,
    bodySerializer: bodyOf,
    ...(options.headers && { headers: options.headers }),
    fetch: async (request) => {
      const response = await authorized(request)
      if (!response.ok) throw await errorOf(response)
      return response
    },
  })

  api.use({
    onResponse: async ({ response, options: { parseAs } }) => {
      if (parseAs === "json" && response.status !== 204) await jsonOf(response)
    },
  })

  const read = async <T>(path: string, init: RawInit): Promise<Answer<T>> => {
    const response = await authorized(requestOf(path, init))
    if (!response.ok) throw await errorOf(response)
    return { data: (await jsonOf(response)) as T, response }
  }

  return {
    // All three: openapi-fetch types an error beside the data, which is thrown here and so never answered.
    GET: api.GET as unknown as Call<"get">,
    POST: api.POST as unknown as Call<"post">,
    PUT: api.PUT as unknown as Call<"put">,
    fetch: async (path, init) => authorized(requestOf(path, init)),
    list: (path, ...[given]) => {
      const { pageSize = 500, signal, query, path: names }: AnyListInit = given ?? {}
      const first = queryString({ ...query, page_size: pageSize, page_number: 1 })
      const at = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(Object(names)[name])))
      return listing((next) => read<ListPage<RecordOf<typeof path>>>(`${at}?${next ?? first}`, { signal }))
    },
    events: (given) => events(read, given),
    exportFile: async (path, body, job = {}) => {
      const { signal } = job
      const begun = await read<Schemas["ExportInitiated"]>(path, { method: "POST", body: body ?? {}, signal })
      const ask = () => read<Schemas["ExportProgress"]>(`${path}/progress/${begun.data.export_id}`, { signal })
      const { filename, download_url } = await finished(async () => (await ask()).data, job)
      const response = await authorized(requestOf(download_url ?? "", { signal }))
      if (!response.ok) throw await errorOf(response)
      return { filename: filename ?? "", response }
    },
    bulkUpload: async (file, { filename, dryRun = false, target, ...job } = {}) => {
      const form = new FormData()
      form.append("file", file, filename ?? (file instanceof File ? file.name : "users.xlsx"))
      if (dryRun) form.append("dryRun", "true")
      for (const [key, value] of Object.entries(target ?? {}))
        if (value !== undefined) form.append(key, typeof value === "string" ? value : JSON.stringify(value))
      const { signal } = job
      const path = "/api/user/userBulkUploadSpreadsheet"
      const { data: begun } = await read<UploadAnswer>(path, { method: "POST", body: form, signal })
      if (begun.status === "completed" || begun.upload_id === null) return begun
      const ask = () => read<UploadState>(`/api/user/bulkUpload/progress/${begun.upload_id}`, { signal })
      return finished(async () => (await ask()).data, job)
    },
    signIn: (given) => session.signIn(given),
    signOut: ({ everywhere = false } = {}) => session.signOut(everywhere),
    get tokens() {
      return session.tokens
    },
  }
}
