import { waitUntil } from "cloudflare:workers"
import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm"
import { devices } from "../../drizzle/schema/devices.ts"
import { sessionRevocations } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Database } from "../db/client.ts"
import { insertFrom } from "../db/insert-from.ts"
import { runInSlices } from "../db/slices.ts"
import { idList, inFirstIds, rowExists, rowList } from "../db/sql.ts"
import { firstOfBatch, type Statement, type UnitOfWork } from "../db/unit-of-work.ts"
import type { RateLimiter } from "../durable-objects/rate-limiter.ts"
import type { Bindings } from "../env.ts"
import { deviceSession, type Grant, type KeyProof, type Session } from "../lib/caller.ts"
import { DAY, HOUR, now } from "../lib/clock.ts"
import { hashed } from "../lib/crypto/crypto.ts"
import { tooMany, unavailable } from "../lib/errors.ts"
import { SESSION_LIFETIME } from "../lib/lifetimes.ts"

/** The Durable Object of a client, by its name: `user:7`, `ip:203.0.113.9`. Each jurisdiction has its own. */
export function clientOf(env: Bindings, name: string) {
  const clients = env.JURISDICTION
    ? env.CLIENTS.jurisdiction(env.JURISDICTION as DurableObjectJurisdiction)
    : env.CLIENTS
  return clients.get(clients.idFromName(name)) as DurableObjectStub<RateLimiter>
}

export const userClient = (userId: number) => `user:${userId}`
export const keyClient = (keyId: number) => `key:${keyId}`
/** The client of a user or of a key, by the id that a `Caller` has. */
export const actorClient = (id: number) => (id < 0 ? keyClient(-id) : userClient(id))
/** Where failures for an account are counted, whether or not there is such an account. No secret ends the count. */
export const accountClient = (email: string) => `account:${hashed(email.toLowerCase())}`

/** One address for every IPv6 network of a customer (/64), the address itself for IPv4. */
export function addressClient(address: string | undefined): string {
  if (!address) return "ip:unknown"
  if (!address.includes(":")) return `ip:${address}`
  const [head = "", tail] = address.toLowerCase().split("::")
  const left = head ? head.split(":") : []
  const right = tail ? tail.split(":") : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right]
  return `ip:${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":")}::/64`
}

/** What a Durable Object answers. @throws 503 when it is out of reach: what depends on it does not go on without it */
async function reached<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch {
    throw unavailable(`${what} is not possible right now. Try again in a few seconds.`)
  }
}

/** How many failures within 15 minutes close the door: of one account, and from one network address. */
const OF_ACCOUNT = 10
const OF_ADDRESS = 100

/**
 * What came of an attempt at a secret.
 * - `held`: the account's failures before it are forgotten.
 * - `wrong`: a failure of the account and of the address.
 * - `wrong code`: one of the account alone, for whoever guesses codes knows the password.
 * - `undecided`: no failure of anybody, such as a step on the way.
 */
export type AttemptResult = "held" | "wrong" | "wrong code" | "undecided"

/** What each verdict means for the attempt of the account, and for that of the address. */
const ENDS = {
  held: ["forgiveAll", "giveBack"],
  wrong: ["fail", "fail"],
  "wrong code": ["fail", "giveBack"],
  undecided: ["giveBack", "giveBack"],
} as const satisfies Record<AttemptResult, [End, End]>
type End = "fail" | "giveBack" | "forgiveAll"

/** Takes one of a client's attempts; `wait` tells for how many seconds it has none. */
async function take(env: Bindings, client: string, most: number) {
  const taken = await clientOf(env, client).attempt(most)
  return {
    wait: taken.wait,
    end: async (end: End) => {
      if (taken.wait > 0) return
      try {
        await clientOf(env, client)[end](taken)
      } catch (error) {
        // It counts as a failure then, as long as the object lives: nobody is let in by that.
        console.error(JSON.stringify({ event: "attempt not ended", error: String(error) }))
      }
    },
  }
}

/**
 * Runs `check` as one of ten attempts in 15 minutes of an account, and of a hundred of a network address. An error that
 * it throws is no verdict on the secret.
 * @param account the client that stands for whose secret it is; left out for a secret that nobody can guess
 * @param address where the call comes from; left out where the caller is signed in
 * @throws 429 with Retry-After when one has no attempt left, 503 when that cannot be told
 */
