import { and, eq, gt, sql } from "drizzle-orm"
import { temporaryPasswords } from "../../../drizzle/schema/passwords.ts"
import { twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns } from "../../access/accounts.ts"
import { limitAttempts } from "../../access/attempts.ts"
import { accountClient, sessionEpoch } from "../../access/clients.ts"
import { endSession, endSessions, guardNotRevokedSince, lastRevocation } from "../../access/revocations.ts"
import { issueToken } from "../../access/session.ts"
import type { Database } from "../../db/client.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type AttemptResult, callerAs, deviceIdOf, deviceSession } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { verifyPassword } from "../../lib/crypto/password.ts"
import { ApiError, unauthorized } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { crossingOf, type NearEpoch } from "../../lib/web/crossing.ts"
import { endDevice, newDevice, surplusDevices } from "./devices.queries.ts"
import { forcedProvider } from "./login-providers.queries.ts"
import { exchangeTemporaryPassword } from "./passwords.queries.ts"
import type { Credentials, OpenedSession } from "./sessions.schemas.ts"
import { onSignedIn } from "./signed-in.ts"
import { startUrl } from "./sso-addresses.ts"
import { factorFields, spendCode } from "./two-factor.queries.ts"

/** An id that no user has. */
const NO_USER_ID = 0

const wrongCredentials = () => unauthorized("invalid_credentials", "Incorrect email or password.")
const codeMissing = () =>
  unauthorized("two_factor_required", "Enter the code from your authenticator app or a recovery code.", {
    twoFactorRequired: true,
  })
const codeWrong = () =>
  unauthorized("invalid_code", "The code is incorrect, expired or already used. Wait for the next one.", {
    twoFactorRequired: true,
  })

const ssoRequired = ({ name, slug }: { name: string; slug: string }) =>
  new ApiError("sso_required", `Sign in with ${name}. Only owners can sign in with a password.`, {
    extra: { signInUrl: startUrl("", slug) },
  })

/** Selects the user of an address with everything that a sign-in checks. */
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

/**
 * The epoch that the edge read near the client. It is current if no revocation came in between: between the edge's read
 * and this one the last revocation is the same, and the commit checks it again.
 */
function nearEpochOf(env: Bindings, user: { id: number; ending: string | null } | undefined): number | undefined {
  const near = crossingOf(env)?.epoch
  if (near?.userId !== (user?.id ?? NO_USER_ID) || near.revocation !== (user?.ending ?? null)) return undefined
  return near.epoch
}

/** Reads what `nearEpochOf` checks. @param db a session at the nearest replica */
async function readNearEpoch(env: Bindings, db: Database, email: string): Promise<NearEpoch> {
  const [[user]] = await db.batch([
    db
      .select({ id: users.id, revocation: lastRevocation(users.id).as("revocation") })
      .from(users)
      .where(sql`${users.email} collate nocase = ${email}`),
  ])
  const { id: userId, revocation } = user ?? { id: NO_USER_ID, revocation: null }
  return { userId, epoch: await sessionEpoch(env, userId), revocation }
}

/** One sign-in attempt. @throws 409 if the data that it read changed meanwhile */
async function tryOnce(work: UnitOfWork, base: string, input: Credentials): Promise<Outcome> {
  const { env, db } = work
  const { password, code } = input
  const [[user], [provider], surplus] = await db.batch([
    candidate(work, input),
    forcedProvider(db, input.email),
    surplusDevices(work, sql`select ${users.id} from ${users} where ${users.email} collate nocase = ${input.email}`),
  ])
  // Read between the query and the commit, see `notEndedSince`. For unknown users an epoch is read too, so that the
  // response time does not reveal them.
  const epoch = nearEpochOf(env, user) ?? (await sessionEpoch(env, user?.id ?? NO_USER_ID))
  const matches = await verifyPassword(password, user?.passwordHash ?? user?.temporaryHash ?? null)
  const isValid = matches && user !== undefined && !user.disabled
  // For the domains of an academy provider the response never reveals that a password is correct, except to owners.
  if (provider?.portalId === null && !(isValid && user.userType === "owner"))
    return outcome("wrong", ssoRequired(provider))
  if (!isValid) return outcome("wrong", wrongCredentials())
  if (provider && user.userType !== "owner") return outcome("undecided", ssoRequired(provider))

  const { id, firstName, lastName, userType, factorSecret, temporaryHash, temporaryUntil } = user
  const name = fullName(user)
  const userWork = new UnitOfWork(db, callerAs(id, userType, work.caller.client), env)
  if (user.passwordHash === null && temporaryHash !== null && temporaryUntil !== null) {
    const temporary = { id, name, hash: temporaryHash, expiresAt: temporaryUntil }
    return outcome("undecided", await exchangeTemporaryPassword(userWork, base, temporary))
  }

  if (factorSecret !== null && code === undefined) return outcome("undecided", codeMissing())
  const spentCode = factorSecret !== null ? spendCode(userWork, { ...user, factorSecret }, code ?? "") : undefined
  if (factorSecret !== null && !spentCode) return outcome("wrong code", codeWrong())

  const device = input.device === undefined ? undefined : await newDevice(userWork, id, input.device, surplus)
  const session = { userId: id, userType, epoch, ...(device && { id: deviceSession(device.id) }) }
  const { token, expiresAt } = await issueToken(env, session)
  const opened = await userWork.commit(
    [
      guardNotRevokedSince(userWork, id, user.ending),
      ...(spentCode?.statements ?? []),
      ...onSignedIn(userWork, id),
      ...(device?.statements ?? []),
      userWork.audit(
        "login",
        "user",
        { id, name },
        { ...(spentCode && { twoFactor: spentCode.by }), ...(device && { device: input.device }) },
      ),
    ],
    {
      token,
      expiresAt: new Date(expiresAt).toISOString(),
      ...(device && { refreshToken: device.refreshToken }),
      user: { id, firstName, lastName, email: user.email, userType },
    },
  )
  return { verdict: "correct", result: opened }
}

