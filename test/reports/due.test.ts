import { env } from "cloudflare:workers"
import { readXlsx } from "hucre/xlsx"
import { describe, expect, it } from "vitest"
import { assignmentClaims, assignmentRules } from "../../drizzle/schema/assignment-rules.ts"
import type { enrollments } from "../../drizzle/schema/enrollments.ts"
import { searchText } from "../../src/db/search.ts"
import { deliver } from "../factories/exports.ts"
import { db, group, nextId, portal, signedIn, type UserRow, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, download, get, post, query } from "../helpers/client.ts"

const DAY = 86_400_000
const DUE = Date.UTC(2026, 5, 1) - 1
const paging = { page_size: 50, page_number: 1 }

type Values = Partial<typeof enrollments.$inferInsert>

/** An enrollment with a due date. */
const dueEnrollment = (who: UserRow, inCourse: { id: number }, dueStatus: Values["dueStatus"], values: Values = {}) =>
  enrollment(who, inCourse, { dueStatus, dueAt: DUE, overdueAt: DUE, ...values })

async function rule(name: string) {
  const id = await nextId("assignment_rules")
  await db.insert(assignmentRules).values({
    id,
    name,
    active: true,
    audience: { everyone: true },
    due: { type: "none" },
    reminders: { daysBefore: [], overdueEveryDays: 0, copySupervisors: false },
    onLeave: "keep",
    searchText: searchText(name),
    createdAt: Date.now(),
  })
  return { id }
}

/** Two learners of a supervisor's group and one other, with six due dates in two courses. */
async function academy() {
  const owner = await signedIn("owner")
  const boss = await signedIn("group_admin")
  const ada = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
  const bob = await signedIn("general", { firstName: "Bob", lastName: "Carter", email: "bob@example.com" })
  const eve = await user({ firstName: "Eve", lastName: "Dale", email: "eve@example.com" })
  const team = await group({ admins: [boss.id], members: [ada.id, bob.id] })
  const site = await portal({ members: [eve.id] })
  const [fire, data] = [await course({ name: "Fire safety" }), await course({ name: "Data protection" })]
  const made = await rule("Everyone each year")
  const rows = {
    adaFire: await dueEnrollment(ada, fire, "overdue", { dueAt: DUE - DAY, dueRuleId: made.id, percent: 40 }),
    adaData: await dueEnrollment(ada, data, "on_track", { dueAt: DUE + 9 * DAY }),
    bobFire: await dueEnrollment(bob, fire, "overdue", { dueAt: DUE - 3 * DAY, cycle: 2 }),
    bobData: await dueEnrollment(bob, data, "due_soon", { dueAt: DUE + 2 * DAY }),
    eveFire: await dueEnrollment(eve, fire, "completed_late", { status: "Completed", dueAt: DUE - 5 * DAY }),
    eveData: await dueEnrollment(eve, data, "overdue", { dueAt: DUE - 2 * DAY }),
  }
  await db
    .insert(assignmentClaims)
    .values({ userId: ada.id, courseId: fire.id, ruleId: made.id, dueAt: DUE - DAY, enrolled: true })
  const free = await enrollment(eve, await course({ name: "Optional" }))
  return { owner, boss, ada, bob, eve, team, site, fire, data, rule: made, rows, free }
}

const list = (parameters: object, { token }: { token: string }) =>
  get(`/api/due/tabularlist${query({ ...paging, ...parameters })}`, { token })
const idsOf = (response: { body: { records: { id: number }[] } }) => response.body.records.map(({ id }) => id)

