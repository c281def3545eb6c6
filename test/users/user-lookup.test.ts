import { readXlsx } from "hucre/xlsx"
import { describe, expect, it } from "vitest"
import { customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { deliver, exportJob } from "../factories/exports.ts"
import { group, rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, download, get, put, query } from "../helpers/client.ts"

const PAGE = { page_size: 20, page_number: 1 }
const number = { type: "text", label: "Employee number", userMetaKey: "employee_number" }
const define = (...fields: object[]) => put("/api/users/customUserFields", { fields })
const find = (filter: object, token?: string) =>
  get(`/api/users/tabularlist${query({ ...PAGE, ...filter })}`, token ? { token } : {})
const idsOf = (answer: Awaited<ReturnType<typeof find>>) =>
  answer.body.records.map((record: { id: number }) => record.id)

describe("GET /api/user/by-email", () => {
  it("returns the user with this address, in any case, in one round trip", async () => {
    const { token } = await signedIn("staff")
    const ada = await user({ email: "Ada@Example.com" })
    const found = await get(`/api/user/by-email${query({ email: "ada@example.COM" })}`, { token })
    expect(found.body).toEqual((await get(`/api/user/${ada.id}`, { token })).body)
    expect(cost(found)).toMatchObject({ roundTrips: 1 })
    expect((await get(`/api/user/by-email${query({ email: "ad@example.com" })}`, { token })).status).toBe(404)
  })

  it("returns supervisors only the members of their groups", async () => {
    const supervisor = await signedIn("group_admin")
    const [inside, outside] = [await user(), await user()]
    await group({ admins: [supervisor.id], members: [inside.id] })
    const statusOf = async (email: string) => (await get(`/api/user/by-email${query({ email })}`, supervisor)).status
    expect(await statusOf(inside.email)).toBe(200)
    expect(await statusOf(outside.email)).toBe(404)
  })
})

describe("the exact filters of GET /api/users/tabularlist", () => {
  it("find a user by email address without reading the others", async () => {
    const { token } = await signedIn("staff")
    const people = []
    for (let n = 0; n < 40; n++) people.push(await user({ email: `p${n}@example.com` }))
    const found = await find({ search_param: { email: "P7@example.com" } }, token)
    expect(idsOf(found)).toEqual([people[7]?.id])
    expect(cost(found).roundTrips).toBe(1)
    expect(cost(found).read).toBeLessThan(20)
  })

  it("find users by a searchable custom field without reading the others", async () => {
    const { token } = await signedIn("staff")
    await define({ ...number, isSearchable: true }, { type: "text", label: "Desk" })
    const people = []
    for (let n = 0; n < 40; n++) {
      const one = await user()
      people.push(one)
      await put(`/api/user/${one.id}`, { customUserMetas: { employee_number: `N-${n}`, desk: "4" } })
    }
    const found = await find({ customFields: { Employee_Number: "N-7" } }, token)
    expect(idsOf(found)).toEqual([people[7]?.id])
    expect(cost(found).roundTrips).toBe(1)
    expect(cost(found).read).toBeLessThan(20)
    expect(idsOf(await find({ customFields: { employee_number: "N-" } }, token))).toEqual([])
  })

  it("refuse fields that are not searchable", async () => {
    await define(number)
    const answer = await find({ customFields: { employee_number: "1" } })
    expect(answer.status).toBe(422)
    expect(answer.body.message).toBe("customFields has fields that are not searchable: employee_number.")
  })

  it("follow a field that becomes searchable and stops being so", async () => {
    await define(number)
    const one = await user()
    await put(`/api/user/${one.id}`, { customUserMetas: { employee_number: "7" } })
    const flags = async () => (await rowsOf(customFieldValues)).map(({ searchable }) => searchable)
    expect(await flags()).toEqual([false])
    await define({ ...number, isSearchable: true })
    expect(await flags()).toEqual([true])
    expect(idsOf(await find({ customFields: { employee_number: "7" } }))).toEqual([one.id])
    expect((await get("/api/users/customUserFields")).body.fields).toMatchObject([{ isSearchable: true }])
    await define(number)
    expect(await flags()).toEqual([false])
  })

  it("are refused for a textarea", async () => {
    const answer = await define({ type: "textarea", label: "Bio", isSearchable: true })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual({
      "fields.0.isSearchable": ["fields.0.isSearchable must be false for a textarea."],
    })
  })

  it("also limit an export", async () => {
    const admin = await signedIn("admin")
    await define({ ...number, isSearchable: true })
    const ada = await user({ email: "ada@example.com" })
    await put(`/api/user/${ada.id}`, { customUserMetas: { employee_number: "7" }, externalId: "E-7" }, admin)
    for (const filter of [{ search_param: { email: "ADA@example.com" } }, { customFields: { employee_number: "7" } }]) {
      const id = await exportJob(admin, { filter: JSON.stringify({ search_param: {}, ...filter }) })
      await deliver(id)
      const file = await download(`/api/users/export/download/${id}`, admin)
      const [sheet] = (await readXlsx(file.body)).sheets
      expect(sheet?.rows).toHaveLength(2)
      expect(sheet?.rows[1]).toEqual(expect.arrayContaining(["ada@example.com", "E-7"]))
    }
  })
})
