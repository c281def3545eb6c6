import { DurableObject } from "cloudflare:workers"
import { countObjectRow } from "../db/meter.ts"
import type { Bindings } from "../env.ts"
import { type Count, deviceIdOf, type Grant, type KeyProof, type Session } from "../lib/caller.ts"
import { HOUR, MINUTE, now, SECOND } from "../lib/clock.ts"
import { DEVICE_LIFETIME, SESSION_LIFETIME } from "../lib/lifetimes.ts"
import { CachedKey } from "./cached-key.ts"

/** How long an attempt counts that failed or was never settled. */
const ATTEMPT_WINDOW_MS = 15 * MINUTE
/** How many individually ended sessions are stored until they would have expired. */
const MAX_ENDED_SESSIONS = 500
/** The minimum delay of an alarm: expired data is deleted in one go. */
const MIN_ALARM_DELAY_MS = HOUR
/** A window is stored this many times per limit: an eviction loses at most one step. */
const STEPS = 10

interface Window {
  /** Epoch milliseconds. The window starts with its first request. */
  resetAt: number
  count: number
}

interface Epoch {
  epoch: number
  /** The last revocation applied: repeating it ends no newer session. */
  revocation: string
}

/** An attempt to enter a secret. */
interface Attempt {
  /** Seconds until the attempt is allowed; 0: it is allowed now. */
  wait: number
  /** When the attempt started, epoch milliseconds: the argument of `fail` and `giveBack`. */
  made: number
}

/** The attempts that still count. */
const recentAttempts = (attempts: number[], at: number) => attempts.filter((made) => made > at - ATTEMPT_WINDOW_MS)

/**
 * The state of one client: the rate-limit window and failed attempts; for a user also the session epoch, the
 * individually ended sessions and the hour of each device's last use; for an API key what it grants. It is
 * single-threaded, so every count is exact. An eviction loses at most a tenth of the limit and the attempts in
 * progress; everything else is in storage (docs/adr/0007) or in the database.
 */
