import { waitUntil } from "cloudflare:workers"
import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm"
import { apiKeys } from "../../drizzle/schema/api-keys.ts"
import { devices } from "../../drizzle/schema/devices.ts"
import { sessionRevocations } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Database } from "../db/client.ts"
import { insertFrom } from "../db/insert-from.ts"
import { runInSlices } from "../db/slices.ts"
import { idList, inFirstIds, rowExists, rowList } from "../db/sql.ts"
import { runFirstInBatch, type Statement } from "../db/statements.ts"
import type { UnitOfWork } from "../db/unit-of-work.ts"
import type { Bindings } from "../env.ts"
import { deviceSession, type Session } from "../lib/caller.ts"
import { DAY, HOUR, now } from "../lib/clock.ts"
import { SESSION_LIFETIME } from "../lib/lifetimes.ts"
import { actorClient, callObject, clientObject, userClient } from "./clients.ts"

/** The statements that end sessions or keys in a batch, and the notification of their Durable Objects afterward. */
interface SessionRevocation {
  statements: Statement[]
  /** The condition that the statements were committed. */
  isCommitted: () => SQL
  /** Never throws: if the Worker stops or an object is unreachable, the cron notifies it again. */
  notify: () => Promise<void>
}

/** Longer than the lifetime of any token, including clock differences. */
const MAX_SESSION_AGE = SESSION_LIFETIME + HOUR

/**
 * The condition that a session may be open: the user signed in or refreshed a device recently. Other users' objects
 * need no notification. A key is a negative id and is always notified.
 */
const mayHaveSession = (actorId: SQL) => sql`(
  ${actorId} < 0
  or exists (
    select 1 from ${users}
    where ${users.id} = ${actorId} and ${users.lastLoginAt} > ${now() - MAX_SESSION_AGE}
  )
  or exists (
    select 1 from ${devices}
    where ${devices.userId} = ${actorId} and ${devices.refreshedAt} > ${now() - MAX_SESSION_AGE}
  )
)`

