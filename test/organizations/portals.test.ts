import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { emailRules } from "../../drizzle/schema/email-rules.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { counters } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import { portal, rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { mediaFile } from "../factories/media.ts"
import { expectExactSupervisorScope } from "../factories/supervisor-scope.ts"
import { type CallOptions, cost, download, get, post, put, query } from "../helpers/client.ts"

const make = (body: object, options?: CallOptions) => post("/api/portal/create", { name: "North", ...body }, options)
const created = async (body: object = {}) => (await make(body)).body.id as number
const change = (id: number, body: object, options?: CallOptions) => put(`/api/portal/${id}`, body, options)
const read = (id: number, options?: CallOptions) => get(`/api/portal/${id}`, options)
const list = (input: object = {}, options?: CallOptions) =>
  get(`/api/portal/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`, options)
const usersOf = (options: CallOptions, input: object = {}) =>
  get(`/api/users/tabularlist${query({ page_size: 100, page_number: 1, ...input })}`, options)
const idsOf = (response: { body: { records: { id: number }[] } }) => response.body.records.map((row) => row.id).sort()
const someUsers = async (count: number) => {
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push((await user()).id)
  return ids
}
const membersOf = async (portalId: number) =>
  Object.fromEntries(
    (await rowsOf(portalMembers)).filter((row) => row.portalId === portalId).map((row) => [row.userId, row.role]),
  )
const typeOf = async (id: number) => (await rowsOf(users)).find((row) => row.id === id)?.userType

describe("POST /api/portal/create", () => {
  it("creates a portal with members, an audit row and defaults in two round trips", async () => {
    const [ada, eve, mia] = await someUsers(3)
    const response = await make({ name: "Académie Nord", member_ids: [ada, eve, 9001], admin_ids: [mia, 9002] })
    expect(response.body).toEqual({ id: 1, message: "Portal created. 2 ids unknown." })
    expect(cost(response).roundTrips).toBe(2)
    const [row] = await rowsOf(portals)
    expect(row).toMatchObject({ slug: "academie-nord", userType: "portal_admin", totalSeat: 0, status: "active" })
    expect(row?.referralCode).toMatch(/^[2-9A-HJ-NP-Z]{10}$/)
    expect(await membersOf(1)).toEqual({
      [ada as number]: "learner",
      [eve as number]: "learner",
      [mia as number]: "admin",
    })
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "updated", subject: "user", subjectId: mia, details: { userType: "portal_admin" } },
      { action: "created", subject: "portal", effectOn: "Académie Nord" },
    ])
    await expectExactSupervisorScope()
  })

  it("returns every field that it accepts, and accepts what it returns", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5) })
    const parent = await created({ name: "Parent" })
    const admin = await user({ userType: "group_admin" })
    const id = await created({
      name: "Child",
      slug: "the-child",
      referralCode: "Join-Us",
      userType: "portal_owner",
      totalSeat: "5",
      subscriptionId: 7,
      parentPortalId: parent,
      portalType: "reseller",
      status: "Active",
      expiryDate: "2026-12-31 18:30",
      expiryMessage: "Please renew.",
      logoUrl: "https://cdn.example/logo.png",
      primaryColor: "#1A2B3C",
      secondaryColor: "#ffffff",
      senderName: "The Child",
      replyTo: "help@child.example",
      admin_ids: [admin.id],
    })
    const response = await read(id)
    expect(response.body).toEqual({
      id,
      name: "Child",
      slug: "the-child",
      referralCode: "Join-Us",
      userType: "portal_owner",
      totalSeat: 5,
      subscriptionId: 7,
      parentPortalId: parent,
      portalType: "reseller",
      status: "active",
      expiryDate: "2026-12-31T18:30:00.000Z",
      expiryMessage: "Please renew.",
      logoUrl: "https://cdn.example/logo.png",
      primaryColor: "#1a2b3c",
      secondaryColor: "#ffffff",
      senderName: "The Child",
      replyTo: "help@child.example",
      member_count: 0,
      admin_ids: [admin.id],
      created_at: "Jan 05, 2026",
      createdAt: "2026-01-05T00:00:00.000Z",
    })
    expect(cost(response).roundTrips).toBe(1)
    expect((await change(id, response.body)).body).toEqual({ message: "Portal updated." })
    expect((await read(id)).body).toEqual(response.body)
    await change(id, { expiryDate: null, totalSeat: "", parentPortalId: null, expiryMessage: "", logoUrl: null })
    expect((await read(id)).body).toMatchObject({
      name: "Child",
      expiryDate: null,
      totalSeat: 0,
      parentPortalId: null,
      expiryMessage: "",
      logoUrl: null,
      primaryColor: "#1a2b3c",
    })
  })

  it("generates unique slugs and codes, and rejects taken ones", async () => {
    await created({ slug: "north", referralCode: "ABC" })
    await created()
    await created({ name: "山田" })
    expect((await rowsOf(portals)).map((row) => row.slug)).toEqual(["north", "north-2", "portal-3"])
    const slug = await make({ slug: "north" })
    expect(slug).toMatchObject({ status: 422, body: { errors: { slug: [expect.stringContaining("taken")] } } })
    const code = await make({ referralCode: "abc" })
    expect(code).toMatchObject({ status: 422, body: { errors: { referralCode: [expect.stringContaining("taken")] } } })
    expect(await change(2, { slug: "north" })).toMatchObject({ status: 422 })
    expect(await rowsOf(portals)).toHaveLength(3)
    expect(await rowsOf(auditLogs)).toHaveLength(3)
  })

  it("reports every invalid field and writes nothing", async () => {
    const bad: [object, string][] = [
      [{ name: "" }, "name"],
      [{ slug: "a b" }, "slug"],
      [{ userType: "owner" }, "userType"],
      [{ totalSeat: -1 }, "totalSeat"],
      [{ parentPortalId: 99 }, "parentPortalId"],
      [{ status: "gone" }, "status"],
      [{ expiryDate: "soon" }, "expiryDate"],
      [{ logoUrl: "javascript:alert(1)" }, "logoUrl"],
      [{ primaryColor: "red" }, "primaryColor"],
      [{ replyTo: "nobody" }, "replyTo"],
      [{ member_ids: "x" }, "member_ids.0"],
    ]
    for (const [input, field] of bad) {
      const response = await make(input)
      expect(response.status, JSON.stringify(input)).toBe(422)
      expect(Object.keys(response.body.errors), JSON.stringify(input)).toContain(field)
    }
    expect(await rowsOf(portals)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
  })
})

