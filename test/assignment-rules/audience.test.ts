import { describe, expect, it } from "vitest"
import { userCategories } from "../../drizzle/schema/categories.ts"
import { customFields, customFieldValues, type FieldType } from "../../drizzle/schema/custom-fields.ts"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { category } from "../factories/categories.ts"
import { db, group, nextId, portal, signedIn, user } from "../factories/index.ts"
import { get, query } from "../helpers/client.ts"

async function customField(key: string, type: FieldType, isSearchable: boolean, values: Record<number, string>) {
  const id = await nextId("custom_fields")
  const options = type === "checkbox" || type === "dropdown" ? ["North", "South", "East"] : []
  const flags = { isRequired: false, onRegistrationPage: false, onCertificate: false, displayOrder: id }
  await db
    .insert(customFields)
    .values({ id, type, label: key, userMetaKey: key, options, reports: [], isSearchable, ...flags })
  for (const [userId, value] of Object.entries(values))
    await db.insert(customFieldValues).values({ userId: Number(userId), fieldId: id, value, searchable: isSearchable })
}

const day = (text: string) => Date.parse(text)

/** Ten learners, and an owner, who matches as little as possible. */
async function academy() {
  const owner = await signedIn("owner", { createdAt: day("2020-01-01") })
  const people = []
  for (let at = 1; at <= 10; at++)
    people.push(await user({ createdAt: day(`2026-01-${String(at).padStart(2, "0")}T12:00:00Z`) }))
  const ids = people.map(({ id }) => id)
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = ids
  /** The numbers of the people who the list has, from 1; 0: the owner. */
  const matching = async (audience: unknown, token = owner.token) => {
    const { status, body } = await get(
      `/api/users/tabularlist${query({ page_size: 100, page_number: 1, search_param: { audience } })}`,
      { token },
    )
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.recordsFiltered).toBe(body.records.length)
    const found: { id: number }[] = body.records
    return found.map(({ id }) => ids.indexOf(id) + 1).sort((x, y) => x - y)
  }
  const refused = async (audience: unknown, token = owner.token) => {
    const { status, body } = await get(
      `/api/users/tabularlist${query({ page_size: 100, page_number: 1, search_param: { audience } })}`,
      { token },
    )
    expect(status, JSON.stringify(body)).toBe(422)
    return body.message as string
  }
  return { owner, people, ids, matching, refused, a, b, c, d, e }
}

const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

