import createOpenApiClient from "openapi-fetch"
import type { paths } from "./api.generated.d.ts"
import { parseJson, toError } from "./errors.ts"
import { type EventFeed, type EventOptions, events } from "./events.ts"
import { type Hooks, withHooks } from "./hooks.ts"
import { type JobOptions, waitForJob } from "./jobs.ts"
import { createList, type ListOf, type ListPage } from "./lists.ts"
import { createIdempotencyKey, type Fetch, type RetryOptions, send } from "./send.ts"
import { Credentials, type OAuthClient, type OnTokens, type SignedInUser, type SignIn, type Tokens } from "./session.ts"
import type {
  ApiResponse,
  Call,
  ExportBody,
  ExportPath,
  ListInit,
  ListPath,
  RawInit,
  Schemas,
  UploadProgress,
  UploadResult,
  UploadTarget,
} from "./types.ts"

/** The version of the client, which every request names. */
export const VERSION = "0.2.0"

export interface ClientOptions extends Hooks {
  /** URL of the service, such as `https://academy.example`. */
  baseUrl: string
  /** An API key (`lk_…`) for server-side programs. Keep it secret: never use it in a browser or an app. */
  apiKey?: string
  /** An API key as an OAuth 2.0 client, exchanged for one-hour tokens when needed. */
  clientCredentials?: OAuthClient
  /** Tokens of an earlier sign-in, as passed to `onTokens`. */
  tokens?: Tokens | undefined
  /** Called whenever the tokens change, so that they can be stored. */
  onTokens?: OnTokens
  retry?: RetryOptions
  /** Sent with every call. */
  headers?: Record<string, string>
  /** Default: the global `fetch`. */
  fetch?: Fetch
}

export interface ExportedFile {
  filename: string
  /** The download; its body has not been read yet. */
  response: Response
}

/** A client for one user or API key. Every method throws {@link LecternError}. */
export interface LecternClient {
  GET: Call<"get">
  POST: Call<"post">
  PUT: Call<"put">
  /**
   * Sends an untyped request, with the credential, retries and bookmark of typed calls.
   * @returns the response, with any status
   */
  fetch(path: string, init?: RawInit): Promise<Response>
  /** Iterates over a list: `for await (const user of client.list("/api/users/tabularlist"))`. */
  list<Path extends ListPath, Init extends ListInit<Path>>(
    path: Path,
    ...init: Record<never, never> extends ListInit<Path> ? [init?: Init] : [init: Init]
  ): ListOf<Path, Init>
  /** The event feed in order, each event once. For administrators and their keys. */
  events(options?: EventOptions): EventFeed
  /**
   * Exports to a spreadsheet, waits for it and starts its download.
   * @param path the export operation, such as `/api/users/export`
   * @param body filters; default: all records
   */
  exportFile<Path extends ExportPath>(
    path: Path,
    body?: ExportBody<Path>,
    options?: JobOptions<Schemas["ExportProgress"]>,
  ): Promise<ExportedFile>
  /**
   * Imports users from a spreadsheet, and waits until all rows are processed.
   * @param file xlsx or csv, up to 5 MB and 5,000 rows
   * @returns the counts; `errors` has the failed rows
   */
  bulkUpload(
    file: Blob,
    options?: JobOptions<UploadProgress> & { filename?: string; dryRun?: boolean; target?: UploadTarget },
  ): Promise<UploadResult | UploadProgress>
  /** Throws `two_factor_required` if two-factor authentication is on and `code` is missing. */
  signIn(credentials: SignIn): Promise<SignedInUser>
  /** Ends the session, or all sessions of the user. */
  signOut(options?: { everywhere?: boolean }): Promise<void>
  /** Store them between runs. undefined: not signed in. */
  readonly tokens: Tokens | undefined
}

interface AnyListInit {
  pageSize?: number
  signal?: AbortSignal
  query?: Record<string, unknown>
  path?: unknown
}

/** Serializes a query; arrays and objects become JSON, and undefined members are omitted. */
function queryString(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== null)
      parameters.set(key, typeof value === "object" ? JSON.stringify(value) : String(value))
  return parameters.toString()
}

const isFile = (value: unknown): value is Blob => value instanceof Blob

