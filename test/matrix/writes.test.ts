import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { courseModules } from "../../drizzle/schema/courses.ts"
import { db, group, portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { type Answer, cost, post } from "../helpers/client.ts"

// What an act writes, by Server-Timing: each row, and one more for each index that takes an entry. A row written costs
// as much as a thousand rows read. Each act is a line below.

/** Staff, and a learner with a course of two modules before them. */
async function academy() {
  const staff = await signedIn("staff")
  const learner = await signedIn("general")
  await course({ name: "Algebra" }, [{}, {}])
  const pair = { course_ids: [1], user_ids: [learner.id] }
  return {
    learner,
    enroll: () => post("/api/course/enroll", pair, staff),
    unenroll: () => post("/api/course/unenroll", pair, staff),
    reset: () => post("/api/course/reset", { registration_ids: [1] }, staff),
    step: (moduleId: number, given = {}) =>
      post("/api/module/progress", { registrationId: 1, moduleId, ...given }, { token: learner.token }),
  }
}
type Academy = Awaited<ReturnType<typeof academy>>
type Act = (academy: Academy) => Promise<Answer>

/** Puts the learner into a group and a portal, each with an administrator: four audiences count them. */
async function belonging({ learner }: Academy) {
  const admins = [await user({ userType: "group_admin" }), await user({ userType: "portal_admin" })]
  await group({ admins: [admins[0]?.id ?? 0], members: [learner.id] })
  await portal({ admins: [admins[1]?.id ?? 0], members: [learner.id] })
}
const AUDIENCES = 4

const enroll: Act = (of) => of.enroll()
const open: Act = (of) => of.step(1)
const openSecond: Act = (of) => of.step(2)
const heartbeat: Act = (of) => of.step(1, { timeSpent: 30 })
const complete: Act = (of) => of.step(1, { status: "Completed", timeSpent: 30 })
const completeSecond: Act = (of) => of.step(2, { status: "Completed", timeSpent: 30 })

interface Line {
  what: string
  /** How many rows it may write. */
  most: number
  /** It changes a registration's status: one row more for each audience of the learner. */
  counted?: true
  before?: Act[]
  act: Act
}

const ACTS: Line[] = [
  { what: "enrolling one user in one course", most: 20, counted: true, act: enroll },
  { what: "a first module opened, which starts the course", most: 14, counted: true, before: [enroll], act: open },
  { what: "another module opened", most: 4, before: [enroll, open], act: openSecond },
  { what: "a heartbeat", most: 2, before: [enroll, open], act: heartbeat },
  { what: "a module completed", most: 6, before: [enroll, open, heartbeat], act: complete },
  { what: "a module completed unopened", most: 7, before: [enroll, open], act: completeSecond },
  { what: "a course completed", most: 20, counted: true, before: [enroll, complete, openSecond], act: completeSecond },
  { what: "a reset", most: 20, counted: true, before: [enroll, complete, completeSecond], act: (of) => of.reset() },
  { what: "a registration ended", most: 14, counted: true, before: [enroll, open], act: (of) => of.unenroll() },
]

describe.each([
  { whose: "nobody's group", belongs: async () => {}, audiences: 0 },
  { whose: "a group and a portal", belongs: belonging, audiences: AUDIENCES },
])("the rows written for a learner of $whose", ({ belongs, audiences }) => {
  it.each(ACTS)("are bounded: $what", async ({ most, counted, before = [], act }) => {
    const made = await academy()
    await belongs(made)
    for (const earlier of before) expect((await earlier(made)).status).toBe(200)
    const answer = await act(made)
    expect(answer.status).toBe(200)
    expect(cost(answer).trips).toBeLessThanOrEqual(2)
    expect(cost(answer).written).toBeLessThanOrEqual(most + (counted ? audiences : 0))
  })
})

it("a heartbeat reads the same number of rows in a course of 60 modules as in one of two", async () => {
  const learner = await signedIn("general")
  const reads: number[] = []
  for (const size of [2, 60]) {
    const { id: registrationId, courseId } = await enrollment(learner, await course({}, Array(size).fill({})))
    const [first] = await db.select().from(courseModules).where(eq(courseModules.courseId, courseId))
    const body = { registrationId, moduleId: first?.moduleId, timeSpent: 9 }
    expect((await post("/api/module/progress", body, { token: learner.token })).status).toBe(200)
    reads.push(cost(await post("/api/module/progress", body, { token: learner.token })).read)
  }
  expect(reads[1]).toBe(reads[0])
  expect(reads[1]).toBeLessThan(25)
})
