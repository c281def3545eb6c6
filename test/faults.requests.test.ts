import { env } from "cloudflare:workers"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { devices } from "../drizzle/devices.ts"
import { issueToken } from "../src/gate/session.ts"
import { deviceSession } from "../src/lib/access.ts"
import { refreshTokenOf } from "../src/modules/access/refresh-tokens.ts"
import { type Answer, call, cost, get, post, put, query } from "./client.ts"
import { fileForm, PDF } from "./factories.assignments.ts"
import { classEnrolment, classOf } from "./factories.classes.ts"
import { added, alike, failing, type State, stateNow, within } from "./factories.faults.ts"
import { course, enrolment } from "./factories.learning.ts"
import { PACKAGE_12, uploaded } from "./factories.scorm.ts"
import { db, PASSWORD, signedIn, user } from "./factories.ts"
import { type Cell, ROWS } from "./faults.table.ts"

// Each fault of D1's at each kind of call: what the client is told, that all is done once or nothing, and that things
// work afterwards. What is expected is in faults.table.ts.

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

type Headers = Record<string, string>

interface Act {
  /** It is tried under an Idempotency-Key too. */
  keyed: boolean
  /** It takes long for a password's sake: only its batch meets faults. */
  slow?: true
  /** It writes how long something took by the clock. */
  timed?: true
  /** Makes records for so many calls. @returns the call of one of them, from 0 */
  make: (count: number) => Promise<(n: number, headers: Headers) => Promise<Answer>>
}

const paging = { page_size: 10, page_number: 1 }
const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Array.from({ length: count }).reduce<Promise<T[]>>(
    async (made, _, n) => [...(await made), await make(n)],
    Promise.resolve([]),
  )
/** One of those that were made. */
const nth = <T>(made: T[], n: number): T => {
  const found = made[n]
  if (found === undefined) throw new Error(`There are only ${made.length}.`)
  return found
}

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
    await enrolment(await user(), await course({}, [{}]))
    return (headers) => get(`/api/users/report${query(paging)}`, { token, headers })
  },
  "the feed of events": async () => {
    const { token } = await signedIn("admin")
    await many(2, () => user())
    return (headers) => get(`/api/events${query({ page_size: 5 })}`, { token, headers })
  },
  "a file": async () => {
    const { token } = await signedIn("general")
    const { body } = await post("/api/module/assignment/upload", fileForm(PDF, "work.pdf"), { token })
    return (headers) => get(body.storage_url, { token, headers })
  },
  "a page": async () => {
    const { token } = await signedIn("general")
    return (headers) => get("/learn", { headers: { ...headers, cookie: `__Host-session=${token}` } })
  },
}

const NEW_PERSON = { firstName: "Ada", password: PASSWORD, password_confirmation: PASSWORD }

