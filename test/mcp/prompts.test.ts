import { describe, expect, it } from "vitest"
import { user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course } from "../factories/learning.ts"
import { connected } from "../helpers/mcp.ts"

type Connected = Awaited<ReturnType<typeof connected>>

const connectAs = async (overrides: Parameters<typeof apiKey>[0] = {}, queryString = "?write=1") =>
  connected((await apiKey({ role: "staff", access: "write", ...overrides })).token, queryString)
const namesOf = async ({ client }: Connected) => (await client.listPrompts()).prompts.map(({ name }) => name)
const textOf = async ({ client }: Connected, name: string, given: Record<string, string> = {}) => {
  const { messages } = await client.getPrompt({ name, arguments: given })
  expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }])
  const [first] = messages as { content: { text: string } }[]
  return first?.content.text ?? ""
}
const ALL = ["weekly_report", "onboard_learner", "learner_progress", "overdue_training"]

describe("the prompts", () => {
  it("name only tools that the connection offers, whatever the arguments are", async () => {
    const connection = await connectAs()
    const { names: tools } = await connection.tools()
    const { prompts } = await connection.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(ALL)
    for (const { name, arguments: known = [] } of prompts)
      for (const wanted of [known, known.filter(({ required }) => required)]) {
        const given = Object.fromEntries(wanted.map((argument) => [argument.name, `a "${argument.name}"`]))
        const text = await textOf(connection, name, given)
        const named = [...text.matchAll(/\b(?:list|get|report|summarize|create|enroll|remind)[A-Z]\w+/g)].map(String)
        expect(named.length, name).toBeGreaterThan(1)
        expect(tools, name).toEqual(expect.arrayContaining(named))
        for (const value of Object.values(given)) expect(text, name).toContain(JSON.stringify(value))
      }
  })

  it("are those whose tools the role, the families, the tags and the URL allow", async () => {
    expect(await namesOf(await connectAs({}, ""))).toEqual(["weekly_report", "learner_progress"])
    expect(await namesOf(await connectAs({ access: "read" }))).toEqual(["weekly_report", "learner_progress"])
    expect(await namesOf(await connectAs({ role: "group_admin" }))).toEqual(["learner_progress", "overdue_training"])
    expect(await namesOf(await connectAs({ role: "general" }))).toEqual([])
    expect(await namesOf(await connectAs({ families: ["Users", "Courses"] }))).toEqual(["onboard_learner"])
    const tagged = await connectAs({}, "?write=1&tag=Courses,Due%20dates,Reports")
    expect(await namesOf(tagged)).toEqual(["weekly_report", "overdue_training"])
  })

  it("require their arguments, and refuse others", async () => {
    const connection = await connectAs({}, "")
    const refused = (name: string, given: Record<string, string>) =>
      expect(textOf(connection, name, given)).rejects.toMatchObject({ code: -32602 })
    expect(await textOf(connection, "weekly_report")).toContain("Write a report of the last seven days of training.")
    await refused("learner_progress", {})
    await refused("learner_progress", { email: " " })
    await refused("weekly_report", { shoes: "red" })
    await refused("toString", {})
    // It needs tools that change something.
    await refused("onboard_learner", { email: "ada@example.com", course: "Algebra" })
  })

  it("complete names of courses and addresses of users that the key can see", async () => {
    await user({ firstName: "Ada", email: "ada@example.com" })
    await course({ name: "Algebra" })
    await course({ name: "Linear algebra" })
    await course({ name: "Botany" })
    const completing =
      ({ client }: Connected) =>
      async (name: string, argument: string, value: string) =>
        (await client.complete({ ref: { type: "ref/prompt", name }, argument: { name: argument, value } })).completion
    const complete = completing(await connectAs())
    expect((await complete("weekly_report", "course", "ALG")).values.sort()).toEqual(["Algebra", "Linear algebra"])
    expect((await complete("overdue_training", "course", "")).total).toBe(3)
    expect((await complete("learner_progress", "email", "ada")).values).toEqual(["ada@example.com"])
    expect((await complete("onboard_learner", "name", "ada")).values).toEqual([])
    await expect(complete("weekly_report", "email", "a")).rejects.toMatchObject({ code: -32602 })
    await expect(complete("none", "course", "a")).rejects.toMatchObject({ code: -32602 })
    // A supervisor without a group sees no one.
    const own = completing(await connectAs({ role: "group_admin" }))
    expect((await own("learner_progress", "email", "ada")).values).toEqual([])
  })
})