/** Serializes a body: as a form if it contains a file, otherwise as JSON. */
function serializeBody(body: unknown) {
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

export function createClient(options: ClientOptions): LecternClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, "")
  const platformFetch = withHooks(options.fetch ?? ((request, init) => globalThis.fetch(request, init)), options)
  // The newest bookmark of all responses: bookmarks sort by age.
  let bookmark = ""

  /** Sends a request without a credential. */
  async function sendWithBookmark(request: Request, retry?: RetryOptions): Promise<Response> {
    if (bookmark) request.headers.set("x-d1-bookmark", bookmark)
    request.headers.set("x-client-version", `lectern-client/${VERSION}`)
    const response = await send(platformFetch, request, { ...options.retry, ...retry })
    const received = response.headers.get("x-d1-bookmark") ?? ""
    if (received > bookmark) bookmark = received
    return response
  }

  const createRequest = (path: string, { method = "GET", headers, body, query, signal }: RawInit = {}) => {
    // Never sends the credential to another origin.
    if (!path.startsWith("/")) throw new TypeError(`The path must start with a slash: ${path}`)
    const url = `${baseUrl}${path}${query ? `?${queryString(query)}` : ""}`
    const serialized = body === undefined ? undefined : serializeBody(body)
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
    (path, { headers, body }) =>
      sendWithBookmark(createRequest(path, { method: "POST", ...(headers && { headers }), body })),
    options,
  )

  /** Sends a request with the credential; renews it once if it has expired. */
  async function sendAuthorized(request: Request, retry?: RetryOptions): Promise<Response> {
    const isChange = request.method !== "GET" && request.method !== "HEAD"
    if (isChange && !request.headers.has("idempotency-key"))
      request.headers.set("idempotency-key", createIdempotencyKey())
    if (request.headers.has("authorization")) return sendWithBookmark(request, retry)
    for (let isRetry = false; ; isRetry = true) {
      const token = await session.credential()
      const copy = request.clone() as Request
      if (token) copy.headers.set("authorization", `Bearer ${token}`)
      const response = await sendWithBookmark(copy, retry)
      if (isRetry || !token || !(await session.replace(token, response))) return response
    }
  }

  const fetchOrThrow = async (request: Request, retry?: RetryOptions) => {
    const response = await sendAuthorized(request, retry)
    if (!response.ok) throw await toError(response)
    return response
  }

  const api = createOpenApiClient<paths>({
    baseUrl,
    redirect: "manual",
    querySerializer: queryString,
    bodySerializer: serializeBody,
    ...(options.headers && { headers: options.headers }),
    fetch: (request) => fetchOrThrow(request),
  })

  api.use({
    onResponse: async ({ response, options: { parseAs } }) => {
      if (parseAs === "json" && response.status !== 204) await parseJson(response)
    },
  })

  const call = async <T>(path: string, init: RawInit): Promise<ApiResponse<T>> => {
    const response = await fetchOrThrow(createRequest(path, init), init.retry)
    return { data: (await parseJson(response)) as T, response }
  }

  /** openapi-fetch types return errors; this client throws them. */
  const typed = <M extends "get" | "post" | "put">(method: (path: never, init: never) => unknown) =>
    ((path: never, { retry, ...init }: { retry?: RetryOptions } = {}) =>
      method(path, {
        ...init,
        ...(retry && { fetch: (request: Request) => fetchOrThrow(request, retry) }),
      } as never)) as unknown as Call<M>

  return {
    GET: typed<"get">(api.GET),
    POST: typed<"post">(api.POST),
    PUT: typed<"put">(api.PUT),
    fetch: async (path, init) => sendAuthorized(createRequest(path, init), init?.retry),
    list: (path, ...[init]) => {
      const { pageSize = 500, signal, query, path: pathParams }: AnyListInit = init ?? {}
      const firstPage = queryString({ ...query, page_size: pageSize, page_number: 1 })
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(Object(pathParams)[name])))
      return createList((next) => call<ListPage<never>>(`${url}?${next ?? firstPage}`, { signal }))
    },
    events: (options) => events(call, options),
    exportFile: async (path, body, job = {}) => {
      const { signal } = job
      const started = await call<Schemas["ExportInitiated"]>(path, { method: "POST", body: body ?? {}, signal })
      const readProgress = () =>
        call<Schemas["ExportProgress"]>(`${path}/progress/${started.data.export_id}`, { signal })
      const { filename, download_url } = await waitForJob(async () => (await readProgress()).data, job)
      const response = await fetchOrThrow(createRequest(download_url ?? "", { signal }))
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
      const { data: started } = await call<UploadResult>(path, { method: "POST", body: form, signal })
      if (started.status === "completed" || started.upload_id === null) return started
      const readProgress = () => call<UploadProgress>(`/api/user/bulkUpload/progress/${started.upload_id}`, { signal })
      return waitForJob(async () => (await readProgress()).data, job)
    },
    signIn: (credentials) => session.signIn(credentials),
    signOut: ({ everywhere = false } = {}) => session.signOut(everywhere),
    get tokens() {
      return session.tokens
    },
  }
}