describe("the list of due training", () => {
  it("returns the person, course, due date, status, cycle and rule in one round trip", async () => {
    const { owner, ada, fire, rule: made, rows } = await academy()
    const response = await list({ search_param: { ruleId: made.id } }, owner)
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toEqual({
      recordsTotal: 6,
      recordsFiltered: 1,
      records: [
        {
          id: rows.adaFire.id,
          user_id: ada.id,
          name: "Ada Byron",
          email: "ada@example.com",
          courseId: fire.id,
          courseName: "Fire safety",
          status: "Not Started",
          percent_complete: 40,
          dueAt: "2026-05-30T23:59:59.999Z",
          dueStatus: "overdue",
          cycle: 1,
          ruleId: made.id,
          ruleName: "Everyone each year",
        },
      ],
    })
  })

  it("is in the order of due dates, in both directions and across pages", async () => {
    const { owner, rows } = await academy()
    const { eveFire, bobFire, eveData, adaFire, bobData, adaData } = rows
    const order = [eveFire, bobFire, eveData, adaFire, bobData, adaData].map(({ id }) => id)
    expect(idsOf(await list({}, owner))).toEqual(order)
    expect(idsOf(await list({ order_by: { colName: "dueAt", direction: "desc" } }, owner))).toEqual(order.toReversed())
    const first = await list({ page_size: 2 }, owner)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? ""
    expect(idsOf(await get(next, { token: owner.token }))).toEqual(order.slice(2, 4))
    expect(
      idsOf(await list({ order_by: "name" }, owner))
        .slice(0, 2)
        .toSorted(),
    ).toEqual([adaFire.id, adaData.id].toSorted())
  })

  it("shows supervisors their people and learners themselves", async () => {
    const { boss, ada, eve, rows } = await academy()
    const own = await list({}, boss)
    expect(idsOf(own)).toEqual([rows.bobFire.id, rows.adaFire.id, rows.bobData.id, rows.adaData.id])
    expect(own.body).toMatchObject({ recordsTotal: 4, recordsFiltered: 4 })
    expect(idsOf(await list({}, ada))).toEqual([rows.adaFire.id, rows.adaData.id])
    expect((await list({ user_id: eve.id }, boss)).status).toBe(404)
    expect((await list({ user_id: eve.id }, ada)).status).toBe(404)
    expect((await list({ supervisor_id: boss.id }, ada)).status).toBe(404)
  })

  it("has exact totals for every combination of filters", async () => {
    const { owner, boss, ada, team, site, fire, data, rule: made, rows } = await academy()
    const { adaFire, adaData, bobFire, bobData, eveFire, eveData } = rows
    const overdue = { dueStatus: ["overdue"] }
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const cases: [object, (typeof adaFire)[]][] = [
      [{ search_param: overdue }, [bobFire, eveData, adaFire]],
      [{ search_param: { dueStatus: ["due_soon", "completed_late"] } }, [eveFire, bobData]],
      [{ search_param: { ...overdue, courseId: fire.id } }, [bobFire, adaFire]],
      [{ search_param: { courseId: data.id } }, [eveData, bobData, adaData]],
      [{ group_id: team.id, search_param: overdue }, [bobFire, adaFire]],
      [{ group_id: team.id, search_param: { courseId: data.id } }, [bobData, adaData]],
      [{ portalId: site.id }, [eveFire, eveData]],
      [{ supervisor_id: boss.id, search_param: { dueStatus: ["due_soon"] } }, [bobData]],
      [{ user_id: ada.id, search_param: overdue }, [adaFire]],
      [{ search_param: { nameOrEmail: "byron", ...overdue } }, [adaFire]],
      [{ search_param: { nameOrEmail: "bob@", courseId: data.id } }, [bobData]],
      [{ search_param: { ruleId: made.id, courseId: data.id } }, []],
      [{ group_id: team.id, search_param: { ruleId: made.id } }, [adaFire]],
      [{ search_param: { due_between: [day(DUE - 3 * DAY), day(DUE - DAY)] } }, [bobFire, eveData, adaFire]],
      [{ group_id: team.id, search_param: { due_between: ["", day(DUE)] } }, [bobFire, adaFire]],
      [{ user_id: ada.id, search_param: { due_between: [day(DUE), ""] } }, [adaData]],
    ]
    for (const [filter, wanted] of cases)
      for (const order_by of [undefined, "name"]) {
        const response = await list({ ...filter, ...(order_by && { order_by }) }, owner)
        const said = JSON.stringify({ filter, order_by })
        expect(response.body.recordsFiltered, said).toBe(wanted.length)
        const ids = wanted.map(({ id }) => id)
        expect(order_by ? idsOf(response).toSorted() : idsOf(response), said).toEqual(order_by ? ids.toSorted() : ids)
        expect(cost(response).roundTrips).toBe(1)
      }
    const combined = await list({ supervisor_id: boss.id, group_id: team.id }, owner)
    expect(combined.status).toBe(422)
  })
})

