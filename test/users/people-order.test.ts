import { describe, expect, it } from "vitest"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { users } from "../../drizzle/schema/users.ts"
import { sortKey } from "../../src/db/search.ts"
import { rowsOf, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { get, post, put, query } from "../helpers/client.ts"

const NAMES = ["Zoe", "Øne", "Çsv", "anna", "Ánna", "Bo", "Łukasz", "Ωmega", "Émile", "Straße", "Œuvre", "山田"]
const IN_ORDER = ["anna", "Ánna", "Bo", "Çsv", "Émile", "Łukasz", "Œuvre", "Øne", "Straße", "Zoe", "Ωmega", "山田"]

const paging = { page_size: 50, page_number: 1 }
const firstNames = (body: { records: { first_name: string }[] }) => body.records.map((row) => row.first_name)

describe("lists of people sorted by name", () => {
  it("sort accented letters with their base letters, in both directions and across pages", async () => {
    const algebra = await course()
    for (const firstName of NAMES) await enrollment(await user({ firstName, lastName: "" }), algebra)
    for (const path of [
      "/api/users/tabularlist",
      "/api/users/report",
      `/api/course/enrolled-students?course_id=${algebra.id}&group_id=`,
    ]) {
      const read = async (input: object) => {
        const search = query({ ...paging, ...input }).slice(1)
        return firstNames((await get(`${path}${path.includes("?") ? "&" : "?"}${search}`)).body)
      }
      const by = (direction: string) => ({ order_by: { colName: "first_name", direction } })
      expect(await read(by("asc")), path).toEqual(IN_ORDER)
      expect(await read(by("desc")), path).toEqual([...IN_ORDER].reverse())
      const pages = [1, 2, 3].map((page_number) => read({ ...by("asc"), page_size: 4, page_number }))
      expect((await Promise.all(pages)).flat(), path).toEqual(IN_ORDER)
    }
    const { body } = await get("/api/users/lookup")
    expect(body.records.map((row: { full_name: string }) => row.full_name)).toEqual(IN_ORDER)
  })

  it("sort by names regardless of how they were written", async () => {
    const password = "analytical engine"
    const { body } = await post("/api/user/create", {
      firstName: "Ødin",
      lastName: "Ça",
      email: "a@example.com",
      password,
      password_confirmation: password,
    })
    const userList = [{ email: "b@example.com", first_name: "Éva", last_name: "Ñu", password: "" }]
    expect((await post("/api/user/bulkUpload", { userList })).status).toBe(200)
    const algebra = await course()
    await post("/api/course/enroll", { course_ids: [algebra.id], user_ids: [body.id] })
    await put(`/api/user/${body.id}`, { firstName: "Ålva" })
    const keysOf = (rows: { firstNameKey: string; lastNameKey: string }[]) =>
      rows.map((row) => `${row.firstNameKey} ${row.lastNameKey}`).sort()
    const people = await rowsOf(users)
    for (const row of people) {
      expect(row.firstNameKey).toBe(sortKey(row.firstName))
      expect(row.lastNameKey).toBe(sortKey(row.lastName))
    }
    expect(keysOf(people)).toEqual(["alva ca", "eva nu"])
    expect(keysOf(await rowsOf(enrollments))).toEqual(["alva ca"])
  })
})
