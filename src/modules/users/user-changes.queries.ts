import { and, eq, isNull, ne, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/schema/categories.ts"
import { ERASED_STAYS_DISABLED } from "../../../drizzle/schema/erasures.ts"
import { portalMembers } from "../../../drizzle/schema/portals.ts"
import { API_SOURCE, userSources, users, userViewTypes } from "../../../drizzle/schema/users.ts"
import { accountColumns } from "../../access/accounts.ts"
import { canSetInitialPasswords, requireAssignableRole, requireCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import { canSeeUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import {
  changedFields,
  existingRecords,
  requireAll,
  requireVersion,
  sameIds,
  unchangedAnswer,
  writeChanged,
} from "../../db/records.ts"
import { sortableNames } from "../../db/search.ts"
import { idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canChangeUserOfType, hasRole } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { hashPassword, weakness } from "../../lib/crypto/password.ts"
import { conflict, forbidden, invalid, notFound } from "../../lib/errors.ts"
import { avatarToStore } from "../../lib/input/person.ts"
import { fullName } from "../../lib/text/words.ts"
import { emailChangedNotice } from "./credential-notices.ts"
import { requireCurrentPassword } from "./current-password.ts"
import { fieldsWithValues, metaDetails, readMetas, writeUserMetas } from "./custom-field-values.ts"
import { requestEmail, requiresEmailConfirmation } from "./email-change.queries.ts"
import { ACADEMY_LEVEL, emailRefusedError, refusedAddresses } from "./email-rules.queries.ts"
import { inviteUsers, welcomeUsers } from "./invitations.queries.ts"
import { isSearched, toCreationDetails, toUserColumns, userSearchText } from "./user-fields.ts"
import { currentPasswordOf, type NewUser, type UserChanges } from "./users.schemas.ts"

const emailTaken = () => invalid("email", "email is taken: another user has it already.")
/** For commits that may enable users. */
export const ERASED_REFUSED = {
  [ERASED_STAYS_DISABLED]: () =>
    conflict("user_erased", "The user was erased: nobody can be made of them again. Create a new user."),
}

const UNIQUE_EMAIL = { "users.email": emailTaken }

/** Stores how users like their lists shown. @throws 404, 403 */
export async function saveViewType(work: UnitOfWork, { userId, type }: { userId: number; type: string }) {
  const { db } = work
  const user = await changeable(work, userId)
  const saved = db
    .insert(userViewTypes)
    .values({ userId, type })
    .onConflictDoUpdate({ target: userViewTypes.userId, set: { type } })
  return work.commit([saved, work.audit("updated", "user", { id: userId, name: fullName(user) }, { viewType: type })], {
    message: "View type saved.",
  })
}

/** The categories of `wanted` that there are. */
const knownUserCategories = (db: Database, wanted: number[]) =>
  db
    .select({ id: categories.id })
    .from(categories)
    .where(
      sql`${categories.id} in ${idList(wanted)} and ${categories.type} = 'user' and ${categories.deletedAt} is null`,
    )

const setUserCategories = (db: Database, userId: number, categoryIds: number[]): Statement[] => [
  db
    .delete(userCategories)
    .where(sql`${userCategories.userId} = ${userId} and ${userCategories.categoryId} not in ${idList(categoryIds)}`),
  insertFrom(
    db,
    userCategories,
    { userId, categoryId: sql`value` },
    sql`from json_each(${JSON.stringify(categoryIds)}) where true`,
  ).onConflictDoNothing(),
]

/** What the answer says of a new user's password, and of the mail that they get. */
function createdMessage({ sendInvitation, password }: NewUser, isInvited: boolean): string {
  if (!isInvited) return "User created."
  const invitation = "A link to choose a password is on its way to them."
  if (sendInvitation || password === undefined) return `User created. ${invitation}`
  return `User created without the password, which this API key may not set. ${invitation}`
}

/**
 * Creates a user and mails them once: the sign-in address, or, without a password, a link to choose one. An API key
 * that may set no passwords creates everybody without.
 * @param base the origin that the mail leads to
 * @throws 422 for a taken or refused email address, a weak password, an unknown category or a custom field's value;
 * 403 for a type above the caller's
 */
export async function createUser(work: UnitOfWork, base: string, input: NewUser) {
  const { db, caller } = work
  const { firstName, lastName = "", email, userCategory = [], userType = "general", user_source_id: sourceId } = input
  requireAssignableRole(caller, userType)
  const { password } = input
  const weak = password && (await weakness(password, { email, firstName, lastName }, work.env.ASSETS))
  if (weak) throw invalid("password", weak)

  const [given, taken, known, fields, refused, sources] = await work.read([
    work.nextIds("users"),
    db.select({ id: users.id }).from(users).where(sameEmail(email)),
    knownUserCategories(db, userCategory),
    fieldsWithValues(db, 0, input.customUserMetas !== undefined),
    refusedAddresses(db, [email]),
    existingRecords(db, userSources, [sourceId ?? API_SOURCE]),
  ])
  if (taken.length > 0) throw emailTaken()
  if (refused.length > 0) throw emailRefusedError()
  requireAll("userCategory", userCategory, known)
  requireAll("user_source_id", [sourceId ?? API_SOURCE], sources)
  const metas = readMetas(fields, input.customUserMetas, { required: true })

  const id = firstRow(given).last
  const kept = { ...toUserColumns(input), firstName, lastName, email, userType }
  const passwordHash = password !== undefined && canSetInitialPasswords(caller) ? await hashPassword(password) : null
  const user = {
    ...kept,
    id,
    ...sortableNames(kept),
    passwordHash,
    searchText: userSearchText(kept),
    createdAt: now(),
  }
  const mail = passwordHash === null ? inviteUsers(work, base, [user]) : welcomeUsers(work, base, [user])
  const answer = await work.commit(
    [
      db.insert(users).values(user),
      ...(userCategory.length > 0 ? setUserCategories(db, id, userCategory) : []),
      ...writeUserMetas(db, id, metas),
      work.audit(
        "created",
        "user",
        { id, name: fullName(user) },
        { ...toCreationDetails(input), userType, userCategory, ...metaDetails(metas) },
      ),
      ...mail.statements,
    ],
    { id, message: createdMessage(input, passwordHash === null) },
    { unique: UNIQUE_EMAIL },
  )
  mail.dispatch()
  return answer
}

/** Whose lists a user's address must pass: those that hold everywhere, and those of the user's portals. */
const emailLevelsOf = (userId: number) =>
  sql`select ${ACADEMY_LEVEL} as level
    union all
    select ${portalMembers.portalId} from ${portalMembers} where ${portalMembers.userId} = ${userId}`

const sameEmail = (email: string) => sql`${users.email} collate nocase = ${email}`

interface Target {
  id: number
  firstName: string
  lastName: string
  userType: string
}

/** Refuses a change of somebody whom the caller may see but not change. @throws 403 */
function requireChange(caller: Caller, target: Target) {
  if (target.id !== caller.id && !canChangeUserOfType(caller, target.userType))
    throw forbidden("Your role does not allow you to change this user.")
}

/** The user, if the caller may change them; the mutation's first trip. @throws 404, 403 */
async function changeable(work: UnitOfWork, userId: number) {
  const [rows] = await work.read([
    work.db
      .select(accountColumns)
      .from(users)
      .where(and(eq(users.id, userId), canSeeUser(work.caller, users.id))),
  ])
  const [user] = rows
  if (!user) throw notFound("user")
  requireChange(work.caller, user)
  return user
}

/** Does the caller ask for another address of their own, which is to be confirmed? Its case may change at once. */
const asksForEmail = ({ caller, env }: UnitOfWork, user: Target & { email: string }, { email }: UserChanges) =>
  user.id === caller.id &&
  requiresEmailConfirmation(env) &&
  email !== undefined &&
  email.toLowerCase() !== user.email.toLowerCase()

/** Refuses changes of how a user signs in, and of what they may do, that are not the caller's. @throws 403, 409 */
function requireChanges(caller: Caller, user: Target & { email: string; disabled: boolean }, changes: UserChanges) {
  const { disabled = user.disabled, userType = user.userType, email = user.email } = changes
  if (disabled && !user.disabled && user.id === caller.id)
    throw conflict("own_account", "You cannot disable your own account.")
  if (email !== user.email) requireCredentials(caller, user, "email")
  if (disabled !== user.disabled) requireCredentials(caller, user, disabled ? "disable" : "enable")
  if (userType !== user.userType) requireCredentials(caller, user, { role: userType })
}

/**
 * Changes the given fields of a user and leaves the others. Below staff, callers change their own name, address,
 * avatar and custom fields only. Disabling users, changing their type or their address ends their sessions. Callers'
 * own address changes once they open the link that is mailed to the new one.
 * @param base the origin that mails lead to
 * @param demanded the version of the call's `If-Match`
 * @throws 404, 403, 412, 422, 429
 */
export async function updateUser(
  work: UnitOfWork,
  base: string,
  userId: number,
  changes: UserChanges,
  demanded: number | undefined,
) {
  const { db, caller } = work
  const { userCategory: wanted, user_source_id: sourceWanted } = changes
  const [rows, [holder], known, held, fields, refused, sources] = await work.read([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id))),
    db
      .select({ id: users.id, disabled: users.disabled })
      .from(users)
      .where(and(sameEmail(changes.email ?? ""), ne(users.id, userId))),
    knownUserCategories(db, wanted ?? []),
    db
      .select({ id: userCategories.categoryId })
      .from(userCategories)
      .innerJoin(categories, eq(categories.id, userCategories.categoryId))
      .where(and(eq(userCategories.userId, userId), isNull(categories.deletedAt))),
    fieldsWithValues(db, userId, changes.customUserMetas !== undefined),
    refusedAddresses(db, changes.email === undefined ? [] : [changes.email], emailLevelsOf(userId)),
    existingRecords(db, userSources, sourceWanted === undefined ? [] : [sourceWanted]),
  ])
  const user = requireVersion(rows, "user", demanded)
  requireChange(caller, user)
  const { disabled = user.disabled, userType = user.userType, email = user.email } = changes
  await requireCurrentPassword(work, user, currentPasswordOf(changes), email !== user.email)
  const asks = asksForEmail(work, user, changes)
  if (holder && !asks) throw emailTaken()
  // An address that was accepted once stays with the user, even if it was blocked since.
  if (refused.length > 0 && email.toLowerCase() !== user.email.toLowerCase()) throw emailRefusedError()
  if (wanted) requireAll("userCategory", wanted, known)
  if (sourceWanted !== undefined) requireAll("user_source_id", [sourceWanted], sources)
  const metas = readMetas(fields, changes.customUserMetas)

  const isStaff = hasRole(caller, "staff")
  const categoriesChange = !sameIds(wanted, held)
  const sourceId = sourceWanted ?? user.sourceId
  if (!isStaff && (disabled !== user.disabled || categoriesChange || sourceId !== user.sourceId)) throw forbidden()
  requireChanges(caller, user, changes)

  const names = { firstName: changes.firstName ?? user.firstName, lastName: changes.lastName ?? user.lastName }
  const next = {
    ...toUserColumns(changes),
    ...names,
    email: asks ? user.email : email,
    avatar: changes.avatar === undefined ? user.avatar : avatarToStore(changes.avatar, user, names),
    disabled,
    userType,
    sourceId,
    internalNote: isStaff && changes.internal_note !== undefined ? changes.internal_note : user.internalNote,
  }
  const changed = changedFields(user, next)
  const renamed = isSearched(changed)
  const isMoved = next.email.toLowerCase() !== user.email.toLowerCase()
  const request = asks ? await requestEmail(work, base, { userId, email }, holder) : undefined
  const notice = isMoved ? emailChangedNotice(work, user) : undefined
  const answer = { message: request ? ASKED : "User updated." }
  const isSame = Object.keys(changed).length === 0 && !categoriesChange && metas.length === 0
  if (isSame && !request) return work.commit([], answer)

  const ends = next.userType !== user.userType || next.email !== user.email || (next.disabled && !user.disabled)
  const sessions = endSessions(work, ends ? [userId] : [])
  await work.commit(
    [
      unchangedAnswer(work, users, user),
      ...(isSame
        ? []
        : [
            writeChanged(db, users, user, {
              ...changed,
              ...(isMoved && { emailVerifiedAt: 0 }),
              ...(renamed && { ...sortableNames(next), searchText: userSearchText({ ...user, ...next }) }),
            }),
          ]),
      ...(wanted && categoriesChange ? setUserCategories(db, userId, wanted) : []),
      ...writeUserMetas(db, userId, metas),
      ...sessions.statements,
      ...(request?.statements ?? []),
      ...(notice?.statements ?? []),
      work.audit(
        "updated",
        "user",
        { id: userId, name: fullName(next) },
        {
          ...changed,
          ...(categoriesChange && { userCategory: wanted }),
          ...metaDetails(metas),
          ...(request && { emailChange: "requested" }),
        },
      ),
    ],
    answer,
    { unique: UNIQUE_EMAIL, refused: ERASED_REFUSED },
  )
  request?.dispatch()
  notice?.dispatch()
  await sessions.notify()
  return answer
}

const ASKED =
  "User updated. Your email address changes once you open the link that was mailed to the new one, and not before."
