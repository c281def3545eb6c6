import assert from "node:assert/strict"
import type { Stage, Story } from "../../scripts/lib/story.ts"

/** What Chromium calls good is up to 0.1. */
const MAX_LAYOUT_SHIFT = 0.1

interface Shift {
  value: number
  at: number
  moved: string[]
}

/** Notes each layout shift from the page's first moment on, with the elements that moved. */
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

/** Opens views on a slow phone's processor and connection, as somebody does who comes for the first time. */
async function staysInPlace(stage: Stage, paths: readonly string[]) {
  const { page, look } = stage
  // Colors move nothing.
  if (look.scheme === "dark") return
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
    await page.goto(`${stage.base}/console${path}`)
    await page.waitForLoadState("networkidle")
    await stage.settled()
    const shifts = (await page.evaluate("layoutShifts")) as Shift[]
    const score = cumulative(shifts)
    assert.ok(
      score < MAX_LAYOUT_SHIFT,
      `${path || "home"} shifts its layout by ${score.toFixed(3)}: ${JSON.stringify(shifts)}`,
    )
  }
}

export const stories: readonly Story[] = [
  {
    name: "A learner's views stay in place while they load on a slow phone",
    who: "learner@example.com",
    play: (stage) => staysInPlace(stage, ["", "/learning", "/my-certificates", "/my-classes", "/account"]),
  },
  {
    name: "Staff's views stay in place while they load on a slow phone",
    who: "staff@example.com",
    play: (stage) => staysInPlace(stage, ["", "/figures", "/users", "/users/2", "/courses", "/courses/1", "/classes"]),
  },
]
