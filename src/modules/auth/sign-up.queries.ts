import { and, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { z } from "zod"
import { customFields } from "../../../drizzle/schema/custom-fields.ts"
import { signUps } from "../../../drizzle/schema/sign-ups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { limitCalls } from "../../access/attempts.ts"
import { accountClient } from "../../access/clients.ts"
import { LEARNER_TYPE } from "../../access/credentials.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { type EmailTemplate, linkValidity, queueMail, SITE_PLACEHOLDER, unsentLinkExpiry } from "../../db/outbox.ts"
import { sortableNames } from "../../db/search.ts"
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

/** How long a sign-up waits for its confirmation once the link is mailed. */
const LASTS = 2 * DAY
/** How many sign-ups 15 minutes take for one email address, and from one network address. */
const MOST = { ofAccount: 5, ofAddress: 50 }

const PERSON = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  metas: z.array(z.object({ fieldId: z.number(), key: z.string(), value: z.string() })),
})
/** What a sign-up keeps until it is confirmed. */
type Person = z.output<typeof PERSON>

const signed = (token: string) => `sign-up ${token}`
const tokenHashes = (env: Bindings, token: string) => hmacs(env, "link", signed(token))

// Neither greets by the name that was given: whoever signs up could write what they like to anybody.
const CONFIRM: EmailTemplate = {
  subject: `Confirm your email address for ${SITE_PLACEHOLDER}`,
  paragraphs: [`Somebody, most likely you, signed up at ${SITE_PLACEHOLDER} with this email address.`],
  action: { label: "Confirm it and choose a password" },
  closing: ["The link works once, within two days. If it was not you, do nothing: there is no account then."],
}
const KNOWN: EmailTemplate = {
  subject: `Your account at ${SITE_PLACEHOLDER}`,
  paragraphs: [
    `Somebody, most likely you, signed up at ${SITE_PLACEHOLDER} with this email address. ` +
      "There is an account with it already: " +
      "sign in, or choose a new password if you have forgotten yours.",
  ],
  action: { label: "Choose a new password" },
}

const registrationFields = (db: Database) => fieldsInOrder(db).where(eq(customFields.onRegistrationPage, true))

/** The custom fields that the sign-up form asks for, in their order. */
export async function signUpFields(db: Database): Promise<Field[]> {
  const [fields] = await db.batch([registrationFields(db)])
  return fields
}

/**
 * Mails whoever signs up a link that confirms their address, for two days. Whoever has an account is mailed that they
 * have one, and the answer is the same, after the same trips.
 * @param base the origin that links lead to
 * @param address the network address's client
 * @throws 422 for a refused address or a custom field's value; 429
 */
export async function signUp(work: UnitOfWork, base: string, address: string, input: SignUp) {
  const { db, env } = work
  const { firstName, lastName = "", email, customUserMetas = {} } = input
  await limitCalls(env, "sign-up", { account: accountClient(email), address }, MOST)
  const [taken, fields, refused] = await work.read([
    db
      .select({ id: users.id, email: users.email, disabled: users.disabled })
      .from(users)
      .where(sql`${users.email} collate nocase = ${email}`),
    registrationFields(db),
    refusedAddresses(db, [email]),
  ])
  if (refused.length > 0) throw emailRefusedError()
  const { metas, errors } = validateMetas(fields, customUserMetas, { required: true })
  if (Object.keys(errors).length > 0) throw invalidFields(errors)

  const answer = { message: "Look into your mail: it says how to go on." }
  const [user] = taken
  // Gives out no id, but writes, as the others do: to a disabled user nothing is sent.
  if (user?.disabled) return work.commit([work.nextIds("users", 0)], answer, { mark: () => sql`true` })
  if (user) {
    const url = `${base}/password/forgot`
    const letter = { ...KNOWN, action: { label: "Choose a new password", url } }
    const mail = queueMail(work, "sign-up of a user", letter, [{ userId: user.id, email: user.email, name: "" }])
    await work.commit(mail.statements, answer, { mark: mail.isCommitted })
    mail.dispatch()
    return answer
  }
  const token = randomToken()
  const person: Person = {
    firstName,
    lastName,
    email,
    metas: metas.map(({ field, value }) => ({ fieldId: field.id, key: field.userMetaKey, value })),
  }
  const link = `${base}/sign-up/confirm?token=${token}`
  const tokenHash = hmac(env, "link", signed(token))
  const validity = linkValidity(signUps, [[signUps.tokenHash, tokenHash]], LASTS)
  const mail = queueMail(work, "sign-up", CONFIRM, [{ userId: null, email, name: "", secret: { link, validity } }])
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
    { mark: mail.isCommitted },
  )
  mail.dispatch()
  return answer
}

const linkGone = () =>
  gone("link_expired", "This link has been used or has expired, or there is an account with its email address already.")

const waiting = ({ db, env }: UnitOfWork, token: string) =>
  db
    .select({ person: signUps.person })
    .from(signUps)
    .where(and(inArray(signUps.tokenHash, tokenHashes(env, token)), gt(signUps.expiresAt, now())))

function personOf({ env }: UnitOfWork, rows: { person: string }[]): Person {
  const [row] = rows
  if (!row) throw linkGone()
  const person = decrypted(env, row.person)
  if (person === undefined) throw linkGone()
  return PERSON.parse(JSON.parse(person))
}

/** Whose address a link confirms. @throws 410 */
export async function getSignUp(work: UnitOfWork, token: string): Promise<Person> {
  const [rows] = await work.db.batch([waiting(work, token)])
  return personOf(work, rows)
}

/**
 * Makes the user of a sign-up, a learner, whose address the link confirms, with the password that they choose now:
 * nobody has one in an account that another began in their name. @throws 410, 422 for a weak password
 */
export async function confirmSignUp(work: UnitOfWork, { token, password }: NewOwnPassword) {
  const { db, env, caller } = work
  const [rows, given] = await work.read([waiting(work, token), work.nextIds("users")])
  const person = personOf(work, rows)
  const weak = await weakness(password, person, env.ASSETS)
  if (weak) throw invalid("password", weak)
  const id = firstRow(given).last
  const { firstName, lastName, email, metas } = person
  const own = new UnitOfWork(db, callerAs(id, LEARNER_TYPE, caller.client), env)
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
  return own.commit(
    [
      own.guard(rowExists(signUps, inArray(signUps.tokenHash, hashes))),
      db.insert(users).values(user),
      ...writeMetas(
        db,
        metas.map(({ fieldId, value }) => ({ userId: id, fieldId, value })),
      ),
      db.delete(signUps).where(inArray(signUps.tokenHash, hashes)),
      own.audit(
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
    { message: "Your email address is confirmed. Sign in with your password." },
    { unique: { "users.email": linkGone }, guardError: linkGone },
  )
}

/** Deletes sign-ups that nobody confirmed. Run by the cron. */
export async function deleteExpiredSignUps(db: Database): Promise<void> {
  const expired = lte(signUps.expiresAt, now())
  await runInSlices(db, 2, (limit) =>
    db
      .delete(signUps)
      .where(inFirstIds(signUps.tokenHash, expired, limit))
      .returning({ expiresAt: signUps.expiresAt }),
  )
}
