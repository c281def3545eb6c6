import { and, eq, type SQL, sql } from "drizzle-orm"
import { recoveryCodes, twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns, userSiteName } from "../../access/accounts.ts"
import { limitAttempts } from "../../access/attempts.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, canChangeUserOfType } from "../../lib/caller.ts"
import { HOUR, now } from "../../lib/clock.ts"
import { decrypted, encrypt, hmacs, randomCode, sha256Text } from "../../lib/crypto/crypto.ts"
import { ApiError, conflict, forbidden, invalid, notFound } from "../../lib/errors.ts"
import { qrCodeSvg } from "../../lib/files/qr-code.ts"
import { fullName, groupCharacters } from "../../lib/text/words.ts"
import { siteName } from "../../lib/web/academy.ts"
import { newSecret, otpauthUri, verifyTotp } from "./totp.ts"
import type { TwoFactorConfirmation } from "./two-factor.schemas.ts"

/** How long a prepared secret can be confirmed. */
const PREPARED_LIFETIME = HOUR
const RECOVERY_CODE_COUNT = 10

const RECOVERY_CODE_LENGTH = 10

/** A recovery code without separators. */
const normalizeRecoveryCode = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, "")

/** The hash of a recovery code. It is stored encrypted, because codes are short enough to guess from a plain hash. */
const recoveryHash = (userId: number, code: string) => sha256Text(`${userId} ${normalizeRecoveryCode(code)}`)

/** Selects a user that the caller can see, with their authenticator. */
const userWithFactor = (db: Database, caller: Caller, userId: number) =>
  db
    .select({
      ...accountColumns,
      site: userSiteName(users.id),
      secret: twoFactor.secret,
      active: twoFactor.active,
      preparedAt: sql<number | null>`${twoFactor.createdAt}`.as("prepared_at"),
    })
    .from(users)
    .leftJoin(twoFactor, eq(twoFactor.userId, users.id))
    .where(and(eq(users.id, userId), canSeeUser(caller, users.id)))

type UserWithFactor = Awaited<ReturnType<typeof userWithFactor>>[number]

function requireUser(rows: UserWithFactor[]): UserWithFactor {
  const [user] = rows
  if (!user) throw notFound("user")
  return user
}

/**
 * Nobody can see or set up another user's authenticator. An anonymous caller of the `documented` policy is the user.
 */
const isOwn = (caller: Caller, userId: number) => caller.kind === "anonymous" || caller.id === userId
function requireOwn(caller: Caller, userId: number) {
  if (!isOwn(caller, userId))
    throw forbidden("Only the user can set up their own two-factor authentication.", "self_only")
}

const codesOf = (env: Bindings, secret: string, { email, site }: UserWithFactor) => {
  const uri = otpauthUri(secret, email, siteName(env, site))
  return { as_qr_code: qrCodeSvg(uri), as_uri: uri, as_string: secret }
}

/**
 * Whether two-factor authentication is on, and the codes of a secret that is not yet confirmed.
 * @throws 404; 403 for other users, except for callers who may turn it off
 */
export async function getTwoFactor(work: UnitOfWork, requestedId: number | undefined) {
  const { db, caller, env } = work
  const userId = requestedId ?? caller.id
  if (userId === null) throw invalid("user_id", "user_id is required without a session.")
  const [rows] = await db.batch([userWithFactor(db, caller, userId)])
  const user = requireUser(rows)
  const own = isOwn(caller, userId)
  if (!own && !canChangeUserOfType(caller, user.userType)) throw forbidden("Your role does not allow you to see this.")
  const isPending = own && user.secret !== null && !user.active && (user.preparedAt ?? 0) > now() - PREPARED_LIFETIME
  const secret = isPending && user.secret !== null ? decrypted(env, user.secret) : undefined
  const codes = secret === undefined ? undefined : codesOf(env, secret, user)
  return {
    is2FactorAuthActive: user.active === true,
    as_qr_code: codes?.as_qr_code ?? null,
    as_uri: codes?.as_uri ?? null,
    as_string: codes?.as_string ?? null,
    qr_code: codes?.as_qr_code ?? null,
    string_code: codes?.as_string ?? null,
  }
}

const isActiveFor = (userId: number): SQL =>
  rowExists(twoFactor, and(eq(twoFactor.userId, userId), eq(twoFactor.active, true)))