describe("PUT /api/portal/{id}", () => {
  it("replaces the provided sets, keeps the others, and swaps roles", async () => {
    const [ada, eve, mia] = (await someUsers(3)) as [number, number, number]
    const id = await created({ member_ids: [ada, eve], admin_ids: [mia] })
    await change(id, { name: "South" })
    expect(await membersOf(id)).toEqual({ [ada]: "learner", [eve]: "learner", [mia]: "admin" })
    await change(id, { member_ids: [ada] })
    expect(await membersOf(id)).toEqual({ [ada]: "learner", [mia]: "admin" })
    await change(id, { admin_ids: [ada] })
    expect(await membersOf(id)).toEqual({ [ada]: "admin" })
    await change(id, { admin_ids: [mia], member_ids: [ada, mia] })
    expect(await membersOf(id)).toEqual({ [ada]: "learner", [mia]: "admin" })
    await expectExactSupervisorScope()
    await change(id, { admin_ids: [], member_ids: "[]" })
    expect(await membersOf(id)).toEqual({})
    await expectExactSupervisorScope()
  })

  it("adds and removes single learners within the seats", async () => {
    const [ada, eve, mia, zoe] = (await someUsers(4)) as [number, number, number, number]
    const id = await created({ totalSeat: 2, member_ids: [ada], admin_ids: [mia] })
    const added = await change(id, { add_member_ids: [ada, eve, mia, 9001] })
    expect(added.body.message).toBe("Portal updated. 1 id unknown.")
    expect((await rowsOf(auditLogs)).at(-1)?.details).toEqual({ add_member_ids: [ada, eve, mia, 9001] })
    expect(await membersOf(id)).toEqual({ [ada]: "learner", [eve]: "learner", [mia]: "admin" })
    expect((await change(id, { add_member_ids: [zoe] })).status).toBe(409)
    expect((await change(id, { add_member_ids: [zoe], remove_member_ids: [ada, mia, 9001] })).status).toBe(200)
    expect(await membersOf(id)).toEqual({ [eve]: "learner", [zoe]: "learner", [mia]: "admin" })
    expect((await change(id, { add_member_ids: [ada], admin_ids: [mia, zoe] })).status).toBe(200)
    expect(await membersOf(id)).toEqual({ [ada]: "learner", [eve]: "learner", [mia]: "admin", [zoe]: "admin" })
    expect((await change(id, { member_ids: [ada], add_member_ids: [eve] })).body.errors).toHaveProperty("member_ids")
    await change(id, { status: "inactive" })
    expect((await change(id, { remove_member_ids: [ada] })).status).toBe(200)
    expect((await change(id, { add_member_ids: [ada] })).status).toBe(409)
    await expectExactSupervisorScope()
  })

  it("accepts 500 members in two round trips", async () => {
    const id = await created({ admin_ids: await someUsers(2) })
    const response = await change(id, { member_ids: await someUsers(500) })
    expect(response.body).toEqual({ message: "Portal updated." })
    expect(cost(response).roundTrips).toBe(2)
    expect((await read(id)).body.member_count).toBe(500)
    await expectExactSupervisorScope()
  })

  it("promotes administrators with a lower type and ends their sessions, and keeps other users unchanged", async () => {
    const learner = await signedIn("general")
    const groupAdmin = await signedIn("group_admin")
    const staff = await signedIn("staff")
    const id = await created({ userType: "portal_manager" })
    await change(id, { admin_ids: [learner.id, groupAdmin.id, staff.id] })
    expect(await typeOf(learner.id)).toBe("portal_manager")
    expect(await typeOf(groupAdmin.id)).toBe("group_admin")
    expect(await typeOf(staff.id)).toBe("staff")
    expect((await read(id, learner)).status).toBe(401)
    expect((await read(id, groupAdmin)).status).toBe(200)
    const again = { token: await tokenOf({ ...learner, userType: "portal_manager" }) }
    expect((await read(id, again)).status).toBe(200)
  })

  it("returns 409 for more learners than seats and writes nothing; administrators take no seats", async () => {
    const [ada, eve, mia] = (await someUsers(3)) as [number, number, number]
    expect((await make({ totalSeat: 1, member_ids: [ada, eve] })).status).toBe(409)
    expect(await rowsOf(portals)).toEqual([])
    const id = await created({ totalSeat: 1, member_ids: [ada], admin_ids: [mia] })
    const before = (await rowsOf(auditLogs)).length
    const over = await change(id, { name: "South", member_ids: [ada, eve] })
    expect(over).toMatchObject({
      status: 409,
      body: { message: "The portal has 1 seat, but would have 2 learners. Nothing was changed." },
    })
    expect((await read(id)).body).toMatchObject({ name: "North", member_count: 1 })
    expect(await rowsOf(auditLogs)).toHaveLength(before)
    expect((await change(id, { member_ids: [eve] })).status).toBe(200)
    expect((await change(id, { member_ids: [ada, eve], totalSeat: 2 })).status).toBe(200)
    expect((await change(id, { totalSeat: 1 })).status).toBe(409)
    expect((await change(id, { totalSeat: 1, admin_ids: [mia, eve] })).status).toBe(200)
    await expectExactSupervisorScope()
  })

  it("assigns the last seat to one of two concurrent requests", async () => {
    const [ada, eve] = (await someUsers(2)) as [number, number]
    const id = await created({ totalSeat: 1 })
    const responses = await Promise.all([change(id, { member_ids: [ada] }), change(id, { member_ids: [eve] })])
    for (const response of responses) expect([200, 409]).toContain(response.status)
    expect((await rowsOf(portalMembers)).length).toBe(1)
    await expectExactSupervisorScope()
  })

  it("accepts no new members while inactive or expired, but allows other changes and a renewal", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5) })
    const [ada, eve] = (await someUsers(2)) as [number, number]
    const id = await created({ member_ids: [ada], expiryDate: "2026-02-01", expiryMessage: "Your license has ended." })
    vi.setSystemTime(Date.UTC(2026, 1, 1))
    const refused = await change(id, { member_ids: [ada, eve] })
    expect(refused).toMatchObject({ status: 409, body: { message: "Your license has ended." } })
    expect((await change(id, { admin_ids: [eve] })).status).toBe(409)
    expect((await change(id, { name: "Old", member_ids: [ada] })).status).toBe(200)
    expect((await change(id, { member_ids: [ada, eve], expiryDate: "2027-02-01" })).status).toBe(200)
    await change(id, { status: "inactive", member_ids: [eve] })
    const inactive = await change(id, { member_ids: [ada, eve] })
    expect(inactive.body.message).toBe(
      "The portal is inactive and accepts no new members. Set its status to active first.",
    )
    expect(await membersOf(id)).toEqual({ [eve]: "learner" })
  })

  it("skips and counts users whose addresses the portal does not accept", async () => {
    const inside = await user({ email: "a@north.example" })
    const outside = await user({ email: "a@south.example" })
    const id = await created({ member_ids: [] })
    await put("/api/user/blockedEmailsAndDomains", { portalId: id, allowed: ["north.example"] })
    const response = await change(id, { member_ids: [inside.id, outside.id] })
    expect(response.body.message).toBe("Portal updated. 1 skipped: the portal doesn't accept their email addresses.")
    expect(await membersOf(id)).toEqual({ [inside.id]: "learner" })
  })

  it("rejects a cycle of parents, including itself, and an unknown parent", async () => {
    const top = await created({ name: "Top" })
    const middle = await created({ name: "Middle", parentPortalId: top })
    const low = await created({ name: "Low", parentPortalId: middle })
    for (const parentPortalId of [top, middle, low, 99]) {
      const response = await change(top, { parentPortalId })
      expect(response.body.errors, String(parentPortalId)).toHaveProperty("parentPortalId")
    }
    expect((await change(low, { parentPortalId: top })).status).toBe(200)
    const both = await Promise.all([change(middle, { parentPortalId: low }), change(low, { parentPortalId: middle })])
    expect(both.filter((response) => response.status === 200)).toHaveLength(1)
  })

  it("returns 404 for an unknown portal and 412 for an outdated version", async () => {
    expect((await change(99, { name: "A" })).status).toBe(404)
    const id = await created()
    const etag = (await read(id)).headers.get("etag") ?? ""
    expect((await change(id, { name: "A" }, { headers: { "if-match": etag } })).status).toBe(200)
    expect((await change(id, { name: "B" }, { headers: { "if-match": etag } })).status).toBe(412)
  })
})

