import fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { groupAdmins, groupMembers, groups } from "../../drizzle/schema/groups.ts"
import { users } from "../../drizzle/schema/users.ts"
import { rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { expectExactSupervisorScope } from "../factories/supervisor-scope.ts"
import { type CallOptions, cost, get, post, put, query } from "../helpers/client.ts"

const make = (body: object = {}, options?: CallOptions) =>
  post("/api/group/create", { name: "Evening", ...body }, options)
const created = async (body: object = {}) => (await make(body)).body.id as number
const change = (id: number, body: object, options?: CallOptions) => put(`/api/group/${id}`, body, options)
const read = (id: number, options?: CallOptions) => get(`/api/group/${id}`, options)
const list = (path: string, input: object = {}, options?: CallOptions) =>
  get(`/api/${path}/tabularlist${query({ page_size: 100, page_number: 1, ...input })}`, options)
const idsOf = (response: { body: { records: { id: number }[] } }) => response.body.records.map((row) => row.id).sort()
const someUsers = async (count: number) => {
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push((await user()).id)
  return ids
}
const typeOf = async (id: number) => (await rowsOf(users)).find((row) => row.id === id)?.userType

describe("groups", () => {
  it("are created with members and administrators in two round trips, and read in one", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5) })
    const [ada, eve, mia] = (await someUsers(3)) as [number, number, number]
    const made = await make({ user_ids: [ada, eve, 9001], admin_ids: `${mia},9002` })
    expect(made.body).toEqual({ id: 1, message: "Group created. 2 ids unknown." })
    expect(cost(made).roundTrips).toBe(2)
    const response = await read(1)
    expect(response.body).toEqual({
      id: 1,
      name: "Evening",
      user_count: 2,
      admin_ids: [mia],
      course_seats: [],
      externalId: null,
      externalIds: [],
      created_at: "Jan 05, 2026",
      createdAt: "2026-01-05T00:00:00.000Z",
    })
    expect(cost(response).roundTrips).toBe(1)
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject, row.subjectId])).toEqual([
      ["updated", "user", mia],
      ["created", "group", 1],
    ])
    expect((await change(1, response.body)).body).toEqual({ message: "Group updated." })
    expect((await read(1)).body).toEqual(response.body)
    await expectExactSupervisorScope()
  })

  it("replace the provided sets and keep the others", async () => {
    const [ada, eve, mia] = (await someUsers(3)) as [number, number, number]
    const id = await created({ user_ids: [ada, eve], admin_ids: [mia] })
    await change(id, { name: "Weekend" })
    expect((await read(id)).body).toMatchObject({ name: "Weekend", user_count: 2, admin_ids: [mia] })
    await change(id, { user_ids: [eve, mia] })
    expect((await rowsOf(groupMembers)).map((row) => row.userId)).toEqual([eve, mia])
    await change(id, { admin_ids: [] })
    expect((await read(id)).body).toMatchObject({ user_count: 2, admin_ids: [] })
    await expectExactSupervisorScope()
  })

  it("add and remove single members", async () => {
    const [ada, eve, mia] = (await someUsers(3)) as [number, number, number]
    const id = await created({ user_ids: [ada, eve], admin_ids: [mia] })
    const changed = await change(id, { add_user_ids: [mia, ada, 9001], remove_user_ids: [eve, 9002] })
    expect(changed.body).toEqual({ message: "Group updated. 1 id unknown." })
    expect((await rowsOf(groupMembers)).map((row) => row.userId)).toEqual([ada, mia])
    expect((await read(id)).body.admin_ids).toEqual([mia])
    expect((await change(id, { user_ids: [ada], remove_user_ids: [mia] })).body.errors).toHaveProperty("user_ids")
    await expectExactSupervisorScope()
  })

  it("have seats in courses, never fewer than are used", async () => {
    const [ada] = (await someUsers(1)) as [number]
    const course = async (name: string) => (await post("/api/course/create", { name, status: "publish" })).body.id
    const [art, law] = [await course("Art"), await course("Law")]
    const seats = (course_id: number, total_seats: number) => ({ course_id, total_seats })
    const made = await make({ user_ids: [ada], course_seats: [seats(art, 2), seats(law, 1), seats(999, 1)] })
    expect(made.body.message).toBe("Group created. 1 course not found.")
    expect(cost(made).roundTrips).toBe(2)
    const { id } = made.body
    await post("/api/course/enroll", { course_ids: [art], user_ids: [ada], group_id: id })
    const before = await read(id)
    expect(before.body.course_seats).toEqual([
      { ...seats(art, 2), course_name: "Art", used_seats: 1 },
      { ...seats(law, 1), course_name: "Law", used_seats: 0 },
    ])
    expect((await change(id, before.body)).status).toBe(200)
    expect((await read(id)).body.course_seats).toEqual(before.body.course_seats)
    expect((await change(id, { course_seats: [seats(art, 0)] })).status).toBe(409)
    expect((await change(id, { name: "Weekend" })).status).toBe(200)
    const changed = await change(id, { course_seats: [seats(art, 1)] })
    expect(cost(changed).roundTrips).toBe(2)
    expect((await read(id)).body.course_seats).toEqual([{ ...seats(art, 1), course_name: "Art", used_seats: 1 }])
    const twice = await change(id, { course_seats: [seats(art, 1), seats(art, 2)] })
    expect(twice.body.errors).toHaveProperty("course_seats")
    expect((await change(id, { course_seats: [seats(law, 1)] })).status).toBe(200)
    expect((await read(id)).body.course_seats).toEqual([{ ...seats(law, 1), course_name: "Law", used_seats: 0 }])
    const fewer = await change(id, { course_seats: [seats(art, 0)] })
    expect(fewer.status).toBe(409)
    expect(fewer.body.message).toMatch(/^1 seat of course \d+ already used/)
    expect((await change(id, { course_seats: [seats(art, 1)] })).status).toBe(200)
    expect((await read(id)).body.course_seats).toEqual([{ ...seats(art, 1), course_name: "Art", used_seats: 1 }])
  })

  it("accept 500 members in two round trips", async () => {
    const id = await created({ admin_ids: await someUsers(2) })
    const response = await change(id, { user_ids: await someUsers(500) })
    expect(response.body).toEqual({ message: "Group updated." })
    expect(cost(response).roundTrips).toBe(2)
    expect((await read(id)).body.user_count).toBe(500)
    await expectExactSupervisorScope()
  })

  it("promote learners who become administrators to group_admin, end sessions, and keep higher types", async () => {
    const learner = await signedIn("general")
    const portalAdmin = await signedIn("portal_admin")
    const id = await created({ admin_ids: [learner.id, portalAdmin.id] })
    expect(await typeOf(learner.id)).toBe("group_admin")
    expect(await typeOf(portalAdmin.id)).toBe("portal_admin")
    expect((await read(id, learner)).status).toBe(401)
    expect((await read(id, { token: await tokenOf({ ...learner, userType: "group_admin" }) })).status).toBe(200)
    expect((await read(id, portalAdmin)).status).toBe(200)
  })

  it("show administrators their members, and no others, immediately", async () => {
    const admin = await signedIn("group_admin")
    const [ada, eve, stranger] = (await someUsers(3)) as [number, number, number]
    const mine = await created({ user_ids: [ada, eve], admin_ids: [admin.id] })
    const other = await created({ name: "Other", user_ids: [stranger, eve] })
    expect(idsOf(await list("users", {}, admin))).toEqual([ada, eve])
    expect(idsOf(await list("users", { group_id: mine }, admin))).toEqual([ada, eve])
    expect((await list("users", { group_id: other }, admin)).status).toBe(404)
    expect((await get(`/api/user/${stranger}`, admin)).status).toBe(404)
    expect((await list("group", {}, admin)).body).toMatchObject({ recordsTotal: 1, records: [{ id: mine }] })
    expect((await read(other, admin)).status).toBe(404)

    await change(mine, { user_ids: [ada] })
    expect((await list("users", {}, admin)).body).toMatchObject({ recordsTotal: 1, records: [{ id: ada }] })
    expect((await get(`/api/user/${eve}`, admin)).status).toBe(404)
    await post("/api/group/delete", { delete_ids: [mine] })
    expect((await list("users", {}, admin)).body).toMatchObject({ recordsTotal: 0, records: [] })
    await expectExactSupervisorScope()
  })

  it("can be changed by staff and read by their administrators", async () => {
    const admin = await signedIn("group_admin")
    const staff = await signedIn("staff")
    const made = await make({ admin_ids: [admin.id] }, staff)
    expect(made.status).toBe(200)
    expect((await change(made.body.id, { name: "B" }, staff)).status).toBe(200)
    expect((await change(made.body.id, { name: "C" }, admin)).status).toBe(403)
    expect((await make({}, admin)).status).toBe(403)
    expect((await read(made.body.id, await signedIn("general"))).status).toBe(403)
  })

  it("reject invalid input, an unknown id and an outdated version", async () => {
    expect((await make({ name: "" })).body.errors).toHaveProperty("name")
    expect((await make({ user_ids: "x" })).body.errors).toHaveProperty(["user_ids.0"])
    expect(await rowsOf(groups)).toEqual([])
    expect((await change(9, { name: "A" })).status).toBe(404)
    const id = await created()
    const headers = { "if-match": (await read(id)).headers.get("etag") ?? "" }
    expect((await change(id, { name: "A" }, { headers })).status).toBe(200)
    expect((await change(id, { name: "B" }, { headers })).status).toBe(412)
  })

  it("are searched, sorted and deleted with correct counts", async () => {
    for (const name of ["Beta", "alpha", "Gamma"]) await created({ name })
    const response = await list("group")
    expect(response.body.records.map((row: { name: string }) => row.name)).toEqual(["alpha", "Beta", "Gamma"])
    expect(cost(response).roundTrips).toBe(1)
    expect((await list("group", { search_param: { name: "MM" } })).body).toMatchObject({
      recordsTotal: 3,
      recordsFiltered: 1,
    })
    for (const colName of ["id", "name", "created_at"])
      expect((await list("group", { order_by: { colName, direction: "desc" } })).body.records).toHaveLength(3)
    const deleted = await post("/api/group/delete", { delete_ids: [1, 2, 99] })
    expect(deleted.body.message).toBe("2 groups deleted. 1 id unknown.")
    expect((await list("group")).body).toMatchObject({ recordsTotal: 1 })
    expect(await rowsOf(groupAdmins)).toEqual([])
  })
})

