import { API_SOURCE, userSources, users } from "../../../drizzle/schema/users.ts"
import { canSetInitialPasswords, requireAssignableRole } from "../../access/credentials.ts"
import { firstRow } from "../../db/client.ts"
import { changeExternalId } from "../../db/external-ids.ts"
import { existingRecords, requireExisting } from "../../db/records.ts"
import { sortableNames } from "../../db/search.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { hashPassword, weakness } from "../../lib/crypto/password.ts"
import { invalid } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { fieldsWithValues, metaDetails, readMetas, writeUserMetas } from "./custom-field-values.ts"
import { emailRefusedError, refusedAddresses } from "./email-rules.queries.ts"
import { inviteUsers, welcomeUsers } from "./invitations.queries.ts"
import { toCreationDetails, toUserColumns, userSearchText } from "./user-fields.ts"
import {
  emailTaken,
  knownUserCategories,
  type Provisioning,
  sameEmail,
  setUserCategories,
  UNIQUE_USER,
} from "./user-records.ts"
import type { NewUser } from "./users.schemas.ts"

/** The response message: whether the password was stored and which email was sent. */
function createdMessage({ password, notify = true }: NewUser, hasPassword: boolean): string {
  if (hasPassword) return "User created."
  const invitation = notify ? " Invitation sent." : ""
  if (password === undefined) return `User created.${invitation}`
  return `User created without the password: this API key may not set passwords.${invitation}`
}

/**
 * Creates a user and sends one email, unless `notify` is false: a sign-in link, or an invitation if the user has no
 * password. API keys that may not set passwords create users without one.
 * @param base the origin of the links in emails
 * @param provisioning what an identity provider sets in addition
 * @throws 422 for a taken or refused email address, a weak password, an unknown category or an invalid custom field;
 * 403 for a type above the caller's
 */
export async function createUser(work: UnitOfWork, base: string, input: NewUser, provisioning: Provisioning = {}) {
  const { db, caller } = work
  const { firstName, lastName = "", email, userCategory = [], userType = "general", user_source_id: sourceId } = input
  requireAssignableRole(caller, userType)
  const { password } = input
  const weak = password && (await weakness(password, { email, firstName, lastName }, work.env.ASSETS))
  if (weak) throw invalid("password", weak)

  const [newIds, [holder], known, fields, refused, sources] = await work.read([
    work.nextIds("users"),
    db.select({ id: users.id }).from(users).where(sameEmail(email)),
    knownUserCategories(db, userCategory),
    fieldsWithValues(db, 0, input.customUserMetas !== undefined),
    refusedAddresses(db, [email]),
    existingRecords(db, userSources, [sourceId ?? API_SOURCE]),
  ])
  if (holder) throw emailTaken(holder.id)
  if (refused.length > 0) throw emailRefusedError()
  requireExisting("userCategory", userCategory, known)
  requireExisting("user_source_id", [sourceId ?? API_SOURCE], sources)
  const metas = readMetas(fields, input.customUserMetas, { required: true })

  const id = firstRow(newIds).last
  const values = { ...toUserColumns(input), ...provisioning.columns, firstName, lastName, email, userType }
  const passwordHash = password !== undefined && canSetInitialPasswords(caller) ? await hashPassword(password) : null
  const user = {
    ...values,
    id,
    ...sortableNames(values),
    passwordHash,
    searchText: userSearchText(values),
    createdAt: now(),
  }
  const external = changeExternalId(db, { object: "user", id, caller }, input)
  const notified = input.notify === false ? [] : [user]
  const mail = passwordHash === null ? inviteUsers(work, base, notified) : welcomeUsers(work, base, notified)
  const answer = await work.commit(
    [
      db.insert(users).values(user),
      ...(userCategory.length > 0 ? setUserCategories(db, id, userCategory) : []),
      ...writeUserMetas(db, id, metas),
      ...external.statements,
      work.audit(
        "created",
        "user",
        { id, name: fullName(user) },
        { ...toCreationDetails(input), userType, userCategory, ...metaDetails(metas), ...external.details },
      ),
      ...mail.statements,
      ...(provisioning.memberships?.(id) ?? []),
      ...(provisioning.statements?.(id) ?? []),
    ],
    { id, message: createdMessage(input, passwordHash !== null) },
    { unique: UNIQUE_USER },
  )
  mail.dispatch()
  return answer
}
