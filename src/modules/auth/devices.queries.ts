import { and, desc, eq, lte, type SQL, sql } from "drizzle-orm"
import { devices } from "../../../drizzle/schema/devices.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns } from "../../access/accounts.ts"
import { lastDeviceUses, sessionEpoch } from "../../access/clients.ts"
import { canChangeCredentials } from "../../access/credentials.ts"
import { quota } from "../../access/quotas.ts"
import { endDeviceSessions } from "../../access/revocations.ts"
import { canChangeUser, canSeePayments } from "../../access/scope.ts"
import { issueToken } from "../../access/session.ts"
import type { Database } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { runInSlices } from "../../db/slices.ts"
import { idList, inFirstIds, rowCount, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, callerAs, deviceSession, hasRole } from "../../lib/caller.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { hmacs, randomId } from "../../lib/crypto/crypto.ts"
import { unauthorized } from "../../lib/errors.ts"
import { DEVICE_LIFETIME } from "../../lib/lifetimes.ts"
import { pluralize } from "../../lib/text/words.ts"
import { deviceColumns } from "./device-columns.ts"
import { createRefreshToken, type RefreshToken, readRefreshToken } from "./refresh-tokens.ts"

/** How long the same Idempotency-Key is answered with the same successor of a refresh token. */
const REPLAYED_FOR = 10 * MINUTE

interface NewDevice {
  id: number
  /** Write it, in the batch of its sign-in. */
  statements: Statement[]
  refreshToken: string
}

/** How many devices one sign-in ends at most, such as after the quota was lowered. */
const MAX_ENDED = 100

/** Of the user of a query, the devices that one more leaves no room for: those that were used least recently. */
export const surplusDevices = ({ db, env }: UnitOfWork, user: SQL) =>
  db
    .select({ id: devices.id, name: devices.name })
    .from(devices)
    .where(sql`${devices.userId} = (${user})`)
    .orderBy(desc(devices.refreshedAt))
    .limit(MAX_ENDED)
    .offset(quota(env, "MAX_DEVICES") - 1)

/**
 * A device that the caller of `work` signs in on.
 * @param surplus the devices that end for it: at once, before the batch
 * @throws 503 when they cannot be ended right now
 */
export async function newDevice(
  work: UnitOfWork,
  userId: number,
  name: string,
  surplus: { id: number; name: string }[],
): Promise<NewDevice> {
  const { db, env } = work
  const id = randomId()
  const at = now()
  const ids = surplus.map((device) => device.id)
  if (ids.length > 0) await endDeviceSessions(env, userId, ids)
  const because = `At most ${quota(env, "MAX_DEVICES")} devices of a person are signed in.`
  return {
    id,
    statements: [
      ...(ids.length > 0 ? [removal(db, ids)] : []),
      ...surplus.map((device) => work.audit("deleted", "device", device, { userId, because })),
      db.insert(devices).values({ id, userId, name, createdAt: at, refreshedAt: at }),
    ],
    refreshToken: createRefreshToken(env, { deviceId: id, generation: 1 }),
  }
}

const refused = () => unauthorized("session_ended", "The refresh token does not hold any more. Sign in again.")

/** The device of a token, with its user. */
const deviceWithUser = (db: Database, { deviceId }: RefreshToken) =>
  db
    .select({
      ...accountColumns,
      disabled: users.disabled,
      device: devices.name,
      generation: devices.generation,
      refreshedAt: devices.refreshedAt,
      refreshKey: devices.refreshKey,
    })
    .from(devices)
    .innerJoin(users, eq(users.id, devices.userId))
    .where(and(eq(devices.id, deviceId), eq(users.disabled, false)))

/**
 * Renews a device's session: an access token, and the refresh token that takes the place of the one given. One that
 * was used before ends the device, unless it is the last one before and comes under the same Idempotency-Key within
 * ten minutes: then the answer was lost, and is given again.
 * @param key the call's Idempotency-Key
 * @throws 401 for a token that does not hold, 503 when the sessions' epoch cannot be told
 */