describe("supervisor scope and counters", () => {
  it("match a recount after any sequence of changes to portals, groups and users", async () => {
    const people = await someUsers(8)
    const some = fc.uniqueArray(fc.constantFrom(...people), { maxLength: 6 })
    const input = fc.option(some, { nil: undefined })
    const which = fc.integer({ min: 1, max: 3 })
    const few = fc.option(fc.uniqueArray(fc.constantFrom(...people), { maxLength: 3 }), { nil: undefined })
    const step = fc.oneof(
      fc.record({
        kind: fc.constantFrom("portal members" as const, "group members" as const),
        which,
        add: few,
        remove: few,
      }),
      fc.record({ kind: fc.constant("portal" as const), which, members: input, admins: input }),
      fc.record({ kind: fc.constant("group" as const), which, members: input, admins: input }),
      fc.record({
        kind: fc.constant("remove" as const),
        users: fc.uniqueArray(fc.constantFrom(...people), { maxLength: 2 }),
      }),
      fc.record({ kind: fc.constant("new" as const), of: fc.constantFrom("portal", "group"), which }),
    )
    const places = { portal: [0, 0, 0, 0], group: [0, 0, 0, 0] }
    for (const place of [1, 2, 3]) {
      places.portal[place] = (await post("/api/portal/create", { name: `P${place}`, totalSeat: 4 })).body.id
      places.group[place] = await created({ name: `G${place}` })
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        for (const did of steps) {
          if (did.kind === "portal")
            await put(`/api/portal/${places.portal[did.which]}`, { member_ids: did.members, admin_ids: did.admins })
          if (did.kind === "group")
            await change(places.group[did.which] ?? 0, { user_ids: did.members, admin_ids: did.admins })
          if (did.kind === "portal members")
            await put(`/api/portal/${places.portal[did.which]}`, {
              add_member_ids: did.add,
              remove_member_ids: did.remove,
            })
          if (did.kind === "group members")
            await change(places.group[did.which] ?? 0, { add_user_ids: did.add, remove_user_ids: did.remove })
          if (did.kind === "remove") await post("/api/user/delete", { delete_ids: did.users })
          if (did.kind === "new") {
            const kind = did.of === "portal" ? "portal" : "group"
            await post(`/api/${kind}/delete`, { delete_ids: [places[kind][did.which]] })
            const body = {
              name: "New",
              member_ids: people.slice(0, 3),
              user_ids: people.slice(2),
              admin_ids: people.slice(5),
            }
            places[kind][did.which] = (await post(`/api/${kind}/create`, body)).body.id
          }
          await expectExactSupervisorScope()
        }
      }),
      { numRuns: 40 },
    )
  })
})
