import { readXlsx } from "hucre/xlsx"
import { call, connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { query } from "../../../scripts/lib/request.ts"
import { expect, test } from "../fixtures.ts"
import { get, type Json } from "../support/api.ts"
import { enrollInPackage, openConsole, runPackage } from "../support/scorm-package.ts"

/** Finds the run-time API in a parent window, as packages do, and calls it. */
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

for (const version of ["1.2", "2004"] as const)
  test(`a SCORM ${version} package keeps its data between two launches, and completes`, async ({
    service: { url },
    browser,
  }) => {
    const is12 = version === "1.2"
    const owner = await connect(url, "owner@example.com", PASSWORD)
    const learner = await connect(url, "learner@example.com", PASSWORD)
    const module = await enrollInPackage(owner, learner.userId, version, page(version))
    const { registrationId, moduleId } = module
    const launch = () =>
      get<{ cmi: Record<string, string>; statusRowId: number }>(learner, "/api/scorm/launch", {
        registrationId,
        moduleId,
      })
    for (const visit of [1, 2]) {
      const page = await openConsole(browser, url, "learner@example.com")
      expect(await runPackage(page, url, module), `visit ${visit}`).toBe("true,true")
      // The package hands its data to the console, which sends it.
      await expect.poll(async () => (await launch()).cmi["cmi.suspend_data"]).toBe("|visit:contained".repeat(visit))
      await page.context().close()
    }
    const { cmi, statusRowId } = await launch()
    expect(cmi[is12 ? "cmi.core.lesson_location" : "cmi.location"]).toBe("page 2")
    const [row] = await get<Json[]>(learner, "/api/course/modules", { registrationId })
    expect(row).toMatchObject({ status: "Completed", points_awarded: 90 })

    const readReport = async (kind: string) => {
      const path = `/api/${kind}/spreadsheet/${statusRowId}${query({ studentId: learner.userId })}`
      const answer = await call(learner, "GET", path)
      expect(answer.status).toBe(200)
      const [, ...rows] = (await readXlsx(new Uint8Array(await answer.arrayBuffer()))).sheets[0]?.rows ?? []
      return rows
    }
    const [attempt = []] = await readReport("scorm-report")
    expect([attempt[0], ...attempt.slice(3, 8), attempt[9]]).toEqual([
      ...[1, "completed", "passed", 90, 0, 100],
      "0000:02:00.00",
    ])
    const interactions = await readReport("scorm-activity-report")
    expect(interactions.map((one) => [one[2], one[3], one[8], one[9]])).toEqual([["q1", "choice", "a", "correct"]])
  })