const MUTATIONS: Record<string, Act> = {
  "a record is created": {
    keyed: true,
    make: async () => (n, headers) =>
      post("/api/badge/create", { title: `Star ${n}`, badgeIconUrl: "https://example.com/a.png" }, { headers }),
  },
  "a user is created, with a mail": {
    keyed: false,
    slow: true,
    make: async () => {
      const { token } = await signedIn("admin")
      return (n, headers) =>
        post("/api/user/create", { ...NEW_PERSON, email: `ada${n}@example.com` }, { token, headers })
    },
  },
  "a record is changed": {
    keyed: false,
    make: async (count) => {
      await many(count, (n) => post("/api/location/create", { name: `Hall ${n}` }))
      return (n, headers) => put(`/api/location/${n + 1}`, { city: "Bath" }, { headers })
    },
  },
  "records are deleted": {
    keyed: false,
    make: async (count) => {
      await many(2 * count, (n) => post("/api/location/create", { name: `Hall ${n}` }))
      return (n, headers) => post("/api/location/delete", { delete_ids: [2 * n + 1, 2 * n + 2] }, { headers })
    },
  },
  "many users are changed": {
    keyed: false,
    make: async (count) => {
      const people = await many(2 * count, () => user())
      const { token } = await signedIn("owner")
      await course({}, [{}])
      return (n, headers) =>
        post(
          "/api/user/quickEdit",
          { user_ids: [nth(people, 2 * n).id, nth(people, 2 * n + 1).id], disabled: false, course_ids: [1] },
          { token, headers },
        )
    },
  },
  "a learner is enrolled": {
    keyed: true,
    make: async (count) => {
      const people = await many(count, () => user())
      await course({}, [{}, {}])
      return (n, headers) => post("/api/course/enroll", { course_ids: [1], user_ids: [nth(people, n).id] }, { headers })
    },
  },
  "a learner's heartbeat": {
    keyed: true,
    make: async (count) => {
      const { id, token } = await signedIn("general")
      const learner = { ...(await user()), id }
      const ref = async () => {
        const inside = await course({}, [{}, {}])
        const { id: registrationId } = await enrolment(learner, inside)
        return { registrationId, moduleId: 2 * inside.id - 1 }
      }
      const refs = await many(count, ref)
      for (const each of refs) await post("/api/module/progress", each, { token })
      return (n, headers) => post("/api/module/progress", { ...nth(refs, n), timeSpent: 30 }, { token, headers })
    },
  },
  "a module is completed": {
    keyed: false,
    make: async (count) => {
      const people = await many(count, () => signedIn("general"))
      const inside = await course({}, [{}])
      for (const each of people) await enrolment(each, inside)
      return (n, headers) =>
        post(
          "/api/module/progress",
          { registrationId: n + 1, moduleId: 1, status: "Completed" },
          { token: nth(people, n).token, headers },
        )
    },
  },
  "a quiz is submitted": {
    keyed: true,
    timed: true,
    make: async (count) => {
      const questions = [
        { text: "2 + 2?", type: "single", points: 3, options: [{ text: "4", correct: true }, { text: "5" }] },
      ]
      await post("/api/modules/quiz", { name: "Sums", content: "x", questions, passPercent: 60 })
      const inside = await course({}, [{ moduleId: 1 }])
      const people = await many(count, () => signedIn("general"))
      for (const [n, { token, ...each }] of people.entries()) {
        await enrolment(each, inside)
        await post("/api/quiz/attempt", { registrationId: n + 1, moduleId: 1 }, { token })
      }
      return (n, headers) =>
        post(
          "/api/quiz/submit",
          { attemptId: n + 1, answers: [{ questionId: 1, optionIds: [1] }] },
          { token: nth(people, n).token, headers },
        )
    },
  },
  "a SCORM package's state": {
    keyed: false,
    make: async (count) => {
      await uploaded(PACKAGE_12)
      const inside = await course({}, [{ moduleId: 1 }])
      const people = await many(count, () => signedIn("general"))
      const ref = (n: number) => ({ registrationId: n + 1, moduleId: 1 })
      const cmi = { core: { lesson_status: "incomplete", session_time: "00:01:00" } }
      for (const [n, { token, ...each }] of people.entries()) {
        await enrolment(each, inside)
        await post("/api/scorm/commit", { ...ref(n), cmi }, { token })
      }
      const later = { core: { lesson_status: "incomplete", session_time: "00:02:00" } }
      return (n, headers) =>
        post("/api/scorm/commit", { ...ref(n), cmi: later }, { token: nth(people, n).token, headers })
    },
  },
  "a sign-in": {
    keyed: false,
    slow: true,
    make: async (count) => {
      const people = await many(count, () => user())
      return (n, headers) =>
        post("/login", { email: nth(people, n).email, password: PASSWORD, device: "Phone" }, { headers })
    },
  },
  "a session is renewed": {
    keyed: false,
    make: async (count) => {
      const at = { createdAt: Date.now(), refreshedAt: Date.now() }
      const tokens = await many(count, async (n) => {
        const { id: userId } = await user()
        await db.insert(devices).values({ id: n + 1, userId, name: "Phone", ...at })
        return refreshTokenOf(env, { deviceId: n + 1, generation: 1 })
      })
      return (n, headers) => post("/session/refresh", { refreshToken: nth(tokens, n) }, { headers })
    },
  },
  "a device signs out": {
    keyed: false,
    make: async (count) => {
      const at = { createdAt: Date.now(), refreshedAt: Date.now() }
      const tokens = await many(count, async (n) => {
        const { id: userId, userType } = await user()
        await db.insert(devices).values({ id: n + 1, userId, name: "Phone", ...at })
        return (await issueToken(env, { userId, userType, epoch: 0, id: deviceSession(n + 1) })).token
      })
      return (n, headers) => call("POST", "/logout", { token: nth(tokens, n), headers })
    },
  },
  "a sign-out of all devices": {
    keyed: false,
    make: async (count) => {
      const people = await many(count, () => signedIn("general"))
      return (n, headers) => post("/logout", { everywhere: true }, { token: nth(people, n).token, headers })
    },
  },
  "a forgotten password": {
    keyed: false,
    make: async (count) => {
      const people = await many(count, () => user())
      return (n, headers) => post("/password/forgot", { email: nth(people, n).email }, { headers })
    },
  },
  "a read that changes something": {
    keyed: false,
    make: async (count) => {
      const held = await classOf(await course(), { startAt: Date.now() + 86_400_000 })
      const people = await many(count, () => signedIn("general"))
      const places = await many(count, (n) => classEnrolment(nth(people, n), held))
      return (n, headers) =>
        get(`/api/class/study-material?registrationId=${nth(places, n).id}`, { token: nth(people, n).token, headers })
    },
  },
  "a file is uploaded": {
    keyed: true,
    make: async () => {
      const { token } = await signedIn("general")
      return (n, headers) => post("/api/module/assignment/upload", fileForm(PDF, `work ${n}.pdf`), { token, headers })
    },
  },
  "an export is asked for": {
    keyed: true,
    make: async (count) => {
      const people = await many(count, () => signedIn("admin"))
      return (n, headers) => post("/api/users/export", {}, { token: nth(people, n).token, headers })
    },
  },
  "users are uploaded": {
    keyed: true,
    make: async () => {
      const { token } = await signedIn("admin")
      const row = (n: number) => ({
        email: `person${n}@example.com`,
        first_name: "Person",
        last_name: "P",
        password: "",
      })
      return (n, headers) => post("/api/user/bulkUpload", { userList: [row(n)] }, { token, headers })
    },
  },
  "more users are uploaded than at once": {
    keyed: false,
    make: async () => {
      const { token } = await signedIn("admin")
      const row = (n: number) => ({ email: `p${n}@example.com`, first_name: "Person", last_name: "P", password: "" })
      return (n, headers) => {
        const userList = Array.from({ length: 21 }, (_, i) => row(100 * n + i))
        return post("/api/user/bulkUpload", { userList }, { token, headers })
      }
    },
  },
}

