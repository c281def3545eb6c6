import { sql } from "drizzle-orm"
import { expect, it } from "vitest"
import { incorrectCounters } from "../../drizzle/triggers/audience-counters.ts"
import { dueCounter } from "../../drizzle/triggers/enrollments.ts"
import { db, group, signedIn } from "../factories/index.ts"
import { cost, get, query } from "../helpers/client.ts"

const numbers = (from: number, to: number) =>
  sql.raw(`with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})`)

/** Each person in 12 of these courses: a quarter overdue, the others on track. */
async function plant(people: [number, number], courses: [number, number]) {
  await db.run(sql`insert into users (id, first_name, last_name, email, user_type, search_text, created_at)
    ${numbers(...people)} select i, 'A', 'B', i || '@example.org', 'general', '', 1 from n where true
    on conflict do nothing`)
  await db.run(sql`insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
    ${numbers(...courses)} select i, 'Course ' || i, 'course-' || i, 'publish', '', '', '', 1 from n`)
  await db.run(sql`insert into enrollments (user_id, course_id, registered_at, due_at, overdue_at, due_status)
    ${numbers(0, (people[1] - people[0] + 1) * 12 - 1)}
    select ${people[0]} + i / 12, ${courses[0]} + i % (${courses[1] - courses[0] + 1}), 1, i + 1, i + 1,
      iif(i % 4 = 0, 'overdue', 'on_track') from n`)
}

it("reads at most 20 rows for each overdue row of a team, and 200, in a small and a large academy", async () => {
  const owner = await signedIn("owner")
  const boss = await signedIn("group_admin")
  await plant([1001, 1020], [1001, 1012])
  const team = await group({ admins: [boss.id] })
  await db.run(sql`insert into group_members (group_id, user_id) ${numbers(1001, 1020)} select ${team.id}, i from n`)
  const paging = { page_size: 25, page_number: 1 }
  /** Reads two pages of each list, within the limit. @returns the totals */
  async function measure() {
    const found: unknown[] = []
    for (const given of [{ group_id: team.id }, { supervisor_id: boss.id }])
      for (const dueStatus of [["overdue"], ["due_soon", "completed_late"]]) {
        const filter = { ...given, search_param: { dueStatus } }
        const first = await get(`/api/due/tabularlist${query({ ...paging, ...filter })}`, owner)
        const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1]
        for (const page of [first, ...(next ? [await get(next, owner)] : [])]) {
          const { roundTrips, read } = cost(page)
          expect(roundTrips).toBe(1)
          const said = JSON.stringify(filter)
          expect(read, said).toBeLessThanOrEqual(20 * page.body.records.length + 200)
        }
        found.push([first.body.recordsTotal, first.body.recordsFiltered])
      }
    return found
  }
  const few = [60, 0].map((count) => [240, count])
  expect(await measure()).toEqual([...few, ...few])
  // Other people, and 240 more courses of the team.
  await plant([2001, 2300], [2001, 2012])
  await plant([1001, 1020], [3001, 3240])
  const more = [120, 0].map((count) => [480, count])
  expect(await measure()).toEqual([...more, ...more])
})

it("counts the due training of a team exactly while people join, leave and are deleted", async () => {
  const owner = await signedIn("owner")
  const boss = await signedIn("group_admin")
  const team = await group({ admins: [boss.id] })
  await plant([1001, 1003], [1001, 1012])
  const expectTotal = async (total: number, overdue: number) => {
    const { body } = await get(`/api/due/summary${query({ supervisor_id: boss.id })}`, owner)
    expect(body).toMatchObject({ total, overdue })
    expect(await db.all(sql.raw(incorrectCounters(dueCounter)))).toEqual([])
  }
  await expectTotal(0, 0)
  await db.run(sql`insert into group_members (group_id, user_id) ${numbers(1001, 1003)} select ${team.id}, i from n`)
  await expectTotal(36, 9)
  await db.run(sql`update enrollments set due_status = 'no_due_date' where user_id = 1001`)
  await expectTotal(24, 6)
  await db.run(sql`update enrollments set due_status = 'overdue' where user_id = 1001`)
  await expectTotal(36, 18)
  await db.run(sql`delete from group_members where user_id = 1002`)
  await expectTotal(24, 15)
  await db.run(sql`delete from users where id = 1001`)
  await expectTotal(12, 3)
  await db.run(sql`delete from enrollments where user_id = 1003`)
  await expectTotal(0, 0)
})
