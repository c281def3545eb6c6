/// <reference types="vite/client" />
import { exports } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { orders } from "../../drizzle/schema/orders.ts"
import { rowsOf, user } from "../factories/index.ts"
import { openQueue } from "../helpers/queues.ts"

// Runs the examples of the client, which the documentation shows.

const OWNER = { firstName: "Amara", email: "owner@example.com", userType: "owner" } as const
/** Of "lectern-demo-1", the sample accounts' password. */
const HASHED = import("../../src/lib/crypto/password.ts").then(({ hashPassword }) => hashPassword("lectern-demo-1"))

const sources = import.meta.glob<string>("../../src/client/examples/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
})
const modules = import.meta.glob("../../src/client/examples/*.ts")
const documents = import.meta.glob<string>(["../../README.md", "../../src/client/README.md"], {
  query: "?raw",
  import: "default",
  eager: true,
})
const sourceOf = (name: string) => sources[`../../src/client/examples/${name}.ts`]

let printed: string[] = []
const ran = new Set<string>()

/** Runs an example. @returns what it printed */
async function run(name: string): Promise<string[]> {
  ran.add(name)
  await modules[`../../src/client/examples/${name}.ts`]?.()
  return printed
}

beforeEach(async () => {
  printed = []
  vi.stubGlobal("fetch", (request: Request) => exports.default.fetch(request))
  vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words.join(" ")))
  await user({ ...OWNER, passwordHash: await HASHED })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe("the examples of the client", () => {
  it("start: signs in, reads and lists", async () => {
    const learner = await user({ email: "learner@example.com" })
    const lines = await run("start")
    expect(lines[0]).toBe("Signed in as Amara")
    expect(lines.slice(1)).toEqual([
      OWNER.email,
      `${learner.id} ${learner.email}`,
      expect.stringMatching(/^\d+ owner@/),
    ])
  })

  it("order: creates an order", async () => {
    const learner = await user({ email: "learner@example.com" })
    const lines = await run("order")
    expect(lines).toEqual([expect.stringMatching(/^Order \d+: Order created\.$/)])
    expect(await rowsOf(orders)).toMatchObject([{ userId: learner.id, currency: "EUR" }])
  })

  it("errors: shows error messages", async () => {
    expect(await run("errors")).toEqual([expect.stringMatching(/^401 invalid_credentials \w+/)])
  })

  it("files: exports and uploads", async () => {
    openQueue("EXPORTS")
    const lines = await run("files")
    expect(lines.at(-3)).toBe("100 %")
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^users-[\da-f-]+\.xlsx true$/),
      "1 would be created, 0 would fail ",
    ])
  })

  it("changes: acts once, and on the version that was read", async () => {
    expect(await run("changes")).toEqual(["412 precondition_failed"])
  })

  it("device: stays signed in on a phone", async () => {
    expect(await run("device")).toEqual(["Amara's phone true"])
  })

  it("feed: follows events", async () => {
    expect(await run("feed")).toEqual(["owner@example.com has an account"])
  })

  it("are all run, and shown unchanged in the documents", () => {
    const names = Object.keys(sources).map((path) => path.replace(/.*\/(\w+)\.ts$/, "$1"))
    expect([...ran].sort()).toEqual(names.sort())
    const snippets = Object.values(documents).flatMap((text) =>
      [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block),
    )
    expect(names.filter((name) => !snippets.includes(sourceOf(name)))).toEqual([])
    const known = new Set(names.map(sourceOf))
    expect(snippets.filter((block) => !known.has(block))).toEqual([])
  })
})
