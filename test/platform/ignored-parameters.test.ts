import { expect, it } from "vitest"
import { signedIn } from "../factories/index.ts"
import { get, post, query } from "../helpers/client.ts"

// Parameters that an operation does not have: ignored and named, or refused.

const PAGE = { page_size: 5, page_number: 1 }
const list = (parameters: object, headers: Record<string, string> = {}) =>
  get(`/api/users/tabularlist${query({ ...PAGE, ...parameters })}`, { headers })

it("names ignored query parameters and keys of search_param, however they are written", async () => {
  const search_param = { nameOrEmail: "ada", nameOrMail: "ada", "ü, x": 1 }
  const json = await list({ filter: "{}", search_param, _: 17 })
  expect(json.status).toBe(200)
  expect(json.headers.get("x-ignored")?.split(", ").sort()).toEqual([
    "_",
    "filter",
    "search_param.%C3%BC%2C%20x",
    "search_param.nameOrMail",
  ])
  const brackets = await get(
    "/api/users/tabularlist?page_size=5&page_number=1&search_param[state]=x&order_by[colName]=id",
  )
  expect(brackets.headers.get("x-ignored")).toBe("search_param.state")
  expect((await get("/api/userType/lookup?portalId=0&x=1")).headers.get("x-ignored")).toContain("x")
  const { token } = await signedIn("admin")
  const body = { title: "Star", badgeIconUrl: "/assets/badge-star.svg" }
  expect((await post("/api/badge/create?dryRun=1", body, { token })).headers.get("x-ignored")).toBe("dryRun")
})

it("has no such header without ignored parameters", async () => {
  const known = { search_param: { nameOrEmail: "ada" }, order_by: "id", portalId: "", group_id: "", fields: "id" }
  expect((await list(known)).headers.get("x-ignored")).toBeNull()
  expect((await list({})).headers.get("x-ignored")).toBeNull()
})

it("refuses them with Prefer: handling=strict, and changes nothing", async () => {
  for (const prefer of ["handling=strict", "respond-async, handling=strict", 'Handling="strict"']) {
    const refused = await list({ state: "x", search_param: { foo: 1 } }, { prefer })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual({
      state: ["state is not a parameter of this operation."],
      "search_param.foo": ["search_param.foo is not a parameter of this operation."],
    })
  }
  expect((await list({}, { prefer: "handling=strict" })).status).toBe(200)
  expect((await list({ state: "x" }, { prefer: "handling=lenient" })).status).toBe(200)
  const { token } = await signedIn("admin")
  const headers = { prefer: "handling=strict" }
  const body = { title: "Star", badgeIconUrl: "/assets/badge-star.svg" }
  expect((await post("/api/badge/create?x=1", body, { token, headers })).status).toBe(422)
  const badges = await get("/api/badges/tabularlist?page_size=5&page_number=1", { token })
  expect(badges.body.recordsTotal).toBe(0)
})

it("names at most twenty of them, shortened", async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}${"x".repeat(150)}`, 1]))
  const names = (await list(many)).headers.get("x-ignored")?.split(", ") ?? []
  expect(names).toHaveLength(20)
  expect(Math.max(...names.map((name) => name.length))).toBe(100)
})
