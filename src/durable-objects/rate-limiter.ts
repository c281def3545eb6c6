import { DurableObject } from "cloudflare:workers"
import { countObjectRow } from "../db/meter.ts"
import type { Bindings } from "../env.ts"
import { type Count, deviceIdOf, type Grant, type KeyProof, type Session } from "../lib/caller.ts"
import { HOUR, MINUTE, now, SECOND } from "../lib/clock.ts"
import { DEVICE_LIFETIME, SESSION_LIFETIME } from "../lib/lifetimes.ts"
import { CachedKey } from "./cached-key.ts"

/** How long an attempt counts that failed, or whose end is never told. */
const ATTEMPTS_FOR = 15 * MINUTE
/** How many sessions that were ended one by one are remembered until they would have expired. */
const ENDED_SESSIONS = 500
/** How long an alarm waits at least: what has passed is forgotten in one go, not window by window. */
const FORGOTTEN_AFTER = HOUR
/** In how many steps of its limit a window is stored: an eviction forgets less than one. */
const STEPS = 10

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
  /** When it was made, epoch milliseconds: what `fail` and `giveBack` take. */
  made: number
}

/** Those of the attempts that count still. */
const counting = (attempts: number[], at: number) => attempts.filter((made) => made > at - ATTEMPTS_FOR)

/**
 * What the service remembers of one client, in one place of the world: the rate-limit window, failed attempts, and,
 * where the client is a signed-in user, the epoch of their sessions, those that were ended one by one, and the hour in
 * which each device was last used; where it is an API key, what the key grants. One thread, so every count is exact. An
 * eviction forgets at most a tenth of the limit and the attempts that are under way; all else is in storage
 * (docs/adr/0007), or in the database.
 */
export class RateLimiter extends DurableObject<Bindings> {
  private window: Window | undefined
  /** How many calls of this window storage knows of. */
  private storedCalls: number
  /** When each attempt that failed was made; in storage. */
  private failures: number[]
  /** When each attempt was made whose end is not told yet; in memory alone. */
  private underWay: number[] = []
  private session: Epoch
  private readonly key: CachedKey
  /** When each of the sessions that were ended one by one would have expired, by its id. */
  private ended: Map<string, number>
  /** The hour in which each device was last used, epoch milliseconds, by its session; in storage. */
  private used: Map<string, number>
  /** What passes is stored together with an alarm, so whoever finds it stored need not ask for the alarm. */
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
   * Counts a request. A refused one is not counted and does not move the window.
   * @param session that the request carries; undefined without one
   * @returns "revoked", and counts nothing, where that session has ended: such a call is not its user's
   */
  admit(session?: Session): Count | "revoked" {
    if (session && (session.epoch !== this.session.epoch || this.ended.has(session.id))) return "revoked"
    const count = this.count()
    if (session && deviceIdOf(session) !== undefined && count.admitted) this.noteUse(session.id)
    return count
  }

  /**
   * Counts a request that an API key makes, and notes the use.
   * @returns undefined, and counts nothing, where the key does not hold: such a call is not its holder's
   */
  async admitKey(proof: KeyProof): Promise<{ count: Count; grant: Grant } | undefined> {
    const grant = await this.key.granted(proof)
    if (!grant) return undefined
    const noted = this.key.used().catch((error: unknown) => {
      console.error(JSON.stringify({ event: "use of a key not noted", keyId: grant.keyId, error: String(error) }))
    })
    this.ctx.waitUntil(noted)
    return { count: this.count(), grant }
  }

  /** What a key grants, for whoever exchanges it; undefined where it does not hold. */
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

  /** Once an hour: a row written costs more than the request. */
  private noteUse(session: string) {
    const at = now()
    const hour = at - (at % HOUR)
    if (this.used.get(session) === hour) return
    this.used.set(session, hour)
    this.forgetUses(hour)
    this.store("used", this.used)
  }

  private forgetUses(at: number) {
    for (const [session, hour] of this.used) if (hour + DEVICE_LIFETIME <= at) this.used.delete(session)
  }

  /** When each device of this user was last used: the hour, epoch milliseconds, by its session. */
  uses(): Map<string, number> {
    return this.used
  }

  /** At each step only: a row written costs more than the request. */
  private storeWindow(window: Window, limit: number) {
    if (window.count - this.storedCalls < Math.max(1, Math.floor(limit / STEPS))) return
    this.storedCalls = window.count
    this.store("window", window)
  }