export async function limitAttempts<T>(
  env: Bindings,
  { account, address }: { account?: string; address?: string },
  check: () => Promise<{ verdict: AttemptResult; result: T }>,
): Promise<T> {
  const [ofAccount, ofAddress] = await reached("Signing in", () =>
    Promise.all([
      account === undefined ? undefined : take(env, account, OF_ACCOUNT),
      address === undefined ? undefined : take(env, address, OF_ADDRESS),
    ]),
  )
  const end = (verdict: AttemptResult) => {
    const [forAccount, forAddress] = ENDS[verdict]
    return Promise.all([ofAccount?.end(forAccount), ofAddress?.end(forAddress)])
  }
  const wait = Math.max(ofAccount?.wait ?? 0, ofAddress?.wait ?? 0)
  if (wait > 0) {
    await end("undecided")
    throw tooMany("too_many_attempts", "Too many failed attempts. Try again later.", wait)
  }
  const { verdict, result } = await check().catch(async (error: unknown) => {
    await end("undecided")
    throw error
  })
  await end(verdict)
  return result
}

/**
 * Takes one of the calls within 15 minutes that a network address has, then one of those that an account has, whether
 * or not there is such an account: what anybody may ask for in somebody's name.
 * @param what stands before the clients' names, so that these calls are counted apart from all others
 * @throws 429 with Retry-After when either has none left, 503 when that cannot be told
 */
export async function spendCalls(
  env: Bindings,
  what: string,
  { account, address }: { account: string; address: string },
  most: { ofAccount: number; ofAddress: number },
): Promise<void> {
  for (const [client, calls] of [
    [address, most.ofAddress],
    [account, most.ofAccount],
  ] as const) {
    const wait = await reached("This", () => clientOf(env, `${what}:${client}`).spend(calls))
    if (wait > 0) throw tooMany("too_many_attempts", "Too many calls of this kind. Try again later.", wait)
  }
}

/** What a key grants; undefined where the proof does not hold. @throws 503 when it cannot be told */
export const grantOf = (env: Bindings, proof: KeyProof): Promise<Grant | undefined> =>
  reached("Checking a key", () => clientOf(env, keyClient(proof.keyId)).granted(proof))

/** What goes into the batch of a change that ends something at once, and what ends it then. */
interface Ending {
  statements: Statement[]
  /** The condition that they have landed, where there are any. */
  landed: () => SQL
  /** Never throws: should the Worker die in between, or a Durable Object be out of reach, the cron tells again. */
  tell: () => Promise<void>
}

/** Longer than any token lasts, clocks that differ included. */
const MAY_BE_OPEN_FOR = SESSION_LIFETIME + HOUR

/**
 * The condition that somebody may have a session open: they signed in, or a device of theirs was refreshed, lately. Of
 * all others the Durable Object has nothing to end. A key is a negative id, and is always told of.
 */
const mayBeOpen = (actorId: SQL) => sql`(
  ${actorId} < 0
  or exists (
    select 1 from ${users}
    where ${users.id} = ${actorId} and ${users.lastLoginAt} > ${now() - MAY_BE_OPEN_FOR}
  )
  or exists (
    select 1 from ${devices}
    where ${devices.userId} = ${actorId} and ${devices.refreshedAt} > ${now() - MAY_BE_OPEN_FOR}
  )
)`

/** Writes down that sessions or keys end. @param actorIds as a `Caller` has them */
function revoke(work: UnitOfWork, actorIds: number[], revocation: string) {
  const { userId, pending } = sessionRevocations
  return insertFrom(
    work.db,
    sessionRevocations,
    { userId: sql`value`, revocation, pending: mayBeOpen(sql`value`), createdAt: now() },
    sql`from json_each(${JSON.stringify(actorIds)}) where true`,
  )
    .onConflictDoUpdate({
      target: userId,
      set: {
        revocation: sql`excluded.revocation`,
        pending: sql`${pending} or excluded.pending`,
        createdAt: sql`excluded.created_at`,
      },
    })
    .returning({ userId, pending })
}

const deleteDevices = ({ db }: UnitOfWork, userIds: number[]) =>
  db.delete(devices).where(sql`${devices.userId} in ${idList(userIds)}`)

