import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { courseModules } from "../../drizzle/schema/courses.ts"
import { db, group, PASSWORD, portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { type Answer, cost, get, post } from "../helpers/client.ts"

// The rows that an operation writes, from Server-Timing: each row, and one for each index entry. Writing a row costs as
// much as reading a thousand rows.

/** Staff, and a learner who is enrolled in a course of two modules. */
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

/** Adds the learner to a group and a portal, each with an administrator: four audiences count the learner. */
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
  /** The maximum number of rows that it writes. */
  most: number
  /** It changes a registration's status, which writes one more row for each audience of the learner. */
  counted?: true
  before?: Act[]
  act: Act
}

const ACTS: Line[] = [
  // Five more than by themselves: the user is notified in the list and by mail.
  { what: "enrolling one user in one course", most: 26, counted: true, act: enroll },
  { what: "a first module opened, which starts the course", most: 15, counted: true, before: [enroll], act: open },
  { what: "another module opened", most: 3, before: [enroll, open], act: openSecond },
  { what: "a heartbeat", most: 2, before: [enroll, open], act: heartbeat },
  { what: "a module completed", most: 7, before: [enroll, open, heartbeat], act: complete },
  { what: "a module completed unopened", most: 7, before: [enroll, open], act: completeSecond },
  { what: "a course completed", most: 21, counted: true, before: [enroll, complete, openSecond], act: completeSecond },
  { what: "a reset", most: 20, counted: true, before: [enroll, complete, completeSecond], act: (of) => of.reset() },
  { what: "a registration ended", most: 15, counted: true, before: [enroll, open], act: (of) => of.unenroll() },
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
    expect(cost(answer).roundTrips).toBeLessThanOrEqual(2)
    expect(cost(answer).written).toBeLessThanOrEqual(most + (counted ? audiences : 0))
  })
})

/** Records with few rows: their lists have indexes only for the name and the default order. */
const RECORDS: [path: string, most: number, body: object][] = [
  ["/api/location/create", 8, { name: "Hall" }],
  ["/api/modules/text", 10, { name: "Text", content: "<p>Read.</p>" }],
  ["/api/modules/assignment", 10, { name: "Essay", content: "<p>Write.</p>", submission_type: "text" }],
  ["/api/badge/create", 8, { title: "Star", badgeIconUrl: "/assets/badge-star.svg" }],
  ["/api/gamification-event/create", 10, { name: "Done", type: "course_completed", points: 5 }],
  ["/api/membership/create", 8, { name: "Gold" }],
  ["/api/group/create", 9, { name: "Class" }],
  ["/api/portal/create", 12, { name: "Branch" }],
  ["/api/course/create", 18, { name: "Algebra" }],
]

describe("the rows written by a new record", () => {
  it.each(RECORDS)("are bounded: %s", async (path, most, body) => {
    const answer = await post(path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(cost(answer).written).toBeLessThanOrEqual(most)
  })
})

describe("the rows written by a sign-in", () => {
  it("are three, also on a day that awards points", async () => {
    const { email } = await user()
    const login = () => post("/login", { email, password: PASSWORD })
    expect(cost(await login()).written).toBe(3)
    await post("/api/gamification-event/create", { name: "Daily", type: "login", points: 3 })
    await post("/api/gamification-event/create", { name: "Daily too", type: "login", points: 4 })
    expect(cost(await login()).written).toBe(3)
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

it("a learner's list of modules reads each module of the course once, with the terms of its quizzes", async () => {
  const learner = await signedIn("general")
  const { id: quizId } = await module({ type: "quiz" })
  const { id: registrationId } = await enrollment(
    learner,
    await course({}, [{ moduleId: quizId }, ...Array(59).fill({})]),
  )
  const answer = await get(`/api/course/modules?registrationId=${registrationId}`, { token: learner.token })
  expect(answer.body).toHaveLength(60)
  expect(answer.body[0].quiz).toMatchObject({ questions: 0, attempts_used: 0 })
  // Its row in the course, and the module.
  expect(cost(answer).read).toBeLessThanOrEqual(2 * 60 + 20)
})
