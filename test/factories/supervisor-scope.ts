import { sql } from "drizzle-orm"
import { expect } from "vitest"
import { db } from "./index.ts"

const COUNTED = [
  sql`select 'portal:' || portal_id as key, count(*) as value from portal_members group by portal_id`,
  sql`
    select 'portal_learners:' || portal_id as key, count(*) as value
    from portal_members
    where role <> 'admin'
    group by portal_id`,
  sql`select 'group:' || group_id as key, count(*) as value from group_members group by group_id`,
  sql`select 'supervisor:' || supervisor_id as key, count(*) as value from supervisor_scope group by supervisor_id`,
  sql`select 'users' as key, count(*) as value from users`,
  sql`select 'portals' as key, count(*) as value from portals`,
  sql`select 'groups' as key, count(*) as value from groups`,
]

type Counter = { key: string; value: number }

/**
 * Compares the stored scope of supervisors, and the counters of portals, groups and scopes, with a recount of the rows.
 */
export async function expectExactSupervisorScope() {
  const recount = await db.all(sql`
    select supervisor_id, user_id, count(*) as link_count from (
      select a.user_id as supervisor_id, m.user_id from group_admins a join group_members m using (group_id)
      union all
      select a.user_id, m.user_id from portal_members a join portal_members m using (portal_id)
      where a.role = 'admin' and m.user_id <> a.user_id)
    group by 1, 2 order by 1, 2`)
  expect(await db.all(sql`select supervisor_id, user_id, link_count from supervisor_scope order by 1, 2`)).toEqual(
    recount,
  )

  const counted: Counter[] = []
  for (const count of COUNTED) counted.push(...(await db.all<Counter>(count)))
  const kept = await db.all<Counter>(sql`select key, value from counters where key in ('users', 'portals', 'groups')
    or key glob 'portal:*' or key glob 'portal_learners:*' or key glob 'group:*' or key glob 'supervisor:*'`)
  const nonZero = (counters: Counter[]) =>
    new Map(counters.filter(({ value }) => value !== 0).map((c) => [c.key, c.value]))
  expect(nonZero(kept)).toEqual(nonZero(counted))
}
