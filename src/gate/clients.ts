import { type SQL, sql } from "drizzle-orm"
import { sessionRevocations } from "../../drizzle/ground.ts"
import type { Bindings } from "../env.ts"
import { MINUTE, now } from "../lib/clock.ts"
import { hmac } from "../lib/crypto.ts"
import type { Database } from "../lib/db.ts"
import { tooMany, unavailable } from "../lib/errors.ts"
import type { Statement, UnitOfWork } from "../lib/work.ts"
import type { Client } from "./client.do.ts"

/** The Durable Object of a client, by its name: `user:7`, `ip:203.0.113.9`. */
export const clientOf = (env: Bindings, name: string) =>
  env.CLIENTS.get(env.CLIENTS.idFromName(name)) as DurableObjectStub<Client>

export const userClient = (userId: number) => `user:${userId}`
/** Where failures for an account are counted, whether or not there is such an account. */
export const accountClient = (env: Bindings, email: string) =>
  `account:${hmac(env.APP_SECRET, "link", email.toLowerCase())}`

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

/** What a Durable Object answers. @throws 503 when it is out of reach: signing in does not go on without it */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch {
    throw unavailable("Signing in is not possible right now. Try again in a few seconds.")
  }
}

/**
 * Runs `check` as one of ten attempts in 15 minutes of each of these clients.
 * @param check whether the secret held; undefined: a step on the way that is neither (a code is still asked for)
 * @throws 429 with Retry-After when a client has none left, 503 when that cannot be told.
 */
export async function attempt<T>(
  env: Bindings,
  { account, address }: { account: string; address: string },
  check: () => Promise<{ held: boolean | undefined; result: T }>,
): Promise<T> {
  const clients = () => [clientOf(env, account), clientOf(env, address)] as const
  const waits = await reached(() => Promise.all(clients().map((client) => client.attempt())))
  const wait = Math.max(...waits)
  if (wait > 0) throw tooMany("Too many failed attempts. Try again later.", wait)
  const { held, result } = await check()
  const [ofAccount, ofAddress] = clients()
  if (held === true) await Promise.all([ofAccount.succeeded(true), ofAddress.succeeded(false)])
  if (held === undefined) await Promise.all([ofAccount.succeeded(false), ofAddress.succeeded(false)])
  return result
}

/**
 * Ending sessions. The row goes into the batch of the change; `tell` then ends them at once. Should the Worker die in
 * between, the cron tells again from the rows.
 */
export function endSessions(
  work: UnitOfWork,
  userIds: number[],
): { statements: Statement[]; tell: () => Promise<void> } {
  if (userIds.length === 0) return { statements: [], tell: async () => {} }
  const revocation = crypto.randomUUID()
  const rows: SQL = sql`select value as user_id, ${revocation} as revocation, ${now()} as created_at from json_each(${JSON.stringify(userIds)}) where true`
  const statement = work.db
    .insert(sessionRevocations)
    .select(rows)
    .onConflictDoUpdate({
      target: sessionRevocations.userId,
      set: { revocation: sql`excluded.revocation`, createdAt: sql`excluded.created_at` },
    })
  const tell = async () => {
    await Promise.all(userIds.map((userId) => clientOf(work.env, userClient(userId)).revoke(revocation)))
  }
  return { statements: [statement], tell }
}

/** The epoch that a new session of this user carries. @throws 503 when it cannot be told */
export const epochOf = (env: Bindings, userId: number): Promise<number> =>
  reached(() => clientOf(env, userClient(userId)).epoch())

/** How long the cron repeats a revocation; it runs every minute. */
const REPEATED_FOR = 5 * MINUTE

/** Tells every recent revocation again, and forgets the others. Run by the cron. */
export async function repeatRevocations(env: Bindings, db: Database): Promise<void> {
  const [recent] = await db.batch([
    db
      .select({ userId: sessionRevocations.userId, revocation: sessionRevocations.revocation })
      .from(sessionRevocations)
      .where(sql`${sessionRevocations.createdAt} > ${now() - REPEATED_FOR}`),
  ])
  await Promise.all(recent.map(({ userId, revocation }) => clientOf(env, userClient(userId)).revoke(revocation)))
  await db.batch([db.delete(sessionRevocations).where(sql`${sessionRevocations.createdAt} <= ${now() - REPEATED_FOR}`)])
}
