// Calls operations of a running service by their ids in the OpenAPI document, and records the answers.

import { type Connection, connect, PASSWORD } from "../lib/client.ts"
import { toRequest } from "../lib/request.ts"

// biome-ignore lint/suspicious/noExplicitAny: a scenario reads any member of an answer
export type Answer = any

export interface Document {
  paths: Record<string, Record<string, { operationId: string }>>
}

/** Lists in a query are sent as comma-separated lists, objects by their members. */
interface CallOptions {
  path?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: object
  /** A multipart form in place of a body. */
  form?: Record<string, string | File>
  /** The fields of a form without files, as `application/x-www-form-urlencoded`. */
  fields?: Record<string, string>
  /** Excludes the call from the recording. */
  unrecorded?: boolean
  headers?: Record<string, string>
}

/** A call of an operation, and its answer. */
export interface RecordedCall {
  operationId: string
  options: CallOptions
  status: number
  type: string
  answer: Answer
}

export type Call = (operationId: string, given?: CallOptions) => Promise<Answer>

const queryOf = (given: Record<string, unknown>) => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(given))
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      for (const [member, of] of Object.entries(value)) search.set(`${key}[${member}]`, String(of))
    else search.set(key, String(value))
  return search.size > 0 ? `?${search}` : ""
}

function formOf(fields: Record<string, string | File>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const URL_ENCODED = { "content-type": "application/x-www-form-urlencoded" }
const encoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

export class Driver {
  readonly recorded: RecordedCall[] = []
  readonly failures: string[] = []
  private readonly url: string
  private readonly overrides: Map<string, string>
  private readonly operations: Map<string, { method: string; path: string }>

  /**
   * @param url of the service, or of a proxy in front of it
   * @param overrides other URLs for some operations, by operation ID
   */
  constructor(url: string, document: Document, overrides: Map<string, string> = new Map()) {
    this.url = url
    this.overrides = overrides
    this.operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [operationId, { method, path }] as const),
      ),
    )
  }

  /** The operations that were not called. */
  get missing(): string[] {
    const called = new Set(this.recorded.map(({ operationId }) => operationId))
    return [...this.operations.keys()].filter((id) => !called.has(id))
  }

  /** Signs in. @returns a function that calls as this user, and the user's id */
  async as(email: string, password = PASSWORD): Promise<{ id: number; call: Call }> {
    const { userId, ...connection } = await connect(this.url, email, password)
    return { id: userId, call: this.callOf(connection) }
  }

  /** Calls without a session. */
  stranger = (): Call => this.callOf({ url: this.url, token: "" })

  private callOf =
    ({ token }: Connection): Call =>
    async (operationId, given = {}) => {
      const operation = this.operations.get(operationId)
      if (!operation) throw new Error(`There is no operation ${operationId}.`)
      const { method, path } = operation
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.path?.[name] ?? ""))
      const body = given.form ? formOf(given.form) : (given.body ?? (given.fields && encoded(given.fields)))
      const request = toRequest(method.toUpperCase(), {
        token,
        headers: { ...(given.fields && URL_ENCODED), ...given.headers },
        ...(body !== undefined && { body }),
      })
      const answer = await fetch(
        `${this.overrides.get(operationId) ?? this.url}${target}${queryOf(given.query ?? {})}`,
        request,
      )
      const type = answer.headers.get("content-type")?.split(";")[0] ?? ""
      const bytes = Buffer.from(await answer.arrayBuffer())
      const recorded = /json/.test(type) ? JSON.parse(bytes.toString() || "null") : bytes
      if (!answer.ok) {
        const why = `${operationId}: ${method} ${target} answered ${answer.status} ${bytes.toString().slice(0, 600)}`
        this.failures.push(why)
        return {}
      }
      if (!given.unrecorded)
        this.recorded.push({ operationId, options: given, status: answer.status, type, answer: recorded })
      return recorded
    }
}