/** Retries once if the user changed or another call used the code meanwhile. */
async function attemptSignIn(work: UnitOfWork, base: string, input: Credentials): Promise<Outcome> {
  try {
    return await tryOnce(work, base, input)
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return tryOnce(work, base, input)
    throw error
  }
}

/** For a sign-in at the edge entry, which forwards the attempt. */
interface SignInAtPrimary {
  /** A database session at the nearest replica. */
  replica: Database
  /** @returns undefined if the attempt must run here */
  attempt: (epoch: NearEpoch | undefined) => Promise<{ verdict: AttemptResult; result: Response } | undefined>
}

/**
 * Opens a session.
 * @param base the origin of links
 * @param atPrimary undefined if the attempt runs here
 * @returns the primary's response if the attempt was forwarded
 * @throws 401, the same for a wrong password, an unknown and a disabled user, after the same work; 403 with `signInUrl`
 *   if the user must sign in with a provider; 401 with `twoFactorRequired` if the password is correct and the code is
 *   missing or wrong, with `setPasswordUrl` for a temporary password; 429 after ten failures in 15 minutes for the
 *   account, or a hundred from the network address
 */
export async function signIn(
  work: UnitOfWork,
  address: string,
  base: string,
  input: Credentials,
  atPrimary?: SignInAtPrimary,
) {
  const { env } = work
  const clients = { account: accountClient(input.email), address }
  // Runs in parallel with taking the attempt. Without it, the primary reads the epoch.
  const near = atPrimary && readNearEpoch(env, atPrimary.replica, input.email).catch(() => undefined)
  const opened = await limitAttempts<ApiError | OpenedSession | Response>(env, clients, async () => {
    const there = atPrimary && (await atPrimary.attempt(await near))
    return there ?? attemptSignIn(work, base, input)
  })
  if (opened instanceof ApiError) throw opened
  return opened
}

/**
 * Signs in a person who has set their first password, by the rules of every sign-in.
 * @param address the network address
 * @param base the origin of links
 * @returns undefined if these ask for more than the password, such as a provider
 */
export async function signInInvited(
  work: UnitOfWork,
  address: string,
  base: string,
  email: string,
  password: string,
): Promise<OpenedSession | undefined> {
  try {
    const input = { email, password, code: undefined, device: undefined, next: undefined }
    const opened = await signIn(work, address, base, input)
    return opened instanceof Response ? undefined : opened
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/**
 * Ends the caller's session with its device, or all of the caller's sessions.
 * @param ended whether the session has already ended
 * @throws 503 if a session cannot be ended right now
 */
export async function signOut(work: UnitOfWork, { everywhere, ended }: { everywhere: boolean; ended: boolean }) {
  const { caller } = work
  if (caller.kind !== "user" || !caller.session) return
  const { session } = caller
  const deviceId = deviceIdOf(session)
  // A session that has ended must not end later ones. Its device is deleted in case an earlier call failed half-way.
  if (ended) return deviceId === undefined ? undefined : endDevice(work, session.userId, deviceId)
  if (!everywhere)
    return deviceId === undefined ? endSession(work.env, session) : endDevice(work, session.userId, deviceId)
  const sessions = endSessions(work, [session.userId])
  await work.commit(sessions.statements, {}, { marker: sessions.isCommitted })
  await sessions.notify()
}
