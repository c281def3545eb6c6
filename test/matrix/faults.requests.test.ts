import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { fileForm } from "../factories/assignments.ts"
import { added, alike, failing, type State, shortenBackoff, stateNow, within } from "../factories/faults.ts"
import { signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { type Answer, cost, get, nearTrips, post, query } from "../helpers/client.ts"
import { REPEATABLE_MUTATIONS } from "./acts.ts"
import { type Cell, ROWS } from "./faults-table.ts"
import { sampled } from "./matrix.ts"
import { many } from "./repeatable.ts"

// Each D1 fault at each kind of call: the response, that the change happens once or not at all, and that later calls
// succeed. faults-table.ts has the expectations.

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {})
  shortenBackoff()
})
afterEach(() => {
  vi.restoreAllMocks()
})

type Headers = Record<string, string>

const paging = { page_size: 10, page_number: 1 }
const READS: Record<string, () => Promise<(headers: Headers) => Promise<Answer>>> = {
  "a record": async () => {
    await post("/api/badge/create", { title: "Star", badgeIconUrl: "https://example.com/a.png" })
    return (headers) => get("/api/badge/1", { headers })
  },
  "a list": async () => {
    await many(3, () => user())
    const { token } = await signedIn("staff")
    return (headers) => get(`/api/users/tabularlist${query(paging)}`, { token, headers })
  },
  "a report": async () => {
    const { token } = await signedIn("staff")
    await enrollment(await user(), await course({}, [{}]))
    return (headers) => get(`/api/users/report${query(paging)}`, { token, headers })
  },
  "the feed of events": async () => {
    const { token } = await signedIn("admin")
    await many(2, () => user())
    return (headers) => get(`/api/events${query({ page_size: 5 })}`, { token, headers })
  },
  "a file": async () => {
    const { token } = await signedIn("general")
    const { body } = await post("/api/module/assignment/upload", fileForm("Words", "work.txt"), { token })
    return (headers) => get(body.storage_url, { token, headers })
  },
  "a page": async () => {
    const { token } = await signedIn("general")
    return (headers) => get("/learn", { headers: { ...headers, cookie: `__Host-session=${token}` } })
  },
}

const besides = (names: string[], state: State) => new Map([...state].filter(([name]) => !names.includes(name)))

function expectAnswer(answer: Answer, cell: Cell, what: string) {
  // A transcript has a code, too.
  const code = answer.status === 200 ? undefined : answer.body.code
  expect([answer.status, code], what).toEqual([cell.status, cell.code])
  if (cell.status === 503) expect(Number(answer.headers.get("retry-after")), what).toBeGreaterThan(0)
}

it.each(Object.entries(READS))("a read survives every database fault: %s", async (_, make) => {
  const read = await make()
  const fine = await read({})
  expect(fine.status, JSON.stringify(fine.body)).toBe(200)
  const before = await stateNow()
  for (const { what, fault, on, read: cell } of ROWS) {
    const { answer, times } = await failing(`${fault}@1${on ? "+" : ""}`, () => read({}))
    expect(times, what).toBeGreaterThan(0)
    expectAnswer(answer, cell, what)
    if (cell.status === 200) expect(answer.body, what).toEqual(fine.body)
    expect((await read({})).body, `${what}, then`).toEqual(fine.body)
  }
  expect(await stateNow()).toEqual(before)
})

/** These meet every fault with an Idempotency-Key, too. */
const UNDER_KEYS = ["a record is created", "a learner's heartbeat", "a quiz is submitted", "a file is uploaded"]

const ACTS = Object.entries(REPEATABLE_MUTATIONS).flatMap(([what, act], at) => [
  { what, act, at, key: false },
  ...(UNDER_KEYS.includes(what) ? [{ what: `${what}, under an Idempotency-Key`, act, at: at + 1, key: true }] : []),
])

it.each(ACTS)("a mutation survives every database fault: $what", async ({ act, at, key }) => {
  let n = 0
  const rows = sampled(ROWS, 4, at)
  const run = await act.make(2 + 2 * rows.length)
  const once = (of: number) => run(of, key ? { "idempotency-key": `call-${of}` } : {})
  const clean = async () => {
    const before = await stateNow()
    const answer = await once(n++)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return { answer, change: added(before, await stateNow()) }
  }
  const first = await clean()
  const second = await clean()
  const same = alike(first.change, second.change)
  if (act.timed) for (const name of [...same.keys()]) if (/\.time_/.test(name)) same.delete(name)
  const expected = within(second.change, same)
  const { roundTrips } = cost(second.answer)
  const near = nearTrips(second.answer)
  for (const { what, fault, on, reading, writing } of rows)
    for (const [trip, cell] of roundTrips > 1
      ? ([
          [1, reading],
          [roundTrips, writing],
        ] as const)
      : ([[roundTrips, writing]] as const)) {
      const of = n++
      const about = `${what}, at round trip ${trip}`
      const before = await stateNow()
      const { answer, times } = await failing(`${fault}@${near + trip}${on ? "+" : ""}`, () => once(of))
      // Queries to the primary use no replica.
      if (fault !== "replica-behind") expect(times, about).toBeGreaterThan(0)
      expectAnswer(answer, cell, about)
      if (cell.effect === "none") {
        // A file is not deleted if its row may have been committed.
        const uncertain = cell.code === "outcome_unknown" ? ["files"] : []
        expect(besides(uncertain, await stateNow()), about).toEqual(besides(uncertain, before))
        if (uncertain.length > 0) before.set("files", (await stateNow()).get("files") ?? [])
        const again = await once(of)
        expect(again.status, `${about}, then: ${JSON.stringify(again.body)}`).toBe(200)
      } else expect(Object.keys(answer.body), about).toEqual(Object.keys(second.answer.body))
      expect(within(added(before, await stateNow()), same), about).toEqual(expected)
    }
})
