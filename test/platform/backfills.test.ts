import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { badges } from "../../drizzle/schema/badges.ts"
import { backfills, cronRuns } from "../../drizzle/schema/cron-runs.ts"
import { BACKFILLS, type Backfill, runBackfills } from "../../src/db/backfills.ts"
import { openDatabase } from "../../src/db/client.ts"
import { injectRequestedFault } from "../../src/db/fault-injection.ts"
import { SECOND } from "../../src/lib/clock.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { rowsOf } from "../factories/index.ts"
import { get, post } from "../helpers/client.ts"

/** Fills in the points of badges: ten for each, and the badge's own number. */
const POINTS: Backfill = {
  name: "points of badges",
  table: badges,
  rows: 3,
  slice: (after, upTo) => [
    sql`update ${badges} set points = 10 + id where id > ${after} and id <= ${upTo}`,
    sql`update ${badges} set title = title || '!' where id > ${after} and id <= ${upTo}`,
  ],
}

/** The database of one run, which meets a fault on its way. */
const faulty = (fault: string) => openDatabase(injectRequestedFault(env, fault).DB, "first-primary")
const run = () => runBackfills(openDatabase(env.DB, "first-primary"), [POINTS])
const places = async () => (await rowsOf(backfills)).map(({ position, doneAt }) => [position, doneAt > 0])

let ids: number[]
beforeEach(async () => {
  const star = { title: "B", badgeIconUrl: "https://example.com/a.png", points: 0 }
  for (let i = 0; i < 10; i++) expect((await post("/api/badge/create", star)).status).toBe(200)
  ids = (await rowsOf(badges)).map(({ id }) => id)
})
afterEach(() => {
  BACKFILLS.length = 0
  vi.restoreAllMocks()
})

const filled = async () => (await rowsOf(badges)).map(({ id, points, title }) => [id, points, title])
const wanted = () => ids.map((id) => [id, 10 + id, "B!"])

describe("a backfill", () => {
  it("fills in every row in slices, and completes", async () => {
    await run()
    expect(await filled()).toEqual(wanted())
    expect(await places()).toEqual([[ids.at(-1), true]])
  })

  it("runs no slice twice if it is stopped before or after a commit", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {})
    // A run reads its place and writes a slice by turns: the fourth trip is the second slice.
    await expect(runBackfills(faulty("lost-before-landing@4"), [POINTS])).rejects.toThrow()
    expect(await places()).toEqual([[ids[2], false]])
    expect((await filled()).filter(([, points]) => points !== 0)).toEqual(wanted().slice(0, 3))
    await expect(runBackfills(faulty("lost-after-landing@2"), [POINTS])).rejects.toThrow()
    expect(await places()).toEqual([[ids[5], false]])
    await run()
    expect(await filled()).toEqual(wanted())
    expect(await places()).toEqual([[ids.at(-1), true]])
  })

  it("runs no slice twice with two parallel runs", async () => {
    await Promise.allSettled([run(), run(), run()])
    await run()
    expect(await filled()).toEqual(wanted())
  })

  it("completes immediately without rows, and never starts again", async () => {
    await run()
    await env.DB.prepare("update badges set points = 0").run()
    await run()
    expect((await rowsOf(badges)).every(({ points }) => points === 0)).toBe(true)
  })

  it("is pending in /ready until the cron has completed it, and the service works meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 })
    BACKFILLS.push(POINTS)
    const before = await get("/ready")
    expect([before.status, before.body.backfills]).toEqual([200, ["points of badges"]])
    await runScheduled(env)
    expect(await filled()).toEqual(wanted())
    vi.setSystemTime(Date.now() + 3 * SECOND)
    const after = await get("/ready")
    expect([after.status, after.body.backfills]).toEqual([200, []])
  })
})

describe("a run of the cron", () => {
  it("is recorded with its number of failed sweeps", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {})
    await runScheduled(env)
    const [first] = await rowsOf(cronRuns)
    expect(first).toMatchObject({ name: "sweep", failed: 0 })
    expect(Math.abs((first?.ranAt ?? 0) - Date.now())).toBeLessThan(5000)
    BACKFILLS.push({ ...POINTS, slice: () => [sql`update nothing set x = 1`] })
    await runScheduled(env)
    expect(await rowsOf(cronRuns)).toMatchObject([{ name: "sweep", failed: 1 }])
    expect(log).toHaveBeenCalledWith(expect.stringContaining("sweep failed"))
  })

  it("is recorded every third minute while nothing changes", async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ["Date"], now: start })
    const recorded: number[] = []
    for (let minute = 0; minute < 7; minute++) {
      vi.setSystemTime(start + minute * 60_000)
      await runScheduled(env)
      recorded.push(((await rowsOf(cronRuns))[0]?.ranAt ?? 0) - start)
    }
    expect(recorded).toEqual([0, 0, 0, 3, 3, 3, 6].map((minute) => minute * 60_000))
  })
})
