import { and, eq, type SQL, sql } from "drizzle-orm"
import { recoveryCodes, twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns, primaryPortalName } from "../../access/accounts.ts"
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
import { newSecret, otpauthUri, stepOf } from "./totp.ts"
import type { TwoFactorConfirmation } from "./two-factor.schemas.ts"

/** How long a prepared secret waits for its first code. */
const PREPARED_FOR = HOUR
const RECOVERY_CODES = 10

const RECOVERY_CODE = 10

/** A recovery code as it was shown, without what people add. */
const recoveryCodeOf = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, "")

/** What is kept of a recovery code, sealed: a code is short, and its hash alone could be guessed. */
const recoveryHash = (userId: number, code: string) => sha256Text(`${userId} ${recoveryCodeOf(code)}`)

/** A user whom the caller may know of, with their authenticator. */
const userWithFactor = (db: Database, caller: Caller, userId: number) =>
  db
    .select({
      ...accountColumns,
      site: primaryPortalName(users.id),
      secret: twoFactor.secret,
      active: twoFactor.active,
      preparedAt: sql<number | null>`${twoFactor.createdAt}`.as("prepared_at"),
    })
    .from(users)
    .leftJoin(twoFactor, eq(twoFactor.userId, users.id))
    .where(and(eq(users.id, userId), canSeeUser(caller, users.id)))

type UserWithFactor = Awaited<ReturnType<typeof userWithFactor>>[number]

function found(rows: UserWithFactor[]): UserWithFactor {
  const [user] = rows
  if (!user) throw notFound("user")
  return user
}

/** Nobody sees or sets up another's authenticator; the `documented` policy's anonymous caller stands for the user. */
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
 * Whether two-factor is on, and the codes of a secret that waits to be confirmed.
 * @throws 404; 403 for another's, except to those who may turn it off
 */
