import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Connection, connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { exampleRecords } from "../../../scripts/lib/example-records.ts"
import { root } from "../../../scripts/lib/state.ts"
import { expect, test } from "../fixtures.ts"
import { get, type Json, post } from "../support/api.ts"
import type { ConsolePage } from "./console-page.ts"

/** The threshold of "good" in Core Web Vitals. */
const MAX_LAYOUT_SHIFT = 0.1

const VIEWS = join(root, "src/console/views")
/** A view takes several seconds to load. */
const SLOW_TIMEOUT = 600_000

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
  const unstable: string[] = []
  for (const path of paths) {
    await page.goto(`${app.url}/console${path}`)
    await page.waitForLoadState("networkidle")
    await app.waitUntilLoaded()
    const shifts = (await page.evaluate("layoutShifts")) as Shift[]
    const score = cumulative(shifts)
    console.info(`${path || "home"}: ${score.toFixed(3)}`)
    if (score >= MAX_LAYOUT_SHIFT) unstable.push(`${path || "home"}: ${score.toFixed(3)} ${JSON.stringify(shifts)}`)
  }
  expect(unstable, "views that move").toEqual([])
}

/** The views of the console by the lowest role that may open them, from `src/console/views/<area>/views.ts`. */
const views = readdirSync(VIEWS).flatMap((area) => {
  const file = join(VIEWS, area, "views.ts")
  if (!existsSync(file)) return []
  const declared = readFileSync(file, "utf8").matchAll(/path: "([^"]+)",\s*access: "(\w+)"/g)
  return [...declared].map(([, path = "", access = ""]) => ({ path, isLearners: access === "general" }))
})

/** Addresses of views of one record of the sample academy. */
const RECORDS: Record<string, string> = {
  "/announcements/:id": "/announcements/5",
  "/certificates/:id": "/certificates/1",
  "/classes/:id": "/classes/4",
  "/classes/:id/edit": "/classes/4/edit",
  "/courses/:id": "/courses/1",
  "/courses/:id/preview": "/courses/1/preview",
  "/groups/:id": "/groups/1",
  "/learning-paths/:id": "/learning-paths/1",
  "/portals/:id": "/portals/1",
  "/settings/notifications/:kind": "/settings/notifications/overdue",
  "/users/:id": "/users/2",
  "/users/:id/edit": "/users/2/edit",
}
/** Views of records that the sample academy does not have, or whose numbers it does not fix. */
const CREATED = [
  "/assignments/:id",
  "/learning/:courseId/:registrationId",
  "/media/:id",
  "/modules/:type/:id",
  "/modules/quiz/:id/statistics",
  "/my-classes/:registrationId",
  "/question-pools/:id",
  "/question-pools/:pool/:id",
  "/rules/:id",
  "/sign-in-providers/:id",
  "/users/:id/courses/:course",
  "/webhooks/:id",
]

const VIDEO = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isomiso2\0\0\0\x08free", "latin1")

async function uploadMedia(staff: Connection): Promise<number> {
  await fetch(`${staff.url}/api/media/uploads`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${staff.token}`,
      "tus-resumable": "1.0.0",
      "content-type": "application/offset+octet-stream",
      "upload-length": `${VIDEO.length}`,
      "upload-metadata": `filename ${Buffer.from("Bowline.mp4").toString("base64")}`,
    },
    body: VIDEO,
  })
  const { records } = await get<{ records: { id: number }[] }>(staff, "/api/media", { page_size: 1, page_number: 1 })
  return records[0]?.id ?? 0
}

/** Creates the records of staff's views. @returns their addresses */
async function createRecords(admin: Connection & { userId: number }): Promise<string[]> {
  const records = exampleRecords({ userId: admin.userId, courseId: 1, badgeId: 1 })
  const create = async (name: keyof typeof records, more: Json = {}) =>
    (await post<{ id: number }>(admin, `/api/${name}/create`, { ...records[name].create, ...more })).id
  const { modules } = await get<{ modules: { module_id: number; type: string }[] }>(admin, "/api/course/1")
  const quiz = modules.find(({ type }) => type === "quiz")?.module_id
  const submissions = { page_size: 1, page_number: 1 }
  const { records: submitted } = await get<{ records: Json[] }>(admin, "/api/course/all-submissions", submissions)
  const pool = await create("question-pool")
  return [
    `/assignments/${submitted[0]?.status_row_id}`,
    `/media/${await uploadMedia(admin)}`,
    ...modules.map(({ module_id, type }) => `/modules/${type}/${module_id}`),
    `/modules/quiz/${quiz}/statistics`,
    `/question-pools/${pool}`,
    `/question-pools/${pool}/${await create("question", { poolId: pool })}`,
    `/rules/${await create("assignment-rule")}`,
    `/sign-in-providers/${await create("sso-provider")}`,
    `/webhooks/${await create("webhook")}`,
  ]
}

const addresses = (isLearners: boolean) =>
  views
    .filter((view) => view.isLearners === isLearners && !CREATED.includes(view.path))
    .map(({ path }) => RECORDS[path] ?? (path === "/" ? "" : path))

test("Every view has an address", () => {
  expect(views.length).toBeGreaterThan(70)
  expect([true, false].flatMap(addresses).filter((path) => path.includes(":"))).toEqual([])
  expect(CREATED.filter((path) => !views.some((view) => view.path === path))).toEqual([])
})

test("A learner's views keep their layout while they load on a slow phone", async ({ signIn }) => {
  test.setTimeout(SLOW_TIMEOUT)
  const app = await signIn("learner@example.com")
  app.allowStatus(404)
  const learner = await connect(app.url, "learner@example.com", PASSWORD)
  const parameters = { user_id: learner.userId, page_size: 1, page_number: 1, "search_param[nameOrEmail]": "Writing" }
  const { records } = await get<{ records: Json[] }>(learner, "/api/users/enrolled-courses", parameters)
  const course = `/learning/${records[0]?.courseId}/${records[0]?.id}`
  const { sessions } = await get<{ sessions: Json[] }>(learner, "/api/me/home")
  const own = [course, `${course}?module=continue`, `/my-classes/${sessions[0]?.registrationId}`]
  await expectStable(app, [...addresses(true), ...own])
})

test("Staff's views of records keep their layout while they load on a slow phone", async ({ signIn }) => {
  test.setTimeout(SLOW_TIMEOUT)
  const app = await signIn("admin@example.com")
  await expectStable(app, await createRecords(await connect(app.url, "admin@example.com", PASSWORD)))
})

for (const part of [0, 1, 2])
  test(`Staff's other views keep their layout while they load on a slow phone, part ${part + 1} of 3`, async ({
    signIn,
  }) => {
    test.setTimeout(SLOW_TIMEOUT)
    const app = await signIn("admin@example.com")
    await expectStable(
      app,
      addresses(false).filter((_, at) => at % 3 === part),
    )
  })
