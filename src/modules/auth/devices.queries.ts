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
import type { Bindings } from "../../env.ts"
import { type Caller, callerAs, deviceSession, hasRole } from "../../lib/caller.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { hmacs, randomId } from "../../lib/crypto/crypto.ts"
import { unauthorized } from "../../lib/errors.ts"
import { DEVICE_LIFETIME } from "../../lib/lifetimes.ts"
import { pluralize } from "../../lib/text/words.ts"
import { crossingOf } from "../../lib/web/crossing.ts"
import { deviceColumns } from "./device-columns.ts"
import { createRefreshToken, type RefreshToken, readRefreshToken } from "./refresh-tokens.ts"

/** How long the same Idempotency-Key returns the same successor of a refresh token. */
const REPLAY_WINDOW = 10 * MINUTE

interface NewDevice {
  id: number
  /** Must run in the batch of the sign-in. */
  statements: Statement[]
  refreshToken: string
}

/** The maximum number of devices that one sign-in ends, for example after the quota was lowered. */
const MAX_ENDED = 100

/** Selects a user's least recently used devices beyond the quota minus one. */
export const surplusDevices = ({ db, env }: UnitOfWork, user: SQL) =>
  db
    .select({ id: devices.id, name: devices.name })
    .from(devices)
    .where(sql`${devices.userId} = (${user})`)
    .orderBy(desc(devices.refreshedAt))
    .limit(MAX_ENDED)
    .offset(quota(env, "MAX_DEVICES") - 1)

/**
 * Creates a device for the caller who signs in.
 * @param surplus devices beyond the quota, which end before the batch
 * @throws 503 if they cannot be ended right now
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
  const because = `At most ${quota(env, "MAX_DEVICES")} devices per user can be signed in.`
  return {
    id,
    statements: [
      ...(ids.length > 0 ? [deleteDevices(db, ids)] : []),
      ...surplus.map((device) => work.audit("deleted", "device", device, { userId, because })),
      db.insert(devices).values({ id, userId, name, createdAt: at, refreshedAt: at }),
    ],
    refreshToken: createRefreshToken(env, { deviceId: id, generation: 1 }),
  }
}

const refused = () => unauthorized("session_ended", "The refresh token is invalid or has expired. Sign in again.")

/** The device of a token with its user. */
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
 * Returns a new access token and refresh token. A refresh token that was already used ends the device, unless it is the
 * previous one and comes with the same Idempotency-Key within ten minutes: then the response was lost and is repeated.
 * @param refreshToken the token of the request
 * @param key the Idempotency-Key of the request
 * @throws 401 for an invalid token, 503 if the session epoch cannot be read
 */
export async function refreshSession(work: UnitOfWork, refreshToken: string, key: string | undefined) {
  const { db, env } = work
  const token = readRefreshToken(env, refreshToken)
  if (!token) throw refused()
  const [rows] = await db.batch([deviceWithUser(db, token)])
  const [found] = rows
  const at = now()
  if (!found || found.refreshedAt + DEVICE_LIFETIME <= at) throw refused()
  const { id, firstName, lastName, email, userType, device, generation } = found
  const { deviceId } = token
  const userWork = new UnitOfWork(db, callerAs(id, userType, work.caller.client), env)
  const unchanged = userWork.guard(
    rowExists(devices, sql`${devices.id} = ${deviceId} and ${devices.generation} = ${generation}`),
  )

  const refreshKeys: string[] = key === undefined ? [] : hmacs(env, "idempotency", key)
  const isReplay =
    token.generation === generation - 1 &&
    found.refreshKey !== null &&
    refreshKeys.includes(found.refreshKey) &&
    at < found.refreshedAt + REPLAY_WINDOW
  if (token.generation !== generation && !isReplay) {
    await endDeviceSessions(env, id, [deviceId])
    const details = { userId: id, because: "A refresh token was used twice." }
    await userWork.commit(
      [
        unchanged,
        userWork.audit("deleted", "device", { id: deviceId, name: device }, details),
        deleteDevices(db, [deviceId]),
      ],
      {},
    )
    throw refused()
  }

  // Ending sessions deletes the row of the device: before this batch, which then fails, or after it; the deletion then
  // also ends the epoch read here (docs/adr/0007).
  const near = crossingOf(env)?.epoch
  const epoch = near?.userId === id ? near.epoch : await sessionEpoch(env, id)
  const issuedAt = isReplay ? found.refreshedAt : at
  const session = { id: deviceSession(deviceId), userId: id, userType, epoch }
  const { token: access, expiresAt } = await issueToken(env, session, issuedAt)
  const rotation = db
    .update(devices)
    .set({ generation: generation + 1, refreshedAt: at, refreshKey: refreshKeys[0] ?? null })
    .where(eq(devices.id, deviceId))
  const next = isReplay ? generation : generation + 1
  const rotated = sql`${devices.id} = ${deviceId} and ${devices.generation} = ${next}`
  const answer = await userWork.commit(
    [unchanged, ...(isReplay ? [] : [rotation])],
    {
      token: access,
      expiresAt: new Date(expiresAt).toISOString(),
      refreshToken: createRefreshToken(env, { deviceId, generation: next }),
      user: { id, firstName, lastName, email, userType },
    },
    // A concurrent call that rotated at the same moment returns the same next token.
    { marker: () => rowExists(devices, sql`${rotated} and ${devices.refreshedAt} = ${issuedAt}`) },
  )
  return { answer, replayed: isReplay }
}

