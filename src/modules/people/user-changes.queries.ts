import { and, eq, ne, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/categories.ts"
import { portalMembers } from "../../../drizzle/portals.ts"
import { API_SOURCE, userSources, users, userViewTypes } from "../../../drizzle/users.ts"
import { account } from "../../gate/accounts.ts"
import { accountClient, endSessions, underAttempts } from "../../gate/clients.ts"
import { mayKnow } from "../../gate/scope.ts"
import { type Caller, hasRole, mayChange } from "../../lib/access.ts"
import { now } from "../../lib/clock.ts"
import { conflict, forbidden, invalid, notFound } from "../../lib/errors.ts"
import { avatarToStore } from "../../lib/input/person.ts"
import { hashPassword, verifyPassword, weakness } from "../../lib/secrets/password.ts"
import { type Database, one } from "../../lib/sql/db.ts"
import { insertFrom } from "../../lib/sql/insert-from.ts"
import { current, differences, present, requireAll, unchanged, writeChanged } from "../../lib/sql/records.ts"
import { namesOf } from "../../lib/sql/search.ts"
import { idList } from "../../lib/sql/sql.ts"
import type { Statement, UnitOfWork } from "../../lib/sql/work.ts"
import { fullName } from "../../lib/text/words.ts"
import { welcomeUsers } from "../access/passwords.queries.ts"
import { metaDetails, metasOf, readMetas, writeMetasOf } from "./custom-field-values.ts"
import { addressRefused, EVERYWHERE, refusedAddresses } from "./email-rules.queries.ts"
import { isSearched, toCreationDetails, toUserColumns, userSearchText } from "./user-fields.ts"
import type { NewPassword, NewUser, UserChanges } from "./users.schemas.ts"

const emailTaken = () => invalid("email", "email is taken: another user has it already.")
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

/** Refuses a type whose users the caller could not change then: staff make no staff, admins no owner. @throws 403 */
function requireGrantable(caller: Caller, userType: string) {
  if (!mayChange(caller, userType)) throw forbidden(`Your role does not allow you to make a user ${userType}.`)
}

/**
 * Creates a user and mails them the sign-in address.
 * @param base the origin that the mail leads to
 * @throws 422 for a taken or refused e-mail address, a weak password, an unknown category or a custom field's value;
 * 403 for a type above the caller's
 */
export async function createUser(work: UnitOfWork, base: string, input: NewUser) {
  const { db, caller } = work
  const { firstName, lastName = "", email, userCategory = [], userType = "general", user_source_id: sourceId } = input
  requireGrantable(caller, userType)
  const weak = await weakness(input.password, { email, firstName, lastName }, work.env.ASSETS)
  if (weak) throw invalid("password", weak)

  const [given, taken, known, fields, refused, sources] = await work.read([
    work.nextIds("users"),
    db.select({ id: users.id }).from(users).where(sameEmail(email)),
    knownUserCategories(db, userCategory),
    metasOf(db, 0, input.customUserMetas !== undefined),
    refusedAddresses(db, [email]),
    present(db, userSources, [sourceId ?? API_SOURCE]),
  ])
  if (taken.length > 0) throw emailTaken()
  if (refused.length > 0) throw addressRefused()
  requireAll("userCategory", userCategory, known)
  requireAll("user_source_id", [sourceId ?? API_SOURCE], sources)
  const metas = readMetas(fields, input.customUserMetas, { required: true })

  const id = one(given).last
  const kept = { ...toUserColumns(input), firstName, lastName, email, userType }
  const user = {
    ...kept,
    id,
    ...namesOf(kept),
    passwordHash: await hashPassword(input.password),
    searchText: userSearchText(kept),
    createdAt: now(),
  }
  const mail = welcomeUsers(work, base, [user])
  const answer = await work.commit(
    [
      db.insert(users).values(user),
      ...(userCategory.length > 0 ? setUserCategories(db, id, userCategory) : []),
      ...writeMetasOf(db, id, metas),
      work.audit(
        "created",
        "user",
        { id, name: fullName(user) },
        { ...toCreationDetails(input), userType, userCategory, ...metaDetails(metas) },
      ),
      ...mail.statements,
    ],
    { id, message: "User created." },
    { unique: UNIQUE_EMAIL },
  )
  mail.dispatch()
  return answer
}

/** Whose lists a user's address must pass: those that hold everywhere, and those of the user's portals. */
const emailLevelsOf = (userId: number) =>
  sql`select ${EVERYWHERE} as level
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
  if (target.id !== caller.id && !mayChange(caller, target.userType))
    throw forbidden("Your role does not allow you to change this user.")
}

/**
 * Checks the password that callers give for their own, as one of their account's attempts.
 * @param given undefined: the call does not say, and is not asked
 * @throws 422 when it is wrong, 429 after ten wrong ones in 15 minutes
 */
async function requireOwn(
  work: UnitOfWork,
  user: { id: number; email: string; passwordHash: string | null },
  given?: string,
) {
  if (given === undefined || user.id !== work.caller.id) return
  const holds = await underAttempts(work.env, { account: accountClient(user.email) }, async () => {
    const result = await verifyPassword(given, user.passwordHash)
    return { verdict: result ? "held" : "wrong", result }
  })
  if (!holds) throw invalid("current_password", "current_password is wrong.")
}

/** The user, if the caller may change them; the mutation's first trip. @throws 404, 403 */
async function changeable(work: UnitOfWork, userId: number) {
  const [rows] = await work.read([
    work.db
      .select({
        ...account,
        passwordHash: users.passwordHash,
      })
      .from(users)
      .where(and(eq(users.id, userId), mayKnow(work.caller, users.id))),
  ])
  const [user] = rows
  if (!user) throw notFound("user")
  requireChange(work.caller, user)
  return user
}

/**
 * Changes the given fields of a user and leaves the others. Below staff, callers change their own name, address,
 * avatar and custom fields only. Disabling users, changing their type or their address ends their sessions.
 * @param demanded the version of the call's `If-Match`
 * @throws 404, 403, 412, 422
 */
export async function updateUser(work: UnitOfWork, userId: number, changes: UserChanges, demanded: number | undefined) {
  const { db, caller } = work
  const { userCategory: wanted, user_source_id: sourceWanted } = changes
  const [rows, taken, known, held, fields, refused, sources] = await work.read([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), mayKnow(caller, users.id))),
    db
      .select({ id: users.id })
      .from(users)
      .where(and(sameEmail(changes.email ?? ""), ne(users.id, userId))),
    knownUserCategories(db, wanted ?? []),
    db.select({ id: userCategories.categoryId }).from(userCategories).where(eq(userCategories.userId, userId)),
    metasOf(db, userId, changes.customUserMetas !== undefined),
    refusedAddresses(db, changes.email === undefined ? [] : [changes.email], emailLevelsOf(userId)),
    present(db, userSources, sourceWanted === undefined ? [] : [sourceWanted]),
  ])
  const user = current(rows, "user", demanded)
  requireChange(caller, user)
  await requireOwn(work, user, changes.current_password)
  if (taken.length > 0) throw emailTaken()
  // An address that was accepted once stays with the user, even if it was blocked since.
  if (refused.length > 0 && changes.email?.toLowerCase() !== user.email.toLowerCase()) throw addressRefused()
  if (wanted) requireAll("userCategory", wanted, known)
  if (sourceWanted !== undefined) requireAll("user_source_id", [sourceWanted], sources)
  const metas = readMetas(fields, changes.customUserMetas)

  const isStaff = hasRole(caller, "staff")
  const categoriesChange =
    wanted !== undefined && (wanted.length !== held.length || wanted.some((id) => !held.some((row) => row.id === id)))
  const { disabled = user.disabled, userType = user.userType } = changes
  const sourceId = sourceWanted ?? user.sourceId
  if (!isStaff && (disabled !== user.disabled || categoriesChange || sourceId !== user.sourceId)) throw forbidden()
  if (disabled && !user.disabled && userId === caller.id)
    throw conflict("own_account", "You cannot disable your own account.")
  if (userType !== user.userType) {
    if (!mayChange(caller, user.userType)) throw forbidden("Your role does not allow you to change this user's type.")
    requireGrantable(caller, userType)
  }

  const names = { firstName: changes.firstName ?? user.firstName, lastName: changes.lastName ?? user.lastName }
  const next = {
    ...toUserColumns(changes),
    ...names,
    email: changes.email ?? user.email,
    avatar: changes.avatar === undefined ? user.avatar : avatarToStore(changes.avatar, user, names),
    disabled,
    userType,
    sourceId,
    internalNote: isStaff && changes.internal_note !== undefined ? changes.internal_note : user.internalNote,
  }
  const changed = differences(user, next)
  const renamed = isSearched(changed)
  const answer = { message: "User updated." }
  if (Object.keys(changed).length === 0 && !categoriesChange && metas.length === 0) return work.commit([], answer)

  const ends = next.userType !== user.userType || next.email !== user.email || (next.disabled && !user.disabled)
  const sessions = endSessions(work, ends ? [userId] : [])
  await work.commit(
    [
      unchanged(work, users, user),
      writeChanged(db, users, user, {
        ...changed,
        ...(renamed && { ...namesOf(next), searchText: userSearchText({ ...user, ...next }) }),
      }),
      ...(wanted && categoriesChange ? setUserCategories(db, userId, wanted) : []),
      ...writeMetasOf(db, userId, metas),
      ...sessions.statements,
      work.audit(
        "updated",
        "user",
        { id: userId, name: fullName(next) },
        {
          ...changed,
          ...(categoriesChange && { userCategory: wanted }),
          ...metaDetails(metas),
        },
      ),
    ],
    answer,
    { unique: UNIQUE_EMAIL },
  )
  await sessions.tell()
  return answer
}

/** Sets a user's password and ends their sessions. @throws 404, 403, 422 for a weak or a wrong present one, 429 */
export async function updatePassword(work: UnitOfWork, userId: number, { password, current_password }: NewPassword) {
  const { db } = work
  const user = await changeable(work, userId)
  await requireOwn(work, user, current_password)
  const weak = await weakness(password, user, work.env.ASSETS)
  if (weak) throw invalid("password", weak)
  const sessions = endSessions(work, [userId])
  const answer = await work.commit(
    [
      db
        .update(users)
        .set({ passwordHash: await hashPassword(password), version: sql`${users.version} + 1` })
        .where(eq(users.id, userId)),
      ...sessions.statements,
      work.audit("updated", "user", { id: userId, name: fullName(user) }, { password: "changed" }),
    ],
    { message: "Password updated." },
  )
  await sessions.tell()
  return answer
}