describe("the summary of due training", () => {
  it("counts by due status for the academy, a course, a group, a portal, a team and a user", async () => {
    const { owner, boss, ada, team, site, fire } = await academy()
    const zero = { total: 0, onTrack: 0, dueSoon: 0, overdue: 0, completed: 0, completedLate: 0, exempt: 0 }
    const summary = async (parameters: Record<string, unknown>, { token }: { token: string }) => {
      const response = await get(`/api/due/summary${query(parameters)}`, { token })
      expect(cost(response).roundTrips).toBe(1)
      return response.body
    }
    expect(await summary({}, owner)).toEqual({
      ...zero,
      total: 6,
      onTrack: 1,
      dueSoon: 1,
      overdue: 3,
      completedLate: 1,
    })
    expect(await summary({ course_id: fire.id }, owner)).toEqual({ ...zero, total: 3, overdue: 2, completedLate: 1 })
    expect(await summary({ portalId: site.id }, owner)).toEqual({ ...zero, total: 2, overdue: 1, completedLate: 1 })
    const ofTeam = { ...zero, total: 4, onTrack: 1, dueSoon: 1, overdue: 2 }
    expect(await summary({}, boss)).toEqual(ofTeam)
    expect(await summary({ group_id: team.id }, boss)).toEqual(ofTeam)
    expect(await summary({ supervisor_id: boss.id }, owner)).toEqual(ofTeam)
    expect(await summary({}, ada)).toEqual({ ...zero, total: 2, onTrack: 1, overdue: 1 })
    expect(await summary({ user_id: ada.id, course_id: fire.id }, boss)).toEqual({ ...zero, total: 1, overdue: 1 })
    expect((await get(`/api/due/summary${query({ portalId: site.id })}`, { token: boss.token })).status).toBe(404)
  })
})

describe("the summary of a team", () => {
  it("has one row for each person, most overdue first", async () => {
    const { owner, boss, ada, bob, team, fire } = await academy()
    const more = await course()
    await dueEnrollment(bob, more, "overdue")
    const carol = await user({ firstName: "Carol", lastName: "Ames", email: "carol@example.com" })
    const quiet = await group({ admins: [boss.id], members: [carol.id] })
    const of = (parameters: object, { token }: { token: string }) =>
      get(`/api/due/team${query({ ...paging, ...parameters })}`, { token })
    const response = await of({}, boss)
    expect(response.body).toEqual({
      recordsTotal: 3,
      recordsFiltered: 3,
      records: [
        { user_id: bob.id, name: "Bob Carter", email: "bob@example.com", overdue: 2, dueSoon: 1, onTrack: 0 },
        { user_id: ada.id, name: "Ada Byron", email: "ada@example.com", overdue: 1, dueSoon: 0, onTrack: 1 },
        { user_id: carol.id, name: "Carol Ames", email: "carol@example.com", overdue: 0, dueSoon: 0, onTrack: 0 },
      ],
    })
    expect(cost(response).roundTrips).toBe(1)
    expect((await of({ group_id: quiet.id }, owner)).body.records).toHaveLength(1)
    expect((await of({ supervisor_id: boss.id }, owner)).body.recordsTotal).toBe(3)
    expect((await of({ group_id: team.id, order_by: "name" }, boss)).body.records[0].user_id).toBe(ada.id)
    expect((await of({}, owner)).body.records[0].user_id).toBe(bob.id)
    expect((await of({ supervisor_id: 999 }, owner)).status).toBe(404)
    expect((await of({ group_id: fire.id + 999 }, boss)).status).toBe(404)
  })
})

