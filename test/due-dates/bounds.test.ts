import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { reminders } from "../../drizzle/schema/enrollments.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { sweepDueDates } from "../../src/modules/due-dates/due-sweep.ts"
import { sweepExpiries } from "../../src/modules/due-dates/expiry-sweep.ts"
import { sendOverdueDigests } from "../../src/modules/due-dates/overdue-digests.ts"
import { template } from "../factories/certificates.ts"
import { assignmentRule } from "../factories/due-dates.ts"
import { db, group, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"

const COUNT = 700
const NOW = Date.parse("2026-03-02T08:00:00Z")
const DUE = Date.parse("2026-03-01T23:59:59.999Z")

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }))
afterEach(() => void vi.useRealTimers())

/** Bindings whose database records how many rows each batch writes. */
function metered() {
  const written: number[] = []
  const withSession = (constraint?: string) => {
    const session = env.DB.withSession(constraint)
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements)
      written.push(results.reduce((sum, { meta }) => sum + meta.rows_written, 0))
      return results
    }
    return { prepare: session.prepare.bind(session), batch, getBookmark: () => session.getBookmark() }
  }
  return { bindings: { ...env, DB: { withSession } as unknown as D1Database }, written }
}

const planted = sql.raw(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${COUNT})`)

/** Learners of one supervisor, each with an enrollment that has just become overdue. */
async function plantOverdue() {
  const { id: courseId } = await course()
  const supervisors = [await user({ userType: "group_admin" }), await user({ userType: "group_admin" })]
  const { id: groupId } = await group({ admins: supervisors.map(({ id }) => id) })
  const { id: ruleId } = await assignmentRule({
    reminders: { daysBefore: [7], overdueEveryDays: 7, copySupervisors: true },
  })
  await db.run(sql`insert into users (id, first_name, last_name, email, user_type, search_text, created_at)
    ${planted} select 5000 + i, 'A', 'B', i || '@example.org', 'general', '', 1 from n`)
  await db.run(sql`insert into group_members (group_id, user_id) ${planted} select ${groupId}, 5000 + i from n`)
  await db.run(sql`insert into enrollments (id, user_id, course_id, registered_at, due_at, due_soon_at, overdue_at,
      due_status, due_rule_id, due_check_at)
    ${planted} select 9000 + i, 5000 + i, ${courseId}, 1, ${DUE}, ${DUE}, ${DUE}, 'due_soon', ${ruleId}, ${DUE} from n`)
}

it("sends reminders of any number of overdue enrollments in batches of 5,000 rows", async () => {
  await plantOverdue()
  const { bindings, written } = metered()
  await sweepDueDates(bindings)
  expect(await db.$count(reminders)).toBe(COUNT)
  // Each learner, and both supervisors of each.
  expect(await db.$count(outbox)).toBe(3 * COUNT)
  expect(Math.max(...written)).toBeLessThanOrEqual(5000)
  await sendOverdueDigests(bindings)
  vi.setSystemTime(Date.parse("2026-03-09T08:00:00Z"))
  await sendOverdueDigests(bindings)
  expect(await db.$count(outbox)).toBe(3 * COUNT + 2)
})

it("announces any number of certificates that expire in batches of 5,000 rows", async () => {
  const { id: courseId } = await course()
  const { id: templateId } = await template()
  await db.run(sql`insert into users (id, first_name, last_name, email, user_type, search_text, created_at)
    ${planted} select 5000 + i, 'A', 'B', i || '@example.org', 'general', '', 1 from n`)
  await db.run(sql`insert into certificates (id, code, user_id, course_id, template_id, course_name, instructor_name,
      course_credit, issued_at, expires_at, search_text)
    ${planted} select i, i, 5000 + i, ${courseId}, ${templateId}, 'A', 'B', 0, 1, ${NOW} + i * 1000, '' from n`)
  const { bindings, written } = metered()
  await sweepExpiries(bindings)
  expect(await db.$count(outbox)).toBe(COUNT)
  vi.setSystemTime(NOW + COUNT * 1000)
  await Promise.all([sweepExpiries(bindings), sweepExpiries(bindings)])
  await sweepExpiries(bindings)
  expect(await db.$count(outbox)).toBe(2 * COUNT)
  expect(Math.max(...written)).toBeLessThanOrEqual(5000)
  const events = await db.all(sql`select type, count(*) as count from events where type like 'certificate.expir%'
    group by type order by type`)
  expect(events).toEqual([
    { type: "certificate.expired", count: COUNT },
    { type: "certificate.expiring", count: COUNT },
  ])
})
