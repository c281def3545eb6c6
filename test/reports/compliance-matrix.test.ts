import { sql } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { beforeEach, describe, expect, it } from "vitest"
import { assignmentMembers, assignmentRuleCourses, assignmentRules } from "../../drizzle/schema/assignment-rules.ts"
import { activities, dueDateChanges, enrollmentCycles } from "../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../drizzle/schema/groups.ts"
import { users } from "../../drizzle/schema/users.ts"
import { searchText } from "../../src/db/search.ts"
import { certificate, template } from "../factories/certificates.ts"
import { deliver } from "../factories/exports.ts"
import { db, group, nextId, signedIn, type UserRow } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, download, get, post, query } from "../helpers/client.ts"
import { textOf } from "../helpers/pdf.ts"

const DAY = 86_400_000
const at = (day: number) => Date.UTC(2026, 0, day)
const iso = (day: number) => new Date(at(day)).toISOString()
const paging = { page_size: 50, page_number: 1 }

const read = (parameters: object, { token }: { token: string }) =>
  get(`/api/reports/compliance-matrix${query({ ...paging, ...parameters })}`, { token })

interface Matrix {
  courses: { id: number; name: string }[]
  records: { name: string; cells: (Record<string, unknown> | null)[] }[]
}
const cellsOf = (response: { body: unknown }, name: string) =>
  (response.body as Matrix).records.find((row) => row.name === name)?.cells
const namesOf = (response: { body: unknown }) => (response.body as Matrix).records.map(({ name }) => name)

/** Ada and Bob in the team of a supervisor, Eve outside, and two courses. */
async function academy() {
  const owner = await signedIn("owner")
  const boss = await signedIn("group_admin", { firstName: "Zoe", lastName: "Boss" })
  const ada = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
  const bob = await signedIn("general", { firstName: "Bob", lastName: "Carter" })
  const eve = await signedIn("general", { firstName: "Eve", lastName: "Dale" })
  const team = await group({ admins: [boss.id], members: [ada.id, bob.id] })
  const [data, fire] = [await course({ name: "Data protection" }), await course({ name: "Fire safety" })]
  const courseIds = [data.id, fire.id]
  return { owner, boss, ada, bob, eve, team, data, fire, courseIds }
}
type Academy = Awaited<ReturnType<typeof academy>>

const activity = async (
  who: UserRow,
  inCourse: { id: number },
  verb: "ENROLLED" | "COMPLETED" | "RESET" | "UNENROLLED",
  day: number,
) =>
  db.insert(activities).values({
    userId: who.id,
    courseId: inCourse.id,
    verb,
    createdAt: at(day),
  })