describe("portal administrator", () => {
  it("sees exactly the members of the portal, and loses access when they leave", async () => {
    const admin = await signedIn("portal_admin")
    const [ada, eve, stranger] = (await someUsers(3)) as [number, number, number]
    const north = await created({ member_ids: [ada, eve], admin_ids: [admin.id] })
    const south = await created({ name: "South", member_ids: [stranger] })
    expect(idsOf(await usersOf(admin))).toEqual([ada, eve])
    expect((await usersOf(admin)).body.recordsTotal).toBe(2)
    expect(idsOf(await usersOf(admin, { portalId: north }))).toEqual([ada, eve])
    expect((await usersOf(admin, { portalId: south })).status).toBe(404)
    expect((await get(`/api/user/${stranger}`, admin)).status).toBe(404)
    expect((await get(`/api/user/${eve}`, admin)).status).toBe(200)

    await change(north, { member_ids: [ada] })
    expect((await usersOf(admin)).body).toMatchObject({ recordsTotal: 1, records: [{ id: ada, portals: "North" }] })
    expect(idsOf(await usersOf(admin, { portalId: north }))).toEqual([ada])
    expect((await get(`/api/user/${eve}`, admin)).status).toBe(404)
    expect((await get(`/api/user/portals?userId=${eve}`, admin)).status).toBe(404)

    await change(north, { admin_ids: [] })
    expect((await usersOf(admin)).body).toMatchObject({ recordsTotal: 0, records: [] })
    expect((await read(north, admin)).status).toBe(404)
    await expectExactSupervisorScope()
  })

  it("can read but not change the portals that they administer", async () => {
    const admin = await signedIn("portal_admin")
    const north = await created({ admin_ids: [admin.id] })
    const south = await created({ name: "South", member_ids: [admin.id] })
    expect((await read(north, admin)).status).toBe(200)
    expect((await read(south, admin)).status).toBe(404)
    const listed = await list({}, admin)
    expect(listed.body).toMatchObject({ recordsTotal: 1, recordsFiltered: 1, records: [{ id: north }] })
    expect((await change(north, { name: "Mine" }, admin)).status).toBe(403)
    expect((await make({}, admin)).status).toBe(403)
    expect((await read(north, await signedIn("general"))).status).toBe(403)
    expect((await read(north, await signedIn("staff"))).status).toBe(200)
    expect((await change(north, { name: "Mine" }, await signedIn("staff"))).status).toBe(403)
  })
})