/** @param actorIds as a `Caller` has them */
function ending(work: UnitOfWork, actorIds: number[]): Ending {
  if (actorIds.length === 0) return { statements: [], landed: () => sql`true`, tell: async () => {} }
  const { userId, revocation: last, pending } = sessionRevocations
  const revocation = crypto.randomUUID()
  let open: number[] | undefined
  const statement = revoke(work, actorIds, revocation)
  const readOpen = async () => {
    const mine = and(sql`${userId} in ${idList(actorIds)}`, eq(last, revocation), sql`${pending}`)
    const [rows] = await work.db.batch([work.db.select({ userId }).from(sessionRevocations).where(mine)])
    return rows.map((row) => row.userId)
  }
  return {
    statements: [
      firstOfBatch(statement, (rows) => {
        open = rows.filter((row) => row.pending).map((row) => row.userId)
      }),
    ],
    landed: () => rowExists(sessionRevocations, and(eq(userId, actorIds[0] ?? 0), eq(last, revocation))),
    tell: async () => {
      try {
        await tellSoon(work.env, revocationsOf(open ?? (await readOpen()), revocation))
      } catch (error) {
        console.error(JSON.stringify({ event: "sessions not ended yet", error: String(error) }))
      }
    },
  }
}

const revocationsOf = (userIds: number[], revocation: string) => userIds.map((userId) => ({ userId, revocation }))

/** Has the Durable Objects of keys read anew what they grant. */
export const endKeys = (work: UnitOfWork, keyIds: number[]): Ending =>
  ending(
    work,
    keyIds.map((id) => -id),
  )

/** Ends the sessions of users, devices included. */
export function endSessions(work: UnitOfWork, userIds: number[]): Ending {
  const { statements, ...rest } = ending(work, userIds)
  if (userIds.length === 0) return { statements, ...rest }
  return { statements: [...statements, deleteDevices(work, userIds)], ...rest }
}

/** Ends the sessions of a user who is signing in at this moment: all but the one that this sign-in opens. */
export function endOtherSessions(work: UnitOfWork, userId: number) {
  const revocation = crypto.randomUUID()
  // Where it stands in the batch: after the guard that no other revocation came since.
  const statements = [revoke(work, [userId], revocation), deleteDevices(work, [userId])]
  return {
    statements,
    /** Ends them, after the batch. @returns the epoch of the new session. @throws 503 when it cannot be told */
    epoch: () => reached("Signing in", async () => clientOf(work.env, userClient(userId)).revoke(revocation)),
  }
}

interface Revocation {
  userId: number
  revocation: string
}

/** How many Durable Objects are told at once. */
const TOLD_AT_ONCE = 100
/** How long a call waits for the objects that it tells. */
const MAX_TELLING_MS = 500
/** How many objects one call tells, of the 10,000 subrequests that it has: the cron tells the others. */
const MAX_TOLD_BY_CALL = 2000

/** Tells Durable Objects of revocations. @returns those that have heard of it */
async function tellOf(env: Bindings, revocations: Revocation[]): Promise<Revocation[]> {
  const told = await Promise.allSettled(
    revocations.map(async ({ userId, revocation }) => clientOf(env, actorClient(userId)).revoke(revocation)),
  )
  for (const outcome of told)
    if (outcome.status === "rejected")
      console.error(JSON.stringify({ event: "sessions not ended yet", error: String(outcome.reason) }))
  return revocations.filter((_, at) => told[at]?.status === "fulfilled")
}

/** Tells as many as a call may, and waits for those that the time allows. */
async function tellSoon(env: Bindings, all: Revocation[]): Promise<void> {
  const revocations = all.slice(0, MAX_TOLD_BY_CALL)
  const until = now() + MAX_TELLING_MS
  for (let start = 0; start < revocations.length; start += TOLD_AT_ONCE) {
    if (start > 0 && now() > until) return waitUntil(tellAll(env, revocations.slice(start)))
    await tellOf(env, revocations.slice(start, start + TOLD_AT_ONCE))
  }
}

async function tellAll(env: Bindings, revocations: Revocation[]): Promise<void> {
  for (let start = 0; start < revocations.length; start += TOLD_AT_ONCE)
    await tellOf(env, revocations.slice(start, start + TOLD_AT_ONCE))
}

/** Ends one session, at once. @throws 503 when that is not possible */
export const endSession = (env: Bindings, session: Session): Promise<void> =>
  reached("Signing out", () => clientOf(env, userClient(session.userId)).end(session))

