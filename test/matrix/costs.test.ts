import { env } from "cloudflare:workers"
import { afterEach, expect, it, vi } from "vitest"
import { BADGE, hotOperations } from "../../bench/ratio/hot-operations.ts"
import { signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { call, cost, post } from "../helpers/client.ts"

// The cost of the operations of `npm run bench` in the database: statements, bound parameters, round trips, rows read,
// rows written, and bytes of JSON. These figures do not depend on the machine.

type Figures = [
  statements: number,
  parameters: number,
  roundTrips: number,
  read: number,
  written: number,
  bytes: number,
]
const NAMES = ["statements", "parameters", "trips", "rows read", "rows written", "bytes"]

const COSTS: Record<string, Figures> = {
  "a user's detail": [2, 6, 1, 4, 0, 468],
  "a list of 20 users": [2, 4, 1, 65, 0, 8296],
  "a search of users": [2, 13, 1, 14, 0, 470],
  "a list of 20 courses": [2, 4, 1, 65, 0, 4406],
  "a course's detail": [4, 5, 1, 64, 0, 4959],
  "a user's courses": [3, 6, 1, 10, 0, 891],
  "a user's dashboard": [1, 2, 1, 3, 0, 232],
  "a registration's 30 modules": [2, 8, 1, 70, 0, 12018],
  "a course's 20 learners": [4, 22, 1, 92, 0, 10232],
  "a report on a course": [4, 22, 1, 92, 0, 12692],
  "a user's activities": [3, 6, 1, 15, 0, 571],
  "the audit log": [3, 2, 1, 74, 0, 5928],
  "a list of badges": [2, 4, 1, 44, 0, 2033],
  heartbeat: [6, 24, 2, 12, 2, 54],
  "create a location": [4, 23, 1, 12, 8, 38],
  "create a module": [4, 43, 1, 17, 10, 37],
  "create a badge": [4, 20, 1, 12, 8, 36],
  "create a group": [4, 16, 1, 14, 9, 35],
  "change a badge": [5, 17, 2, 11, 4, 36],
  "change a user": [12, 31, 2, 18, 10, 27],
}

const EXPLANATION =
  "The cost of an operation changed. Every learner pays for each of these figures on every call: a trip is an " +
  "intercontinental wait, and a row written costs as much as a thousand rows read. Raise a figure only for something " +
  "that is worth it, and say in the commit what it is. Then copy the row into COSTS of test/matrix/costs.test.ts"

const MODULES = 30
const LEARNERS = 20

const real = env.DB
afterEach(() => void Object.assign(env, { DB: real }))

/** Counts the statements and the bound parameters of each batch from now on. */
function countStatements() {
  const counted = { statements: 0, parameters: 0 }
  const withSession = (constraint?: string) => {
    const session = real.withSession(constraint)
    const parameters = new WeakMap<object, number>()
    return {
      prepare: (sql: string) => ({
        bind: (...params: unknown[]) => {
          const statement = session.prepare(sql).bind(...params)
          parameters.set(statement, params.length)
          return statement
        },
      }),
      getBookmark: () => session.getBookmark(),
      batch: (statements: D1PreparedStatement[]) => {
        counted.statements += statements.length
        for (const statement of statements) counted.parameters += parameters.get(statement) ?? 0
        return session.batch(statements)
      },
    }
  }
  // openDatabase uses only this method.
  Object.assign(env, { DB: { withSession } })
  return counted
}

/** An owner and other learners in a course, five of whose modules the owner has opened. */
async function academy() {
  const owner = await signedIn("owner", { firstName: "Olive", lastName: "Owner", email: "owner@example.com" })
  const taken = await course({ name: "Algebra" }, Array(MODULES).fill({}))
  const { id: registrationId } = await enrollment(owner, taken)
  for (let i = 0; i < LEARNERS; i++) {
    await enrollment(await user({ firstName: `Learner ${i}`, email: `learner${i}@example.com` }), taken)
    await course({ name: `Course ${i}` })
    await post("/api/badge/create", { ...BADGE, title: `Badge ${i}` }, { token: owner.token })
  }
  for (const moduleId of [1, 2, 3, 4, 5])
    await post("/api/module/progress", { registrationId, moduleId, timeSpent: 5 }, { token: owner.token })
  const { id: badgeId } = (await post("/api/badge/create", BADGE, { token: owner.token })).body
  const operations = hotOperations({ userId: owner.id, course: taken.id, registrationId, moduleId: 1, badgeId })
  return { operations, token: owner.token }
}

const isSame = (one: Figures, other: Figures | undefined) => one.every((figure, at) => figure === other?.[at])

it("keeps the cost of every operation of the bench at the figures of the table", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 15, 12) })
  const { operations, token } = await academy()
  const counted = countStatements()
  const changes: string[] = []
  for (const { name, ask } of operations) {
    const figures = async (n: number): Promise<Figures> => {
      Object.assign(counted, { statements: 0, parameters: 0 })
      const { method, path, body } = ask(n)
      const answer = await call(method, path, { token, body })
      expect(answer.status, name).toBe(200)
      const { roundTrips, read, written } = cost(answer)
      return [counted.statements, counted.parameters, roundTrips, read, written, JSON.stringify(answer.body).length]
    }
    // The first call may write rows that later calls reuse.
    await figures(1)
    const now = await figures(2)
    const before = COSTS[name]
    if (isSame(now, before)) continue
    const different = NAMES.flatMap((what, at) =>
      now[at] === before?.[at] ? [] : [`${what} ${before?.[at] ?? "–"} → ${now[at]}`],
    )
    changes.push(`${different.join(", ")}\n  ${JSON.stringify(name)}: [${now.join(", ")}],`)
  }
  expect(changes.length, `${EXPLANATION}:\n${changes.join("\n")}\n`).toBe(0)
  expect(Object.keys(COSTS)).toEqual(operations.map(({ name }) => name))
})
