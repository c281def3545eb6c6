import { and, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { z } from "zod"
import { customFields } from "../../../drizzle/schema/custom-fields.ts"
import { signUps } from "../../../drizzle/schema/sign-ups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { limitCalls } from "../../access/attempts.ts"
import { accountClient } from "../../access/clients.ts"
import { LEARNER_TYPE } from "../../access/credentials.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { linkValidity, queueMail, unsentLinkExpiry } from "../../db/outbox.ts"
import { sortableNames } from "../../db/search.ts"
import { type StoredSettings, selectSettings } from "../../db/settings.ts"
import { runInSlices } from "../../db/slices.ts"
import { inFirstIds, rowExists } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { decrypted, encrypt, hmac, hmacs, randomToken } from "../../lib/crypto/crypto.ts"
import { hashPassword, weakness } from "../../lib/crypto/password.ts"
import { gone, invalid, invalidFields } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { validateMetas, writeMetas } from "../users/custom-field-values.ts"
import { type Field, fieldsInOrder } from "../users/custom-fields.queries.ts"
import { emailRefusedError, refusedAddresses } from "../users/email-rules.queries.ts"
import { userSearchText } from "../users/user-fields.ts"
import type { NewOwnPassword } from "./passwords.schemas.ts"
import type { SignUp } from "./sign-up.schemas.ts"

/** How long a sign-up can be confirmed after the link was emailed. */
const LINK_LIFETIME = 2 * DAY
/** Sign-ups in 15 minutes per email address and per network address. */
const MAX_SIGN_UPS = { ofAccount: 5, ofAddress: 50 }

const PERSON = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  metas: z.array(z.object({ fieldId: z.number(), key: z.string(), value: z.string() })),
})
/** The data of a sign-up that is stored until it is confirmed. */
type Person = z.output<typeof PERSON>

const signedText = (token: string) => `sign-up ${token}`
const tokenHashes = (env: Bindings, token: string) => hmacs(env, "link", signedText(token))

const registrationFields = (db: Database) => fieldsInOrder(db).where(eq(customFields.onRegistrationPage, true))

/** The custom fields of the sign-up form in display order. */
export async function readSignUpPage(db: Database): Promise<{ fields: Field[]; academy: StoredSettings | null }> {
  const [fields, [academy = null]] = await db.batch([registrationFields(db), selectSettings(db)])
  return { fields, academy }
}

/**
 * Emails a link that confirms the address and expires in two days. Users who already have an account are notified by
 * email; the response and its round trips are the same.
 * @param base the origin of links
 * @param address the caller's network address
 * @throws 422 for a refused address or an invalid custom field; 429
 */
export async function signUp(work: UnitOfWork, base: string, address: string, input: SignUp) {
  const { db, env } = work
  const { firstName, lastName = "", email, customUserMetas = {} } = input
  await limitCalls(env, "sign-up", { account: accountClient(email), address }, MAX_SIGN_UPS)
  const [taken, fields, refused, [academy = null]] = await work.read([
    db
      .select({ id: users.id, email: users.email, disabled: users.disabled })
      .from(users)
      .where(sql`${users.email} collate nocase = ${email}`),
    registrationFields(db),
    refusedAddresses(db, [email]),
    selectSettings(db),
  ])
  if (refused.length > 0) throw emailRefusedError()
  const { metas, errors } = validateMetas(fields, customUserMetas, { required: true })
  if (Object.keys(errors).length > 0) throw invalidFields(errors)

  const answer = { message: "Check your email to continue." }
  const [user] = taken
  // Writes like the other cases, without reserving an id: disabled users get no email.
  if (user?.disabled) {
    await work.commit([work.nextIds("users", 0)], answer, { marker: () => sql`true` })
    return { ...answer, academy }
  }
  if (user) {
    const url = `${base}/password/forgot`
    const recipient = { userId: user.id, email: user.email, name: "" }
    const mail = queueMail(work, "sign-up of a user", { account: "sign_up_exists", url }, [recipient])
    await work.commit(mail.statements, answer, { marker: mail.isCommitted })
    mail.dispatch()
    return { ...answer, academy }
  }
  const token = randomToken()
  const person: Person = {
    firstName,
    lastName,
    email,
    metas: metas.map(({ field, value }) => ({ fieldId: field.id, key: field.userMetaKey, value })),
  }
  const link = `${base}/sign-up/confirm?token=${token}`
  const tokenHash = hmac(env, "link", signedText(token))
  const validity = linkValidity(signUps, [[signUps.tokenHash, tokenHash]], LINK_LIFETIME)
  // Neither email contains the name: anyone who signs up could put any text into it.
  const recipient = { userId: null, email, name: "", secret: { link, validity } }
  const mail = queueMail(work, "sign-up", { account: "sign_up_confirm" }, [recipient])
  await work.commit(
    [
      db.insert(signUps).values({
        tokenHash,
        person: encrypt(env, JSON.stringify(person)),
        expiresAt: unsentLinkExpiry(),
      }),
      ...mail.statements,
    ],
    answer,
    { marker: mail.isCommitted },
  )
  mail.dispatch()
  return { ...answer, academy }
}

