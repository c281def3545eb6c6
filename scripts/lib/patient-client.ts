// A client of a service that is killed or overloaded: it repeats calls that were not answered.
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { toRequest } from "./request.ts"

export type Json = Record<string, unknown>

export interface Reply<T = Json> {
  status: number
  body: T
  /** Whether this is the answer to an earlier call with the same Idempotency-Key. */
  replayed: boolean
}

interface SignedIn {
  token: string
  user: { id: number }
}

const SIGN_IN = "/login"
const TIMEOUT_MS = 30_000
const PAUSE_MS = 100
const GIVE_UP_AFTER_MS = 10 * 60_000

/** Calls the service as one user. A change is repeated under its Idempotency-Key, so that it is made once. */
export class RetryingClient {
  readonly url: string
  token = ""
  userId = 0
  /** Resolves while the service runs: calls wait for it. */
  up: Promise<unknown> = Promise.resolve()
  /** The number of repeated calls and of replayed answers. */
  readonly repeated = { calls: 0, replays: 0 }

  constructor(url: string) {
    this.url = url
  }

  async signIn(email: string, password: string): Promise<this> {
    const { token, user } = await this.send<SignedIn>("POST", SIGN_IN, { email, password })
    return Object.assign(this, { token, userId: user.id })
  }

  /**
   * Repeats a call while it returns a server error or 429.
   * @throws after ten minutes
   */
  async request<T = Json>(method: "GET" | "POST" | "PUT", path: string, body?: Json | FormData): Promise<Reply<T>> {
    const headers = method === "GET" || path === SIGN_IN ? {} : { "idempotency-key": randomUUID() }
    const request = toRequest(method, { token: this.token, headers, ...(body && { body }) })
    for (const began = Date.now(); Date.now() - began < GIVE_UP_AFTER_MS; await sleep(PAUSE_MS)) {
      await this.up
      try {
        const answer = await fetch(this.url + path, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) })
        const parsed = (await answer.json()) as T
        const replayed = answer.headers.has("idempotency-replayed")
        if (replayed) this.repeated.replays++
        if (answer.status < 500 && answer.status !== 429) return { status: answer.status, body: parsed, replayed }
      } catch {
        // Cut off, or no answer in time.
      }
      this.repeated.calls++
    }
    throw new Error(`${method} ${path} was never answered.`)
  }

  /** The body of an answer. @throws when its status is not 200 */
  async send<T = Json>(method: "GET" | "POST" | "PUT", path: string, body?: Json | FormData): Promise<T> {
    const answer = await this.request<T>(method, path, body)
    if (answer.status !== 200)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}