describe("the compliance matrix", () => {
  it("returns a cell for each person and course in one round trip", async () => {
    const { owner, ada, fire, data, courseIds } = await academy()
    const { id: templateId } = await template()
    const earned = await certificate(ada.id, templateId, { courseId: fire.id, issuedAt: at(5), expiresAt: at(400) })
    await certificate(ada.id, templateId, { courseId: fire.id, issuedAt: at(6), revokedAt: at(7) })
    const completed = { status: "Completed", completedAt: at(5), dueAt: at(9), dueStatus: "completed" } as const
    await enrollment(ada, fire, { ...completed, registeredAt: at(1) })
    const response = await read({ search_param: { courseIds } }, owner)
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({
      recordsTotal: 5,
      recordsFiltered: 5,
      courses: [
        { id: data.id, name: "Data protection" },
        { id: fire.id, name: "Fire safety" },
      ],
    })
    expect(cellsOf(response, "Ada Byron")).toEqual([
      null,
      {
        courseId: fire.id,
        status: "Completed",
        dueStatus: "completed",
        cycle: 1,
        dueAt: iso(9),
        completedAt: iso(5),
        certificateId: earned.id,
        expiresAt: iso(400),
      },
    ])
    expect(cellsOf(response, "Eve Dale")).toEqual([null, null])
    expect(cost(response).roundTrips).toBe(1)
  })

  it("shows supervisors their people, and hides other groups and teams", async () => {
    const { owner, boss, ada, eve, data, courseIds, team } = await academy()
    await enrollment(ada, data, {})
    await enrollment(eve, data, {})
    const own = await read({ search_param: { courseIds: [data.id] } }, boss)
    expect(namesOf(own)).toEqual(["Ada Byron", "Bob Carter"])
    expect(own.body.recordsTotal).toBe(2)
    const other = await group({ members: [eve.id] })
    for (const within of [{ group_id: other.id }, { supervisor_id: owner.id }])
      expect((await read({ ...within, search_param: { courseIds: [data.id] } }, boss)).status).toBe(404)
    expect(namesOf(await read({ supervisor_id: boss.id, search_param: { courseIds } }, owner))).toEqual([
      "Ada Byron",
      "Bob Carter",
    ])
    expect(namesOf(await read({ group_id: team.id, search_param: { courseIds } }, owner))).toHaveLength(2)
  })

  it("hides from supervisors the courses that none of their people take", async () => {
    const { owner, boss } = await academy()
    const secret = await course({ name: "Secret", status: "draft" })
    const search_param = { courseIds: [secret.id] }
    expect((await read({ search_param }, owner)).status).toBe(200)
    const refused = await read({ search_param }, boss)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual({ courseIds: [`courseIds refers to unknown courses ${secret.id}.`] })
  })

  it("takes the people and courses of a rule, and the courses of a group", async () => {
    const { owner, bob, fire, data, team } = await academy()
    const ruleId = await nextId("assignment_rules")
    await db.insert(assignmentRules).values({
      ...{ id: ruleId, name: "Fire", active: true, audience: { everyone: true }, due: { type: "none" } },
      reminders: { daysBefore: [], overdueEveryDays: 0, copySupervisors: false },
      ...{ onLeave: "keep", searchText: searchText("Fire"), createdAt: at(1) },
    })
    await db.insert(assignmentRuleCourses).values({ ruleId, courseId: fire.id })
    await db.insert(assignmentMembers).values({ ruleId, userId: bob.id, assignedAt: at(1) })
    const ofRule = await read({ search_param: { ruleId } }, owner)
    expect(namesOf(ofRule)).toEqual(["Bob Carter"])
    expect(ofRule.body.courses).toEqual([{ id: fire.id, name: "Fire safety" }])
    await db.insert(groupCourseSeats).values({ groupId: team.id, courseId: data.id, totalSeats: 5 })
    const ofGroup = await read({ group_id: team.id }, owner)
    expect(ofGroup.body.courses).toEqual([{ id: data.id, name: "Data protection" }])
    expect(namesOf(ofGroup)).toEqual(["Ada Byron", "Bob Carter"])
  })

  it("finds people by name, audience and account state", async () => {
    const { owner, team, courseIds } = await academy()
    const found = async (search: object) => namesOf(await read({ search_param: { courseIds, ...search } }, owner))
    expect(await found({ nameOrEmail: "ada@ex" })).toEqual(["Ada Byron"])
    expect(await found({ audience: { all: [{ group: [team.id] }, { not: { role: ["group_admin"] } }] } })).toEqual([
      "Ada Byron",
      "Bob Carter",
    ])
    expect(await found({ disabled: true })).toEqual([])
    expect(await found({ disabled: false })).toHaveLength(5)
  })

  it("accepts at most 50 courses, which exist", async () => {
    const { owner } = await academy()
    expect((await read({}, owner)).body.courses).toEqual([])
    const many = Array.from({ length: 51 }, (_, index) => index + 1)
    expect((await read({ search_param: { courseIds: many } }, owner)).status).toBe(422)
    expect((await read({ search_param: { courseIds: [987] } }, owner)).status).toBe(422)
  })

  it("reads rows in proportion to its answer", async () => {
    const { owner, ada, data, courseIds } = await academy()
    await enrollment(ada, data, {})
    const search_param = { courseIds, nameOrEmail: "ada@example" }
    const before = cost(await read({ search_param }, owner)).read
    for (let count = 0; count < 30; count++) await enrollment(await signedIn("general"), data, {})
    expect(cost(await read({ search_param }, owner)).read).toBeLessThanOrEqual(before + 5)
  })

  it("is refused for learners", async () => {
    const { ada, courseIds } = await academy()
    expect((await read({ search_param: { courseIds } }, ada)).status).toBe(403)
  })
})

