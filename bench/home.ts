// npm run bench -- home: what a learner's home screen costs a phone. It compares the lists that the screen needs with
// GET /api/me/home, with `fields`, and with If-None-Match.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { flags, integer } from "../scripts/lib/cli.ts"
import { type Connection, connect, expectOk, PASSWORD } from "../scripts/lib/client.ts"
import { query, toRequest } from "../scripts/lib/request.ts"
import { startService, toVarFlags } from "../scripts/lib/service.ts"
import { median } from "./lib/numbers.ts"

const values = flags("npm run bench -- home", "Measures a learner's home screen on a phone.", {
  rounds: { type: "string", value: "n", default: "50", about: "how many times each is loaded" },
})
const ROUNDS = integer("rounds", values.rounds)

interface Load {
  requests: number
  bytes: number
  brotli: number
  trips: number
  read: number
}

const folder = mkdtempSync(join(tmpdir(), "lectern-home-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
console.info("Starting a service with the sample academy …")
const service = await startService(folder, toVarFlags({ RATE_LIMIT: "1000000000" }))
const learner = await connect(service.url, "learner@example.com", PASSWORD)

const home = "/api/me/home"
/** The ETag of the last home screen. */
let etag = ""

/** Sends a request, and adds its cost to `load`. @returns the body */
async function request(load: Load, { url, token }: Connection, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, toRequest("GET", { token, headers }))
  if (answer.status !== 304) await expectOk(answer)
  if (path === home) etag = answer.headers.get("etag") ?? etag
  const body = await answer.text()
  const [, trips = "0", read = "0"] = /trips=(\d+) read=(\d+)/.exec(answer.headers.get("server-timing") ?? "") ?? []
  load.requests++
  load.bytes += Buffer.byteLength(body)
  load.brotli += body ? brotliCompressSync(body).length : 0
  load.trips += Number(trips)
  load.read += Number(read)
  return body
}

const page = (size: number) => ({ page_size: size, page_number: 1 })
const dates = [Date.now(), Date.now() + 60 * 86_400_000].map((at) => new Date(at).toISOString()).join(",")

/** The lists that the screen needs, in parallel as far as they do not depend on each other. */
async function loadLists(load: Load) {
  const courses = query({
    user_id: learner.userId,
    search_param: { status: ["In Progress", "Not Started"] },
    order_by: { colName: "lastAccessed", direction: "desc" },
    ...page(4),
  })
  const get = (path: string) => request(load, learner, path)
  const [list = ""] = await Promise.all([
    get(`/api/users/enrolled-courses${courses}`),
    get("/api/me"),
    get("/api/user/dashboard/statistics"),
    get(`/api/users/class-sessions${query({ dates })}`),
    get(`/api/student/announcements${query(page(3))}`),
    get(`/api/user/leaderboard/${learner.userId}`),
  ])
  const { records } = JSON.parse(list) as { records: { id: number }[] }
  await Promise.all(records.map(({ id }) => get(`/api/course/modules${query({ registrationId: id })}`)))
}

const loads: Record<string, (load: Load) => Promise<unknown>> = {
  "the lists of the API": loadLists,
  "GET /api/me/home": (load) => request(load, learner, home),
  "its courses only (fields)": (load) => request(load, learner, `${home}?fields=user,courses`),
  "not modified (304)": (load) => request(load, learner, home, { "if-none-match": etag }),
}
console.info(`${"".padEnd(28)} requests   bytes  brotli   trips    rows   ms p50`)
for (const [name, run] of Object.entries(loads)) {
  const times: number[] = []
  let load: Load | undefined
  for (let round = 0; round <= ROUNDS; round++) {
    load = { requests: 0, bytes: 0, brotli: 0, trips: 0, read: 0 }
    const began = performance.now()
    await run(load)
    if (round > 0) times.push(performance.now() - began)
  }
  const { requests = 0, bytes = 0, brotli = 0, trips = 0, read = 0 } = load ?? {}
  const cells = [requests, bytes, brotli, trips, read, median(times).toFixed(1)]
  console.info(`${name.padEnd(28)} ${cells.map((cell) => String(cell).padStart(7)).join(" ")}`)
}
await service.stop()
