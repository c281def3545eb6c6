import { env } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import journal from "../../migrations/meta/_journal.json"
import { runScheduled } from "../../src/worker/scheduled.ts"
import config from "../../wrangler.toml?raw"
import { signedIn } from "../factories/index.ts"
import { get } from "../helpers/client.ts"

const PATH = "/api/diagnostics"
const last = `${journal.entries.at(-1)?.tag}.sql`

describe("diagnostics", () => {
  it("describe the deployment without secrets", async () => {
    const admin = await signedIn("admin")
    await runScheduled(env)
    const response = await get(PATH, admin)
    expect(response).toMatchObject({
      status: 200,
      body: {
        settings: { ENVIRONMENT: "development", BASE_URL: env.BASE_URL, RATE_LIMIT: env.RATE_LIMIT, READ_ONLY: "" },
        secrets: { APP_SECRET: env.APP_SECRET.length, MAIL_API_KEY: 0, WEBINAR_SECRET: 0 },
        bindings: { DB: true, FILES: true, ASSETS: true, CLIENTS: true, EMAIL: true, METRICS: false },
        database: { schema: last, wanted: last, primaryRegion: null, readBy: "primary", readRegion: null },
        files: true,
        assets: true,
        cron: { ranAt: expect.any(Number), failed: 0 },
        backfills: [],
        queues: { MAIL: { messages: null, oldestAt: null } },
        backupNotes: false,
      },
    })
    expect(JSON.stringify(response.body)).not.toContain(env.APP_SECRET)
    expect(Math.abs(response.body.now - Date.now())).toBeLessThan(5000)
    expect(response.body.database.bytes).toBeGreaterThan(100_000)
  })

  it("include every queue", async () => {
    const producers = [...config.matchAll(/^\[\[queues\.producers\]\]\nbinding = "(\w+)"/gm)].map(([, name]) => name)
    const { body } = await get(PATH, await signedIn("admin"))
    expect(Object.keys(body.queues).sort()).toEqual(producers.sort())
    expect(producers.every((name = "") => body.bindings[name])).toBe(true)
  })

  it("require an admin", async () => {
    expect((await get(PATH)).status).toBe(302)
    expect((await get(PATH, await signedIn("staff"))).status).toBe(403)
  })

  it("report missing bindings, buckets and static files", async () => {
    const admin = await signedIn("admin")
    const { FILES, ASSETS, EMAIL } = env
    const away = () => Promise.reject(new Error("The bucket does not exist."))
    Object.assign(env, {
      FILES: { ...FILES, head: away },
      ASSETS: { fetch: async () => new Response("", { status: 404 }) },
    })
    Reflect.deleteProperty(env, "EMAIL")
    try {
      expect((await get(PATH, admin)).body).toMatchObject({ files: false, assets: false, bindings: { EMAIL: false } })
    } finally {
      Object.assign(env, { FILES, ASSETS, EMAIL })
    }
  })
})

describe("database instance", () => {
  const { DB } = env
  let start = Date.now()
  beforeEach(() => {
    start += 7_200_000
    vi.useFakeTimers({ toFake: ["Date"], now: start })
  })
  afterEach(() => {
    Object.assign(env, { DB })
  })

  /** D1 with replicas: a read without constraints is served in Eastern Europe. */
  function replicated() {
    const withSession = (constraint: string) => {
      const session = DB.withSession(constraint)
      const isNear = constraint !== "first-primary"
      const served = { served_by_primary: !isNear, served_by_region: isNear ? "EEUR" : "WEUR" }
      return {
        prepare: (query: string) => session.prepare(query),
        getBookmark: () => session.getBookmark(),
        batch: async (statements: D1PreparedStatement[]) =>
          (await session.batch(statements)).map((result) => ({ ...result, meta: { ...result.meta, ...served } })),
      }
    }
    Object.assign(env, { DB: { withSession } })
  }

  it("is the primary on a developer's machine, according to /ready", async () => {
    expect(await get("/ready")).toMatchObject({ status: 200, body: { reads: { by: "primary", region: null } } })
  })

  it("is a replica if there are any, according to /ready and the diagnostics", async () => {
    const admin = await signedIn("admin")
    replicated()
    expect(await get("/ready")).toMatchObject({ status: 200, body: { reads: { by: "replica", region: "EEUR" } } })
    expect((await get(PATH, admin)).body.database).toMatchObject({
      primaryRegion: "WEUR",
      readBy: "replica",
      readRegion: "EEUR",
    })
  })
})
