import type { ClientPathsWithMethod, FetchResponse, MaybeOptionalInit, Client as OpenApiClient } from "openapi-fetch"
import type { components, paths } from "./api.generated.d.ts"

/** What the service's records and bodies are called: `Schemas["NewOrder"]`. */
export type Schemas = components["schemas"]

type Method = "get" | "post" | "put"
/** The paths that have a method. */
type PathOf<M extends Method> = ClientPathsWithMethod<OpenApiClient<paths>, M>
/** The paths that can be read. */
export type GetPath = PathOf<"get">
/** What a call takes: `params.path`, `params.query`, `body`, `headers`, `signal`, `parseAs`. */
export type InitOf<Path extends keyof paths, M extends Method> = MaybeOptionalInit<paths[Path], M>

type Operation<Path extends keyof paths, M extends Method> =
  paths[Path] extends Record<M, infer Op extends object> ? Op : never

/** What a call answers: JSON, unless `parseAs` says otherwise. */
export type DataOf<Path extends keyof paths, M extends Method, Init = unknown> = NonNullable<
  FetchResponse<Operation<Path, M>, Init, `${string}/${string}`>["data"]
>

/** An answer that is none of an error. */
export interface Answer<Data> {
  data: Data
  /** Its status and headers; the body is read. */
  response: Response
}

/** A typed call: `client.GET("/api/user/{id}", { params: { path: { id: 1 } } })`. */
export type Call<M extends Method> = <Path extends PathOf<M>, Init extends InitOf<Path, M>>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init] : [init: Init]
) => Promise<Answer<DataOf<Path, M, Init>>>

/** The paths that answer records. */
export type ListPath = {
  [Path in PathOf<"get">]: DataOf<Path, "get"> extends { records: unknown[] } ? Path : never
}[PathOf<"get">]

export type RecordOf<Path extends ListPath> = DataOf<Path, "get"> extends { records: (infer Item)[] } ? Item : never

type Parameters<Path extends ListPath> = Operation<Path, "get"> extends { parameters: infer P } ? P : never
type Query<Path extends ListPath> = NonNullable<Parameters<Path> extends { query?: infer Q } ? Q : never>
type Paged = "page_size" | "page_number" | "cursor"
/** Members that may be left out, where all of them may be. */
type Optional<Name extends string, T> = Record<never, never> extends T ? { [K in Name]?: T } : { [K in Name]: T }

/** What a list is asked for: the operation's own query and path, without its paging, which the client does. */
export type ListInit<Path extends ListPath> = {
  /** Records a call; 500, the most there can be, unless told. */
  pageSize?: number
  signal?: AbortSignal
} & Optional<"query", { [K in keyof Query<Path> as K extends Paged ? never : K]: Query<Path>[K] }> &
  (Parameters<Path> extends { path: infer P } ? { path: P } : { path?: never })

/** The paths that begin an export. */
export type ExportPath = {
  [Path in PathOf<"post">]: `${Path}/progress/{exportId}` extends keyof paths ? Path : never
}[PathOf<"post">]

/** What an export is asked for: which records. */
export type ExportBody<Path extends ExportPath> =
  InitOf<Path, "post"> extends infer Init
    ? NonNullable<Init> extends { body?: infer Body }
      ? NonNullable<Body>
      : never
    : never

/** How far a bulk upload is, and what of it came to be. */
export type UploadState = Schemas["BulkUploadProgress"]
export type UploadAnswer = Schemas["BulkUploadAnswer"]
/** The fields of a bulk upload beside its file: where the users go. */
export type UploadTarget = Omit<Schemas["BulkUploadSpreadsheet"], "file">

/** Something that happened, as the feed and webhooks tell it. */
export type LecternEvent = Schemas extends { Event: infer Event }
  ? Event
  : { id: string; type: string; occurredAt: string; data: unknown }
export type EventType = LecternEvent["type"]

/** A call that the types do not know, as `fetch` takes it. */
export interface RawInit {
  method?: string
  headers?: Record<string, string>
  /** A form, text, bytes, or what is sent as JSON. */
  body?: unknown
  query?: Record<string, unknown>
  signal?: AbortSignal | undefined
}
