import { and, eq, ne, type SQL, sql } from "drizzle-orm"
import { categories, userCategories } from "../../../drizzle/categories.ts"
import { courses } from "../../../drizzle/courses.ts"
import { enrolments } from "../../../drizzle/enrolments.ts"
import { memberships } from "../../../drizzle/memberships.ts"
import { modules } from "../../../drizzle/modules.ts"
import { portalMembers, portals } from "../../../drizzle/portals.ts"
import { users, userViewTypes } from "../../../drizzle/users.ts"
import { type Caller, mayChange, rank } from "../../gate/access.ts"
import { endSessions } from "../../gate/clients.ts"
import { mayKnow, usersInScope } from "../../gate/scope.ts"
import { now } from "../../lib/clock.ts"
import { type Database, one } from "../../lib/db.ts"
import { conflict, forbidden, invalid, notFound } from "../../lib/errors.ts"
import { type Filter, type PageQuery, page } from "../../lib/list.ts"
import { hashPassword, weakness } from "../../lib/password.ts"
import { current, unchanged } from "../../lib/records.ts"
import { matching, searchText } from "../../lib/search.ts"
import { idList } from "../../lib/sql.ts"
import { linkedTo } from "../../lib/walk.ts"
import { counted, fullName } from "../../lib/words.ts"
import type { AuditAction, Statement, UnitOfWork } from "../../lib/work.ts"
import { metaDetails, metasOf, readMetas, writeMetasOf } from "../custom-fields/values.ts"
import { addressRefused, EVERYWHERE, refusedAddresses } from "../email-rules/email-rules.queries.ts"
import { planEnrolment } from "../enrolments/enrolments.queries.ts"
import { welcomeUsers } from "../passwords/passwords.queries.ts"
import { initials } from "./avatar.ts"
import { membershipHolds } from "./user-membership.queries.ts"
import { userRowFields } from "./user-row.ts"
import type { NewUser, QuickEdit, UserChanges, UserDeletion } from "./users.schemas.ts"

export const emailTaken = () => invalid("email", "email is taken: another user has it already.")
const UNIQUE_EMAIL = { "users.email": emailTaken }

const SORT = {
  id: users.id,
  first_name: sql`${users.firstName} collate nocase`,
  last_name: sql`${users.lastName} collate nocase`,
  email: sql`${users.email} collate nocase`,
  user_type: users.userType,
  display_user_type: users.userType,
  display_type: users.userType,
  is_disabled: users.disabled,
  created_at: users.createdAt,
  last_login: users.lastLoginAt,
}

const inCategories = (categoryIds: number[]): Filter => ({
  test: sql`exists (select 1 from ${userCategories} where ${userCategories.userId} = ${users.id} and ${userCategories.categoryId} in ${idList(categoryIds)})`,
  ...linkedTo(userCategories, userCategories.userId, userCategories.categoryId, categoryIds),
})

export interface UserSearch {
  nameOrEmail?: string | undefined
  membershipId?: number | undefined
  userCategoryId?: number[] | undefined
  userType?: string | undefined
}

/** The conditions of a search for users. The users list, the lookups and the export read alike. */
export function userFilters(search: UserSearch): Filter[] {
  return [
    ...(search.nameOrEmail ? [matching("users_search", users.id, search.nameOrEmail)] : []),
    ...(search.userCategoryId ? [inCategories(search.userCategoryId)] : []),
    ...(search.membershipId
      ? [{ test: sql`${users.membershipId} = ${search.membershipId} and ${membershipHolds()}` }]
      : []),
    ...(search.userType ? [{ test: eq(users.userType, search.userType) }] : []),
  ]
}

type Within = { portalId?: number | undefined; group_id?: number | undefined }

/** One page of the users that the caller may see. */
export async function listUsers(
  db: Database,
  caller: Caller,
  query: PageQuery & Within & { search_param: UserSearch },
) {
  const { filters, total } = usersInScope(caller, users.id, query)
  const found = page(
    db,
    {
      table: users,
      key: users.id,
      fields: userRowFields,
      sort: SORT,
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: filters,
      search: userFilters(query.search_param),
      ...(total && { total }),
    },
    query,
  )
  return found.read(...(await db.batch(found.statements)))
}

