import { eq, sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/memberships.ts"
import { users } from "../../../drizzle/users.ts"
import { now } from "../../lib/clock.ts"
import { type Database, one } from "../../lib/db.ts"
import { invalid } from "../../lib/errors.ts"
import { type PageQuery, page } from "../../lib/list.ts"
import { change, current, readOne, remove } from "../../lib/records.ts"
import { matching, searchText } from "../../lib/search.ts"
import { counter } from "../../lib/sql.ts"
import type { UnitOfWork } from "../../lib/work.ts"
import { membershipHolds } from "../users/user-membership.queries.ts"
import type { MembershipChanges, NewMembership } from "./memberships.schemas.ts"

const UNIQUE = { "memberships.name": () => invalid("name", "name is taken: another membership has it already.") }

const fields = {
  id: memberships.id,
  name: memberships.name,
  expiresAfterDays: memberships.expiresAfterDays,
  createdAt: memberships.createdAt,
}

/** @throws 422 when the name is taken */
export async function createMembership(work: UnitOfWork, input: NewMembership) {
  const { db } = work
  const [given] = await work.read([work.nextIds("memberships")])
  const id = one(given).last
  const { name } = input
  const expiresAfterDays = input.expiresAfterDays ?? 0
  return work.commit(
    [
      db.insert(memberships).values({ id, name, expiresAfterDays, searchText: searchText(name), createdAt: now() }),
      work.audit("created", "membership", { id, name }, { expiresAfterDays }),
    ],
    { id, message: "Membership created." },
    { unique: UNIQUE },
  )
}

/** @throws 404 */
export const getMembership = (db: Database, id: number) =>
  readOne(db, { table: memberships, fields, subject: "membership" }, id)

/** Changes the given fields and leaves the others. @throws 404, 412, 422 when the name is taken */
export async function updateMembership(work: UnitOfWork, id: number, changes: MembershipChanges, demanded?: number) {
  const [rows] = await work.read([work.db.select().from(memberships).where(eq(memberships.id, id))])
  const membership = current(rows, "membership", demanded)
  const name = changes.name ?? membership.name
  const expiresAfterDays =
    changes.expiresAfterDays === undefined ? membership.expiresAfterDays : (changes.expiresAfterDays ?? 0)
  return change(work, {
    table: memberships,
    record: membership,
    next: { name, expiresAfterDays, searchText: searchText(name) },
    subject: "membership",
    name,
    answer: { message: "Membership updated." },
    details: { name, expiresAfterDays },
    unique: UNIQUE,
  })
}

/** Deletes memberships; one that a user holds is kept. Those who held it once lose nothing. */
export const deleteMemberships = (work: UnitOfWork, ids: number[]) =>
  remove(work, {
    table: memberships,
    subject: "membership",
    name: memberships.name,
    ids,
    kept: {
      when: sql`exists (select 1 from ${users} where ${users.membershipId} = ${memberships.id} and ${membershipHolds()})`,
      because: "users hold them",
    },
  })

/** One page of memberships. */
export async function listMemberships(
  db: Database,
  query: PageQuery & { search_param: { name?: string | undefined } },
) {
  const { name } = query.search_param
  const found = page(
    db,
    {
      table: memberships,
      key: memberships.id,
      fields,
      sort: {
        id: memberships.id,
        name: sql`${memberships.name} collate nocase`,
        expiresAfterDays: memberships.expiresAfterDays,
        created_at: memberships.createdAt,
      },
      defaultSort: { colName: "name", direction: "asc" },
      scope: [],
      search: name ? [matching("memberships_search", memberships.id, name)] : [],
      total: counter("memberships"),
    },
    query,
  )
  return found.read(...(await db.batch(found.statements)))
}
