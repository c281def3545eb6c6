import { eq, type SQL, sql } from "drizzle-orm"
import { EMAIL_RULE_KINDS, type EmailRuleKind, emailRules } from "../../../drizzle/schema/email-rules.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rowExists, rowList, textList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { invalid, notFound, preconditionFailed } from "../../lib/errors.ts"
import { contentVersion } from "../../lib/web/etag.ts"
import type { EmailRuleChanges } from "./email-rules.schemas.ts"

/** The level of the academy-wide lists; other levels are portal ids. */
export const ACADEMY_LEVEL = 0

/**
 * Whether the lists of a level refuse an address. The most specific matching entry decides: the address before its
 * domain, a domain before its parent domains. If the level has allowed entries, only those are accepted.
 * @param address an SQL expression of an email address
 * @param level a portal's id, or ACADEMY_LEVEL
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
 * Selects the addresses that the lists refuse, in one statement for any number of addresses.
 * @param addresses up to the 2 MB of a bound parameter
 * @param levels a query of `level`; an address must pass the lists of every level
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

/** The 422 error for an address that `refusedAddresses` returns. */
export const emailRefusedError = () =>
  invalid("email", "email is not accepted: this address or its domain is blocked or not on the list of allowed emails.")

const entriesOf = (db: Database, level: number) =>
  db
    .select({ entry: emailRules.entry, kind: emailRules.kind })
    .from(emailRules)
    .where(eq(emailRules.portalId, level))
    .orderBy(emailRules.entry)

const portalAt = (db: Database, level: number) =>
  db.select({ id: portals.id, name: portals.name }).from(portals).where(eq(portals.id, level))

const groupByKind = (rows: { entry: string; kind: EmailRuleKind }[]) => ({
  blocked: rows.filter((row) => row.kind === "blocked").map((row) => row.entry),
  allowed: rows.filter((row) => row.kind === "allowed").map((row) => row.entry),
})

/** The lists of a portal, or the academy-wide lists. */
export async function getEmailRules(db: Database, level = ACADEMY_LEVEL) {
  const [rows] = await db.batch([entriesOf(db, level)])
  return groupByKind(rows)
}

const inBoth = (entries: string[]) =>
  invalid(
    "allowed",
    `allowed and blocked both contain ${entries.join(", ") || "the same entry"}. Keep each entry in one list.`,
  )

/** The condition that the lists of a level are as they were read. */
const areUnchanged = (level: number, rows: { entry: string; kind: EmailRuleKind }[]) => sql`(
  select json_group_array(json_array(entry, kind))
  from (select entry, kind from ${emailRules} where portal_id = ${level} order by entry)
) = ${JSON.stringify(rows.map(({ entry, kind }) => [entry, kind]))}`

/**
 * Replaces the provided lists.
 * @throws 404 for an unknown portal, 412 if the lists are not as expected, 422 for an entry in both lists
 */
export async function setEmailRules(work: UnitOfWork, changes: EmailRuleChanges, expected?: number) {
  const { db } = work
  const level = changes.portalId ?? ACADEMY_LEVEL
  const [rows, [portal]] = await work.read([entriesOf(db, level), portalAt(db, level)])
  if (level !== ACADEMY_LEVEL && !portal) throw notFound("portal")
  const before = groupByKind(rows)
  if (expected !== undefined && expected !== contentVersion(before)) throw preconditionFailed()
  const { blocked = before.blocked, allowed = before.allowed } = changes
  const both = blocked.filter((entry) => allowed.includes(entry))
  if (both.length > 0) throw inBoth(both)
  const changedKinds = EMAIL_RULE_KINDS.filter(
    (kind) => changes[kind] && JSON.stringify(changes[kind]) !== JSON.stringify(before[kind]),
  )
  const answer = { message: "Blocked and allowed emails updated." }
  if (changedKinds.length === 0) return work.commit([], answer)
  const after = changedKinds.flatMap((kind) => (changes[kind] ?? []).map((entry) => ({ entry, kind })))
  return work.commit(
    [
      ...(expected === undefined ? [] : [work.guard(areUnchanged(level, rows))]),
      ...(portal ? [work.guard(rowExists(portals, eq(portals.id, level)))] : []),
      db
        .delete(emailRules)
        .where(sql`${emailRules.portalId} = ${level} and ${emailRules.kind} in ${textList(changedKinds)}`),
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
        Object.fromEntries(changedKinds.map((kind) => [kind, changes[kind]])),
      ),
    ],
    answer,
    { unique: { "email_rules.portal_id": () => inBoth([]) } },
  )
}
