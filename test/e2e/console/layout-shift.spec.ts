import { connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { get, type Json } from "../support/api.ts"
import type { ConsolePage } from "./console-page.ts"

/** The threshold of "good" in Core Web Vitals. */
const MAX_LAYOUT_SHIFT = 0.1

interface Shift {
  value: number
  at: number
  moved: string[]
}

/** Records each layout shift from the start of the page, with the elements that moved. */
function watchShifts() {
  const shifts: Shift[] = []
  Object.assign(globalThis, { layoutShifts: shifts })
  new PerformanceObserver((list: PerformanceObserverEntryList) => {
    for (const entry of list.getEntries() as unknown as {
      value: number
      startTime: number
      hadRecentInput: boolean
      sources: { node?: { nodeName: string; className?: string; textContent?: string } }[]
    }[]) {
      if (entry.hadRecentInput) continue
      const moved = entry.sources.map(({ node }) =>
        node ? `${node.nodeName}.${node.className ?? ""} "${(node.textContent ?? "").slice(0, 30)}"` : "?",
      )
      shifts.push({ value: entry.value, at: Math.round(entry.startTime), moved })
    }
  }).observe({ type: "layout-shift", buffered: true })
}

/** The cumulative layout shift: the largest sum of shifts within five seconds, no two more than a second apart. */
function cumulative(shifts: readonly Shift[]): number {
  let [largest, sum, first, last] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  for (const { value, at } of shifts) {
    if (at - last > 1000 || at - first > 5000) [sum, first] = [0, at]
    sum += value
    last = at
    largest = Math.max(largest, sum)
  }
  return largest
}

/** Opens views with the processor, the connection and the empty cache of a first visit by a slow phone. */
async function expectStable(app: ConsolePage, paths: readonly string[]) {
  const { page } = app
  const devtools = await page.context().newCDPSession(page)
  await page.addInitScript(watchShifts)
  await devtools.send("Network.enable")
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true })
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 })
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 94_000,
  })
  page.setDefaultTimeout(60_000)
  for (const path of paths) {
    await page.goto(`${app.url}/console${path}`)
    await page.waitForLoadState("networkidle")
    await app.waitUntilLoaded()
    const shifts = (await page.evaluate("layoutShifts")) as Shift[]
    const score = cumulative(shifts)
    expect(score, `${path || "home"}: ${JSON.stringify(shifts)}`).toBeLessThan(MAX_LAYOUT_SHIFT)
  }
}

test("A learner's views keep their layout while they load on a slow phone", async ({ signIn }) => {
  const app = await signIn("learner@example.com")
  const learner = await connect(app.url, "learner@example.com", PASSWORD)
  const parameters = { user_id: learner.userId, page_size: 1, page_number: 1, "search_param[nameOrEmail]": "Writing" }
  const { records } = await get<{ records: Json[] }>(learner, "/api/users/enrolled-courses", parameters)
  const course = `/learning/${records[0]?.courseId}/${records[0]?.id}`
  const player = [course, `${course}?module=continue`]
  await expectStable(app, ["", "/learning", ...player, "/my-certificates", "/my-classes", "/account"])
})

test("Staff's views keep their layout while they load on a slow phone", async ({ signIn }) => {
  const app = await signIn("staff@example.com")
  await expectStable(app, ["", "/reports", "/users", "/users/2", "/courses", "/courses/1", "/classes"])
})

test("Administrators' views keep their layout while they load on a slow phone", async ({ signIn }) => {
  const app = await signIn("admin@example.com")
  const settings = ["/settings", "/settings/notifications", "/settings/notifications/overdue"]
  await expectStable(app, [...settings, "/notifications", "/due", "/rules", "/rules/new", "/account"])
})
