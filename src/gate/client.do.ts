import { DurableObject } from "cloudflare:workers"
import type { Bindings } from "../bindings.ts"
import type { Count, Session } from "../lib/access.ts"
import { HOUR, MINUTE, now, SECOND } from "../lib/clock.ts"
import { countObjectRow } from "../lib/sql/meter.ts"

/** How long a failed attempt counts. */
const ATTEMPTS_FOR = 15 * MINUTE
/** How many sessions that were ended one by one are remembered until they would have expired. */
const ENDED_SESSIONS = 500
/** How long an alarm waits at least: what has passed is forgotten in one go, not window by window. */
const FORGOTTEN_AFTER = HOUR

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

/** One try at a secret. */
interface Attempt {
  /** Seconds until it may be made; 0: it is made. */
  wait: number
  /** When it was made, epoch milliseconds: what `forgive` takes. */
  made: number
}

/**
 * What the service remembers of one client, in one place of the world: the rate-limit window, failed attempts, and,
 * where the client is a signed-in user, the epoch of their sessions and those that they ended one by one. One thread,
 * so every count is exact; everything is in storage, the window but for its last second, so it survives eviction.
 */
export class Client extends DurableObject<Bindings> {
  private window: Window | undefined
  /** When the window was last written, epoch milliseconds. */
  private writtenAt = 0
  private attempts: number[]
  private session: Epoch
  /** When each of the sessions that were ended one by one would have expired, by its id. */
  private ended: Map<string, number>

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env)
    const { kv } = ctx.storage
    this.window = kv.get<Window>("window")
    this.attempts = kv.get<number[]>("attempts") ?? []
    this.session = kv.get<Epoch>("session") ?? { epoch: 0, revocation: "" }
    this.ended = kv.get<Map<string, number>>("ended") ?? new Map()
  }

  /**
   * Counts a request. A refused one is not counted and does not move the window.
   * @param session that the request carries; undefined without one
   * @returns "revoked", and counts nothing, where that session has ended: such a call is not its user's
   */
  admit(session?: Session): Count | "revoked" {
    if (session && (session.epoch !== this.session.epoch || this.ended.has(session.id))) return "revoked"
    const limit = Number(this.env.RATE_LIMIT)
    const at = now()
    if (!this.window || at >= this.window.resetAt) {
      this.window = { resetAt: at + Number(this.env.RATE_WINDOW_SECONDS) * SECOND, count: 0 }
      this.forgetLater()
    }
    const admitted = this.window.count < limit
    if (admitted) {
      this.window.count++
      this.writeWindow(at)
    }
    return { admitted, limit, remaining: limit - this.window.count, resetAt: this.window.resetAt }
  }

  /** At most once a second: a row written costs more than the request (docs/decisions/0187). */
  private writeWindow(at: number) {
    if (at - this.writtenAt < SECOND) return
    this.writtenAt = at
    this.put("window", this.window)
  }

  /**
   * Takes one of `most` attempts at a secret within 15 minutes, before the secret is looked at: so that guesses made
   * at once are counted like guesses made in turn.
   */
  attempt(most: number): Attempt {
    const at = now()
    this.attempts = this.attempts.filter((made) => made > at - ATTEMPTS_FOR)
    // The one whose end leaves room again: the oldest, unless the limit was lowered.
    const blocking = this.attempts[this.attempts.length - most]
    if (blocking !== undefined) return { wait: Math.ceil((blocking + ATTEMPTS_FOR - at) / SECOND), made: 0 }
    this.attempts.push(at)
    this.put("attempts", this.attempts)
    this.forgetLater()
    return { wait: 0, made: at }
  }

  /** An attempt was no failure. */
  giveBack({ made }: Attempt): void {
    const index = this.attempts.lastIndexOf(made)
    if (index < 0) return
    this.attempts.splice(index, 1)
    this.put("attempts", this.attempts)
  }

  /** The secret held: no failure before it counts any more. */
  forgiveAll(): void {
    this.attempts = []
    this.delete("attempts")
  }

  /** The epoch that a new session of this user carries. */
  epoch(): number {
    return this.session.epoch
  }

  /** Ends every session of this user. Told twice, it acts once. */
  revoke(revocation: string): void {
    if (revocation === this.session.revocation) return
    this.nextEpoch(revocation)
  }

  /** Ends one session. Where too many ended within the life of a token to remember each, all end. */
  end({ id, epoch, expiresAt }: Session): void {
    if (epoch !== this.session.epoch) return
    const at = now()
    for (const [known, until] of this.ended) if (until <= at) this.ended.delete(known)
    if (this.ended.size >= ENDED_SESSIONS) {
      this.nextEpoch(this.session.revocation)
      return
    }
    this.ended.set(id, expiresAt)
    this.put("ended", this.ended)
    this.forgetLater()
  }

  private nextEpoch(revocation: string) {
    this.session = { epoch: this.session.epoch + 1, revocation }
    this.put("session", this.session)
    if (this.ended.size === 0) return
    this.ended.clear()
    this.delete("ended")
  }

  /** Forgets what has passed, so that an address seen once leaves nothing behind. */
  override async alarm(): Promise<void> {
    const at = now()
    if (this.window && at >= this.window.resetAt) {
      this.window = undefined
      this.delete("window")
    }
    this.attempts = this.attempts.filter((made) => made > at - ATTEMPTS_FOR)
    const lastAttempt = this.attempts.at(-1)
    if (lastAttempt === undefined) this.delete("attempts")
    for (const [id, until] of this.ended) if (until <= at) this.ended.delete(id)
    if (this.ended.size === 0) this.delete("ended")
    const last = Math.max(
      this.window?.resetAt ?? 0,
      lastAttempt === undefined ? 0 : lastAttempt + ATTEMPTS_FOR,
      ...this.ended.values(),
    )
    if (last > 0) await this.wakeAt(Math.max(last, at + FORGOTTEN_AFTER))
  }

  private forgetLater() {
    this.ctx.waitUntil(
      this.ctx.storage.getAlarm().then((set) => (set === null ? this.wakeAt(now() + FORGOTTEN_AFTER) : undefined)),
    )
  }

  private wakeAt(at: number): Promise<void> {
    countObjectRow(this.env, this.ctx.id)
    return this.ctx.storage.setAlarm(at)
  }

  private put(key: string, value: unknown) {
    countObjectRow(this.env, this.ctx.id)
    this.ctx.storage.kv.put(key, value)
  }

  private delete(key: string) {
    if (this.ctx.storage.kv.delete(key)) countObjectRow(this.env, this.ctx.id)
  }
}