export async function getTwoFactor(work: UnitOfWork, given: number | undefined) {
  const { db, caller, env } = work
  const userId = given ?? caller.id
  if (userId === null) throw invalid("user_id", "user_id is required without a session.")
  const [rows] = await db.batch([userWithFactor(db, caller, userId)])
  const user = found(rows)
  const own = isOwn(caller, userId)
  if (!own && !canChangeUserOfType(caller, user.userType)) throw forbidden("Your role does not allow you to see this.")
  const waits = own && user.secret !== null && !user.active && (user.preparedAt ?? 0) > now() - PREPARED_FOR
  const secret = waits && user.secret !== null ? decrypted(env, user.secret) : undefined
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

const activeFor = (userId: number): SQL =>
  rowExists(twoFactor, and(eq(twoFactor.userId, userId), eq(twoFactor.active, true)))

/** Makes a secret and keeps it, sealed, until a first code confirms it. @throws 404, 403, 409 while two-factor is on */
export async function prepareTwoFactor(work: UnitOfWork, userId: number) {
  const { db, caller, env } = work
  const [rows] = await work.read([userWithFactor(db, caller, userId)])
  const user = found(rows)
  requireOwn(caller, userId)
  if (user.active)
    throw conflict("two_factor_enabled", "Two-factor authentication is on. Turn it off before you set it up anew.")
  const secret = newSecret()
  const row = { secret: encrypt(env, secret), active: false, lastStep: 0, createdAt: now() }
  return work.commit(
    [
      work.guard(sql`not ${activeFor(userId)}`),
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
  invalid("stringCode", "stringCode is not what prepareTwoFactorAuth answered last; take its newest answer.")
const wrongCode = () =>
  invalid("secretCode", "secretCode is not the code that the app shows now. Check the device's clock.")

/**
 * Turns two-factor on with a first code, ends the user's sessions and answers ten recovery codes. Whoever may not do so
 * is refused before an attempt is taken: nobody spends another's, and no address is closed by wrong codes.
 * @throws 404, 403, 409 when nothing waits to be confirmed, 422 for a code or secret that does not hold, 429
 */
export async function confirmTwoFactor(work: UnitOfWork, input: TwoFactorConfirmation) {
  const { db, caller, env } = work
  const userId = input.user_id
  const [rows] = await work.read([userWithFactor(db, caller, userId)])
  const user = found(rows)
  requireOwn(caller, userId)
  if (user.active) throw conflict("two_factor_enabled", "Two-factor authentication is on already.")
  const sealed = user.secret
  const secret = sealed === null ? undefined : decrypted(env, sealed)
  if (sealed === null || secret === undefined || (user.preparedAt ?? 0) <= now() - PREPARED_FOR)
    throw conflict(
      "two_factor_not_prepared",
      "No secret waits to be confirmed. Call prepareTwoFactorAuth, and confirm within an hour.",
    )
  const answer = await limitAttempts<ApiError | Confirmed>(env, { account: `two-factor:${userId}` }, async () => {
    const step = stepOf(secret, input.secretCode)
    if (input.stringCode !== secret) return { verdict: "wrong code", result: otherSecret() }
    if (step === undefined) return { verdict: "wrong code", result: wrongCode() }
    return { verdict: "held", result: await turnOn(work, user, { sealed, step }) }
  })
  if (answer instanceof ApiError) throw answer
  return answer
}

type Confirmed = Awaited<ReturnType<typeof turnOn>>

async function turnOn(work: UnitOfWork, user: UserWithFactor, { sealed, step }: { sealed: string; step: number }) {
  const { db, env } = work
  const codes = Array.from({ length: RECOVERY_CODES }, () => groupCharacters(randomCode(RECOVERY_CODE), 5))
  const hashes = codes.map((code) => encrypt(env, recoveryHash(user.id, code)))
  const sessions = endSessions(work, [user.id])
  const waiting = and(eq(twoFactor.userId, user.id), eq(twoFactor.secret, sealed), eq(twoFactor.active, false))
  const answer = await work.commit(
    [
      work.guard(rowExists(twoFactor, waiting)),
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
        "Two-factor authentication is on. Keep the recovery codes: they are not shown again. " +
        "Every session has ended, this one too; sign in with a code.",
      recoveryCodes: codes,
    },
  )
  await sessions.notify()
  return answer
}

function turnedOff(wasOn: boolean, own: boolean): string {
  if (!wasOn) return "Two-factor authentication was not on yet; the secret that waited is gone."
  const sessions = own ? "Your sessions have ended, this one too; sign in again." : "The user's sessions have ended."
  return `Two-factor authentication is off. ${sessions}`
}

/** Turns two-factor off and ends the user's sessions. @throws 404; 403 for a user whom the caller may not change */
export async function disableTwoFactor(work: UnitOfWork, userId: number) {
  const { db, caller } = work
  const [rows] = await work.read([userWithFactor(db, caller, userId)])
  const user = found(rows)
  requireCredentials(caller, user, "two-factor")
  const off = { qrcode: null, stringcode: null }
  if (user.secret === null) return work.commit([], { message: "Two-factor authentication was off already.", ...off })
  const sessions = endSessions(work, user.active ? [userId] : [])
  const answer = await work.commit(
    [
      db.delete(twoFactor).where(eq(twoFactor.userId, userId)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
      ...sessions.statements,
      work.audit("updated", "user", { id: userId, name: fullName(user) }, { twoFactor: "off" }),
    ],
    {
      message: turnedOff(user.active === true, caller.id === userId),
      ...off,
    },
  )
  await sessions.notify()
  return answer
}

/** What a sign-in reads of a user's second factor, for a query of users that joins `twoFactor` where it is active. */
export const factorFields = (code: string | undefined) => ({
  factorSecret: twoFactor.secret,
  lastStep: twoFactor.lastStep,
  recoveryHashes:
    recoveryCodeOf(code ?? "").length === RECOVERY_CODE
      ? sql<string[]>`(
          select json_group_array(${recoveryCodes.codeHash}) from ${recoveryCodes}
          where ${recoveryCodes.userId} = ${users.id}
        )`
          .mapWith(JSON.parse)
          .as("recovery_hashes")
      : sql<string[]>`'[]'`.mapWith(JSON.parse).as("recovery_hashes"),
})

/** The user's authenticator was set up under a secret of the Worker that is lost. */
const factorLost = () =>
  conflict(
    "two_factor_unreadable",
    "What your authenticator app shows cannot be checked any more. Ask an administrator to turn two-factor " +
      "authentication off for you, sign in, and set it up anew.",
  )

/**
 * Checks a code at sign-in: the app's, or a recovery code.
 * @returns statements that spend it, and make the batch fail when another call has spent it; undefined: it does not
 *   hold
 * @throws 409 when nobody can tell
 */
export function spendCode(
  work: UnitOfWork,
  user: { id: number; factorSecret: string; lastStep: number | null; recoveryHashes: string[] },
  code: string,
): { statements: Statement[]; by: "app" | "recovery code" } | undefined {
  const { db, env } = work
  const recovery = keptCode(env, user, code)
  if (recovery !== undefined) {
    const mine = and(eq(recoveryCodes.userId, user.id), eq(recoveryCodes.codeHash, recovery))
    return {
      statements: [work.guard(rowExists(recoveryCodes, mine)), db.delete(recoveryCodes).where(mine)],
      by: "recovery code",
    }
  }
  const secret = decrypted(env, user.factorSecret)
  if (secret === undefined) throw factorLost()
  const step = stepOf(secret, code.replace(/\s/g, ""))
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

/** How a recovery code is kept; undefined where it is none of the user's. Versions before 0.3 kept an HMAC. */
function keptCode(env: Bindings, user: { id: number; recoveryHashes: string[] }, code: string): string | undefined {
  if (user.recoveryHashes.length === 0) return undefined
  const hash = recoveryHash(user.id, code)
  const before = hmacs(env, "recovery", recoveryCodeOf(code))
  return user.recoveryHashes.find((kept) => before.includes(kept) || decrypted(env, kept) === hash)
}
