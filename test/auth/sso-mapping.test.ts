import { eq } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { groupMembers } from "../../drizzle/schema/groups.ts"
import { userIdentities } from "../../drizzle/schema/sso.ts"
import { users } from "../../drizzle/schema/users.ts"
import { db, group, portal, rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { cost, get, post, put } from "../helpers/client.ts"
import { connected, type FakeProvider, fakeProvider, sessionIn, signInAs } from "../helpers/provider.ts"

afterEach(() => vi.restoreAllMocks())

const ROLES = { roleClaim: "roles", roles: { "lms-staff": "staff", "lms-admins": "admin" } }
const ADA = { sub: "ada", email: "ada@example.com", email_verified: true, given_name: "Ada", family_name: "Byron" }

async function setup(settings: Record<string, unknown>) {
  const admin = await signedIn("admin")
  const provider = await fakeProvider()
  const providerId = await connected(provider, admin, { create: true, ...settings })
  return { admin, provider, providerId }
}

/** Links a user to a person of the provider. */
async function linked(providerId: number, subject: string, overrides: Parameters<typeof user>[0] = {}) {
  const person = await user(overrides)
  await db.insert(userIdentities).values({ providerId, subject, userId: person.id, createdAt: Date.now() })
  return person
}

const personOf = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0]
const roleOf = async (id: number) => (await personOf(id))?.userType
const groupsOf = async (userId: number) =>
  (await rowsOf(groupMembers)).filter((row) => row.userId === userId).map(({ groupId }) => groupId)
const auditOf = async () =>
  (await rowsOf(auditLogs)).filter(({ action, subject }) => action === "updated" && subject === "user")

async function signIn(provider: FakeProvider, claims: Record<string, unknown>) {
  const answer = await signInAs(provider, claims)
  expect(answer.status, JSON.stringify(answer.body)).toBe(303)
  return sessionIn(answer) ?? ""
}

describe("roles from claims", () => {
  it("give the highest mapped role at each sign-in, and end the sessions of the earlier role", async () => {
    const { provider, providerId } = await setup(ROLES)
    const ada = await linked(providerId, "ada", { email: "ada@example.com" })
    const before = { token: await tokenOf(ada) }
    const token = await signIn(provider, { ...ADA, roles: ["lms-staff", "others", "lms-admins"] })
    expect(await roleOf(ada.id)).toBe("admin")
    expect((await get("/api/me", { token })).body).toMatchObject({ id: ada.id, role: "admin" })
    expect((await get("/api/me", before)).status).toBe(401)
    expect(await auditOf()).toMatchObject([
      { performedBy: ada.id, subjectId: ada.id, details: { userType: "admin", provider: "Example Corp" } },
    ])

    await signIn(provider, { ...ADA, roles: "lms-staff" })
    expect(await roleOf(ada.id)).toBe("staff")
    await signIn(provider, { ...ADA, roles: [] })
    expect(await roleOf(ada.id)).toBe("general")
    expect((await get("/api/me", { token })).status).toBe(401)
  })

  it("are unchanged without the claim, and the sign-in then writes no audit row about the account", async () => {
    const { provider, providerId } = await setup(ROLES)
    const ada = await linked(providerId, "ada", { email: "ada@example.com", userType: "staff" })
    const session = { token: await tokenOf(ada) }
    await signIn(provider, ADA)
    expect(await roleOf(ada.id)).toBe("staff")
    await signIn(provider, { ...ADA, roles: ["lms-staff"] })
    expect(await auditOf()).toEqual([])
    expect((await get("/api/me", session)).status).toBe(200)
  })

  it("keep supervisors, whose groups claims do not know, unless they give more", async () => {
    const { provider, providerId } = await setup(ROLES)
    const ada = await linked(providerId, "ada", { email: "ada@example.com", userType: "group_admin" })
    await signIn(provider, { ...ADA, roles: ["others"] })
    expect(await roleOf(ada.id)).toBe("group_admin")
    await signIn(provider, { ...ADA, roles: ["lms-staff"] })
    expect(await roleOf(ada.id)).toBe("staff")
  })

  it("apply to a new account, in two round trips", async () => {
    const { provider } = await setup(ROLES)
    const answer = await signInAs(provider, { ...ADA, roles: ["lms-admins"] })
    expect(cost(answer).roundTrips).toBe(2)
    const token = sessionIn(answer) ?? ""
    const me = (await get("/api/me", { token })).body
    expect(me).toMatchObject({ role: "admin", email: ADA.email })
    expect((await personOf(me.id))?.userType).toBe("admin")
  })

  it("are never an owner's, and never above what the configuring person may assign", async () => {
    const { admin, provider, providerId } = await setup({})
    for (const roles of [{ x: "owner" }, { x: "group_admin" }, { x: "portal_admin" }, { x: "" }])
      expect(await put(`/api/sso-provider/${providerId}`, { roles }, admin)).toMatchObject({
        status: 422,
        body: { code: "validation_failed" },
      })
    const owner = await linked(providerId, "owner", { email: "owner@example.com", userType: "owner" })
    await put(`/api/sso-provider/${providerId}`, ROLES, admin)
    const refused = await signInAs(provider, { sub: "owner", email: owner.email, roles: ["others"] })
    expect(refused.status).toBe(403)
    expect(await roleOf(owner.id)).toBe("owner")
    const staff = await signedIn("staff")
    expect((await put(`/api/sso-provider/${providerId}`, ROLES, staff)).status).toBe(403)
    // A mapping is data: what JavaScript objects inherit is no role.
    const ada = await linked(providerId, "ada", { email: "ada@example.com" })
    await signIn(provider, { ...ADA, roles: ["constructor", "__proto__", "toString", 7, null] })
    expect(await roleOf(ada.id)).toBe("general")
  })

  it("cannot be assigned by the provider of a portal", async () => {
    const { admin, provider } = await setup({})
    const academy = await portal()
    const fields = { ...provider.fields, slug: "second", portalId: academy.id, ...ROLES }
    expect(await post("/api/sso-provider/create", fields, admin)).toMatchObject({
      status: 422,
      body: { errors: { roles: ["A portal's provider cannot assign roles."] } },
    })
  })
})