const besides = (names: string[], state: State) => new Map([...state].filter(([name]) => !names.includes(name)))

function expectTold(answer: Answer, cell: Cell, what: string) {
  expect([answer.status, answer.body.code], what).toEqual([cell.status, cell.code])
  if (cell.status === 503) expect(Number(answer.headers.get("retry-after")), what).toBeGreaterThan(0)
}

it.each(Object.entries(READS))("a read meets every fault: %s", async (_, make) => {
  const read = await make()
  const fine = await read({})
  expect(fine.status, JSON.stringify(fine.body)).toBe(200)
  const before = await stateNow()
  for (const { what, fault, on, read: cell } of ROWS) {
    const { answer, times } = await failing(`${fault}@1${on ? "+" : ""}`, () => read({}))
    expect(times, what).toBeGreaterThan(0)
    expectTold(answer, cell, what)
    if (cell.status === 200) expect(answer.body, what).toEqual(fine.body)
    expect((await read({})).body, `${what}, afterwards`).toEqual(fine.body)
  }
  expect(await stateNow()).toEqual(before)
})

const ACTS = Object.entries(MUTATIONS).flatMap(([what, act]) => [
  { what, act, key: false },
  ...(act.keyed ? [{ what: `${what}, under an Idempotency-Key`, act, key: true }] : []),
])

it.each(ACTS)("a mutation meets every fault: $what", async ({ act, key }) => {
  let n = 0
  const run = await act.make(2 + 2 * ROWS.length)
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
  const { trips } = cost(second.answer)
  for (const { what, fault, on, reading, writing } of ROWS)
    for (const [trip, cell] of trips > 1
      ? ([
          [1, reading],
          [trips, writing],
        ] as const)
      : ([[trips, writing]] as const)) {
      const of = n++
      const about = `${what}, at trip ${trip}`
      const before = await stateNow()
      const { answer, times } = await failing(`${fault}@${trip}${on ? "+" : ""}`, () => once(of))
      // What is asked of the primary meets no replica.
      if (fault !== "replica-behind") expect(times, about).toBeGreaterThan(0)
      expectTold(answer, cell, about)
      if (cell.effect === "none") {
        // A file stays where its row may have landed, or may yet.
        const kept = cell.code === "outcome_unknown" ? ["files"] : []
        expect(besides(kept, await stateNow()), about).toEqual(besides(kept, before))
        if (kept.length > 0) before.set("files", (await stateNow()).get("files") ?? [])
        const again = await once(of)
        expect(again.status, `${about}, afterwards: ${JSON.stringify(again.body)}`).toBe(200)
      } else expect(Object.keys(answer.body), about).toEqual(Object.keys(second.answer.body))
      expect(within(added(before, await stateNow()), same), about).toEqual(expected)
    }
})
