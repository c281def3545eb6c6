import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { learningPaths } from "../../drizzle/schema/learning-paths.ts"
import { locations } from "../../drizzle/schema/locations.ts"
import { assignmentRule } from "../factories/due-dates.ts"
import { db, group, portal, rowsOf, signedIn } from "../factories/index.ts"
import { course, module } from "../factories/learning.ts"
import { learningPath } from "../factories/learning-paths.ts"
import { type Answer, cost, get, post, put } from "../helpers/client.ts"
import { delayed } from "../helpers/delays.ts"
import { everyCombination } from "./matrix.ts"

// Calls that change what another call has read run again, wherever the handler is mounted (src/http/operation.ts).

/** The number of parallel calls. */
const CALLS = everyCombination ? 100 : 30

const location = async () => (await post("/api/location/create", { name: "Before" })).body as { id: number }
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))]
const all = (count: number, run: (n: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))

describe("parallel changes of one record", () => {
  it("all succeed without If-Match, and each makes one change", { timeout: 60_000 }, async () => {
    const { id } = await location()
    const { token } = await signedIn("admin")
    const answers = await all(CALLS, (n) => put(`/api/location/${id}`, { name: `Name ${n}` }, { token }))
    expect(statuses(answers)).toEqual([200])
    expect(await rowsOf(locations)).toMatchObject([{ version: CALLS + 1 }])
    const names = (await rowsOf(auditLogs)).map(({ details }) => (details as { name?: string }).name)
    expect(new Set(names.filter((name) => name?.startsWith("Name ")))).toHaveProperty("size", CALLS)
  })

  it("keep each other's fields", async () => {
    const { id } = await location()
    const fields = [{ name: "After" }, { addressLine1: "1 Long Road" }, { city: "York" }, { capacity: 12 }]
    const answers = await all(fields.length, (n) => put(`/api/location/${id}`, fields[n]))
    expect(statuses(answers)).toEqual([200])
    expect((await get(`/api/location/${id}`)).body).toMatchObject(Object.assign({}, ...fields))
  })

  it.each<[string, string, object]>([
    ["location", "/api/location", { name: "Before" }],
    ["report schedule", "/api/report-schedule", { name: "Before", report: "overdue", interval: "weekly" }],
    ["assignment rule", "/api/assignment-rule", { name: "Before" }],
  ])("succeed once with If-Match for a %s, and answer 412 to all others", async (_, record, body) => {
    const { token } = await signedIn("admin")
    const { id } = (await post(`${record}/create`, body, { token })).body
    const path = `${record}/${id}`
    const before = await get(path, { token })
    const headers = { "if-match": before.headers.get("etag") ?? "" }
    expect((await put(path, before.body, { token, headers })).status).toBe(200)
    expect((await get(path, { token })).body).toEqual(before.body)
    const answers = await all(20, (n) => put(path, { name: `Name ${n}` }, { token, headers }))
    expect(statuses(answers).toSorted()).toEqual([200, 412])
    const changed = answers.flatMap(({ status }, n) => (status === 200 ? [`Name ${n}`] : []))
    expect(changed).toHaveLength(1)
    expect((await get(path, { token })).body).toMatchObject({ name: changed[0] })
  })

  it.each<[string, () => Promise<string>]>([
    ["course", async () => `/api/course/${(await course()).id}`],
    ["module", async () => `/api/modules/assignment/${(await module({ type: "assignment" })).id}`],
    ["group", async () => `/api/group/${(await group()).id}`],
    ["portal", async () => `/api/portal/${(await portal()).id}`],
    ["assignment rule", async () => `/api/assignment-rule/${(await assignmentRule()).id}`],
    ["learning path", async () => `/api/learningpath/${(await learningPath({}, [{ id: (await course()).id }])).id}`],
  ])("all succeed for a %s", async (_, make) => {
    const path = await make()
    const answers = await all(10, (n) => put(path, { name: `Name ${n}` }))
    expect(statuses(answers)).toEqual([200])
  })
})

describe("a call whose commit conflicts with another call", () => {
  it("answers according to the new state: 422 for a course deleted meanwhile, without an audit row", async () => {
    const { id } = await course()
    const { token } = await signedIn("admin")
    const { answer } = await delayed(() => post("/api/learningpath/create", { name: "Science", course_ids: [id] }), {
      before: 3,
      other: () => post("/api/course/delete", { delete_ids: [id] }, { token }),
      late: false,
    })
    expect(answer).toMatchObject({ status: 422, body: { errors: { course_ids: [expect.stringContaining(`${id}`)] } } })
    expect(await rowsOf(learningPaths)).toEqual([])
  })

  it("makes one more read and one more commit", async () => {
    const { id } = await location()
    const change = () => put(`/api/location/${id}`, { name: "After" })
    expect(cost(await change()).roundTrips).toBe(2)
    const { answer } = await delayed(() => put(`/api/location/${id}`, { name: "Last" }), {
      before: 3,
      other: async () => db.run(sql`update locations set version = version + 1`),
      late: false,
    })
    expect(answer.status).toBe(200)
    // A commit that fails is not counted.
    expect(cost(answer).roundTrips).toBe(3)
  })
})