export class RateLimiter extends DurableObject<Bindings> {
  private window: Window | undefined
  /** The count of this window in storage. */
  private storedCalls: number
  /** When each failed attempt started; in storage. */
  private failures: number[]
  /** When each attempt in progress started; in memory only. */
  private underWay: number[] = []
  private session: Epoch
  private readonly key: CachedKey
  /** The individually ended sessions and when each would have expired. */
  private ended: Map<string, number>
  /** The hour of each device's last use in epoch milliseconds, by session; in storage. */
  private used: Map<string, number>
  /** Data that expires is always stored together with an alarm, so stored data means that an alarm is set. */
  private alarmSet: boolean

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env)
    this.key = new CachedKey(env)
    const { kv } = ctx.storage
    this.window = kv.get<Window>("window")
    this.storedCalls = this.window?.count ?? 0
    this.failures = kv.get<number[]>("failures") ?? []
    this.session = kv.get<Epoch>("session") ?? { epoch: 0, revocation: "" }
    this.ended = kv.get<Map<string, number>>("ended") ?? new Map()
    this.used = kv.get<Map<string, number>>("used") ?? new Map()
    this.alarmSet = this.window !== undefined || this.failures.length > 0 || this.ended.size > 0 || this.used.size > 0
  }

  /**
   * Counts a request. A request over the limit does not count.
   * @param session of the request; undefined without one
   * @returns "revoked", without counting, if the session was ended
   */
  admit(session?: Session): Count | "revoked" {
    if (session && (session.epoch !== this.session.epoch || this.ended.has(session.id))) return "revoked"
    const count = this.count()
    if (session && deviceIdOf(session) !== undefined && count.admitted) this.recordUse(session.id)
    return count
  }

  /**
   * Counts a request with an API key and records its use.
   * @returns undefined, without counting, if the key is invalid
   */
  async admitKey(proof: KeyProof): Promise<{ count: Count; grant: Grant } | undefined> {
    const grant = await this.key.granted(proof)
    if (!grant) return undefined
    const recorded = this.key.used().catch((error: unknown) => {
      console.error(JSON.stringify({ event: "key use not recorded", keyId: grant.keyId, error: String(error) }))
    })
    this.ctx.waitUntil(recorded)
    return { count: this.count(), grant }
  }

  /** What a key grants; undefined if it is invalid. */
  granted(proof: KeyProof): Promise<Grant | undefined> {
    return this.key.granted(proof)
  }

  private count(): Count {
    const limit = Number(this.env.RATE_LIMIT)
    const at = now()
    if (!this.window || at >= this.window.resetAt) {
      this.window = { resetAt: at + Number(this.env.RATE_WINDOW_SECONDS) * SECOND, count: 0 }
      this.storedCalls = 0
    }
    const admitted = this.window.count < limit
    if (admitted) {
      this.window.count++
      this.storeWindow(this.window, limit)
    }
    return { admitted, limit, remaining: limit - this.window.count, resetAt: this.window.resetAt }
  }

  /** At most once an hour: a row written costs more than the request. */
  private recordUse(session: string) {
    const at = now()
    const hour = at - (at % HOUR)
    if (this.used.get(session) === hour) return
    this.used.set(session, hour)
    this.deleteOldUses(hour)
    this.store("used", this.used)
  }

  private deleteOldUses(at: number) {
    for (const [session, hour] of this.used) if (hour + DEVICE_LIFETIME <= at) this.used.delete(session)
  }

  /** The hour of each device's last use in epoch milliseconds, by session. */
  uses(): Map<string, number> {
    return this.used
  }

  /** Only once per step: a row written costs more than the request. */
  private storeWindow(window: Window, limit: number) {
    if (window.count - this.storedCalls < Math.max(1, Math.floor(limit / STEPS))) return
    this.storedCalls = window.count
    this.store("window", window)
  }

  /**
   * Takes one of `limit` attempts in 15 minutes, before the secret is checked, so that parallel guesses count like
   * sequential ones. The attempt counts until `giveBack` or `forgiveAll` settles it.
   */
  attempt(limit: number): Attempt {
    const at = now()
    this.underWay = recentAttempts(this.underWay, at)
    this.failures = recentAttempts(this.failures, at)
    const attempts = [...this.failures, ...this.underWay].sort((a, b) => a - b)
    // Another attempt is allowed when this one expires.
    const blocking = attempts[attempts.length - limit]
    if (blocking !== undefined) return { wait: Math.ceil((blocking + ATTEMPT_WINDOW_MS - at) / SECOND), made: 0 }
    this.underWay.push(at)
    return { wait: 0, made: at }
  }

  /**
   * Takes one of `limit` calls in 15 minutes. The call counts regardless of its result.
   * @returns seconds until a call is allowed; 0: it is taken
   */
  spend(limit: number): number {
    const attempt = this.attempt(limit)
    if (attempt.wait === 0) this.fail(attempt)
    return attempt.wait
  }

  /** Records that an attempt failed, even if the object was evicted since it started. */
  fail(attempt: Attempt): void {
    this.giveBack(attempt)
    this.failures = recentAttempts([...this.failures, attempt.made], now())
    this.store("failures", this.failures)
  }

  /** Records that an attempt did not fail. */
  giveBack({ made }: Attempt): void {
    const index = this.underWay.indexOf(made)
    if (index >= 0) this.underWay.splice(index, 1)
  }

  /** The secret was correct: resets the failures, except those reported later. */
  forgiveAll(): void {
    this.underWay = []
    if (this.failures.length === 0) return
    this.failures = []
    this.delete("failures")
  }

  /** The epoch for a new session of this user. */
  epoch(): number {
    return this.session.epoch
  }

  /**
   * Ends every session of this user, or makes the key be read again. Repeating a revocation has no effect.
   * @returns the epoch for new sessions
   */
  revoke(revocation: string): number {
    this.key.forget()
    if (revocation !== this.session.revocation) this.nextEpoch(revocation)
    return this.session.epoch
  }

  /** Ends one session. */
  end({ id, epoch, expiresAt }: Session): void {
    if (epoch === this.session.epoch) this.endSessions([id], expiresAt)
  }

  /** Ends the sessions of devices. No token of theirs expires later than one issued now. */
  endDevices(sessions: string[]): void {
    this.endSessions(sessions, now() + SESSION_LIFETIME)
  }

  /** Ends the given sessions; all sessions of the user if there are too many to store. */
  private endSessions(sessions: string[], until: number) {
    const at = now()
    for (const [id, expiry] of this.ended) if (expiry <= at) this.ended.delete(id)
    if (this.ended.size + sessions.length > MAX_ENDED_SESSIONS) {
      this.nextEpoch(this.session.revocation)
      return
    }
    for (const session of sessions) this.ended.set(session, until)
    this.store("ended", this.ended)
  }

  private nextEpoch(revocation: string) {
    this.session = { epoch: this.session.epoch + 1, revocation }
    this.put("session", this.session)
    if (this.ended.size === 0) return
    this.ended.clear()
    this.delete("ended")
  }

  /** Deletes expired data, so that a client seen once leaves nothing behind. */
  override async alarm(): Promise<void> {
    const at = now()
    // Storage has this window as of that count; at 0 it has an earlier window or none.
    const windowEnd = this.window && this.storedCalls > 0 ? this.window.resetAt : 0
    if (at >= windowEnd) {
      this.storedCalls = 0
      this.delete("window")
    }
    this.failures = recentAttempts(this.failures, at)
    if (this.failures.length === 0) this.delete("failures")
    for (const [id, until] of this.ended) if (until <= at) this.ended.delete(id)
    if (this.ended.size === 0) this.delete("ended")
    this.deleteOldUses(at)
    if (this.used.size === 0) this.delete("used")
    const last = Math.max(
      windowEnd,
      ...this.failures.map((made) => made + ATTEMPT_WINDOW_MS),
      ...this.ended.values(),
      ...[...this.used.values()].map((hour) => hour + DEVICE_LIFETIME),
    )
    this.alarmSet = last > at
    if (this.alarmSet) await this.setAlarm(Math.max(last, at + MIN_ALARM_DELAY_MS))
  }

  /** Stores data that expires, and sets the alarm that deletes it. */
  private store(key: string, value: unknown) {
    this.put(key, value)
    if (this.alarmSet) return
    this.alarmSet = true
    this.ctx.waitUntil(this.setAlarm(now() + MIN_ALARM_DELAY_MS))
  }

  private setAlarm(at: number): Promise<void> {
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