describe("the export of the compliance matrix", () => {
  const exported = async (body: object, { token }: { token: string }) => {
    const started = await post("/api/reports/compliance-matrix/export", body, { token })
    expect(started.status, JSON.stringify(started.body)).toBe(200)
    await deliver(started.body.export_id)
    return download(`/api/reports/compliance-matrix/export/download/${started.body.export_id}`, { token })
  }
  const dataset = async () => {
    const here = await academy()
    const overdue = { dueAt: at(9), overdueAt: at(9), dueStatus: "overdue" } as const
    await enrollment(here.ada, here.fire, { ...overdue, registeredAt: at(1) })
    await enrollment(here.bob, here.data, { registeredAt: at(1), completedAt: at(3), status: "Completed" })
    return here
  }

  it("has five columns for each course, for people and for programs", async () => {
    const { boss, ada, fire, data, courseIds } = await dataset()
    const search_param = { courseIds }
    const xlsx = await exported({ search_param }, boss)
    const [sheet] = (await readXlsx(xlsx.body)).sheets
    const [headers, first] = sheet?.rows ?? []
    expect(headers?.slice(4, 9)).toEqual(
      ["", " due", " completed", " expires", " certificate"].map((part) => `Data protection (${data.id})${part}`),
    )
    expect(first?.slice(0, 6)).toEqual([ada.id, "Ada Byron", "ada@example.com", false, "Not enrolled", null])
    expect(first?.slice(9, 11)).toEqual(["Overdue", iso(9)])
    const lines = new TextDecoder().decode((await exported({ search_param, format: "ndjson" }, boss)).body)
    const [line] = lines
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text))
    expect(line).toMatchObject({ user_id: ada.id, [`course_${fire.id}_due_at`]: iso(9) })
    expect(lines.trim().split("\n")).toHaveLength(2)
  })

  it("is a PDF with the people, the courses and the day", async () => {
    const { owner, courseIds } = await dataset()
    const file = await exported({ search_param: { courseIds }, asOf: "2026-01-20", format: "pdf" }, owner)
    expect(file.headers.get("content-type")).toBe("application/pdf")
    const text = await textOf(file.body)
    for (const words of ["Compliance matrix", "As of Jan 20, 2026 (UTC)", "Ada Byron", "Fire safety", "Overdue"])
      expect(text).toContain(words)
    expect(text).toContain("Completed")
    expect(text).toContain("Jan 03, 2026")
  })

  it("refuses a PDF with more than 5,000 cells, and what the list refuses", async () => {
    const { owner, boss, courseIds, fire } = await dataset()
    await db.run(sql`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
      insert into ${users} (email, first_name, last_name, user_type, password_hash, search_text, created_at, updated_at)
      select 'n' || i || '@example.com', 'N', 'N', 'general', '', '', 1, 1 from n`)
    const start = (body: object, { token }: { token: string }) =>
      post("/api/reports/compliance-matrix/export", body, { token })
    const refused = await start({ search_param: { courseIds }, format: "pdf" }, owner)
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors as object)).toEqual(["format"])
    expect((await start({ search_param: { courseIds }, format: "pdf" }, boss)).status).toBe(200)
    expect((await start({ group_id: 999, search_param: { courseIds } }, owner)).status).toBe(404)
    expect((await start({ search_param: { courseIds: [fire.id, 999] } }, owner)).status).toBe(422)
    const audience = { group: [999] }
    expect((await start({ search_param: { courseIds, audience } }, owner)).status).toBe(422)
  })
})