/** Stores a new encrypted secret until a first code confirms it. @throws 404, 403, 409 while two-factor is on */
export async function prepareTwoFactor(work: UnitOfWork, userId: number) {
  const { db, caller, env } = work
  const [rows] = await work.read([userWithFactor(db, caller, userId)])
  const user = requireUser(rows)
  requireOwn(caller, userId)
  if (user.active)
    throw conflict(
      "two_factor_enabled",
      "Two-factor authentication is already on. Turn it off before you set it up again.",
    )
  const secret = newSecret()
  const row = { secret: encrypt(env, secret), active: false, lastStep: 0, createdAt: now() }
  return work.commit(
    [
      work.guard(sql`not ${isActiveFor(userId)}`),
      db
        .insert(twoFactor)
        .values({ userId, ...row })
        .onConflictDoUpdate({ target: twoFactor.userId, set: row }),
      work.audit("updated", "user", { id: userId, name: fullName(user) }, { twoFactor: "prepared" }),
    ],
    codesOf(env, secret, user),
  )
}

const otherSecret = () =>
  invalid("stringCode", "stringCode does not match the latest response of prepareTwoFactorAuth.")
const wrongCode = () =>
  invalid("secretCode", "secretCode does not match the current code of the app. Check the clock of the device.")

/**
 * Turns on two-factor authentication with a first code, ends the user's sessions and returns ten recovery codes.
 * Callers without permission are refused before an attempt counts, so that they cannot use up another user's attempts.
 * @throws 404, 403, 409 if no secret is pending, 422 for a wrong code or secret, 429
 */
export async function confirmTwoFactor(work: UnitOfWork, input: TwoFactorConfirmation) {
  const { db, caller, env } = work
  const userId = input.user_id
  const [rows] = await work.read([userWithFactor(db, caller, userId)])
  const user = requireUser(rows)
  requireOwn(caller, userId)
  if (user.active) throw conflict("two_factor_enabled", "Two-factor authentication is already on.")
  const encryptedSecret = user.secret
  const secret = encryptedSecret === null ? undefined : decrypted(env, encryptedSecret)
  if (encryptedSecret === null || secret === undefined || (user.preparedAt ?? 0) <= now() - PREPARED_LIFETIME)
    throw conflict(
      "two_factor_not_prepared",
      "No secret is waiting for confirmation. Call prepareTwoFactorAuth, then confirm within an hour.",
    )
  const answer = await limitAttempts<ApiError | Confirmed>(env, { account: `two-factor:${userId}` }, async () => {
    const step = verifyTotp(secret, input.secretCode)
    if (input.stringCode !== secret) return { verdict: "wrong code", result: otherSecret() }
    if (step === undefined) return { verdict: "wrong code", result: wrongCode() }
    return { verdict: "correct", result: await turnOn(work, user, { encryptedSecret, step }) }
  })
  if (answer instanceof ApiError) throw answer
  return answer
}

type Confirmed = Awaited<ReturnType<typeof turnOn>>

async function turnOn(
  work: UnitOfWork,
  user: UserWithFactor,
  { encryptedSecret, step }: { encryptedSecret: string; step: number },
) {
  const { db, env } = work
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => groupCharacters(randomCode(RECOVERY_CODE_LENGTH), 5))
  const hashes = codes.map((code) => encrypt(env, recoveryHash(user.id, code)))
  const sessions = endSessions(work, [user.id])
  const isPending = and(
    eq(twoFactor.userId, user.id),
    eq(twoFactor.secret, encryptedSecret),
    eq(twoFactor.active, false),
  )
  const answer = await work.commit(
    [
      work.guard(rowExists(twoFactor, isPending)),
      db.update(twoFactor).set({ active: true, lastStep: step }).where(eq(twoFactor.userId, user.id)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id)),
      insertFrom(
        db,
        recoveryCodes,
        { userId: user.id, codeHash: sql`value` },
        sql`from json_each(${JSON.stringify(hashes)}) where true`,
      ),
      ...sessions.statements,
      work.audit("updated", "user", { id: user.id, name: fullName(user) }, { twoFactor: "on" }),
    ],
    {
      status: "success" as const,
      message:
        "Two-factor authentication is on. Save your recovery codes: they won't be shown again. " +
        "You've been signed out on all devices. Sign in again with a code.",
      recoveryCodes: codes,
    },
  )
  await sessions.notify()
  return answer
}