/** One page of users for a picker, by first name. */
export async function lookUpUsers(db: Database, caller: Caller, query: PageQuery & Within & { search: UserSearch }) {
  const { filters, total } = usersInScope(caller, users.id, query)
  const found = page(
    db,
    {
      table: users,
      key: users.id,
      fields: {
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        email: users.email,
        userType: users.userType,
      },
      sort: SORT,
      defaultSort: { colName: "first_name", direction: "asc" },
      scope: filters,
      search: userFilters(query.search),
      ...(total && { total }),
    },
    query,
  )
  return found.read(...(await db.batch(found.statements)))
}

/** One user with its membership and its custom fields. @throws 404 outside the caller's reach. */
export async function getUser(db: Database, caller: Caller, userId: number) {
  const [rows, metas] = await db.batch([
    db
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        email: users.email,
        avatar: users.avatar,
        disabled: users.disabled,
        userType: users.userType,
        internalNote: users.internalNote,
        lastLoginAt: users.lastLoginAt,
        membershipId: sql<number | null>`case when ${membershipHolds()} then ${users.membershipId} end`.as(
          "held_membership_id",
        ),
        membershipName: sql<
          string | null
        >`(select ${memberships.name} from ${memberships} where ${memberships.id} = ${users.membershipId})`.as(
          "membership_name",
        ),
        membershipExpiresAt: users.membershipExpiresAt,
        version: users.version,
      })
      .from(users)
      .where(and(eq(users.id, userId), mayKnow(caller, users.id))),
    metasOf(db, userId),
  ])
  const [user] = rows
  if (!user) throw notFound("user")
  return { ...user, metas }
}

/** Stores how a user likes its lists shown. @throws 404, 403 */
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

function requireAll(wanted: number[], known: { id: number }[]) {
  const missing = wanted.filter((id) => !known.some((row) => row.id === id))
  if (missing.length > 0)
    throw invalid("userCategory", `userCategory names categories that do not exist: ${missing.join(", ")}.`)
}

const setUserCategories = (db: Database, userId: number, categoryIds: number[]): Statement[] => [
  db
    .delete(userCategories)
    .where(sql`${userCategories.userId} = ${userId} and ${userCategories.categoryId} not in ${idList(categoryIds)}`),
  db
    .insert(userCategories)
    .select(
      sql`select ${userId} as user_id, value as category_id from json_each(${JSON.stringify(categoryIds)}) where true`,
    )
    .onConflictDoNothing(),
]

/** May the caller give this user type? Nobody gives a type above its own; only an owner makes an owner. */
function requireGrantable(caller: Caller, userType: string) {
  const allowed =
    userType === "owner" ? rank(caller.userType) === rank("owner") : rank(userType) <= rank(caller.userType)
  if (!allowed) throw forbidden(`Your role does not allow you to make a user ${userType}.`)
}

/**
 * Creates a user and mails it where to sign in.
 * @param base the origin that the mail leads to
 * @throws 422 for a taken or refused e-mail address, a weak password, an unknown category or a custom field's value; 403
 * for a type above the caller's
 */
export async function createUser(work: UnitOfWork, base: string, input: NewUser) {
  const { db, caller } = work
  const { firstName, lastName = "", email, userCategory = [], userType = "general" } = input
  requireGrantable(caller, userType)
  const weak = await weakness(input.password, { email, firstName, lastName })
  if (weak) throw invalid("password", weak)

  const [given, taken, known, fields, refused] = await work.read([
    work.nextIds("users"),
    db.select({ id: users.id }).from(users).where(sameEmail(email)),
    knownUserCategories(db, userCategory),
    metasOf(db, 0, input.customUserMetas !== undefined),
    refusedAddresses(db, [email]),
  ])
  if (taken.length > 0) throw emailTaken()
  if (refused.length > 0) throw addressRefused()
  requireAll(userCategory, known)
  const metas = readMetas(fields, input.customUserMetas, { required: true })

  const id = one(given).last
  const user = {
    id,
    firstName,
    lastName,
    email,
    passwordHash: await hashPassword(input.password),
    userType,
    searchText: searchText(`${firstName} ${lastName}`, email),
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
        { email, userType, userCategory, ...metaDetails(metas) },
      ),
      ...mail.statements,
    ],
    { id, message: "User created." },
    { unique: UNIQUE_EMAIL },
  )
  mail.dispatch()
  return answer
}