describe("the compliance matrix as of a past day", () => {
  let here: Academy
  beforeEach(async () => {
    here = await academy()
  })
  const cellOn = async (day: number, who = "Ada Byron") => {
    const asOf = iso(day).slice(0, 10)
    const response = await read({ asOf, search_param: { courseIds: [here.fire.id] } }, here.owner)
    expect(response.body.asOf).toBe(new Date(at(day) + DAY - 1).toISOString())
    const cell = cellsOf(response, who)?.[0]
    return cell && [cell.cycle, cell.status, cell.dueStatus, cell.dueAt]
  }

  it("follows the enrollment, its start, due date and completion", async () => {
    const times = { registeredAt: at(2), startedAt: at(4), completedAt: at(12), dueAt: at(10), overdueAt: at(10) }
    const stored = { dueSoonAt: at(8), status: "Completed", dueStatus: "completed_late" } as const
    await enrollment(here.ada, here.fire, { ...times, ...stored })
    expect(await cellOn(1)).toBeNull()
    expect(await cellOn(2)).toEqual([1, "Not Started", "on_track", iso(10)])
    expect(await cellOn(4)).toEqual([1, "In Progress", "on_track", iso(10)])
    expect(await cellOn(8)).toEqual([1, "In Progress", "due_soon", iso(10)])
    expect(await cellOn(11)).toEqual([1, "In Progress", "overdue", iso(10)])
    expect(await cellOn(12)).toEqual([1, "Completed", "completed_late", iso(10)])
  })

  it("shows the cycle of that time, exemptions, and due dates before extensions", async () => {
    const { ada, fire, owner } = here
    await enrollment(ada, fire, {
      cycle: 2,
      registeredAt: at(1),
      dueAt: at(60),
      dueSoonAt: at(58),
      overdueAt: at(60),
      dueStatus: "overdue",
    })
    await db.insert(enrollmentCycles).values({
      ...{ userId: ada.id, courseId: fire.id, cycle: 1, courseName: "Fire safety", beganAt: at(1), endedAt: at(30) },
      ...{ status: "Completed", percent: 100, pointsAwarded: 0, pointsPossible: 0, startedAt: at(2) },
      ...{ completedAt: at(5), dueAt: at(9), overdueAt: at(9), dueStatus: "completed" },
    })
    const change = { userId: ada.id, courseId: fire.id, cycle: 2, createdBy: owner.id, reason: "On leave" }
    await db.insert(dueDateChanges).values([
      { ...change, id: 1, kind: "exemption", until: at(45), previousDueAt: 0, createdAt: at(40) },
      { ...change, id: 2, kind: "extension", until: at(60), previousDueAt: at(50), createdAt: at(52) },
    ])
    expect(await cellOn(3)).toEqual([1, "In Progress", "on_track", iso(9)])
    expect(await cellOn(20)).toEqual([1, "Completed", "completed", iso(9)])
    expect(await cellOn(31)).toEqual([2, "Not Started", "on_track", iso(50)])
    expect(await cellOn(42)).toEqual([2, "Not Started", "exempt", iso(50)])
    expect(await cellOn(51)).toEqual([2, "Not Started", "overdue", iso(50)])
    expect(await cellOn(55)).toEqual([2, "Not Started", "on_track", iso(60)])
    expect(await cellOn(61)).toEqual([2, "Not Started", "overdue", iso(60)])
  })

  it("knows by the activities what was reset or deleted since", async () => {
    const { ada, bob, fire } = here
    await enrollment(ada, fire, { registeredAt: at(1) })
    await activity(ada, fire, "COMPLETED", 5)
    await activity(ada, fire, "RESET", 8)
    expect(await cellOn(4)).toEqual([1, "Not Started", null, null])
    expect(await cellOn(6)).toEqual([1, "Completed", null, null])
    expect(await cellOn(9)).toEqual([1, "Not Started", null, null])
    await activity(bob, fire, "ENROLLED", 2)
    await activity(bob, fire, "COMPLETED", 3)
    await activity(bob, fire, "UNENROLLED", 6)
    expect(await cellOn(1, "Bob Carter")).toBeNull()
    expect(await cellOn(4, "Bob Carter")).toEqual([null, "Completed", null, null])
    expect(await cellOn(7, "Bob Carter")).toBeNull()
  })

  it("shows the certificate that was valid then", async () => {
    const { ada, fire, owner } = here
    const { id: templateId } = await template()
    const values = { courseId: fire.id, expiresAt: 0 }
    const first = await certificate(ada.id, templateId, { ...values, issuedAt: at(5), revokedAt: at(20) })
    await enrollment(ada, fire, { registeredAt: at(1) })
    const certificateOn = async (day: number) => {
      const asOf = iso(day).slice(0, 10)
      const response = await read({ asOf, search_param: { courseIds: [fire.id] } }, owner)
      return cellsOf(response, "Ada Byron")?.[0]?.certificateId
    }
    expect(await certificateOn(4)).toBeNull()
    expect(await certificateOn(5)).toBe(first.id)
    expect(await certificateOn(20)).toBeNull()
  })

  it("equals the current matrix today, and refuses the future", async () => {
    const { ada, bob, fire, data, courseIds, owner } = here
    const now = Date.now()
    const due = { dueAt: now + DAY, dueSoonAt: now - DAY, overdueAt: now + DAY, dueStatus: "due_soon" } as const
    await enrollment(ada, fire, due)
    await enrollment(bob, data, { status: "Completed", startedAt: now - DAY, completedAt: now - DAY })
    const today = new Date(now).toISOString().slice(0, 10)
    const [current, asOf] = [
      await read({ search_param: { courseIds } }, owner),
      await read({ asOf: today, search_param: { courseIds } }, owner),
    ]
    expect(asOf.body.records).toEqual(current.body.records)
    const tomorrow = new Date(now + 2 * DAY).toISOString().slice(0, 10)
    expect((await read({ asOf: tomorrow, search_param: { courseIds } }, owner)).status).toBe(422)
  })
})
