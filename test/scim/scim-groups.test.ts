import { describe, expect, it } from "vitest"
import { groupMembers, groups } from "../../drizzle/schema/groups.ts"
import { group, rowsOf, user } from "../factories/index.ts"
import { GROUP, provider } from "../factories/scim.ts"
import { cost } from "../helpers/client.ts"

const memberIds = async () => (await rowsOf(groupMembers)).map(({ userId }) => userId)
const membersOf = (answer: { body: { members?: { value: string }[] } }) =>
  (answer.body.members ?? []).map(({ value }) => Number(value))

describe("SCIM groups", () => {
  it("are created, read and replaced with their members", async () => {
    const idp = await provider()
    const [ada, bob] = [await user({ firstName: "Ada", lastName: "Byron" }), await user()]
    const made = await idp.createGroup("Sales", { externalId: "G-7", members: [{ value: String(ada.id) }] })
    expect(made.status).toBe(201)
    expect(cost(made).roundTrips).toBe(2)
    expect(made.body).toMatchObject({
      schemas: [GROUP],
      externalId: "G-7",
      displayName: "Sales",
      members: [
        {
          value: String(ada.id),
          display: "Ada Byron",
          type: "User",
          $ref: `https://lectern.test/scim/v2/Users/${ada.id}`,
        },
      ],
      meta: { resourceType: "Group", location: `https://lectern.test/scim/v2/Groups/${made.body.id}` },
    })
    const path = `/Groups/${made.body.id}`
    const read = await idp.get(path)
    expect(read.body).toEqual(made.body)
    expect(cost(read).roundTrips).toBe(1)
    const replaced = await idp.put(path, {
      schemas: [GROUP],
      displayName: "Sellers",
      members: [{ value: String(bob.id) }, { value: "nobody" }],
    })
    expect(replaced).toMatchObject({ status: 200, body: { displayName: "Sellers" } })
    expect(membersOf(replaced)).toEqual([bob.id])
    expect(replaced.body.externalId).toBeUndefined()
    expect(cost(replaced).roundTrips).toBe(2)
  })

  it("are patched: members added, removed by id, by list and all, the name and the external id", async () => {
    const idp = await provider()
    const [a, b, c] = [await user(), await user(), await user()]
    const { id } = await group({ members: [a.id] })
    const path = `/Groups/${id}`
    const values = (...people: { id: number }[]) => people.map((one) => ({ value: String(one.id) }))
    const added = await idp.patch(path, [
      { op: "Add", path: "members", value: values(b, c) },
      { op: "replace", path: "displayName", value: "Night shift" },
    ])
    expect(added).toMatchObject({ status: 200, body: { displayName: "Night shift" } })
    expect(membersOf(added)).toEqual([a.id, b.id, c.id])
    expect(cost(added).roundTrips).toBe(2)
    await idp.patch(path, [{ op: "remove", path: `members[value eq "${a.id}"]` }])
    expect(await memberIds()).toEqual([b.id, c.id])
    await idp.patch(path, [{ op: "remove", path: "members", value: values(b) }])
    expect(await memberIds()).toEqual([c.id])
    await idp.patch(path, [
      { op: "replace", value: { members: values(a, b), externalId: "G-7" } },
      { op: "remove", path: `members[value eq "${b.id}"]` },
      { op: "add", path: "members", value: values(c) },
    ])
    expect(await memberIds()).toEqual([a.id, c.id])
    expect((await idp.get(path)).body.externalId).toBe("G-7")
    await idp.patch(path, [{ op: "remove", path: "members" }])
    expect(await memberIds()).toEqual([])
  })

  it("answer 400 to patches that they cannot apply", async () => {
    const idp = await provider()
    const { id } = await group()
    const typeOf = async (operation: object) => (await idp.patch(`/Groups/${id}`, [operation])).body.scimType
    expect(await typeOf({ op: "remove", path: "displayName" })).toBe("mutability")
    expect(await typeOf({ op: "replace", path: 'members[value eq "1"].display', value: "x" })).toBe("mutability")
    expect(await typeOf({ op: "remove", path: 'members[display co "x"]' })).toBe("invalidFilter")
    expect(await typeOf({ op: "add", path: "owners", value: [] })).toBe("invalidPath")
    expect(await typeOf({ op: "replace", path: "displayName", value: "" })).toBe("invalidValue")
  })

  it("are deleted without their members, and then unknown", async () => {
    const idp = await provider()
    const { id } = await group({ members: [(await user()).id] })
    const gone = await idp.delete(`/Groups/${id}`)
    expect(gone.status).toBe(204)
    expect(cost(gone).roundTrips).toBe(2)
    expect(await rowsOf(groups)).toEqual([])
    for (const answer of [
      await idp.get(`/Groups/${id}`),
      await idp.delete(`/Groups/${id}`),
      await idp.patch(`/Groups/${id}`, [{ op: "remove", path: "members" }]),
    ])
      expect(answer).toMatchObject({ status: 404, body: { status: "404" } })
  })

  it("are found by name and external id, without members on request", async () => {
    const idp = await provider()
    const person = await user()
    await idp.createGroup("Sales", { externalId: "G-7", members: [{ value: String(person.id) }] })
    await idp.createGroup("Support")
    const find = (filter: string, more = "") => idp.get(`/Groups?filter=${encodeURIComponent(filter)}${more}`)
    const bare = await find('displayName eq "sales"', "&excludedAttributes=members")
    expect(bare.body).toMatchObject({ totalResults: 1, Resources: [{ displayName: "Sales" }] })
    expect(bare.body.Resources[0].members).toBeUndefined()
    expect(cost(bare).roundTrips).toBe(1)
    expect((await find('externalId eq "G-7"')).body.Resources[0].members).toHaveLength(1)
    expect((await find('externalId eq "g-7"')).body.totalResults).toBe(0)
    expect((await find('displayName sw "S"')).body.totalResults).toBe(2)
    const all = await idp.get("/Groups?sortBy=displayName&sortOrder=descending")
    expect(all.body.Resources.map((one: { displayName: string }) => one.displayName)).toEqual(["Support", "Sales"])
    const mine = await idp.get(`/Users/${person.id}?attributes=groups`)
    expect(mine.body.groups).toMatchObject([{ display: "Sales" }])
  })
})