  /**
   * Takes one of `most` attempts at a secret within 15 minutes, before the secret is looked at: so that guesses made
   * at once are counted like guesses made in turn. It counts until `giveBack` or `forgiveAll` tells otherwise.
   */
  attempt(most: number): Attempt {
    const at = now()
    this.underWay = counting(this.underWay, at)
    this.failures = counting(this.failures, at)
    const made = [...this.failures, ...this.underWay].sort((a, b) => a - b)
    // The one whose end leaves room again: the oldest, unless there are more than `most`.
    const blocking = made[made.length - most]
    if (blocking !== undefined) return { wait: Math.ceil((blocking + ATTEMPTS_FOR - at) / SECOND), made: 0 }
    this.underWay.push(at)
    return { wait: 0, made: at }
  }

  /**
   * Takes one of `most` within 15 minutes that counts whatever comes of it, such as a mail that anybody may ask for.
   * @returns seconds until there is one; 0: it is taken
   */
  spend(most: number): number {
    const attempt = this.attempt(most)
    if (attempt.wait === 0) this.fail(attempt)
    return attempt.wait
  }

  /** An attempt was a failure, whether or not the object was evicted since it was made. */
  fail(attempt: Attempt): void {
    this.giveBack(attempt)
    this.failures = counting([...this.failures, attempt.made], now())
    this.store("failures", this.failures)
  }

  /** An attempt was no failure. */
  giveBack({ made }: Attempt): void {
    const index = this.underWay.indexOf(made)
    if (index >= 0) this.underWay.splice(index, 1)
  }

  /** The secret held: no attempt before it counts any more, but for one that is told to have failed after this. */
  forgiveAll(): void {
    this.underWay = []
    if (this.failures.length === 0) return
    this.failures = []
    this.delete("failures")
  }

  /** The epoch that a new session of this user carries. */
  epoch(): number {
    return this.session.epoch
  }

  /**
   * Ends every session of this user, or has the key read anew. Told twice, it acts once.
   * @returns the epoch of the sessions that begin after it
   */
  revoke(revocation: string): number {
    this.key.forget()
    if (revocation !== this.session.revocation) this.nextEpoch(revocation)
    return this.session.epoch
  }

  /** Ends one session. */
  end({ id, epoch, expiresAt }: Session): void {
    if (epoch === this.session.epoch) this.endThese([id], expiresAt)
  }

  /** Ends devices' sessions, of which no token expires later than one that is made now. */
  endDevices(sessions: string[]): void {
    this.endThese(sessions, now() + SESSION_LIFETIME)
  }

  /** Where too many ended within the life of a token to remember each, all end. */
  private endThese(sessions: string[], until: number) {
    const at = now()
    for (const [known, expiry] of this.ended) if (expiry <= at) this.ended.delete(known)
    if (this.ended.size + sessions.length > ENDED_SESSIONS) {
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

  /** Forgets what has passed, so that an address seen once leaves nothing behind. */
  override async alarm(): Promise<void> {
    const at = now()
    // What is stored is this window as it was at that count, or, at none, an earlier one.
    const windowEnd = this.window && this.storedCalls > 0 ? this.window.resetAt : 0
    if (at >= windowEnd) {
      this.storedCalls = 0
      this.delete("window")
    }
    this.failures = counting(this.failures, at)
    if (this.failures.length === 0) this.delete("failures")
    for (const [id, until] of this.ended) if (until <= at) this.ended.delete(id)
    if (this.ended.size === 0) this.delete("ended")
    this.forgetUses(at)
    if (this.used.size === 0) this.delete("used")
    const last = Math.max(
      windowEnd,
      ...this.failures.map((made) => made + ATTEMPTS_FOR),
      ...this.ended.values(),
      ...[...this.used.values()].map((hour) => hour + DEVICE_LIFETIME),
    )
    this.alarmSet = last > at
    if (this.alarmSet) await this.wakeAt(Math.max(last, at + FORGOTTEN_AFTER))
  }

  /** Stores what an alarm will forget. */
  private store(key: string, value: unknown) {
    this.put(key, value)
    if (this.alarmSet) return
    this.alarmSet = true
    this.ctx.waitUntil(this.wakeAt(now() + FORGOTTEN_AFTER))
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
