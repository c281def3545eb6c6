import { and, eq, gt, sql } from "drizzle-orm"
import { temporaryPasswords } from "../../../drizzle/schema/passwords.ts"
import { twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns } from "../../access/accounts.ts"
import { type AttemptResult, limitAttempts } from "../../access/attempts.ts"
import { accountClient, sessionEpoch } from "../../access/clients.ts"
import { endSession, endSessions, guardNotRevokedSince, lastRevocation } from "../../access/revocations.ts"
import { issueToken } from "../../access/session.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import { callerAs, deviceIdOf, deviceSession } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { verifyPassword } from "../../lib/crypto/password.ts"
import { ApiError, unauthorized } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { endDevice, newDevice, surplusDevices } from "./devices.queries.ts"
import { forcedProvider } from "./login-providers.queries.ts"
import { exchangeTemporaryPassword } from "./passwords.queries.ts"
import type { Credentials, OpenedSession } from "./sessions.schemas.ts"
import { onSignedIn } from "./signed-in.ts"
import { startUrl } from "./sso-addresses.ts"
import { factorFields, spendCode } from "./two-factor.queries.ts"

/** No user's id. */
const NOBODY = 0

const wrong = () =>
  unauthorized("invalid_credentials", "The email address or the password is wrong, or the account is disabled.")
const codeMissing = () =>
  unauthorized("two_factor_required", "Send the code of your authenticator app, or a recovery code.", {
    twoFactorRequired: true,
  })
const codeWrong = () =>
  unauthorized("invalid_code", "The code is wrong, too old or was used before. Wait for the next one.", {
    twoFactorRequired: true,
  })

const elsewhere = ({ name, slug }: { name: string; slug: string }) =>
  new ApiError("sso_required", `Sign in with ${name}. Here it takes the password of an owner alone.`, {
    extra: { signInUrl: startUrl("", slug) },
  })

/** The user of an address, with all that a sign-in looks at. */
const candidate = ({ db }: UnitOfWork, { email, code }: Credentials) =>
  db
    .select({
      ...accountColumns,
      disabled: users.disabled,
      passwordHash: users.passwordHash,
      temporaryHash: temporaryPasswords.hash,
      temporaryUntil: temporaryPasswords.expiresAt,
      ending: lastRevocation(users.id).as("ending"),
      ...factorFields(code),
    })
    .from(users)
    .leftJoin(temporaryPasswords, and(eq(temporaryPasswords.userId, users.id), gt(temporaryPasswords.expiresAt, now())))
    .leftJoin(twoFactor, and(eq(twoFactor.userId, users.id), eq(twoFactor.active, true)))
    .where(sql`${users.email} collate nocase = ${email}`)

interface Outcome {
  verdict: AttemptResult
  result: ApiError | OpenedSession
}

const outcome = (verdict: AttemptResult, result: ApiError): Outcome => ({ verdict, result })

/** One attempt at signing in. @throws 409 when what it read changed before it was done */
async function tryOnce(work: UnitOfWork, base: string, given: Credentials): Promise<Outcome> {
  const { env, db } = work
  const { password, code } = given
  const [[user], [door], surplus] = await db.batch([
    candidate(work, given),
    forcedProvider(db, given.email),
    surplusDevices(work, sql`select ${users.id} from ${users} where ${users.email} collate nocase = ${given.email}`),
  ])
  // Between the read and the commit, see `guardNotRevokedSince`. For an unknown user an epoch is asked for as well, so
  // that the time taken does not tell.
  const epoch = await sessionEpoch(env, user?.id ?? NOBODY)
  const matches = await verifyPassword(password, user?.passwordHash ?? user?.temporaryHash ?? null)
  const holds = matches && user !== undefined && !user.disabled
  // Of the domains of a provider of the academy no password but an owner's is told to hold.
  if (door?.portalId === null && !(holds && user.userType === "owner")) return outcome("wrong", elsewhere(door))
  if (!holds) return outcome("wrong", wrong())
  if (door && user.userType !== "owner") return outcome("undecided", elsewhere(door))

  const { id, firstName, lastName, userType, factorSecret, temporaryHash, temporaryUntil } = user
  const name = fullName(user)
  const own = new UnitOfWork(db, callerAs(id, userType, work.caller.client), env)
  if (user.passwordHash === null && temporaryHash !== null && temporaryUntil !== null) {
    const temporary = { id, name, hash: temporaryHash, expiresAt: temporaryUntil }
    return outcome("undecided", await exchangeTemporaryPassword(own, base, temporary))
  }

  if (factorSecret !== null && code === undefined) return outcome("undecided", codeMissing())
  const spent = factorSecret !== null ? spendCode(own, { ...user, factorSecret }, code ?? "") : undefined
  if (factorSecret !== null && !spent) return outcome("wrong code", codeWrong())

  const device = given.device === undefined ? undefined : await newDevice(own, id, given.device, surplus)
  const session = { userId: id, userType, epoch, ...(device && { id: deviceSession(device.id) }) }
  const { token, expiresAt } = await issueToken(env, session)
  const opened = await own.commit(
    [
      guardNotRevokedSince(own, id, user.ending),
      ...(spent?.statements ?? []),
      ...onSignedIn(own, id),
      ...(device?.statements ?? []),
      own.audit(
        "login",
        "user",
        { id, name },
        { ...(spent && { twoFactor: spent.by }), ...(device && { device: given.device }) },
      ),
    ],
    {
      token,
      expiresAt: new Date(expiresAt).toISOString(),
      ...(device && { refreshToken: device.refreshToken }),
      user: { id, firstName, lastName, email: user.email, userType },
    },
  )
  return { verdict: "held", result: opened }
}

/** One attempt, and another where a call spent the code or changed the user meanwhile: judged by what holds now. */
async function check(work: UnitOfWork, base: string, given: Credentials): Promise<Outcome> {
  try {
    return await tryOnce(work, base, given)
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return tryOnce(work, base, given)
    throw error
  }
}

/**
 * Opens a session.
 * @param base the origin that a link leads to
 * @throws 401, the same for a wrong password, an unknown and a disabled user, after the same work; 403 with `signInUrl`
 * where a provider signs them in; 401 with
 * `twoFactorRequired` when the password held and a code is missing or wrong, with `setPasswordUrl` for a temporary
 * password; 429 after ten failures in 15 minutes for the account, or a hundred from the network address.
 */
export async function signIn(work: UnitOfWork, address: string, base: string, given: Credentials) {
  const clients = { account: accountClient(given.email), address }
  const opened = await limitAttempts(work.env, clients, () => check(work, base, given))
  if (opened instanceof ApiError) throw opened
  return opened
}

/**
 * Ends the caller's session, with its device where it is one's, or all of the caller's.
 * @param ended the session has ended before
 * @throws 503 when one cannot be ended right now
 */
export async function signOut(work: UnitOfWork, { everywhere, ended }: { everywhere: boolean; ended: boolean }) {
  const { caller } = work
  if (caller.kind !== "user" || !caller.session) return
  const { session } = caller
  const deviceId = deviceIdOf(session)
  // A session that has ended must not end later ones. Its device goes, should an earlier call have failed half-way.
  if (ended) return deviceId === undefined ? undefined : endDevice(work, session.userId, deviceId)
  if (!everywhere)
    return deviceId === undefined ? endSession(work.env, session) : endDevice(work, session.userId, deviceId)
  const sessions = endSessions(work, [session.userId])
  await work.commit(sessions.statements, {}, { mark: sessions.isCommitted })
  await sessions.notify()
}