const linkExpired = () =>
  gone(
    "link_expired",
    "This link was already used or has expired, or an account with its email address already exists.",
  )

const pendingSignUp = ({ db, env }: UnitOfWork, token: string) =>
  db
    .select({ person: signUps.person })
    .from(signUps)
    .where(and(inArray(signUps.tokenHash, tokenHashes(env, token)), gt(signUps.expiresAt, now())))

function personOf({ env }: UnitOfWork, rows: { person: string }[]): Person {
  const [row] = rows
  if (!row) throw linkExpired()
  const person = decrypted(env, row.person)
  if (person === undefined) throw linkExpired()
  return PERSON.parse(JSON.parse(person))
}

/** The sign-up that a link confirms. @throws 410 */
export async function getSignUp(work: UnitOfWork, token: string) {
  const [rows, [academy = null]] = await work.db.batch([pendingSignUp(work, token), selectSettings(work.db)])
  return { ...personOf(work, rows), academy }
}

/**
 * Creates the learner of a sign-up with the password that they set now. The link confirms the address, so nobody can
 * set a password for an account that they began in another person's name. @throws 410, 422 for a weak password
 */
export async function confirmSignUp(work: UnitOfWork, { token, password }: NewOwnPassword) {
  const { db, env, caller } = work
  const [rows, newIds, [academy = null]] = await work.read([
    pendingSignUp(work, token),
    work.nextIds("users"),
    selectSettings(db),
  ])
  const person = personOf(work, rows)
  const weak = await weakness(password, person, env.ASSETS)
  if (weak) throw invalid("password", weak)
  const id = firstRow(newIds).last
  const { firstName, lastName, email, metas } = person
  const userWork = new UnitOfWork(db, callerAs(id, LEARNER_TYPE, caller.client), env)
  const hashes = tokenHashes(env, token)
  const user = {
    id,
    ...sortableNames(person),
    email,
    emailVerifiedAt: now(),
    userType: LEARNER_TYPE,
    passwordHash: await hashPassword(password),
    searchText: userSearchText({ firstName, lastName, email }),
    createdAt: now(),
  }
  const answer = await userWork.commit(
    [
      userWork.guard(rowExists(signUps, inArray(signUps.tokenHash, hashes))),
      db.insert(users).values(user),
      ...writeMetas(
        db,
        metas.map(({ fieldId, value }) => ({ userId: id, fieldId, value })),
      ),
      db.delete(signUps).where(inArray(signUps.tokenHash, hashes)),
      userWork.audit(
        "created",
        "user",
        { id, name: fullName(user) },
        {
          email,
          userType: LEARNER_TYPE,
          by: "sign-up",
          ...(metas.length > 0 && { customUserMetas: Object.fromEntries(metas.map(({ key, value }) => [key, value])) }),
        },
      ),
    ],
    { message: "Your email address is confirmed. You can now sign in." },
    { unique: { "users.email": linkExpired }, guardError: linkExpired },
  )
  return { ...answer, academy }
}

/** Deletes expired sign-ups. Run by the cron. */
export async function deleteExpiredSignUps(db: Database): Promise<void> {
  const expired = lte(signUps.expiresAt, now())
  await runInSlices(db, 2, (limit) =>
    db
      .delete(signUps)
      .where(inFirstIds(signUps.tokenHash, expired, limit))
      .returning({ expiresAt: signUps.expiresAt }),
  )
}