describe("GET /api/portal/tabularlist", () => {
  it("searches, sorts by every column and counts in one round trip", async () => {
    const [ada, eve] = (await someUsers(2)) as [number, number]
    const top = await created({ name: "Alpha", totalSeat: 9, member_ids: [ada, eve] })
    await created({ name: "beta", status: "inactive", parentPortalId: top })
    await created({ name: "Gamma", portalType: "reseller", parentPortalId: top })
    const response = await list({ search_param: { name: "BET" } })
    expect(response.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 1, records: [{ name: "beta" }] })
    expect(cost(response).roundTrips).toBe(1)
    expect((await list()).body.records.map((row: { name: string }) => row.name)).toEqual(["Alpha", "beta", "Gamma"])
    expect((await list()).body.records[0]).toMatchObject({ totalSeat: 9, member_count: 2, expiryDate: null })
    for (const colName of ["id", "name", "slug", "portalType", "status", "totalSeat", "expiryDate", "created_at"])
      expect((await list({ order_by: { colName, direction: "desc" } })).body.records).toHaveLength(3)
    expect((await list({ portalId: top })).body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 })
    expect((await list({ search_param: { status: "inactive" } })).body).toMatchObject({ recordsFiltered: 1 })
    expect((await list({ search_param: { portalType: "reseller" } })).body).toMatchObject({ recordsFiltered: 1 })
    expect((await list({ order_by: "baseUrl" })).status).toBe(422)
  })
})

