import { DurableObject } from "cloudflare:workers"
import type { Bindings } from "../env.ts"
import { MINUTE, now, SECOND } from "../lib/clock.ts"
import type { Admission } from "./access.ts"

/** Failed attempts that are remembered, and for how long. */
const ATTEMPTS = 10
const ATTEMPTS_FOR = 15 * MINUTE

interface Window {
  /** Epoch milliseconds; the window begins with its first request. */
  resetAt: number
  count: number
}

interface Epoch {
  epoch: number
  /** The last revocation carried out: the same one told twice ends no newer session. */
  revocation: string
}

/**
 * What the service remembers of one client, in one place of the world: the rate-limit window, failed attempts, and,
 * where the client is a signed-in user, the epoch of its sessions. One thread, so every count is exact; everything is
 * in storage, so it survives eviction.
 */
export class Client extends DurableObject<Bindings> {
  private window: Window | undefined
  private attempts: number[]
  private session: Epoch

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env)
    const { kv } = ctx.storage
    this.window = kv.get<Window>("window")
    this.attempts = kv.get<number[]>("attempts") ?? []
    this.session = kv.get<Epoch>("session") ?? { epoch: 0, revocation: "" }
  }

  /**
   * Counts a request. A refused one is not counted and does not move the window.
   * @param epoch of the session that the request carries; null without one
   */
  admit(epoch: number | null): Admission {
    const limit = Number(this.env.RATE_LIMIT)
    const at = now()
    if (!this.window || at >= this.window.resetAt) {
      this.window = { resetAt: at + Number(this.env.RATE_WINDOW_SECONDS) * SECOND, count: 0 }
      this.forgetLater(this.window.resetAt)
    }
    const admitted = this.window.count < limit
    if (admitted) {
      this.window.count++
      this.ctx.storage.kv.put("window", this.window)
    }
    return {
      admitted,
      limit,
      remaining: limit - this.window.count,
      resetAt: this.window.resetAt,
      revoked: epoch !== null && epoch !== this.session.epoch,
    }
  }

  /**
   * Takes one of the ten attempts at a secret within 15 minutes, before the secret is looked at: so that guesses made
   * at once are counted like guesses made in turn.
   * @returns 0, or the seconds until the next attempt may be made
   */
  attempt(): number {
    const at = now()
    this.attempts = this.attempts.filter((made) => made > at - ATTEMPTS_FOR)
    const [oldest] = this.attempts
    if (oldest !== undefined && this.attempts.length >= ATTEMPTS)
      return Math.ceil((oldest + ATTEMPTS_FOR - at) / SECOND)
    this.attempts.push(at)
    this.ctx.storage.kv.put("attempts", this.attempts)
    this.forgetLater(at + ATTEMPTS_FOR)
    return 0
  }

  /** The last attempt was no failure. @param all forgets the earlier failures too */
  succeeded(all: boolean): void {
    if (all) this.attempts = []
    else this.attempts.pop()
    this.ctx.storage.kv.put("attempts", this.attempts)
  }

  /** The epoch that a new session of this user carries. */
  epoch(): number {
    return this.session.epoch
  }

  /** Ends every session of this user. Told twice, it acts once. */
  revoke(revocation: string): void {
    if (revocation === this.session.revocation) return
    this.session = { epoch: this.session.epoch + 1, revocation }
    this.ctx.storage.kv.put("session", this.session)
  }

  /** Forgets what has passed, so that an address seen once leaves nothing behind. */
  override async alarm(): Promise<void> {
    const at = now()
    const { kv } = this.ctx.storage
    if (this.window && at >= this.window.resetAt) {
      this.window = undefined
      kv.delete("window")
    }
    this.attempts = this.attempts.filter((made) => made > at - ATTEMPTS_FOR)
    const last = this.attempts.at(-1)
    if (last === undefined) kv.delete("attempts")
    const next = Math.max(this.window?.resetAt ?? 0, last ? last + ATTEMPTS_FOR : 0)
    if (next > 0) await this.ctx.storage.setAlarm(next)
  }

  private forgetLater(at: number) {
    this.ctx.waitUntil(
      this.ctx.storage.getAlarm().then((set) => (set === null ? this.ctx.storage.setAlarm(at + SECOND) : undefined)),
    )
  }
}
