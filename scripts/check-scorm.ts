// Tries SCORM against tools that other people wrote: scorm-again, as a player's runtime, drives a SCORM 1.2 and a SCORM
// 2004 package in headless Chromium, and what it committed must be in the attempt afterwards.
// Not part of the tests, which need npm alone. Run `npm start` beside it; BASE_URL and CHROMIUM say where both are.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readXlsx } from "hucre/xlsx"
import { type Browser, chromium } from "playwright-core"
import { type Connection, call, connect, held, json, PASSWORD } from "./lib/client.ts"
import { conclude, expectSame, failures } from "./lib/expect.ts"
import { notRun } from "./lib/flags.ts"
import { query } from "./lib/request.ts"
import { root } from "./lib/state.ts"
import { requireService } from "./tools.ts"
import { zipped } from "./zip.ts"

const BASE = process.env.BASE_URL ?? "http://localhost:8787"
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium"
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

if (!existsSync(CHROMIUM)) notRun(`no Chromium at ${CHROMIUM}. Install it (Debian package chromium), or set CHROMIUM.`)
await requireService(BASE)

type Json = Record<string, unknown>

const get = async <T = Json>(who: Connection, path: string, parameters: Json = {}) =>
  json<T>(await call(who, "GET", `${path}${query(parameters)}`))
const post = async (who: Connection, path: string, body: object) => json<Json>(await call(who, "POST", path, body))

/**
 * A page as packages have them: it finds the runtime in the windows around it, and works with it as its version has it.
 */
const page = (version: string) => `<!doctype html><title>Package</title><script>
  const is12 = ${JSON.stringify(version)} === "1.2"
  const find = (w, name) => w[name] ?? (w.parent === w ? undefined : find(w.parent, name))
  const api = find(window, is12 ? "API" : "API_1484_11")
  const [begin, set, get, commit, end] = is12
    ? ["LMSInitialize", "LMSSetValue", "LMSGetValue", "LMSCommit", "LMSFinish"]
    : ["Initialize", "SetValue", "GetValue", "Commit", "Terminate"]
  const core = is12 ? "cmi.core." : "cmi."
  const put = (name, value) => {
    if (String(api[set](name, value)) !== "true") throw new Error(name + " was refused")
  }
  const reached = (path) => fetch(path).then(() => "reached", () => "contained")
  async function run() {
    if (String(api[begin]("")) !== "true") throw new Error("the runtime did not begin")
    const before = api[get]("cmi.suspend_data")
    put(core + (is12 ? "lesson_location" : "location"), "page 2")
    put("cmi.suspend_data", before + "|visit:" + (await reached("/api/user-source")))
    if (before === "") {
      put(core + "exit", "suspend")
      put(core + (is12 ? "lesson_status" : "completion_status"), "incomplete")
    } else {
      put("cmi.interactions.0.id", "q1")
      put("cmi.interactions.0.type", "choice")
      put("cmi.interactions.0." + (is12 ? "student_response" : "learner_response"), "a")
      put("cmi.interactions.0.result", "correct")
      put(core + "score.min", "0")
      put(core + "score.max", "100")
      put(core + "score.raw", "90")
      if (is12) put("cmi.core.lesson_status", "passed")
      else {
        put("cmi.score.scaled", "0.9")
        put("cmi.completion_status", "completed")
        put("cmi.success_status", "passed")
      }
    }
    put(core + "session_time", is12 ? "00:01:00" : "PT1M")
    const committed = String(api[commit](""))
    return committed + "," + String(api[end](""))
  }
  run().then((result) => { top.outcome = result }, (error) => { top.outcome = String(error) })
</script>`

const manifest = (version: string) => `<?xml version="1.0"?>
<manifest identifier="M"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
<metadata>
  <schema>ADL SCORM</schema>
  <schemaversion>${version === "1.2" ? "1.2" : "2004 4th Edition"}</schemaversion>
</metadata>
<organizations default="O"><organization identifier="O"><title>Check of SCORM ${version}</title>
<item identifier="I" identifierref="R"><title>Page</title></item></organization></organizations>
<resources><resource identifier="R" type="webcontent" adlcp:scormtype="sco" href="pages/index.html"/></resources>
</manifest>`

async function packaged(version: string): Promise<FormData> {
  const form = new FormData()
  form.set("package", await zipped({ "imsmanifest.xml": manifest(version), "pages/index.html": page(version) }))
  return form
}

const RUNTIME = readFileSync(join(root, "node_modules/scorm-again/dist/scorm-again.min.js"), "utf8")