describe("POST /api/portal/delete", () => {
  it("deletes portals with their memberships, keeps portals with other descendants, and counts correctly", async () => {
    const [ada, admin] = (await someUsers(2)) as [number, number]
    const top = await created({ name: "Top" })
    const middle = await created({ name: "Middle", parentPortalId: top })
    const low = await created({ name: "Low", parentPortalId: middle, member_ids: [ada], admin_ids: [admin] })
    await put("/api/user/blockedEmailsAndDomains", { portalId: low, blocked: ["spam.example"] })
    const remaining = await post("/api/portal/delete", { delete_ids: [top, middle, 99] })
    expect(remaining.body.message).toBe("0 portals deleted. 2 not deleted: they have child portals. 1 id unknown.")
    const deleted = await post("/api/portal/delete", { delete_ids: [low, top, middle] })
    expect(deleted.body.message).toBe("3 portals deleted.")
    expect(cost(deleted).roundTrips).toBe(2)
    expect(await rowsOf(portals)).toEqual([])
    expect(await rowsOf(portalMembers)).toEqual([])
    expect(await rowsOf(emailRules)).toEqual([])
    expect((await rowsOf(users)).map((row) => row.id)).toEqual([ada, admin])
    expect((await rowsOf(counters)).filter((row) => row.key.startsWith("portal"))).toEqual([
      { key: "portals", value: 0 },
    ])
    await expectExactSupervisorScope()
  })

  it("allows users to be deleted who were members only of the deleted portal", async () => {
    const [ada] = (await someUsers(1)) as [number]
    const id = await created({ member_ids: [ada] })
    const remaining = await post("/api/user/delete", { delete_ids: [ada] })
    expect(remaining.body.message).toMatch(/^0 users deleted. 1 user not deleted: .*portal access/)
    await change(id, { member_ids: [] })
    expect((await post("/api/user/delete", { delete_ids: [ada] })).body.deletedStudents).toHaveLength(1)
  })
})