/**
 * Ends the sessions of a user's devices, at once and whatever number of tokens each has. To be told before the devices'
 * rows are deleted: a call that fails in between is repeated.
 * @throws 503 when that is not possible
 */
export const endDeviceSessions = (env: Bindings, userId: number, deviceIds: number[]): Promise<void> =>
  reached("Signing out", () => clientOf(env, userClient(userId)).endDevices(deviceIds.map(deviceSession)))

/**
 * When a user's devices were last used: epoch milliseconds of the hour, by the device's session. None where that cannot
 * be told.
 */
export async function lastUses(env: Bindings, userId: number): Promise<ReadonlyMap<string, number>> {
  try {
    return await clientOf(env, userClient(userId)).uses()
  } catch (error) {
    console.error(JSON.stringify({ event: "last uses not told", error: String(error) }))
    return new Map()
  }
}

/** The epoch that a new session of this user carries. @throws 503 when it cannot be told */
export const epochOf = (env: Bindings, userId: number): Promise<number> =>
  reached("Signing in", () => clientOf(env, userClient(userId)).epoch())

/** What last ended the sessions of a user (by the column of its id), to be read along with what a new one rests on. */
export const lastEnding = (userId: AnyColumn) =>
  sql<string | null>`(
    select ${sessionRevocations.revocation} from ${sessionRevocations} where ${sessionRevocations.userId} = ${userId}
  )`

/**
 * Makes a batch fail when the user's sessions were ended since `ending` was read: what was read then no longer holds.
 * With the epoch asked for between that read and this batch, a change finds no gap: before the batch it makes the
 * batch fail, after it it ends the session that the batch opened.
 */
export const notEndedSince = (work: UnitOfWork, userId: number, ending: string | null) =>
  work.guard(sql`not exists (
    select 1 from ${sessionRevocations}
    where ${sessionRevocations.userId} = ${userId} and ${sessionRevocations.revocation} is not ${ending}
  )`)

/** How long a revocation is kept: longer than a sign-in takes, for `notEndedSince`, and than any token lasts. */
const KEPT_FOR = DAY
/** How many times a hundred one run of the cron tells. */
const MAX_SLICES = 50

/** Tells the revocations again that a Durable Object has not acknowledged, each until it has. Run by the cron. */
export async function repeatRevocations(env: Bindings, db: Database): Promise<void> {
  const { userId, revocation, pending } = sessionRevocations
  let after = Number.MIN_SAFE_INTEGER
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const [waiting] = await db.batch([
      db
        .select({ userId, revocation })
        .from(sessionRevocations)
        .where(sql`${pending} and ${userId} > ${after}`)
        .orderBy(userId)
        .limit(TOLD_AT_ONCE),
    ])
    const heard = await tellOf(env, waiting)
    if (heard.length > 0)
      await db.batch([
        db
          .update(sessionRevocations)
          .set({ pending: false })
          // One that came meanwhile is another.
          .where(
            sql`(${userId}, ${revocation}) in (
              select value ->> '$.userId', value ->> '$.revocation' from ${rowList(heard)}
            )`,
          ),
      ])
    if (waiting.length < TOLD_AT_ONCE) return
    after = waiting.at(-1)?.userId ?? after
  }
}

/** Deletes the revocations that are past their day. Run by the cron. */
export async function deleteExpiredRevocations(db: Database): Promise<void> {
  const { userId, createdAt } = sessionRevocations
  await runInSlices(db, 3, (limit) =>
    db
      .delete(sessionRevocations)
      .where(inFirstIds(userId, sql`${createdAt} <= ${now() - KEPT_FOR}`, limit))
      .returning({ userId }),
  )
}

/**
 * Whether a session has ended, by what is written of it: for a request whose Durable Object is out of reach.
 * @param db at the primary
 */
export async function hasEnded(db: Database, { userId: id, expiresAt }: Session): Promise<boolean> {
  const { userId, createdAt } = sessionRevocations
  // The token says to the second when it was made.
  const issuedAt = expiresAt - SESSION_LIFETIME
  const [rows] = await db.batch([
    db.select({ userId }).from(sessionRevocations).where(sql`${userId} = ${id} and ${createdAt} >= ${issuedAt}`),
  ])
  return rows.length > 0
}