/**
 * Reads the session epoch of a device's user near the client.
 * @param db a session at the nearest replica
 * @returns undefined for an invalid token
 */
export async function nearEpochOfDevice(env: Bindings, db: Database, refreshToken: string) {
  const token = readRefreshToken(env, refreshToken)
  if (!token) return undefined
  const [[device]] = await db.batch([
    db.select({ userId: devices.userId }).from(devices).where(eq(devices.id, token.deviceId)),
  ])
  return device && { userId: device.userId, epoch: await sessionEpoch(env, device.userId), revocation: null }
}

const deleteDevices = (db: Database, ids: number[]): Statement =>
  db.delete(devices).where(sql`${devices.id} in ${idList(ids)}`)

/** Signs out a device and revokes all of its tokens. @throws 503 if that is not possible right now */
export async function endDevice(work: UnitOfWork, userId: number, deviceId: number): Promise<void> {
  await endDeviceSessions(work.env, userId, [deviceId])
  const gone = () => sql`not ${rowExists(devices, eq(devices.id, deviceId))}`
  await work.commit([deleteDevices(work.db, [deviceId])], {}, { marker: gone })
}

/** Deletes devices whose refresh token has expired. Run by the cron. */
export async function deleteExpiredDevices(db: Database): Promise<void> {
  const expired = lte(devices.refreshedAt, now() - DEVICE_LIFETIME)
  await runInSlices(db, 3, (limit) =>
    db
      .delete(devices)
      .where(inFirstIds(devices.id, expired, limit))
      .returning({ id: devices.id }),
  )
}

/** One page of a user's devices with their last use, which only the user's Durable Object knows. */
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

/** Callers can end their own devices; administrators also those of users that they can change. */
const mayEndDevice = (caller: Caller) => {
  const isOwn = eq(devices.userId, caller.id ?? 0)
  return hasRole(caller, "admin") ? sql`(${isOwn} or ${canChangeUser(caller, users.userType)})` : isOwn
}

/**
 * Ends devices' sessions: their access tokens immediately, and their refresh tokens. Unknown ids are counted.
 * @throws 503 if they cannot be ended right now
 */
export async function signOutDevices(work: UnitOfWork, ids: number[]) {
  const { db, caller, env } = work
  const [rows] = await work.read([
    db
      .select({ id: devices.id, userId: devices.userId, userType: users.userType })
      .from(devices)
      .innerJoin(users, eq(users.id, devices.userId))
      .where(and(sql`${devices.id} in ${idList(ids)}`, mayEndDevice(caller))),
  ])
  const found = rows.filter(({ userId, userType }) =>
    canChangeCredentials(caller, { id: userId, userType }, "end sessions"),
  )
  const endedIds = found.map(({ id }) => id)
  const unknown = ids.length - endedIds.length
  const answer = {
    message: [
      `${pluralize(endedIds.length, "session")} ended.`,
      ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
    ].join(" "),
  }
  if (endedIds.length === 0) return work.commit([], answer)
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
  const these = sql`${devices.id} in ${idList(endedIds)}`
  return work.commit(
    [
      work.guard(eq(rowCount(devices, these), endedIds.length)),
      work.auditMany(
        "deleted",
        "device",
        sql`
          select ${devices.id} as id, ${devices.name} as name, json_object('userId', ${devices.userId}) as details
          from ${devices}
          where ${these}`,
      ),
      deleteDevices(db, endedIds),
    ],
    answer,
  )
}
