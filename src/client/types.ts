import type { ClientPathsWithMethod, FetchResponse, MaybeOptionalInit, Client as OpenApiClient } from "openapi-fetch"
import type { components, paths } from "./api.generated.d.ts"
import type { RetryOptions } from "./send.ts"

/** Schemas of the API, such as `Schemas["NewOrder"]`. */
export type Schemas = components["schemas"]

type Method = "get" | "post" | "put"
type PathOf<M extends Method> = ClientPathsWithMethod<OpenApiClient<paths>, M>
export type GetPath = PathOf<"get">
/** Options of a call: `params.path`, `params.query`, `body`, `headers`, `signal`, `parseAs`, `retry`. */
export type InitOf<Path extends keyof paths, M extends Method> = MaybeOptionalInit<paths[Path], M>
/** The options of one call that replace those of the client. */
interface CallOptions {
  /** Attempts and timeouts of this call; others are those of the client. */
  retry?: RetryOptions
}

type Operation<Path extends keyof paths, M extends Method> =
  paths[Path] extends Record<M, infer Op extends object> ? Op : never

/** Data of a response: JSON, or as `parseAs` says. */
export type DataOf<Path extends keyof paths, M extends Method, Init = unknown> = NonNullable<
  FetchResponse<Operation<Path, M>, Init, `${string}/${string}`>["data"]
>

/** Data in which any field may be absent. */
type DeepPartial<Data> = Data extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : Data extends object
    ? { [Key in keyof Data]?: DeepPartial<Data[Key]> }
    : Data

/** The parameter `fields` limits the data. */
type LimitedData<Data, Init> = Init extends { params: { query: { fields: string } } } ? DeepPartial<Data> : Data

/** A successful response. */
export interface ApiResponse<Data> {
  data: Data
  /** Status and headers; the body has been read. */
  response: Response
}

/** A typed call: `client.GET("/api/user/{id}", { params: { path: { id: 1 } } })`. */
export type Call<M extends Method> = <Path extends PathOf<M>, Init extends InitOf<Path, M>>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init & CallOptions] : [init: Init & CallOptions]
) => Promise<ApiResponse<LimitedData<DataOf<Path, M, Init>, Init>>>

/** Paths of lists. */
export type ListPath = {
  [Path in PathOf<"get">]: DataOf<Path, "get"> extends { records: unknown[] } ? Path : never
}[PathOf<"get">]

export type RecordOf<Path extends ListPath> = DataOf<Path, "get"> extends { records: (infer Item)[] } ? Item : never
/** The records of a list whose query may have `fields`. */
export type LimitedRecord<Path extends ListPath, Init> = Init extends { query: { fields: string } }
  ? DeepPartial<RecordOf<Path>>
  : RecordOf<Path>

type Parameters<Path extends ListPath> = Operation<Path, "get"> extends { parameters: infer P } ? P : never
type Query<Path extends ListPath> = NonNullable<Parameters<Path> extends { query?: infer Q } ? Q : never>
/** Parameters that the client sets. */
type PagingParameter = "page_size" | "page_number" | "cursor"
/** Optional if all members of T are. */
type OptionalIfEmpty<Name extends string, T> = Record<never, never> extends T ? { [K in Name]?: T } : { [K in Name]: T }

/** Query and path parameters of a list. */
export type ListInit<Path extends ListPath> = {
  /** Records per request; default and maximum 500. */
  pageSize?: number
  signal?: AbortSignal
} & OptionalIfEmpty<"query", { [K in keyof Query<Path> as K extends PagingParameter ? never : K]: Query<Path>[K] }> &
  (Parameters<Path> extends { path: infer P } ? { path: P } : { path?: never })

/** Paths that start an export. */
export type ExportPath = {
  [Path in PathOf<"post">]: `${Path}/progress/{exportId}` extends keyof paths ? Path : never
}[PathOf<"post">]

/** Filters of an export. */
export type ExportBody<Path extends ExportPath> =
  InitOf<Path, "post"> extends infer Init
    ? NonNullable<Init> extends { body?: infer Body }
      ? NonNullable<Body>
      : never
    : never

/** Progress and result of a user import. */
export type UploadProgress = Schemas["BulkUploadProgress"]
export type UploadResult = Schemas["BulkUploadAnswer"]
/** Courses, group, classes and membership of imported users. */
export type UploadTarget = Omit<Schemas["BulkUploadSpreadsheet"], "file">

/** An event of the feed and of webhooks. */
export type LecternEvent = Schemas extends { Event: infer Event }
  ? Event
  : { id: string; type: string; occurredAt: string; data: unknown }
export type EventType = LecternEvent["type"]
/** A type, or every type of an object, or all. */
export type EventPattern = EventType | (EventType extends `${infer Name}.${string}` ? `${Name}.*` : never) | "*"

/** Options of an untyped call. */
export interface RawInit {
  method?: string
  headers?: Record<string, string>
  /** FormData, text, bytes, or a value to send as JSON. */
  body?: unknown
  query?: Record<string, unknown>
  signal?: AbortSignal | undefined
  /** Attempts and timeouts of this call; others are those of the client. */
  retry?: RetryOptions | undefined
}
