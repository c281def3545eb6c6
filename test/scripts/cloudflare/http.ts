// How a call of the API is handled.
import type { IncomingHttpHeaders } from "node:http"

export interface Call {
  /** What stands in the path for each name. */
  params: string[]
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  json: () => unknown
  form: () => Promise<FormData>
  /** Where the server is. */
  origin: string
}

/** An answer that is more than its `result`. */
export interface Reply {
  result?: unknown
  info?: object
  /** The answer itself, in place of JSON. */
  content?: Buffer
}

/** @returns the answer's `result`, or a `Reply` with `info` or `content` */
export type Handler = (call: Call) => unknown
/** The method, the path, in which `:name` stands for a part and `*` for all that follows, and what answers it. */
export type Route = [method: string, path: string, handler: Handler]

/** A refusal as the API words it. */
export class Failure extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Record<string, string>
  constructor(status: number, code: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** A page of a list, by `page` and `per_page`. */
export function paged(query: URLSearchParams, all: unknown[]): Reply {
  const page = Number(query.get("page") ?? 1)
  const perPage = Number(query.get("per_page") ?? 20)
  const result = all.slice((page - 1) * perPage, page * perPage)
  const totalPages = Math.ceil(all.length / perPage)
  return {
    result,
    info: { page, per_page: perPage, count: result.length, total_count: all.length, total_pages: totalPages },
  }
}