/** Stores that sessions or keys end. @param from the FROM clause with values of `Caller.id` */
function revoke(work: UnitOfWork, from: SQL, revocation: string) {
  const { userId, pending } = sessionRevocations
  return insertFrom(
    work.db,
    sessionRevocations,
    { userId: sql`value`, revocation, pending: mayHaveSession(sql`value`), createdAt: now() },
    from,
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

/** @param actorIds values of `Caller.id` */
const fromIds = (actorIds: number[]) => sql`from json_each(${JSON.stringify(actorIds)}) where true`

const deleteDevices = ({ db }: UnitOfWork, userIds: number[]) =>
  db.delete(devices).where(sql`${devices.userId} in ${idList(userIds)}`)

/** @param actorIds values of `Caller.id` */
function revocationOf(work: UnitOfWork, actorIds: number[]): SessionRevocation {
  if (actorIds.length === 0) return { statements: [], isCommitted: () => sql`true`, notify: async () => {} }
  const { userId, revocation: last, pending } = sessionRevocations
  const revocation = crypto.randomUUID()
  let pendingIds: number[] | undefined
  const statement = revoke(work, fromIds(actorIds), revocation)
  const readPending = async () => {
    const isThisRevocation = and(sql`${userId} in ${idList(actorIds)}`, eq(last, revocation), sql`${pending}`)
    const [rows] = await work.db.batch([work.db.select({ userId }).from(sessionRevocations).where(isThisRevocation)])
    return rows.map((row) => row.userId)
  }
  return {
    statements: [
      runFirstInBatch(statement, (rows) => {
        pendingIds = rows.filter((row) => row.pending).map((row) => row.userId)
      }),
    ],
    isCommitted: () => rowExists(sessionRevocations, and(eq(userId, actorIds[0] ?? 0), eq(last, revocation))),
    notify: async () => {
      try {
        await notifyWithinTime(work.env, toRevocations(pendingIds ?? (await readPending()), revocation))
      } catch (error) {
        console.error(JSON.stringify({ event: "sessions not ended yet", error: String(error) }))
      }
    },
  }
}

const toRevocations = (userIds: number[], revocation: string) => userIds.map((userId) => ({ userId, revocation }))

/** Makes the Durable Objects of keys read again what they grant. */
export const endKeys = (work: UnitOfWork, keyIds: number[]): SessionRevocation =>
  revocationOf(
    work,
    keyIds.map((id) => -id),
  )

/** Ends the API keys that a user created; they are read in the batch. The caller of this function deletes them. */
export function endKeysOf(work: UnitOfWork, userId: number): Pick<SessionRevocation, "statements" | "notify"> {
  const revocation = crypto.randomUUID()
  let keyIds: number[] = []
  const statement = revoke(
    work,
    sql`from (select -${apiKeys.id} as value from ${apiKeys} where ${apiKeys.createdBy} = ${userId}) where true`,
    revocation,
  )
  return {
    statements: [
      runFirstInBatch(statement, (rows) => {
        keyIds = rows.map((row) => row.userId)
      }),
    ],
    // If the response was lost, the cron notifies the objects.
    notify: () => notifyWithinTime(work.env, toRevocations(keyIds, revocation)),
  }
}

/** Ends all sessions of users, devices included. */
export function endSessions(work: UnitOfWork, userIds: number[]): SessionRevocation {
  const { statements, ...rest } = revocationOf(work, userIds)
  if (userIds.length === 0) return { statements, ...rest }
  return { statements: [...statements, deleteDevices(work, userIds)], ...rest }
}

/** Ends all sessions of a user who is signing in, except the one that this sign-in creates. */
export function endOtherSessions(work: UnitOfWork, userId: number) {
  const revocation = crypto.randomUUID()
  // These run after the guard that no other revocation came in between.
  const statements = [revoke(work, fromIds([userId]), revocation), deleteDevices(work, [userId])]
  return {
    statements,
    /** Ends the sessions after the batch. @returns the epoch of the new session. @throws 503 if unreachable */
    epoch: () => callObject("Signing in", async () => clientObject(work.env, userClient(userId)).revoke(revocation)),
  }
}

interface Revocation {
  userId: number
  revocation: string
}

/** How many Durable Objects are notified in parallel. */
const NOTIFY_CONCURRENCY = 100
/** How long a call waits for the objects that it notifies. */
const MAX_NOTIFY_MS = 500
/** How many objects one call notifies, of its 10,000 subrequests; the cron notifies the rest. */
const MAX_NOTIFIED_PER_CALL = 2000

/** Notifies Durable Objects of revocations. @returns those that acknowledged */
async function notify(env: Bindings, revocations: Revocation[]): Promise<Revocation[]> {
  const outcomes = await Promise.allSettled(
    revocations.map(async ({ userId, revocation }) => clientObject(env, actorClient(userId)).revoke(revocation)),
  )
  for (const outcome of outcomes)
    if (outcome.status === "rejected")
      console.error(JSON.stringify({ event: "sessions not ended yet", error: String(outcome.reason) }))
  return revocations.filter((_, at) => outcomes[at]?.status === "fulfilled")
}

/** Notifies as many objects as one call may, and waits up to MAX_NOTIFY_MS. */
async function notifyWithinTime(env: Bindings, all: Revocation[]): Promise<void> {
  const revocations = all.slice(0, MAX_NOTIFIED_PER_CALL)
  const deadline = now() + MAX_NOTIFY_MS
  for (let start = 0; start < revocations.length; start += NOTIFY_CONCURRENCY) {
    if (start > 0 && now() > deadline) return waitUntil(notifyAll(env, revocations.slice(start)))
    await notify(env, revocations.slice(start, start + NOTIFY_CONCURRENCY))
  }
}

async function notifyAll(env: Bindings, revocations: Revocation[]): Promise<void> {
  for (let start = 0; start < revocations.length; start += NOTIFY_CONCURRENCY)
    await notify(env, revocations.slice(start, start + NOTIFY_CONCURRENCY))
}

/** Ends one session. @throws 503 if the object is unreachable */
export const endSession = (env: Bindings, session: Session): Promise<void> =>
  callObject("Signing out", () => clientObject(env, userClient(session.userId)).end(session))

/**
 * Ends the sessions of a user's devices, regardless of how many tokens each has. Call it before deleting the devices'
 * rows, so that a failed call can be repeated.
 * @throws 503 if the object is unreachable
 */
export const endDeviceSessions = (env: Bindings, userId: number, deviceIds: number[]): Promise<void> =>
  callObject("Signing out", () => clientObject(env, userClient(userId)).endDevices(deviceIds.map(deviceSession)))

/** Ends sessions of a user by the ids of their tokens. @throws 503 if the object is unreachable */
export const endSessionsById = (env: Bindings, userId: number, sessionIds: string[]): Promise<void> =>
  callObject("Signing out", () => clientObject(env, userClient(userId)).endDevices(sessionIds))

/** The last revocation of a user's sessions, by the user's id column. Read it together with the user's credentials. */
export const lastRevocation = (userId: AnyColumn) =>
  sql<string | null>`(
    select ${sessionRevocations.revocation} from ${sessionRevocations} where ${sessionRevocations.userId} = ${userId}
  )`

/**
 * Makes a batch fail if the user's sessions were ended since `revocation` was read. The epoch is read between that
 * read and this batch, so no change is missed: an earlier one fails the batch, a later one ends the new session.
 */
export const guardNotRevokedSince = (work: UnitOfWork, userId: number, revocation: string | null) =>
  work.guard(sql`not exists (
    select 1 from ${sessionRevocations}
    where ${sessionRevocations.userId} = ${userId} and ${sessionRevocations.revocation} is not ${revocation}
  )`)

/** How long a revocation is stored: longer than a sign-in takes and than any token lasts. */
const RETENTION = DAY
/** How many hundreds of objects one cron run notifies. */
const MAX_SLICES = 50

/** Notifies the Durable Objects that have not acknowledged a revocation. Run by the cron. */
export async function retryRevocations(env: Bindings, db: Database): Promise<void> {
  const { userId, revocation, pending } = sessionRevocations
  let after = Number.MIN_SAFE_INTEGER
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const [waiting] = await db.batch([
      db
        .select({ userId, revocation })
        .from(sessionRevocations)
        .where(sql`${pending} and ${userId} > ${after}`)
        .orderBy(userId)
        .limit(NOTIFY_CONCURRENCY),
    ])
    const acknowledged = await notify(env, waiting)
    if (acknowledged.length > 0)
      await db.batch([
        db
          .update(sessionRevocations)
          .set({ pending: false })
          // A newer revocation of the same user stays pending.
          .where(
            sql`(${userId}, ${revocation}) in (
              select value ->> '$.userId', value ->> '$.revocation' from ${rowList(acknowledged)}
            )`,
          ),
      ])
    if (waiting.length < NOTIFY_CONCURRENCY) return
    after = waiting.at(-1)?.userId ?? after
  }
}

/** Deletes revocations after a day. Run by the cron. */
export async function deleteExpiredRevocations(db: Database): Promise<void> {
  const { userId, createdAt } = sessionRevocations
  await runInSlices(db, 3, (limit) =>
    db
      .delete(sessionRevocations)
      .where(inFirstIds(userId, sql`${createdAt} <= ${now() - RETENTION}`, limit))
      .returning({ userId }),
  )
}

/**
 * Whether a session was ended according to the database: for when its Durable Object is unreachable.
 * @param db a session at the primary
 */
export async function isSessionRevoked(db: Database, { userId: id, expiresAt }: Session): Promise<boolean> {
  const { userId, createdAt } = sessionRevocations
  // The token has its time of issue in whole seconds.
  const issuedAt = expiresAt - SESSION_LIFETIME
  const [rows] = await db.batch([
    db.select({ userId }).from(sessionRevocations).where(sql`${userId} = ${id} and ${createdAt} >= ${issuedAt}`),
  ])
  return rows.length > 0
}
