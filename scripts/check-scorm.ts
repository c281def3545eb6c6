// A learner plays a SCORM 1.2 and a SCORM 2004 package in the console, in headless Chromium: each finds its run-time,
// and what it commits must be in the attempt afterwards.
// Not part of the tests, which need npm alone. Run `npm start` beside it; BASE_URL and CHROMIUM say where both are.
import { existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { readXlsx } from "hucre/xlsx"
import { chromium } from "playwright-core"
import { type Connection, call, connect, held, json, PASSWORD } from "./lib/client.ts"
import { conclude, expectSame } from "./lib/expect.ts"
import { notRun } from "./lib/flags.ts"
import { consoleOf, enrolledInPackage, outcomeOf } from "./lib/packages.ts"
import { query } from "./lib/request.ts"
import { requireService } from "./tools.ts"

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
  run().then((result) => console.info("outcome: " + result), (error) => console.info("outcome: " + error))
</script>`

const owner = await connect(BASE, "owner@example.com", PASSWORD)
const learner = await connect(BASE, "learner@example.com", PASSWORD)
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
try {
  for (const version of ["1.2", "2004"]) {
    const place = await enrolledInPackage(owner, learner.userId, { version, page: page(version) })
    const { registrationId, moduleId } = place
    const launch = () => get(learner, "/api/scorm/launch", { registrationId, moduleId })

    for (const visit of [1, 2]) {
      const console = await consoleOf(browser, BASE, "learner@example.com")
      const outcome = await outcomeOf(console, BASE, place)
      expectSame(`SCORM ${version}, visit ${visit}`, outcome, "true,true")
      const data = "|visit:contained".repeat(visit)
      // The package hands its data to the console, which sends it.
      for (let waited = 0; waited < 50; waited++) {
        if (((await launch()).cmi as Json)["cmi.suspend_data"] === data) break
        await sleep(200)
      }
      await console.context().close()
    }
    const after = await launch()
    const cmi = after.cmi as Record<string, string>
    const core = version === "1.2" ? "cmi.core." : "cmi."
    expectSame(`SCORM ${version}: the data`, cmi["cmi.suspend_data"], "|visit:contained|visit:contained")
    expectSame(`SCORM ${version}: the location`, cmi[`${core}${version === "1.2" ? "lesson_" : ""}location`], "page 2")
    const [row] = await get<Json[]>(learner, "/api/course/modules", { registrationId })
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
conclude("The console played a SCORM 1.2 and a SCORM 2004 package twice each: their data is in the attempts.")
