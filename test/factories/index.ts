import { env } from "cloudflare:workers"
import { eq, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/d1"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { groupAdmins, groupMembers, groups } from "../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { type SEQUENCES, sequences } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import { clientObject, userClient } from "../../src/access/clients.ts"
import { issueToken } from "../../src/access/session.ts"
import { auditEntries } from "../../src/db/audit-rows.ts"
import { searchText, sortableNames } from "../../src/db/search.ts"
import { hashPassword } from "../../src/lib/crypto/password.ts"

/** The database, for inserting rows and checking effects. */
export const db = drizzle(env.DB)

export const PASSWORD = "correct horse battery"
let passwordHash: Promise<string> | undefined
/** Hashed once: scrypt is slow on purpose. */
const hash = () => {
  passwordHash ??= hashPassword(PASSWORD)
  return passwordHash
}

/** Reserves the next id of a table like the service. */
export async function nextId(table: (typeof SEQUENCES)[number]): Promise<number> {
  const [row] = await db
    .insert(sequences)
    .values({ name: table, value: 1 })
    .onConflictDoUpdate({ target: sequences.name, set: { value: sql`${sequences.value} + 1` } })
    .returning({ value: sequences.value })
  if (!row) throw new Error("No id")
  return row.value
}

export type UserRow = typeof users.$inferSelect

/** A user with PASSWORD as its password. */
export async function user(overrides: Partial<typeof users.$inferInsert> = {}): Promise<UserRow> {
  const id = overrides.id ?? (await nextId("users"))
  const firstName = overrides.firstName ?? "Learner"
  const lastName = overrides.lastName ?? `Number ${id}`
  const email = overrides.email ?? `user${id}@example.com`
  const [row] = await db
    .insert(users)
    .values({
      id,
      ...sortableNames({ firstName, lastName }),
      email,
      userType: "general",
      passwordHash: await hash(),
      createdAt: Date.now(),
      searchText: searchText(`${firstName} ${lastName}`, email),
      ...overrides,
    })
    .returning()
  if (!row) throw new Error("No user")
  return row
}

/** A bearer token of this user. */
export async function tokenOf(owner: UserRow): Promise<string> {
  await db.update(users).set({ lastLoginAt: Date.now() }).where(eq(users.id, owner.id))
  return issuedTo(owner)
}

async function issuedTo(owner: UserRow) {
  const epoch = await clientObject(env, userClient(owner.id)).epoch()
  return (await issueToken(env, { userId: owner.id, userType: owner.userType, epoch })).token
}

/** A user of a type and its token. */
export async function signedIn(userType: string, overrides: Partial<typeof users.$inferInsert> = {}) {
  const row = await user({ userType, lastLoginAt: Date.now(), ...overrides })
  return { ...row, token: await issuedTo(row) }
}

export async function group({ admins = [], members = [] }: { admins?: number[]; members?: number[] } = {}) {
  const id = await nextId("groups")
  await db
    .insert(groups)
    .values({ id, name: `Group ${id}`, searchText: searchText(`Group ${id}`), createdAt: Date.now() })
  for (const userId of admins) await db.insert(groupAdmins).values({ groupId: id, userId })
  for (const userId of members) await db.insert(groupMembers).values({ groupId: id, userId })
  return { id }
}

export async function portal({
  admins = [],
  members = [],
  ...given
}: Partial<typeof portals.$inferInsert> & { admins?: number[]; members?: number[] } = {}) {
  const id = await nextId("portals")
  const name = given.name ?? `Portal ${id}`
  await db.insert(portals).values({
    id,
    name,
    slug: `portal-${id}`,
    referralCode: `CODE${id}`,
    userType: "portal_admin",
    searchText: searchText(name),
    createdAt: Date.now(),
    ...given,
  })
  // Administrators first: members enter their scope when they join.
  for (const userId of admins) await db.insert(portalMembers).values({ portalId: id, userId, role: "admin" })
  for (const userId of members) await db.insert(portalMembers).values({ portalId: id, userId, role: "learner" })
  return { id }
}

/** Audit rows, in their order. */
export const audited = (...rows: Partial<typeof auditEntries.$inferInsert>[]) =>
  db.insert(auditEntries).values(
    rows.map((row) => ({
      action: "updated" as const,
      subject: "course",
      effectOn: "Algebra",
      details: {},
      createdAt: Date.now(),
      ...row,
    })),
  )

/** The rows of a table, for checking effects. */
export const rowsOf = <T extends SQLiteTable>(table: T) =>
  db.select().from(table as SQLiteTable) as unknown as Promise<T["$inferSelect"][]>
