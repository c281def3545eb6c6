import { env } from "cloudflare:workers"
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm"
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1"
import { alias, unionAll } from "drizzle-orm/sqlite-core"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { badges } from "../../drizzle/schema/badges.ts"
import { users } from "../../drizzle/schema/users.ts"
import { type Database, openDatabase } from "../../src/db/client.ts"
import { insertFrom, jsonField } from "../../src/db/insert-from.ts"
import { rowList } from "../../src/db/sql.ts"
import { user } from "../factories/index.ts"

/** Unmodified Drizzle, for comparison. */
type Orm = DrizzleD1Database
const drizzles = (): Orm => drizzle(env.DB)
const ours = () => openDatabase(env.DB, "first-primary")

const boss = alias(users, "boss")
const NAMED = sql<string>`${users.firstName} || ' ' || ${users.lastName}`

/** Statements of every form that the service makes. */
const STATEMENTS: Record<string, (db: Orm) => { toSQL(): { sql: string; params: unknown[] } }> = {
  "a whole table": (db) => db.select().from(users),
  "columns and expressions of one table": (db) =>
    db
      .select({ id: users.id, name: NAMED.as("name"), plain: sql`${users.id} + ${1}` })
      .from(users)
      .where(and(eq(users.id, 7), inArray(users.userType, ["owner", "staff"]), eq(users.disabled, true))),
  "a join with an alias": (db) =>
    db
      .select({ id: users.id, boss: boss.email, name: NAMED.as("name") })
      .from(users)
      .leftJoin(boss, eq(boss.id, sql`${users.id} - 1`))
      .orderBy(asc(users.lastNameKey), desc(users.id))
      .limit(3)
      .offset(2),
  "a subquery": (db) => {
    const found = db
      .select({ id: users.id, name: NAMED.as("full_name") })
      .from(users)
      .as("found")
    return db.select({ id: found.id, name: found.name }).from(found).groupBy(found.id).having(sql`count(*) > 0`)
  },
  "a with clause": (db) => {
    const own = db.$with("own").as(db.select({ id: users.id }).from(users))
    return db.with(own).select({ id: own.id }).from(own)
  },
  "a query in a condition": (db) =>
    db
      .select({ id: users.id })
      .from(users)
      .where(sql`${users.id} in ${db.select({ id: boss.id }).from(boss)} and ${[1, 2]} is not ${undefined} null`),
  "a union": (db) => {
    const ids = (type: string) => db.select({ id: users.id }).from(users).where(eq(users.userType, type))
    return unionAll(ids("owner"), ids("staff")).orderBy(asc(sql`1`))
  },
  "distinct rows of a text": (db) =>
    db.selectDistinct({ type: sql<string>`kind`.as("kind") }).from(sql`json_each('[]')`),
  "an insertion with defaults, null and JSON": (db) =>
    db
      .insert(auditLogs)
      .values({
        performedBy: null,
        storedAction: "created",
        storedSubject: "x",
        effectOn: 'a "quoted" name',
        details: { list: [1] },
        createdAt: 5,
        performerNumber: 1,
        kindNumber: 1,
      })
      .returning({ id: auditLogs.id }),
  "rows from JSON": (db) =>
    insertFrom(
      db as Database,
      badges,
      { id: jsonField("id"), name: jsonField("name") } as never,
      sql`from ${rowList([{ id: 1 }])} where true`,
    ),
  "an update": (db) =>
    db
      .update(users)
      .set({ disabled: true, version: sql`${users.version} + 1` })
      .where(eq(users.id, 3)),
  "a deletion": (db) => db.delete(users).where(eq(users.id, 3)),
}

describe("a prebuilt statement", () => {
  it.each(Object.entries(STATEMENTS))("equals Drizzle's statement: %s", (_, make) => {
    expect(make(ours()).toSQL()).toEqual(make(drizzles()).toSQL())
  })

  it("returns the rows that Drizzle reads: booleans, null, JSON, expressions, tables, joins, nothing", async () => {
    for (const disabled of [false, true, false]) await user({ disabled })
    const reads = (db: Orm) =>
      [
        db.select().from(users).orderBy(users.id),
        db
          .select({ off: users.disabled, none: users.avatar, name: NAMED.as("name") })
          .from(users)
          .orderBy(users.id),
        db
          .select({ user: { id: users.id }, boss: { email: boss.email } })
          .from(users)
          .leftJoin(boss, eq(boss.id, sql`${users.id} - 1`))
          .orderBy(users.id),
        db.select({ list: sql`json_array(1, 2)`.mapWith(JSON.parse).as("list") }).from(users),
        db.select({ details: auditLogs.details }).from(auditLogs),
        db.select({ id: users.id }).from(users).where(eq(users.id, -1)),
      ] as const
    const answered = await ours().batch(reads(ours()))
    expect(answered).toEqual(await drizzles().batch(reads(drizzles())))
    expect(answered[0]).toHaveLength(3)
    expect(answered[3][0]).toEqual({ list: [1, 2] })
  })
})