/** A player: scorm-again with the launch's data, committing to the service, and the package in a frame. */
const player = (launch: Json, token: string) => `<!doctype html><title>Player</title>
<script>${RUNTIME.replaceAll("</script", "<\\/script")}</script><script>
  const settings = {
    lmsCommitUrl: ${JSON.stringify(launch.commit_url)},
    xhrHeaders: { authorization: "Bearer ${token}" },
    useAsynchronousCommits: false,
    terminationCommitContentType: "application/json",
    asyncModeBeaconBehavior: "never",
    selfReportSessionTime: true,
    logLevel: 5,
  }
  const is12 = ${JSON.stringify(launch.version)} === "1.2"
  const api = is12 ? new Scorm12API(settings) : new Scorm2004API(settings)
  window[is12 ? "API" : "API_1484_11"] = api
  api.loadFromFlattenedJSON(${JSON.stringify(launch.cmi)})
</script><iframe src="${launch.launch_url}" style="width:100%;height:400px"></iframe>`

async function play(browser: Browser, launch: Json, token: string): Promise<{ outcome: string; notes: string[] }> {
  const context = await browser.newContext()
  const tab = await context.newPage()
  const notes: string[] = []
  tab.on("console", (message) => notes.push(message.text()))
  tab.on("pageerror", (error) => notes.push(String(error)))
  await tab.route("**/player-of-the-check", (route) =>
    route.fulfill({ contentType: "text/html", body: player(launch, token) }),
  )
  await tab.goto(`${new URL(String(launch.launch_url)).origin}/player-of-the-check`)
  const outcome = await tab
    .waitForFunction("window.outcome", undefined, { timeout: 20_000 })
    .then((handle) => handle.jsonValue())
    .catch((error) => `no outcome: ${error}`)
  await context.close()
  return { outcome: String(outcome), notes }
}

const owner = await connect(BASE, "owner@example.com", PASSWORD)
const learner = await connect(BASE, "learner@example.com", PASSWORD)
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
try {
  for (const version of ["1.2", "2004"]) {
    const { id: moduleId } = await post(owner, "/api/modules/scorm", await packaged(version))
    const { id: courseId } = await post(owner, "/api/course/create", {
      name: `Check of SCORM ${version} ${Date.now()}`,
      slug: `check-of-scorm-${version.replace(".", "-")}-${Date.now()}`,
      status: "publish",
      content: "",
      modules: [{ module_id: moduleId, required: true }],
    })
    await post(owner, "/api/course/enroll", { course_ids: [courseId], user_ids: [learner.userId] })
    const enrolled = await get(learner, "/api/users/enrolled-courses", {
      user_id: learner.userId,
      page_size: 1,
      page_number: 1,
      order_by: { colName: "id", direction: "desc" },
    })
    const [registration] = enrolled.records as Json[]
    const launch = () => get(learner, "/api/scorm/launch", { registrationId: registration?.id, moduleId })

    for (const visit of [1, 2]) {
      const { outcome, notes } = await play(browser, await launch(), learner.token)
      expectSame(`SCORM ${version}, visit ${visit}`, outcome, "true,true")
      if (outcome !== "true,true") failures.push(...notes)
    }
    const after = await launch()
    const cmi = after.cmi as Record<string, string>
    const core = version === "1.2" ? "cmi.core." : "cmi."
    expectSame(`SCORM ${version}: the data`, cmi["cmi.suspend_data"], "|visit:contained|visit:contained")
    expectSame(`SCORM ${version}: the location`, cmi[`${core}${version === "1.2" ? "lesson_" : ""}location`], "page 2")
    const [row] = await get<Json[]>(learner, "/api/course/modules", { registrationId: registration?.id })
    expectSame(`SCORM ${version}: the module`, [row?.status, row?.points_awarded], ["Completed", 90])
    const sheet = async (kind: string) => {
      const path = `/api/${kind}/spreadsheet/${after.statusRowId}${query({ studentId: learner.userId })}`
      const file = await (await held(await call(learner, "GET", path))).arrayBuffer()
      const [, ...rows] = (await readXlsx(new Uint8Array(file))).sheets[0]?.rows ?? []
      return rows
    }
    const [attempt] = await sheet("scorm-report")
    expectSame(
      `SCORM ${version}: the attempt`,
      [attempt?.[0], ...(attempt?.slice(3, 8) ?? []), attempt?.[9]],
      [1, "completed", "passed", 90, 0, 100, "0000:02:00.00"],
    )
    const interactions = await sheet("scorm-activity-report")
    expectSame(
      `SCORM ${version}: the interaction`,
      interactions.map((one) => [one[2], one[3], one[8], one[9]]),
      [["q1", "choice", "a", "correct"]],
    )
  }
} finally {
  await browser.close()
}
conclude("scorm-again drove a SCORM 1.2 and a SCORM 2004 package twice each: their data is in the attempts.")
