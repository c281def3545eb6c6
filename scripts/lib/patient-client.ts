// A client of a service that is killed, or that has more to do than it can: it repeats what was not answered.
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { connect } from "./client.ts"
import { fail } from "./flags.ts"
import { requestOf } from "./request.ts"

export type Json = Record<string, unknown>

export interface Answered<T = Json> {
  status: number
  body: T
  /** It had been answered before: this is the first answer again. */
  replayed: boolean
}

/** How long an answer is waited for, in ms. */
const PATIENCE = 30_000
const PAUSE = 100
/** How long a call is repeated before it counts as never answered, in ms. */
const GIVES_UP = 10 * 60_000

/** Calls the service as one user. A change is repeated under its Idempotency-Key, so that it is made once. */
export class PatientClient {
  readonly url: string
  token = ""
  userId = 0
  /** Resolves while the service runs: calls wait for it. */
  up: Promise<unknown> = Promise.resolve()
  /** Calls that were sent again, and answers that had been given before. */
  readonly repeated = { calls: 0, replays: 0 }

  constructor(url: string) {
    this.url = url
  }

  async signIn(email: string, password: string): Promise<this> {
    const { token, userId } = await connect(this.url, email, password)
    return Object.assign(this, { token, userId })
  }

  /**
   * Calls until there is an answer that is no fault of the service's or of the network's. Ends the script when there is
   * none within ten minutes.
   * @param body a FormData is sent as one
   */
  async ask<T = Json>(method: "GET" | "POST" | "PUT", path: string, body?: Json | FormData): Promise<Answered<T>> {
    const headers = method === "GET" ? {} : { "idempotency-key": randomUUID() }
    const request = requestOf(method, { token: this.token, headers, ...(body && { body }) })
    for (const began = Date.now(); Date.now() - began < GIVES_UP; await sleep(PAUSE)) {
      await this.up
      try {
        const answer = await fetch(this.url + path, { ...request, signal: AbortSignal.timeout(PATIENCE) })
        const told = (await answer.json()) as T
        const replayed = answer.headers.has("idempotency-replayed")
        if (replayed) this.repeated.replays++
        if (answer.status < 500 && answer.status !== 429) return { status: answer.status, body: told, replayed }
      } catch {
        // Cut off, or no answer in time.
      }
      this.repeated.calls++
    }
    return fail(`${method} ${path} was never answered.`)
  }

  /** What an `ask` answers. Ends the script when that is not 200. */
  async send<T = Json>(method: "GET" | "POST" | "PUT", path: string, body?: Json | FormData): Promise<T> {
    const answer = await this.ask<T>(method, path, body)
    if (answer.status !== 200) fail(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}