/** Whose lists a user's address must pass: those that hold everywhere, and those of its portals. */
const emailLevelsOf = (userId: number) =>
  sql`select ${EVERYWHERE} as level union all select ${portalMembers.portalId} from ${portalMembers} where ${portalMembers.userId} = ${userId}`

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

/** The user, if the caller may change it; the mutation's first trip. @throws 404, 403 */
async function changeable(work: UnitOfWork, userId: number) {
  const [rows] = await work.read([
    work.db
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        email: users.email,
        userType: users.userType,
      })
      .from(users)
      .where(and(eq(users.id, userId), mayKnow(work.caller, users.id))),
  ])
  const [user] = rows
  if (!user) throw notFound("user")
  requireChange(work.caller, user)
  return user
}

/** What is stored for an avatar as a client sends it: it sends back the initials that it was shown. */
function avatarToStore(
  given: string,
  user: { firstName: string; lastName: string; avatar: string | null },
): string | null {
  if (given === "" || given === initials(user)) return null
  if (given === user.avatar || /^https?:\/\/\S+$/i.test(given)) return given
  throw invalid("avatar", "avatar must be an image's http(s) URL, or empty for the initials.")
}

/**
 * Changes the given fields of a user and leaves the others. Below staff, a caller changes its own name, address,
 * avatar and custom fields only. Disabling a user, changing its type or its address ends its sessions.
 * @param demanded the version of the call's `If-Match`
 * @throws 404, 403, 412, 422
 */