describe("POST /api/user/portal-create", () => {
  const open = (body: object, search = "", options?: CallOptions) =>
    post(`/api/user/portal-create${search}`, body, options)

  it("creates the portals and makes the user their administrator in two round trips", async () => {
    const ada = await signedIn("general")
    const response = await open({
      userId: ada.id,
      portals: [{ name: "North" }, { name: "North", totalSeat: 4, userType: "portal_owner", expiryMessage: "Renew." }],
    })
    expect(response.body).toEqual({ message: "2 portals created." })
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(portals)).toMatchObject([
      { id: 1, slug: "north", userType: "portal_admin" },
      { id: 2, slug: "north-2", userType: "portal_owner", totalSeat: 4 },
    ])
    expect(await membersOf(1)).toEqual({ [ada.id]: "admin" })
    expect(await membersOf(2)).toEqual({ [ada.id]: "admin" })
    expect(await typeOf(ada.id)).toBe("portal_admin")
    expect((await get("/api/user/portals", ada)).status).toBe(401)
    expect((await rowsOf(auditLogs)).map((row) => `${row.action} ${row.subject}`)).toEqual([
      "created portal",
      "created portal",
      "updated user",
    ])
    await expectExactSupervisorScope()
  })

  it("keeps the type and the sessions of a user with a higher type", async () => {
    for (const userType of ["group_admin", "staff", "owner"]) {
      const boss = await signedIn(userType)
      expect((await open({ userId: boss.id, portals: [{ name: "North" }] })).status).toBe(200)
      expect(await typeOf(boss.id)).toBe(userType)
      expect((await get("/api/user/portals", boss)).status).toBe(200)
    }
  })

  it("clones the administrators and the branding only from the selected portal", async () => {
    const [admin, learner, other, ada] = (await someUsers(4)) as [number, number, number, number]
    const look = { logoUrl: "https://cdn.example/a.png", primaryColor: "#112233", secondaryColor: "#445566" }
    const mail = { senderName: "North", replyTo: "help@north.example" }
    const source = await created({ ...look, ...mail, admin_ids: [admin], member_ids: [learner] })
    await created({ name: "Other", admin_ids: [other] })
    const plain = await open({ userId: ada, portals: [{ name: "Plain" }] }, `?portalId=${source}`)
    const full = await open(
      { userId: ada, portals: [{ name: "Full" }], clonePortalAdmins: 1, cloneBrandingNotifications: "true" },
      `?portalId=${source}`,
    )
    const below = await open({
      userId: ada,
      portals: [{ name: "Below", parentPortalId: source }],
      clonePortalAdmins: true,
    })
    expect([plain.status, full.status, below.status]).toEqual([200, 200, 200])
    expect(await membersOf(3)).toEqual({ [ada]: "admin" })
    expect((await read(3)).body).toMatchObject({ logoUrl: null, senderName: null })
    expect(await membersOf(4)).toEqual({ [ada]: "admin", [admin]: "admin" })
    expect((await read(4)).body).toMatchObject({ ...look, ...mail })
    expect(await membersOf(5)).toEqual({ [ada]: "admin", [admin]: "admin" })
    expect((await read(5)).body).toMatchObject({ parentPortalId: source, logoUrl: null })
    await expectExactSupervisorScope()
  })

  it("clones an uploaded logo, which is public while a portal has it", async () => {
    const owner = await signedIn("owner")
    const [logo, pdf] = [await mediaFile(owner.token, "png"), await mediaFile(owner.token, "pdf")]
    const logoUrl = `/api/media/${logo}/file`
    for (const file of [`/api/media/${pdf}/file`, "/api/media/99/file"])
      expect(await make({ logoUrl: file })).toMatchObject({ status: 422, body: { errors: { logoUrl: [/image/] } } })
    const source = await created({ logoUrl })
    const ada = await user()
    const clones = { userId: ada.id, portals: [{ name: "South" }], cloneBrandingNotifications: true }
    expect((await open(clones, `?portalId=${source}`)).status).toBe(200)
    const copy = source + 1
    expect((await read(copy)).body.logoUrl).toBe(logoUrl)
    const shown = `https://lectern.test/logo/${logo}`
    expect((await get(`/api/user/portals?userId=${ada.id}`)).body.siteLogo).toBe(shown)
    expect((await get(`/login?portal=${copy}`)).body).toContain(`<img src="${shown}"`)

    expect(await change(copy, { logoUrl: `/api/media/${pdf}/file` })).toMatchObject({ status: 422 })
    await change(source, { logoUrl: null })
    expect((await download(`/logo/${logo}`)).status).toBe(200)
    await post("/api/portal/delete", { delete_ids: [copy] })
    expect((await download(`/logo/${logo}`)).status).toBe(404)
  })

  it("rejects invalid input and writes nothing", async () => {
    const { id: userId } = await user()
    const bad: [object, string, string][] = [
      [{ portals: [{ name: "A" }] }, "", "userId"],
      [{ userId }, "", "portals"],
      [{ userId, portals: [] }, "", "portals"],
      [{ userId, portals: [{}] }, "", "portals.0.name"],
      [{ userId: 99, portals: [{ name: "A" }] }, "", "userId"],
      [{ userId, portals: [{ name: "A", parentPortalId: 99 }] }, "", "parentPortalId"],
      [{ userId, portals: [{ name: "A" }], clonePortalAdmins: true }, "", "portalId"],
      [
        {
          userId,
          portals: [
            { name: "A", slug: "x" },
            { name: "B", slug: "x" },
          ],
        },
        "",
        "slug",
      ],
    ]
    for (const [body, search, field] of bad) {
      const response = await open(body, search)
      expect(response.status, JSON.stringify(body)).toBe(422)
      expect(Object.keys(response.body.errors), JSON.stringify(body)).toContain(field)
    }
    expect((await open({ userId, portals: [{ name: "A" }] }, "?portalId=99")).status).toBe(404)
    expect(await rowsOf(portals)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
    expect((await open({ userId, portals: [{ name: "A" }] }, "", await signedIn("staff"))).status).toBe(403)
  })

  it("creates the portals once per Idempotency-Key", async () => {
    const { id: userId } = await user()
    const send = () =>
      post("/api/user/portal-create", { userId, portals: [{ name: "A" }] }, { headers: { "idempotency-key": "k" } })
    expect((await send()).body).toEqual((await send()).body)
    expect(await rowsOf(portals)).toHaveLength(1)
  })
})

