import { eq, type SQL, sql } from "drizzle-orm"
import { EMAIL_RULE_KINDS, type EmailRuleKind, emailRules } from "../../../drizzle/schema/email-rules.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rowExists, rowList, textList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import type { EmailRuleChanges } from "./email-rules.schemas.ts"

/** The level of the lists that hold everywhere; the others are the portals' ids. */
export const ACADEMY_LEVEL = 0

/**
 * The condition that the lists of a level refuse an address. Of the entries that cover it, the most particular decides:
 * the address itself before its domain, a domain before those above it. Where any are allowed, only those are.
 * @param address an expression of an email address
 * @param level a portal's id, or EVERYWHERE
 */
export const isRefusedBy = (address: SQL, level: SQL | number): SQL => sql`(
  with recursive covering(place, entry) as (
    select 0, lower(${address})
    union all
    select place + 1, substr(entry, instr(entry, iif(place = 0, '@', '.')) + 1)
    from covering where instr(entry, iif(place = 0, '@', '.')) > 0
  )
  select coalesce(min(iif(kind = 'blocked', place, null)) < coalesce(min(iif(kind = 'allowed', place, null)), 1000), 0)
    or (min(iif(kind = 'allowed', place, null)) is null and exists (
      select 1 from email_rules as permitted
      where permitted.portal_id = ${level} and permitted.kind = 'allowed'
    ))
  from covering
  join email_rules as rule on rule.portal_id = ${level} and rule.entry = covering.entry
)`

/**
 * Which of many addresses may have no account: one statement, whatever their number.
 * @param addresses up to the 2 MB that a bound parameter holds
 * @param levels a query of `level`; EVERYWHERE unless given. An address must pass the lists of each.
 */
export const refusedAddresses = (
  db: Database,
  addresses: string[],
  levels: SQL = sql`select ${ACADEMY_LEVEL} as level`,
) =>
  db
    .select({ address: sql<string>`given.value`.as("address") })
    .from(sql`json_each(${JSON.stringify(addresses)}) as given`)
    .where(sql`exists (select 1 from (${levels}) as levels where ${isRefusedBy(sql`given.value`, sql`levels.level`)})`)

/** 422 for an address that `refusedAddresses` names. */
export const emailRefusedError = () =>
  invalid("email", "email is not accepted: this address or its domain is blocked, or is not among those allowed.")

const entriesOf = (db: Database, level: number) =>
  db
    .select({ entry: emailRules.entry, kind: emailRules.kind })
    .from(emailRules)
    .where(eq(emailRules.portalId, level))
    .orderBy(emailRules.entry)

const portalAt = (db: Database, level: number) =>
  db.select({ id: portals.id, name: portals.name }).from(portals).where(eq(portals.id, level))

const split = (rows: { entry: string; kind: EmailRuleKind }[]) => ({
  blocked: rows.filter((row) => row.kind === "blocked").map((row) => row.entry),
  allowed: rows.filter((row) => row.kind === "allowed").map((row) => row.entry),
})

/** The lists of a portal, or those that hold everywhere. */
export async function getEmailRules(db: Database, level = ACADEMY_LEVEL) {
  const [rows] = await db.batch([entriesOf(db, level)])
  return split(rows)
}

const inBoth = (entries: string[]) =>
  invalid("allowed", `allowed and blocked both hold ${entries.join(", ") || "an entry"}; keep each entry in one.`)

/** Replaces the lists that are given; the others stay. @throws 404 for an unknown portal, 422 for an entry in both */
export async function setEmailRules(work: UnitOfWork, changes: EmailRuleChanges) {
  const { db } = work
  const level = changes.portalId ?? ACADEMY_LEVEL
  const [rows, [portal]] = await work.read([entriesOf(db, level), portalAt(db, level)])
  if (level !== ACADEMY_LEVEL && !portal) throw notFound("portal")
  const before = split(rows)
  const { blocked = before.blocked, allowed = before.allowed } = changes
  const both = blocked.filter((entry) => allowed.includes(entry))
  if (both.length > 0) throw inBoth(both)
  const given = EMAIL_RULE_KINDS.filter(
    (kind) => changes[kind] && JSON.stringify(changes[kind]) !== JSON.stringify(before[kind]),
  )
  const answer = { message: "Blocked and allowed emails saved." }
  if (given.length === 0) return work.commit([], answer)
  const after = given.flatMap((kind) => (changes[kind] ?? []).map((entry) => ({ entry, kind })))
  return work.commit(
    [
      ...(portal ? [work.guard(rowExists(portals, eq(portals.id, level)))] : []),
      db.delete(emailRules).where(sql`${emailRules.portalId} = ${level} and ${emailRules.kind} in ${textList(given)}`),
      insertFrom(
        db,
        emailRules,
        { portalId: level, entry: jsonField("entry"), kind: jsonField("kind") },
        sql`from ${rowList(after)} where true`,
      ),
      work.audit(
        "updated",
        "blocked emails",
        { id: portal?.id ?? null, name: portal?.name ?? "everywhere" },
        Object.fromEntries(given.map((kind) => [kind, changes[kind]])),
      ),
    ],
    answer,
    { unique: { "email_rules.portal_id": () => inBoth([]) } },
  )
}