describe("groups from claims", () => {
  it("are joined and left as the claim says; other groups stay", async () => {
    const [engineers, sales, own] = [await group(), await group(), await group()]
    const { provider, providerId } = await setup({
      groupClaim: "groups",
      groups: { eng: engineers.id, sales: sales.id },
    })
    const ada = await linked(providerId, "ada", { email: "ada@example.com" })
    await db.insert(groupMembers).values([
      { groupId: own.id, userId: ada.id },
      { groupId: sales.id, userId: ada.id },
    ])
    await signIn(provider, { ...ADA, groups: ["eng", "unmapped"] })
    expect((await groupsOf(ada.id)).sort()).toEqual([engineers.id, own.id].sort())
    expect((await auditOf()).at(-1)?.details).toEqual({
      joinedGroups: [engineers.id],
      leftGroups: [sales.id],
      provider: "Example Corp",
    })
    await signIn(provider, ADA)
    await signIn(provider, { ...ADA, groups: ["eng"] })
    expect((await groupsOf(ada.id)).sort()).toEqual([engineers.id, own.id].sort())
    expect(await auditOf()).toHaveLength(1)
  })

  it("are joined by a new account, and must exist when they are mapped", async () => {
    const engineers = await group()
    const { admin, provider, providerId } = await setup({ groupClaim: "groups", groups: { eng: engineers.id } })
    const token = await signIn(provider, { ...ADA, groups: "eng" })
    const { id } = (await get("/api/me", { token })).body
    expect(await groupsOf(id)).toEqual([engineers.id])
    const read = (await get(`/api/sso-provider/${providerId}`, admin)).body
    expect(read).toMatchObject({ groupClaim: "groups", groups: { eng: engineers.id }, roles: {}, update: false })
    expect(await put(`/api/sso-provider/${providerId}`, { groups: { x: 999 } }, admin)).toMatchObject({ status: 422 })
    // A deleted group in the mapping is skipped, and the record can be sent back.
    await post("/api/group/delete", { delete_ids: [engineers.id] }, admin)
    const before = await auditOf()
    await signIn(provider, { ...ADA, groups: "eng" })
    expect(await auditOf()).toEqual(before)
    expect((await put(`/api/sso-provider/${providerId}`, read, admin)).status).toBe(200)
  })
})

describe("attributes from claims", () => {
  it("update the account at each sign-in if the provider says so", async () => {
    const { admin, provider, providerId } = await setup({})
    const fields = [{ type: "text", label: "Department", userMetaKey: "department" }]
    await put("/api/users/customUserFields", { fields }, admin)
    const ada = await linked(providerId, "ada", { email: "ada@example.com", firstName: "A", lastName: "B" })
    const claims = { ...ADA, picture: "https://id.example.org/ada.png", dept: "Engines" }
    await signIn(provider, claims)
    expect(await personOf(ada.id)).toMatchObject({ firstName: "A", lastName: "B" })

    await put(`/api/sso-provider/${providerId}`, { update: true, claims: { dept: "department" } }, admin)
    await signIn(provider, claims)
    expect(await personOf(ada.id)).toMatchObject({
      firstName: "Ada",
      lastName: "Byron",
      avatar: "https://id.example.org/ada.png",
      email: "ada@example.com",
    })
    expect(await rowsOf(customFieldValues)).toMatchObject([{ userId: ada.id, value: "Engines" }])
    const found = await get(
      `/api/users/tabularlist?page_size=5&page_number=1&search_param=${encodeURIComponent('{"nameOrEmail":"byron"}')}`,
      admin,
    )
    expect(found.body.records).toMatchObject([{ id: ada.id }])

    const rows = (await auditOf()).length
    const version = (await personOf(ada.id))?.version
    await signIn(provider, claims)
    // What a claim leaves out stays as it is.
    await signIn(provider, { sub: "ada", email: "ada@example.com" })
    expect(await auditOf()).toHaveLength(rows)
    expect(await personOf(ada.id)).toMatchObject({ version, firstName: "Ada", lastName: "Byron" })
  })
})
