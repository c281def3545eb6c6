import { exports } from "cloudflare:workers"
import { describe, expect, it } from "vitest"
import { GUIDES } from "../../src/pages/guides.ts"
import { group, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course, enrollment } from "../factories/learning.ts"
import { get } from "../helpers/client.ts"
import { BASE, connected } from "../helpers/mcp.ts"

type Client = Awaited<ReturnType<typeof connected>>["client"]

const reading = async (overrides: Parameters<typeof apiKey>[0] = {}) =>
  (await connected((await apiKey({ role: "staff", access: "read", ...overrides })).token)).client
const completing = (client: Client, uri: string) => async (value: string, name: string) =>
  (await client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion
const templatesOf = async (client: Client) =>
  (await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)

describe("the guides", () => {
  it("are resources with their index, readable by their public URLs", async () => {
    const client = await reading()
    const { resources } = await client.listResources()
    expect(resources.length).toBe(GUIDES.length + 1)
    const guides = resources.filter(({ mimeType }) => mimeType === "text/markdown")
    expect(guides.map(({ name, title }) => [name, title])).toEqual(GUIDES.map(({ name, title }) => [name, title]))
    for (const { uri, mimeType } of resources) {
      const { contents } = await client.readResource({ uri })
      expect(contents).toEqual([{ uri, mimeType, text: await (await exports.default.fetch(uri)).text() }])
    }
    await expect(client.readResource({ uri: `${BASE}/docs/guides/none.md` })).rejects.toMatchObject({ code: -32002 })
  })

  it("have a template, whose name can be completed", async () => {
    const client = await reading()
    const { resourceTemplates } = await client.listResourceTemplates()
    const [{ uriTemplate: uri } = { uriTemplate: "" }] = resourceTemplates
    expect(uri).toBe(`${BASE}/docs/guides/{name}.md`)
    const complete = completing(client, uri)
    const names = GUIDES.map(({ name }) => name).filter((name) => name.startsWith("c"))
    expect(await complete("C", "name")).toEqual({ values: names, total: names.length, hasMore: false })
    expect((await complete("none", "name")).values).toEqual([])
    await expect(complete("a", "other")).rejects.toMatchObject({ code: -32602 })
  })
})

describe("the templates of records", () => {
  it("read users, courses and enrollments as their operations do", async () => {
    const ada = await user({ firstName: "Ada", email: "ada+lms@example.com" })
    const algebra = await course({ name: "Algebra" })
    await enrollment(ada, algebra)
    const key = await apiKey({ role: "staff", access: "read" })
    const { client } = await connected(key.token)
    expect(await templatesOf(client)).toEqual(["guide", "user", "user-by-email", "course", "enrollments"])
    for (const path of [
      `/api/user/${ada.id}`,
      `/api/user/by-email?email=${encodeURIComponent("ada+lms@example.com")}`,
      `/api/course/${algebra.id}`,
      `/api/enrollments/tabularlist?page_size=100&page_number=1&user_id=${ada.id}`,
    ]) {
      const { contents } = await client.readResource({ uri: `${BASE}${path}` })
      const [content] = contents as { uri: string; mimeType: string; text: string }[]
      expect(content).toMatchObject({ uri: `${BASE}${path}`, mimeType: "application/json" })
      expect(JSON.parse(content?.text ?? "")).toEqual((await get(path, { token: key.token })).body)
    }
  })

  it("are limited by the role, the families and the tags", async () => {
    const general = await reading({ role: "general" })
    expect(await templatesOf(general)).toEqual(["guide", "user", "course", "enrollments"])
    const courses = await reading({ families: ["Courses"] })
    expect(await templatesOf(courses)).toEqual(["guide", "course", "enrollments"])
    const { token } = await apiKey({ role: "staff" })
    const { client } = await connected(token, "?tag=Users")
    expect(await templatesOf(client)).toEqual(["guide", "user", "user-by-email"])
    const { id } = await user()
    const uri = `${BASE}/api/user/${id}`
    expect((await client.readResource({ uri })).contents).toHaveLength(1)
    await expect(courses.readResource({ uri })).rejects.toMatchObject({ code: -32002 })
  })

  it("report a record that there is not, and refuse other addresses of the API", async () => {
    const client = await reading()
    const codeOf = (path: string) =>
      client.readResource({ uri: `${BASE}${path}` }).then(
        () => 0,
        (error: { code: number }) => error.code,
      )
    expect(await codeOf("/api/user/999")).toBe(-32002)
    expect(await codeOf("/api/user/x")).toBe(-32002)
    expect(await codeOf("/api/user/by-email?email=nobody")).toBe(-32602)
    for (const path of [
      "/api/user/1/x",
      "/api/user/1?x=2",
      "/api/user/",
      "/api/user/%E0%A4%A",
      "/api/order/1",
      "/api/me",
    ])
      expect(await codeOf(path), path).toBe(-32002)
  })

  it("complete ids by names, and addresses, of what the key can see", async () => {
    const ada = await user({ firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    const grace = await user({ firstName: "Grace", lastName: "Hopper", email: "grace@example.com" })
    const algebra = await course({ name: "Algebra" })
    await course({ name: "Botany" })
    const client = await reading()
    const values = async (path: string, name: string, value: string) =>
      (await completing(client, `${BASE}${path}`)(value, name)).values
    expect(await values("/api/user/{id}", "id", "byron")).toEqual([String(ada.id)])
    expect(await values("/api/course/{id}", "id", "alg")).toEqual([String(algebra.id)])
    expect(await values("/api/user/by-email?email={email}", "email", "grace")).toEqual(["grace@example.com"])
    await expect(values("/api/course/{id}", "name", "alg")).rejects.toMatchObject({ code: -32602 })
    await expect(values("/api/order/{id}", "id", "1")).rejects.toMatchObject({ code: -32602 })

    const supervisor = await user({ userType: "group_admin" })
    await group({ admins: [supervisor.id], members: [grace.id] })
    const own = await reading({ role: "group_admin" })
    expect(await completing(own, `${BASE}/api/user/{id}`)("a", "id")).toEqual({ values: [], total: 0, hasMore: false })
    const onlyCourses = await reading({ families: ["Courses"] })
    const uri = `${BASE}/api/enrollments/tabularlist?page_size=100&page_number=1&user_id={user_id}`
    expect((await completing(onlyCourses, uri)("ada", "user_id")).values).toEqual([])
  })

  it("complete at most 100 values, and say how many there are", async () => {
    for (let at = 0; at < 101; at++) await course({ name: `Course ${at}` })
    const completion = await completing(await reading(), `${BASE}/api/course/{id}`)("", "id")
    expect(completion.values).toHaveLength(100)
    expect(completion).toMatchObject({ total: 101, hasMore: true })
  })

  it("cannot be subscribed to, since the server sends no messages", async () => {
    const client = await reading()
    expect(client.getServerCapabilities()?.resources).toEqual({})
    await expect(client.subscribeResource({ uri: `${BASE}/api/user/1` })).rejects.toThrow()
  })
})
