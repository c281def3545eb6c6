import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { users } from "../../drizzle/schema/users.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { db, group, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { provider } from "../factories/scim.ts"
import { post } from "../helpers/client.ts"
import { connected, fakeProvider, signInAs } from "../helpers/provider.ts"

// However someone enters the audience of a rule, the next run of the cron assigns them.

afterEach(() => vi.restoreAllMocks())

/** A rule that assigns a course to the members of a group. */
async function ruleForGroup() {
  const { token } = await signedIn("owner")
  const [{ id: courseId }, { id: groupId }] = [await course(), await group()]
  const due = { type: "days", days: 30, from: "assignment" }
  const body = { name: "Fire safety", audience: { group: [groupId] }, courseIds: [courseId], due, onLeave: "remove" }
  expect((await post("/api/assignment-rule/create", body, { token })).status).toBe(200)
  await runJobs()
  const assigned = async () => {
    await runScheduled(env)
    await runJobs()
    const rows = await db
      .select({ email: users.email, dueStatus: enrollments.dueStatus })
      .from(enrollments)
      .innerJoin(users, eq(users.id, enrollments.userId))
      .where(eq(enrollments.courseId, courseId))
    return rows.map(({ email, dueStatus }) => [email, dueStatus])
  }
  return { token, groupId, assigned }
}

describe("people enter the audience of a rule", () => {
  it("by a claim of single sign-on, and leave it by its absence", async () => {
    const { groupId, assigned } = await ruleForGroup()
    const sso = await fakeProvider()
    await connected(sso, await signedIn("admin"), { create: true, groupClaim: "groups", groups: { site: groupId } })
    const ada = { sub: "ada", email: "ada@example.com", email_verified: true, given_name: "Ada", family_name: "Byron" }
    expect((await signInAs(sso, { ...ada, groups: ["site"] })).status).toBe(303)
    expect(await assigned()).toEqual([["ada@example.com", "due_soon"]])
    expect((await signInAs(sso, { ...ada, groups: [] })).status).toBe(303)
    expect(await assigned()).toEqual([])
  })

  it("by SCIM, and leave it when the provider removes them", async () => {
    const { assigned, groupId } = await ruleForGroup()
    const scim = await provider()
    const created = await scim.createUser("ada@example.com", { name: { givenName: "Ada", familyName: "Byron" } })
    expect(created.status).toBe(201)
    const members = [{ value: created.body.id }]
    expect((await scim.patch(`/Groups/${groupId}`, [{ op: "add", path: "members", value: members }])).status).toBe(200)
    expect(await assigned()).toEqual([["ada@example.com", "due_soon"]])
    const path = `members[value eq "${created.body.id}"]`
    expect((await scim.patch(`/Groups/${groupId}`, [{ op: "remove", path }])).status).toBe(200)
    expect(await assigned()).toEqual([])
  })

  it("by a bulk upload, whether they are new or not", async () => {
    const { token, groupId, assigned } = await ruleForGroup()
    const { email } = await user()
    const row = (address: string) => ({ first_name: "Ada", last_name: "Byron", email: address })
    const userList = [row(email), row("new@example.com")]
    expect((await post("/api/user/bulkUpload", { userList, groupId }, { token })).status).toBe(200)
    expect((await assigned()).toSorted()).toEqual(
      [
        ["new@example.com", "due_soon"],
        [email, "due_soon"],
      ].toSorted(),
    )
  })
})