export async function refreshSession(work: UnitOfWork, given: string, key: string | undefined) {
  const { db, env } = work
  const token = readRefreshToken(env, given)
  if (!token) throw refused()
  const [rows] = await db.batch([deviceWithUser(db, token)])
  const [found] = rows
  const at = now()
  if (!found || found.refreshedAt + DEVICE_LIFETIME <= at) throw refused()
  const { id, firstName, lastName, email, userType, device, generation } = found
  const { deviceId } = token
  const own = new UnitOfWork(db, callerAs(id, userType, work.caller.client), env)
  const unchanged = own.guard(
    rowExists(devices, sql`${devices.id} = ${deviceId} and ${devices.generation} = ${generation}`),
  )

  const refreshKeys: string[] = key === undefined ? [] : hmacs(env, "idempotency", key)
  const replayed =
    token.generation === generation - 1 &&
    found.refreshKey !== null &&
    refreshKeys.includes(found.refreshKey) &&
    at < found.refreshedAt + REPLAYED_FOR
  if (token.generation !== generation && !replayed) {
    await endDeviceSessions(env, id, [deviceId])
    const details = { userId: id, because: "A refresh token was used twice." }
    await own.commit(
      [unchanged, own.audit("deleted", "device", { id: deviceId, name: device }, details), removal(db, [deviceId])],
      {},
    )
    throw refused()
  }

  // What ends sessions deletes the device's row: before the batch, which then fails, or after it, which then ends the
  // epoch that is asked for here (docs/adr/0007).
  const epoch = await sessionEpoch(env, id)
  const issuedAt = replayed ? found.refreshedAt : at
  const session = { id: deviceSession(deviceId), userId: id, userType, epoch }
  const { token: access, expiresAt } = await issueToken(env, session, issuedAt)
  const rotation = db
    .update(devices)
    .set({ generation: generation + 1, refreshedAt: at, refreshKey: refreshKeys[0] ?? null })
    .where(eq(devices.id, deviceId))
  const next = replayed ? generation : generation + 1
  const rotated = sql`${devices.id} = ${deviceId} and ${devices.generation} = ${next}`
  const answer = await own.commit(
    [unchanged, ...(replayed ? [] : [rotation])],
    {
      token: access,
      expiresAt: new Date(expiresAt).toISOString(),
      refreshToken: createRefreshToken(env, { deviceId, generation: next }),
      user: { id, firstName, lastName, email, userType },
    },
    // Whoever rotated at the same moment: the next token is the same.
    { mark: () => rowExists(devices, sql`${rotated} and ${devices.refreshedAt} = ${issuedAt}`) },
  )
  return { answer, replayed }
}

const removal = (db: Database, ids: number[]): Statement =>
  db.delete(devices).where(sql`${devices.id} in ${idList(ids)}`)

/** Ends a device that signs out: all of its tokens. @throws 503 when that is not possible right now */
export async function endDevice(work: UnitOfWork, userId: number, deviceId: number): Promise<void> {
  await endDeviceSessions(work.env, userId, [deviceId])
  const gone = () => sql`not ${rowExists(devices, eq(devices.id, deviceId))}`
  await work.commit([removal(work.db, [deviceId])], {}, { mark: gone })
}

/** Forgets devices whose refresh token has expired. Run by the cron. */
export async function deleteExpiredDevices(db: Database): Promise<void> {
  const expired = lte(devices.refreshedAt, now() - DEVICE_LIFETIME)
  await runInSlices(db, 3, (limit) =>
    db
      .delete(devices)
      .where(inFirstIds(devices.id, expired, limit))
      .returning({ id: devices.id }),
  )
}

/** One page of a user's devices, with what only the user's Durable Object knows of them. */
export async function listDevices(
  { db, caller, env }: UnitOfWork,
  { user_id, ...query }: PageQuery & { user_id?: number | undefined },
) {
  const userId = user_id ?? caller.id ?? 0
  const [found, uses] = await Promise.all([
    readPage(
      db,
      {
        table: devices,
        key: devices.id,
        fields: deviceColumns.fields,
        sort: deviceColumns.sort,
        defaultSort: { colName: "created_at", direction: "desc" },
        scope: [{ test: and(eq(devices.userId, userId), canSeePayments(caller, devices.userId)) ?? sql`0` }],
        search: [],
      },
      query,
    ),
    lastDeviceUses(env, userId),
  ])
  return { found, uses }
}

/** Whose devices a caller may end: their own, and for an administrator those of whom they may change. */
const mayEnd = (caller: Caller) => {
  const own = eq(devices.userId, caller.id ?? 0)
  return hasRole(caller, "admin") ? sql`(${own} or ${canChangeUser(caller, users.userType)})` : own
}

/**
 * Ends devices' sessions: their access tokens at once, and their refresh tokens. Unknown ids are counted.
 * @throws 503 when they cannot be ended right now
 */
export async function signOutDevices(work: UnitOfWork, ids: number[]) {
  const { db, caller, env } = work
  const [rows] = await work.read([
    db
      .select({ id: devices.id, userId: devices.userId, userType: users.userType })
      .from(devices)
      .innerJoin(users, eq(users.id, devices.userId))
      .where(and(sql`${devices.id} in ${idList(ids)}`, mayEnd(caller))),
  ])
  const found = rows.filter(({ userId, userType }) =>
    canChangeCredentials(caller, { id: userId, userType }, "end sessions"),
  )
  const going = found.map(({ id }) => id)
  const unknown = ids.length - going.length
  const answer = {
    message: [
      `${pluralize(going.length, "session")} ended.`,
      ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
    ].join(" "),
  }
  if (going.length === 0) return work.commit([], answer)
  const owners = new Set(found.map(({ userId }) => userId))
  await Promise.all(
    [...owners].map((owner) =>
      endDeviceSessions(
        env,
        owner,
        found.flatMap(({ id, userId }) => (userId === owner ? [id] : [])),
      ),
    ),
  )
  const these = sql`${devices.id} in ${idList(going)}`
  return work.commit(
    [
      work.guard(eq(rowCount(devices, these), going.length)),
      work.auditMany(
        "deleted",
        "device",
        sql`
          select ${devices.id} as id, ${devices.name} as name, json_object('userId', ${devices.userId}) as details
          from ${devices}
          where ${these}`,
      ),
      removal(db, going),
    ],
    answer,
  )
}