export async function updateUser(work: UnitOfWork, userId: number, changes: UserChanges, demanded: number | undefined) {
  const { db, caller } = work
  const wanted = changes.userCategory
  const [rows, taken, known, held, fields, refused] = await work.read([
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
  ])
  const user = current(rows, "user", demanded)
  requireChange(caller, user)
  if (taken.length > 0) throw emailTaken()
  // An address that was accepted once stays the user's, whatever was blocked since.
  if (refused.length > 0 && changes.email?.toLowerCase() !== user.email.toLowerCase()) throw addressRefused()
  if (wanted) requireAll(wanted, known)
  const metas = readMetas(fields, changes.customUserMetas)

  const isStaff = rank(caller.userType) >= rank("staff")
  const categoriesChange =
    wanted !== undefined && (wanted.length !== held.length || wanted.some((id) => !held.some((row) => row.id === id)))
  const { disabled = user.disabled, userType = user.userType } = changes
  if (!isStaff && (disabled !== user.disabled || categoriesChange)) throw forbidden()
  if (disabled && !user.disabled && userId === caller.id) throw conflict("You cannot disable your own account.")
  if (userType !== user.userType) {
    if (!mayChange(caller, user.userType)) throw forbidden("Your role does not allow you to change this user's type.")
    requireGrantable(caller, userType)
  }

  const next = {
    firstName: changes.firstName ?? user.firstName,
    lastName: changes.lastName ?? user.lastName,
    email: changes.email ?? user.email,
    avatar: changes.avatar === undefined ? user.avatar : avatarToStore(changes.avatar, user),
    disabled,
    userType,
    internalNote: isStaff && changes.internal_note !== undefined ? changes.internal_note : user.internalNote,
  }
  const changed = Object.entries(next).filter(([field, value]) => value !== user[field as keyof typeof next])
  const answer = { message: "User updated." }
  if (changed.length === 0 && !categoriesChange && metas.length === 0) return work.commit([], answer)

  const ends = next.userType !== user.userType || next.email !== user.email || (next.disabled && !user.disabled)
  const sessions = endSessions(work, ends ? [userId] : [])
  await work.commit(
    [
      unchanged(work, users, user),
      db
        .update(users)
        .set({
          ...next,
          searchText: searchText(`${next.firstName} ${next.lastName}`, next.email),
          version: sql`${users.version} + 1`,
        })
        .where(eq(users.id, userId)),
      ...(wanted && categoriesChange ? setUserCategories(db, userId, wanted) : []),
      ...writeMetasOf(db, userId, metas),
      ...sessions.statements,
      work.audit(
        "updated",
        "user",
        { id: userId, name: fullName(next) },
        {
          ...Object.fromEntries(changed),
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

/** Sets a user's password and ends its sessions. @throws 404, 403, 422 for a weak password */
export async function updatePassword(work: UnitOfWork, userId: number, password: string) {
  const { db } = work
  const user = await changeable(work, userId)
  const weak = await weakness(password, user)
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

/** The users of `ids` that the caller may see. */
const targets = (work: UnitOfWork, ids: number[]) =>
  work.db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      userType: users.userType,
      disabled: users.disabled,
    })
    .from(users)
    .where(and(sql`${users.id} in ${idList(ids)}`, mayKnow(work.caller, users.id)))
    .orderBy(users.id)

const auditUsers = (work: UnitOfWork, action: AuditAction, ids: number[], details: SQL) =>
  work.auditMany(
    action,
    "user",
    sql`select id, trim(first_name || ' ' || last_name) as name, ${details} as details from ${users} where id in ${idList(ids)}`,
  )

/**
 * Disables or enables users, and enrols them in courses. Those whom the caller may not change, and its own account, are
 * left and counted; unknown courses are skipped.
 * @throws 409 when a course has too few seats left
 */
export async function quickEdit(work: UnitOfWork, { user_ids, disabled, course_ids = [] }: QuickEdit) {
  const { db, caller } = work
  const changeableTypes = sql`${users.id} is not ${caller.id} and ${mayChangeType(caller)}`
  const plan = planEnrolment(work, {
    userIds: course_ids.length > 0 ? user_ids : [],
    courseIds: course_ids,
    among: { users: sql`${mayKnow(caller, users.id)} and ${changeableTypes}` },
  })
  const [found, ...read] = await work.read([targets(work, user_ids), ...plan.reads])
  const { statements: enrolling, enrolled } = plan.settle(...read)
  const allowed = found.filter((user) => user.id !== caller.id && mayChange(caller, user.userType))
  const changing = allowed.filter((user) => user.disabled !== disabled)
  const ids = changing.map((user) => user.id)
  const sessions = endSessions(work, disabled ? ids : [])
  const skipped = user_ids.length - allowed.length
  const verb = disabled ? "disabled" : "enabled"
  const already = allowed.length - changing.length
  const answer = {
    message: [
      `${counted(ids.length, "user")} ${verb}.`,
      ...(already > 0 ? [`${already} ${already === 1 ? "was" : "were"} ${verb} already.`] : []),
      ...(skipped > 0 ? [`${skipped} skipped: unknown, or not yours to change.`] : []),
      ...(course_ids.length > 0 ? [`${counted(enrolled, "enrolment")} made.`] : []),
    ].join(" "),
  }
  const disabling = [
    work.guard(
      sql`(select count(*) from ${users} where ${users.id} in ${idList(ids)} and ${users.disabled} <> ${disabled}) = ${ids.length}`,
    ),
    db
      .update(users)
      .set({ disabled, version: sql`${users.version} + 1` })
      .where(sql`${users.id} in ${idList(ids)}`),
    ...sessions.statements,
    auditUsers(work, "updated", ids, sql`${JSON.stringify({ disabled })}`),
  ]
  await work.commit([...(ids.length > 0 ? disabling : []), ...enrolling], answer)
  await sessions.tell()
  return answer
}

/** `mayChange` as a condition on users. */
function mayChangeType(caller: Caller): SQL {
  if (rank(caller.userType) === rank("owner")) return sql`1`
  const above = rank(caller.userType) === rank("staff") ? ["staff", "admin", "owner"] : ["owner"]
  return sql`${users.userType} not in (select value from json_each(${JSON.stringify(above)}))`
}

type Named = { id: number; name: string }

/** Rows of (user, record) as the answer gives them: by the user's name, an array of records. */
function byUserName(rows: { userId: number; id: number; name: string }[], found: Target[]): Record<string, Named[]> {
  const used: Record<string, Named[]> = {}
  for (const { userId, id, name } of rows) {
    const user = found.find((candidate) => candidate.id === userId)
    if (user) used[fullName(user)] = [...(used[fullName(user)] ?? []), { id, name }]
  }
  return used
}

/**
 * Deletes users. Kept are those with enrolments or access to a portal, authors, the caller's own account, and those whom the caller may not
 * delete; unknown ids are counted as not deleted. The answer's lists and counts are of what the batch did.
 */
export async function deleteUsers(work: UnitOfWork, { delete_ids }: UserDeletion) {
  const { db, caller } = work
  const these = idList(delete_ids)
  const [found, inCourses, courseAuthors, moduleAuthors, inPortals] = await work.read([
    targets(work, delete_ids),
    db
      .select({ userId: enrolments.userId, id: courses.id, name: courses.name })
      .from(enrolments)
      .innerJoin(courses, eq(courses.id, enrolments.courseId))
      .where(sql`${enrolments.userId} in ${these}`)
      .orderBy(courses.name),
    db
      .select({ userId: sql<number>`${courses.authorId}`.as("author"), id: courses.id, name: courses.name })
      .from(courses)
      .where(sql`${courses.authorId} in ${these}`)
      .orderBy(courses.name),
    db
      .select({ userId: sql<number>`${modules.authorId}`.as("author"), id: modules.id, name: modules.name })
      .from(modules)
      .where(sql`${modules.authorId} in ${these}`)
      .orderBy(modules.name),
    db
      .select({ userId: portalMembers.userId, id: portals.id, name: portals.name })
      .from(portalMembers)
      .innerJoin(portals, eq(portals.id, portalMembers.portalId))
      .where(sql`${portalMembers.userId} in ${idList(delete_ids)}`)
      .orderBy(portals.name),
  ])
  const uses = [inCourses, courseAuthors, moduleAuthors, inPortals]
  const kept = new Set([
    ...uses.flatMap((rows) => rows.map((row) => row.userId)),
    ...found.filter((user) => user.id === caller.id || !mayChange(caller, user.userType)).map((user) => user.id),
  ])
  const deleted = found.filter((user) => !kept.has(user.id))
  const ids = deleted.map((user) => user.id)
  const toNamed = (user: Target): Named => ({ id: user.id, name: fullName(user) })
  const unknown = delete_ids.length - found.length
  const answer = {
    message: [
      `${counted(ids.length, "user")} deleted.`,
      ...(kept.size > 0 ? [`${counted(kept.size, "user")} not deleted.`] : []),
      ...(unknown > 0 ? [`${counted(unknown, "id")} unknown.`] : []),
    ].join(" "),
    deletedStudents: deleted.map(toNamed),
    notDeletedStudents: found.filter((user) => kept.has(user.id)).map(toNamed),
    usedInCourses: byUserName(inCourses, found),
    usedAsCourseAuthors: byUserName(courseAuthors, found),
    usedAsModuleAuthors: byUserName(moduleAuthors, found),
    usedInPortals: byUserName(inPortals, found),
  }
  if (ids.length === 0) return work.commit([], answer)
  const sessions = endSessions(work, ids)
  await work.commit(
    [
      work.guard(sql`(select count(*) from ${users} where ${users.id} in ${idList(ids)}) = ${ids.length}`),
      work.guard(
        sql`not exists (select 1 from ${portalMembers} where ${portalMembers.userId} in ${idList(ids)}) and not exists (select 1 from ${enrolments} where ${enrolments.userId} in ${idList(ids)}) and not exists (select 1 from ${courses} where ${courses.authorId} in ${idList(ids)}) and not exists (select 1 from ${modules} where ${modules.authorId} in ${idList(ids)})`,
      ),
      auditUsers(work, "deleted", ids, sql`json_object('email', email)`),
      db.delete(users).where(sql`${users.id} in ${idList(ids)}`),
      ...sessions.statements,
    ],
    answer,
  )
  await sessions.tell()
  return answer
}