function turnedOffMessage(wasOn: boolean, own: boolean): string {
  if (!wasOn) return "Two-factor authentication was not on. The pending secret was deleted."
  const sessions = own
    ? "You've been signed out on all devices. Sign in again."
    : "The user was signed out on all devices."
  return `Two-factor authentication is off. ${sessions}`
}

/**
 * Turns off two-factor authentication and ends the user's sessions. @throws 404; 403 for a user that the caller may
 * not change
 */
export async function disableTwoFactor(work: UnitOfWork, userId: number) {
  const { db, caller } = work
  const [rows] = await work.read([userWithFactor(db, caller, userId)])
  const user = requireUser(rows)
  requireCredentials(caller, user, "two-factor")
  const off = { qrcode: null, stringcode: null }
  if (user.secret === null) return work.commit([], { message: "Two-factor authentication was already off.", ...off })
  const sessions = endSessions(work, user.active ? [userId] : [])
  const answer = await work.commit(
    [
      db.delete(twoFactor).where(eq(twoFactor.userId, userId)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
      ...sessions.statements,
      work.audit("updated", "user", { id: userId, name: fullName(user) }, { twoFactor: "off" }),
    ],
    {
      message: turnedOffMessage(user.active === true, caller.id === userId),
      ...off,
    },
  )
  await sessions.notify()
  return answer
}

/** The columns of a user's second factor, for a query of users that joins the active `twoFactor`. */
export const factorFields = (code: string | undefined) => ({
  factorSecret: twoFactor.secret,
  lastStep: twoFactor.lastStep,
  recoveryHashes:
    normalizeRecoveryCode(code ?? "").length === RECOVERY_CODE_LENGTH
      ? sql<string[]>`(
          select json_group_array(${recoveryCodes.codeHash}) from ${recoveryCodes}
          where ${recoveryCodes.userId} = ${users.id}
        )`
          .mapWith(JSON.parse)
          .as("recovery_hashes")
      : sql<string[]>`'[]'`.mapWith(JSON.parse).as("recovery_hashes"),
})

/** The authenticator's secret was encrypted with a lost secret of the Worker. */
const factorUnreadable = () =>
  conflict(
    "two_factor_unreadable",
    "Codes of your authenticator app can no longer be checked. Ask an administrator to turn off two-factor " +
      "authentication for you, then sign in and set it up again.",
  )

/**
 * Checks a code of the app or a recovery code at sign-in.
 * @returns statements that mark the code as used and fail if another call used it; undefined if the code is wrong
 * @throws 409 if the code cannot be checked
 */
export function spendCode(
  work: UnitOfWork,
  user: { id: number; factorSecret: string; lastStep: number | null; recoveryHashes: string[] },
  code: string,
): { statements: Statement[]; by: "app" | "recovery code" } | undefined {
  const { db, env } = work
  const recovery = findRecoveryCode(env, user, code)
  if (recovery !== undefined) {
    const isCode = and(eq(recoveryCodes.userId, user.id), eq(recoveryCodes.codeHash, recovery))
    return {
      statements: [work.guard(rowExists(recoveryCodes, isCode)), db.delete(recoveryCodes).where(isCode)],
      by: "recovery code",
    }
  }
  const secret = decrypted(env, user.factorSecret)
  if (secret === undefined) throw factorUnreadable()
  const step = verifyTotp(secret, code.replace(/\s/g, ""))
  if (step === undefined || step <= (user.lastStep ?? 0)) return undefined
  const unspent = and(eq(twoFactor.userId, user.id), sql`${twoFactor.lastStep} < ${step}`)
  return {
    statements: [
      work.guard(rowExists(twoFactor, unspent)),
      db.update(twoFactor).set({ lastStep: step }).where(unspent),
    ],
    by: "app",
  }
}

/** The stored form of a user's recovery code, or undefined. Versions before 0.3 stored an HMAC. */
function findRecoveryCode(
  env: Bindings,
  user: { id: number; recoveryHashes: string[] },
  code: string,
): string | undefined {
  if (user.recoveryHashes.length === 0) return undefined
  const hash = recoveryHash(user.id, code)
  const legacyHashes = hmacs(env, "recovery", normalizeRecoveryCode(code))
  return user.recoveryHashes.find((stored) => legacyHashes.includes(stored) || decrypted(env, stored) === hash)
}