describe("an audience", () => {
  it("has everyone who is not disabled", async () => {
    const { matching, owner } = await academy()
    expect(await matching({ everyone: true })).toEqual(ALL)
    await user({ disabled: true })
    expect(await matching({ everyone: true })).toEqual(ALL)
    expect(await matching({ not: { role: ["owner"] } }, owner.token)).toEqual(ALL.slice(1))
  })

  it("has the members of groups, portals and categories, each once", async () => {
    const { matching, a, b, c, d } = await academy()
    const one = await group({ members: [a, b] })
    const two = await group({ members: [b, c] })
    const branch = await portal({ members: [d] })
    const tag = await category({ type: "user" })
    await db.insert(userCategories).values([
      { userId: a, categoryId: tag.id },
      { userId: d, categoryId: tag.id },
    ])
    expect(await matching({ group: [one.id] })).toEqual([1, 2])
    expect(await matching({ group: [one.id, two.id] })).toEqual([1, 2, 3])
    expect(await matching({ group: one.id })).toEqual([1, 2])
    expect(await matching({ portal: [branch.id] })).toEqual([4])
    expect(await matching({ category: [tag.id] })).toEqual([1, 4])
    expect(await matching({ all: [{ group: [one.id] }, { group: [two.id] }] })).toEqual([2])
    expect(await matching({ any: [{ group: [one.id] }, { portal: [branch.id] }] })).toEqual([1, 2, 4])
    expect(await matching({ all: [{ category: [tag.id] }, { not: { group: [one.id] } }] })).toEqual([4])
  })

  it("has the users of a role, with an active membership, and of a time", async () => {
    const { matching, people } = await academy()
    const membership = await nextId("memberships")
    await db.insert(memberships).values({ id: membership, name: "Gold", searchText: "gold", createdAt: 1 })
    await user({ membershipId: membership, membershipExpiresAt: 1, createdAt: 1 })
    const gold = await user({ membershipId: membership, createdAt: 1 })
    people.push(gold)
    expect(await matching({ role: ["Owner"] })).toEqual([0])
    expect(await matching({ role: ["learner", "owner"] })).toHaveLength(13)
    expect(await matching({ membership: [membership] })).toHaveLength(1)
    // The expired membership, and those without one.
    expect(await matching({ not: { membership: [membership] } })).toEqual([0, ...ALL])
    expect(await matching({ joined: { after: "2026-01-04", before: "2026-01-07" } })).toEqual([4, 5, 6])
    expect(await matching({ joined: { after: "2026-01-09" } })).toEqual([9, 10])
    expect(
      await matching({ all: [{ joined: { before: "2026-01-02" } }, { joined: { after: "2025-01-01" } }] }),
    ).toEqual([1])
    expect(await matching({ joined: { before: "2020-01-01" } })).toHaveLength(2)
  })

  it.each([true, false])("has users by the value of a custom field, searchable: %s", async (isSearchable) => {
    const { matching, a, b, c, d } = await academy()
    await customField("Country", "text", isSearchable, { [a]: "Peru", [b]: "Chile", [c]: "Peru" })
    await customField("regions", "checkbox", isSearchable, { [a]: "North,South", [b]: "South", [d]: "East" })
    await customField("hired", "date", isSearchable, { [a]: "2026-03-01", [b]: "2026-03-02", [c]: "2025-12-31" })
    expect(await matching({ field: "country", is: "equal", value: "Peru" })).toEqual([1, 3])
    expect(await matching({ field: "country", is: "one_of", value: ["Peru", "Chile"] })).toEqual([1, 2, 3])
    expect(await matching({ field: "country", is: "not_equal", value: "Peru" })).toEqual([0, 2, 4, 5, 6, 7, 8, 9, 10])
    expect(await matching({ field: "country", is: "empty" })).toEqual([0, 4, 5, 6, 7, 8, 9, 10])
    expect(await matching({ field: "country", is: "not_empty" })).toEqual([1, 2, 3])
    expect(await matching({ field: "regions", is: "equal", value: "South" })).toEqual([1, 2])
    expect(await matching({ field: "regions", is: "one_of", value: ["North", "East"] })).toEqual([1, 4])
    expect(await matching({ field: "hired", is: "before", value: "2026-03-01" })).toEqual([3])
    expect(await matching({ field: "hired", is: "after", value: "Mar 01, 2026" })).toEqual([1, 2])
    expect(
      await matching({
        any: [{ field: "country", is: "equal", value: "Chile" }, { group: [(await group({ members: [d] })).id] }],
      }),
    ).toEqual([2, 4])
  })

  it("has no one without a condition", async () => {
    const { matching } = await academy()
    for (const none of [{}, { all: [] }, { any: [] }]) expect(await matching(none), JSON.stringify(none)).toEqual([])
  })

  it("names what it refers to and does not exist", async () => {
    const { refused, a } = await academy()
    const known = await group({ members: [a] })
    expect(await refused({ group: [known.id, 77, 78] })).toBe("audience refers to unknown groups 77, 78.")
    expect(
      await refused({ any: [{ portal: [5] }, { category: [6] }, { membership: [7] }, { field: "shoe", is: "empty" }] }),
    ).toBe("audience refers to unknown portals 5; user categories 6; memberships 7; custom fields shoe.")
    await customField("size", "text", false, {})
    expect(await refused({ field: "size", is: "before", value: "2026-01-01" })).toBe(
      "audience refers to unknown date fields size.",
    )
    const supervisor = await signedIn("group_admin")
    expect(await refused({ group: [known.id] }, supervisor.token)).toBe(
      `audience refers to unknown groups ${known.id}.`,
    )
  })

  it("refuses what is no condition, too deep or too large", async () => {
    const { refused } = await academy()
    const nested = (depth: number): object => (depth === 0 ? { everyone: true } : { not: nested(depth - 1) })
    const cases: [unknown, string][] = [
      [{ groups: [1] }, "must have one of all, any"],
      [{ group: [1], role: ["general"] }, "must have one of group, role"],
      [{ group: [] }, "must have 1 element or more"],
      [{ group: ["x"] }, "audience.group"],
      [{ everyone: false }, "audience.everyone"],
      [{ role: ["king"] }, "must be admin, owner"],
      [{ field: "a", is: "like", value: "x" }, "audience.is"],
      [{ field: "a", is: "equal" }, "audience.value is required"],
      [{ field: "a", is: "empty", value: "x" }, "must be omitted with empty"],
      [{ field: "a", is: "before", value: "soon" }, "must be a date"],
      [{ joined: {} }, "needs before or after"],
      [{ all: [{ all: [] }] }, "must have 1 element or more"],
      [{ all: "x" }, "must be an array of conditions"],
      [[1], "must be a condition"],
      [nested(5), "nested at most 5 levels"],
      [{ any: Array.from({ length: 20 }, () => ({ everyone: true })) }, "must have 20 conditions or fewer"],
    ]
    for (const [condition, message] of cases)
      expect(await refused(condition), JSON.stringify(condition)).toContain(message)
  })

  it("can have as many conditions as are allowed", async () => {
    const { matching, ids } = await academy()
    const groups = []
    for (const id of ids) groups.push(await group({ members: [id] }))
    await customField("country", "text", true, {})
    const many = [
      ...groups.map(({ id }) => ({ group: [id] })),
      ...Array.from({ length: 9 }, () => ({ field: "country", is: "one_of", value: ["Peru", "Chile"] })),
    ]
    expect(await matching({ any: many })).toEqual(ALL.slice(1))
  })
})