describe("due dates in other lists", () => {
  it("filter and order the learners of a course", async () => {
    const { owner, boss, fire, rows } = await academy()
    for (const path of ["/api/course/enrolled-students", "/api/course/reports/course-detailed"]) {
      const of = (parameters: object, { token } = owner) =>
        get(`${path}${query({ ...paging, course_id: fire.id, group_id: "", ...parameters })}`, { token })
      const overdue = await of({ search_param: { dueStatus: ["overdue"] }, order_by: "dueAt" })
      expect(idsOf(overdue)).toEqual([rows.bobFire.id, rows.adaFire.id])
      expect(overdue.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 2 })
      expect(overdue.body.records[0]).toMatchObject({
        dueAt: "2026-05-28T23:59:59.999Z",
        dueStatus: "overdue",
        cycle: 2,
      })
      const late = { dueStatus: ["completed_late"], status: ["Completed"] }
      expect((await of({ search_param: late })).body.recordsFiltered).toBe(1)
      expect((await of({ search_param: { ...late, status: ["Not Started"] } })).body.recordsFiltered).toBe(0)
      expect(idsOf(await of({ search_param: { dueStatus: ["overdue"] }, order_by: "last_name" }))).toEqual([
        rows.adaFire.id,
        rows.bobFire.id,
      ])
      const ofTeam = await of({ search_param: { dueStatus: ["completed_late", "overdue"] } }, boss)
      expect(ofTeam.body.recordsFiltered).toBe(2)
    }
  })

  it("are in the lists of a user's courses, of all enrollments and of the report", async () => {
    const { owner, ada, eve, fire, rows, free } = await academy()
    const { token } = owner
    const overdue = { search_param: { dueStatus: "overdue" } }
    const courses = await get(`/api/users/enrolled-courses${query({ ...paging, user_id: ada.id, ...overdue })}`, {
      token,
    })
    expect(courses.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 1, records: [{ dueStatus: "overdue" }] })
    const all = await get(`/api/enrollments/tabularlist${query({ ...paging, ...overdue })}`, { token })
    expect(idsOf(all)).toEqual([rows.adaFire.id, rows.bobFire.id, rows.eveData.id])
    expect(all.body).toMatchObject({ recordsTotal: 7, recordsFiltered: 3 })
    const ofFire = { search_param: { dueStatus: "overdue", courseId: fire.id } }
    const ofCourse = await get(`/api/enrollments/tabularlist${query({ ...paging, ...ofFire })}`, { token })
    expect(ofCourse.body.recordsFiltered).toBe(2)
    const report = (search_param: object, more = {}) =>
      get(`/api/user/reports/user-detailed${query({ ...paging, search_param, ...more })}`, { token })
    expect((await report({ dueStatus: "overdue" })).body.recordsFiltered).toBe(3)
    expect((await report({ dueStatus: "overdue", course: "fire" })).body.recordsFiltered).toBe(2)
    expect((await report({ dueStatus: "completed_late", status: "Completed" })).body.recordsFiltered).toBe(1)
    expect((await report({ dueStatus: "overdue" }, { user_id: ada.id })).body.recordsFiltered).toBe(1)
    const undated = (await report({}, { user_id: eve.id })).body.records.find(({ id }: Values) => id === free.id)
    expect(undated).toMatchObject({ dueAt: null, dueStatus: null, cycle: 1 })
  })
})

describe("the export of due training", () => {
  it("has the rows of the list in each format, within the caller's scope", async () => {
    const { boss, team, rows } = await academy()
    const { token } = boss
    const run = async (body: object) => {
      const started = await post("/api/due/export", body, { token })
      expect(started.status).toBe(200)
      await deliver(started.body.export_id, env)
      const { body: progress } = await get(`/api/due/export/progress/${started.body.export_id}`, { token })
      return (await download(progress.download_url, { token })).body
    }
    const workbook = await readXlsx(new Uint8Array(await run({})))
    expect(workbook.sheets[0]?.rows.map(([id]) => id)).toEqual([
      "id",
      ...[rows.adaFire, rows.adaData, rows.bobFire, rows.bobData].map(({ id }) => id),
    ])
    const lines = new TextDecoder().decode(await run({ format: "ndjson", search_param: { dueStatus: ["due_soon"] } }))
    expect(JSON.parse(lines)).toMatchObject({
      id: rows.bobData.id,
      name: "Bob Carter",
      courseName: "Data protection",
      dueAt: "2026-06-02T23:59:59.999Z",
      dueStatus: "due_soon",
      ruleName: null,
    })
    const csv = new TextDecoder().decode(
      await run({ format: "csv", group_id: team.id, search_param: { nameOrEmail: "ada" } }),
    )
    expect(csv.trimEnd().split("\r\n")).toHaveLength(3)
    expect((await post("/api/due/export", { group_id: 999 }, { token })).status).toBe(404)
  })
})