describe("GET /api/user/portals", () => {
  it("returns the fields of the interface and the user's type in each portal, in one round trip", async () => {
    const ada = await user()
    await created({ name: "South", portalType: "reseller", member_ids: [ada.id], totalSeat: 3, referralCode: "S" })
    await created({ name: "north", userType: "portal_owner", admin_ids: [ada.id] })
    await created({ name: "Elsewhere" })
    const response = await get(`/api/user/portals?userId=${ada.id}`)
    expect(response.body).toMatchObject({
      portals: [{ name: "north", userType: "portal_owner" }, { name: "South" }],
      siteLogo: "https://lectern.test/assets/logo.svg",
      baseUrl: "https://lectern.test",
    })
    await change(1, { logoUrl: "https://south.example/logo.png" })
    expect((await get(`/api/user/portals?userId=${ada.id}`)).body.siteLogo).toBe("https://south.example/logo.png")
    expect(response.body.portals[1]).toEqual({
      id: 1,
      name: "South",
      referralCode: "S",
      userType: "general",
      totalSeat: 3,
      subscriptionId: null,
      parentPortalId: null,
      slug: "south",
      portalType: "reseller",
      status: "active",
      expiryDate: null,
      expiryMessage: "",
    })
    expect(cost(response).roundTrips).toBe(1)
    const names = async (type: string) =>
      (await get(`/api/user/portals?userId=${ada.id}&type=${type}`)).body.portals.map(
        (row: { name: string }) => row.name,
      )
    expect(await names("reseller")).toEqual(["South"])
    expect(await names("portal_owner")).toEqual(["north"])
    expect(await names("learner")).toEqual(["South"])
    expect(await names("")).toEqual(["north", "South"])
    expect(await names("none")).toEqual([])
  })

  it("defaults to the caller, and hides other portals of a user from supervisors", async () => {
    const admin = await signedIn("portal_admin")
    const ada = await signedIn("general")
    await portal({ name: "Shared", admins: [admin.id], members: [ada.id] })
    await portal({ name: "Secret", members: [ada.id] })
    const names = (response: { body: { portals: { name: string }[] } }) => response.body.portals.map((row) => row.name)
    expect(names(await get("/api/user/portals", ada))).toEqual(["Secret", "Shared"])
    expect(names(await get(`/api/user/portals?userId=${ada.id}`, admin))).toEqual(["Shared"])
    expect((await get(`/api/user/portals?userId=${admin.id}`, ada)).status).toBe(404)
    expect((await get("/api/user/portals?userId=99")).status).toBe(404)
    expect((await get("/api/user/portals")).body.errors).toHaveProperty("userId")
  })
})
