import { and, eq, isNull, ne, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/schema/categories.ts"
import { portalMembers } from "../../../drizzle/schema/portals.ts"
import { userSources, users, userViewTypes } from "../../../drizzle/schema/users.ts"
import { accountColumns } from "../../access/accounts.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import { canSeeUser } from "../../access/scope.ts"
import { changeExternalId, selectExternalIds } from "../../db/external-ids.ts"
import {
  changedFields,
  existingRecords,
  guardUnchanged,
  hasSameIds,
  requireExisting,
  requireVersion,
  updateChanged,
} from "../../db/records.ts"
import { sortableNames } from "../../db/search.ts"
import { rawStatement } from "../../db/select.ts"
import { rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canChangeUserOfType, hasRole } from "../../lib/caller.ts"
import { conflict, forbidden, notFound } from "../../lib/errors.ts"
import { avatarToStore } from "../../lib/input/person.ts"
import { fullName } from "../../lib/text/words.ts"
import { emailChangedNotice } from "./credential-notices.ts"
import { requireCurrentPassword } from "./current-password.ts"
import { fieldsWithValues, metaDetails, readMetas, writeUserMetas } from "./custom-field-values.ts"
import { requestEmail, requiresEmailConfirmation } from "./email-change.queries.ts"
import { ACADEMY_LEVEL, emailRefusedError, refusedAddresses } from "./email-rules.queries.ts"
import { affectsSearchText, toUserColumns, userSearchText } from "./user-fields.ts"
import {
  emailTaken,
  knownUserCategories,
  type Provisioning,
  sameEmail,
  setUserCategories,
  UNIQUE_USER,
} from "./user-records.ts"
import { currentPasswordOf, type UserChanges } from "./users.schemas.ts"

/** Stores a user's preferred list view. @throws 404, 403 */
export async function saveViewType(work: UnitOfWork, { userId, type }: { userId: number; type: string }) {
  const { db } = work
  const user = await requireChangeableUser(work, userId)
  const saved = db
    .insert(userViewTypes)
    .values({ userId, type })
    .onConflictDoUpdate({ target: userViewTypes.userId, set: { type } })
  return work.commit([saved, work.audit("updated", "user", { id: userId, name: fullName(user) }, { viewType: type })], {
    message: "View type saved.",
  })
}

/** Selects the levels whose lists apply to a user: the academy's and those of the user's portals. */
const emailLevelsOf = (userId: number) =>
  sql`select ${ACADEMY_LEVEL} as level
    union all
    select ${portalMembers.portalId} from ${portalMembers} where ${portalMembers.userId} = ${userId}`

interface Target {
  id: number
  firstName: string
  lastName: string
  userType: string
}

/** @throws 403 for a user that the caller can see but not change */
function requireChange(caller: Caller, target: Target) {
  if (target.id !== caller.id && !canChangeUserOfType(caller, target.userType))
    throw forbidden("Your role does not allow you to change this user.")
}

/** Reads a user that the caller can change; the first round trip. @throws 404, 403 */
async function requireChangeableUser(work: UnitOfWork, userId: number) {
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

/**
 * Whether callers change their own email address, which they must confirm. Changes of its case need no confirmation.
 */
const needsEmailConfirmation = (
  { caller, env }: UnitOfWork,
  user: Target & { email: string },
  { email }: UserChanges,
) =>
  user.id === caller.id &&
  requiresEmailConfirmation(env) &&
  email !== undefined &&
  email.toLowerCase() !== user.email.toLowerCase()

/** Checks changes of sign-in and permissions. @throws 403, 409 */
function requireAllowedChanges(
  caller: Caller,
  user: Target & { email: string; disabled: boolean },
  changes: UserChanges,
) {
  const { disabled = user.disabled, userType = user.userType, email = user.email } = changes
  if (disabled && !user.disabled && user.id === caller.id)
    throw conflict("own_account", "You cannot disable your own account.")
  if (email !== user.email) requireCredentials(caller, user, "email")
  if (disabled !== user.disabled) requireCredentials(caller, user, disabled ? "disable" : "enable")
  if (userType !== user.userType) requireCredentials(caller, user, { role: userType })
}

const lastOwner = () => conflict("last_owner", "You are the last owner. Make another user an owner first.")

/** The condition that another owner than this one can sign in. */
const hasOtherOwner = (userId: number) =>
  rowExists(users, and(eq(users.userType, "owner"), eq(users.disabled, false), ne(users.id, userId)))

/**
 * Updates the provided fields. Below staff, callers can change only their own name, email address, avatar and custom
 * fields. Disabling a user, or changing the type or email address, ends the user's sessions. The caller's own new email
 * address takes effect after it is confirmed by a link.
 * @param base the origin of the links in emails
 * @param expectedVersion the version of `If-Match`
 * @param provisioning what an identity provider sets in addition
 * @throws 404, 403, 412, 422, 429
 */
export async function updateUser(
  work: UnitOfWork,
  base: string,
  userId: number,
  changes: UserChanges,
  expectedVersion: number | undefined,
  provisioning: Provisioning = {},
) {
  const { db, caller } = work
  const { userCategory: wanted, user_source_id: wantedSourceId } = changes
  const leavesOwners = userId === caller.id && caller.userType === "owner" && (changes.userType ?? "owner") !== "owner"
  if (leavesOwners)
    db.addCheck({
      statement: rawStatement(db, sql`select ${hasOtherOwner(userId)} as another`),
      verify: ([found]) => {
        if (!(found as { another: number }).another) throw lastOwner()
      },
    })
  const [rows, [holder], known, current, fields, refused, sources, currentIds] = await work.read([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id), provisioning.within)),
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
    existingRecords(db, userSources, wantedSourceId === undefined ? [] : [wantedSourceId]),
    selectExternalIds(db, "user", userId),
  ])
  const user = requireVersion(rows, "user", expectedVersion)
  requireChange(caller, user)
  const { disabled = user.disabled, userType = user.userType, email = user.email } = changes
  await requireCurrentPassword(work, user, currentPasswordOf(changes), email !== user.email)
  const isRequest = needsEmailConfirmation(work, user, changes)
  if (holder && !isRequest) throw emailTaken(holder.id)
  // A user keeps an address that was blocked after it was accepted.
  if (refused.length > 0 && email.toLowerCase() !== user.email.toLowerCase()) throw emailRefusedError()
  if (wanted) requireExisting("userCategory", wanted, known)
  if (wantedSourceId !== undefined) requireExisting("user_source_id", [wantedSourceId], sources)
  const metas = readMetas(fields, changes.customUserMetas)

  const isStaff = hasRole(caller, "staff")
  const categoriesChange = !hasSameIds(wanted, current)
  const sourceId = wantedSourceId ?? user.sourceId
  if (!isStaff && (disabled !== user.disabled || categoriesChange || sourceId !== user.sourceId)) throw forbidden()
  requireAllowedChanges(caller, user, changes)
  // A provider also ends the credentials of a user who is disabled already.
  const endsCredentials = provisioning.statements !== undefined && changes.disabled === true
  if (endsCredentials) requireCredentials(caller, user, "disable")

  const names = { firstName: changes.firstName ?? user.firstName, lastName: changes.lastName ?? user.lastName }
  const next = {
    ...(user.disabled && !disabled && { deprovisioned: false }),
    ...provisioning.columns,
    ...toUserColumns(changes),
    ...names,
    email: isRequest ? user.email : email,
    avatar: changes.avatar === undefined ? user.avatar : avatarToStore(changes.avatar, user, names),
    disabled,
    userType,
    sourceId,
    internalNote: isStaff && changes.internal_note !== undefined ? changes.internal_note : user.internalNote,
  }
  const changed = changedFields(user, next)
  const isSearchTextChanged = affectsSearchText(changed)
  const isEmailChanged = next.email.toLowerCase() !== user.email.toLowerCase()
  const request = isRequest ? await requestEmail(work, base, { userId, email }, holder) : undefined
  const notice = isEmailChanged ? emailChangedNotice(work, user) : undefined
  const answer = { message: request ? CONFIRMATION_SENT : "User updated." }
  const external = changeExternalId(db, { object: "user", id: userId, caller }, changes, currentIds)
  const isUnchanged = Object.keys(changed).length === 0 && !categoriesChange && metas.length === 0 && !external.changes
  const memberships = provisioning.memberships?.(userId) ?? []
  if (isUnchanged && !request && memberships.length === 0 && !endsCredentials) return work.commit([], answer)

  const endsSessions = next.userType !== user.userType || next.email !== user.email || (next.disabled && !user.disabled)
  const sessions = endSessions(work, endsSessions ? [userId] : [])
  await work.commit(
    [
      guardUnchanged(users, user),
      ...(leavesOwners ? [work.guard(hasOtherOwner(userId))] : []),
      ...(isUnchanged
        ? []
        : [
            updateChanged(db, users, user, {
              ...changed,
              ...(isEmailChanged && { emailVerifiedAt: 0 }),
              ...(isSearchTextChanged && { ...sortableNames(next), searchText: userSearchText({ ...user, ...next }) }),
            }),
          ]),
      ...(wanted && categoriesChange ? setUserCategories(db, userId, wanted) : []),
      ...writeUserMetas(db, userId, metas),
      ...external.statements,
      ...sessions.statements,
      ...(request?.statements ?? []),
      ...(notice?.statements ?? []),
      ...(isUnchanged && !request
        ? []
        : [
            work.audit(
              "updated",
              "user",
              { id: userId, name: fullName(next) },
              {
                ...changed,
                ...(categoriesChange && { userCategory: wanted }),
                ...metaDetails(metas),
                ...external.details,
                ...(request && { emailChange: "requested" }),
              },
            ),
          ]),
      ...memberships,
      ...(provisioning.statements?.(userId) ?? []),
    ],
    answer,
    { unique: UNIQUE_USER },
  )
  request?.dispatch()
  notice?.dispatch()
  await sessions.notify()
  return answer
}

const CONFIRMATION_SENT = "User updated. To change your email address, open the link that was sent to the new address."
