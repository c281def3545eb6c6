import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it } from "vitest"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { groupCourseSeats } from "../../drizzle/schema/groups.ts"
import { submissions } from "../../drizzle/schema/submissions.ts"
import { webhooks } from "../../drizzle/schema/webhooks.ts"
import { DueStatus } from "../../drizzle/statuses.ts"
import { db, group, nextId, signedIn } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { call, cost, get } from "../helpers/client.ts"

afterEach(() => {
  env.ACADEMY_NAME = "Lectern"
})

const DAY = 86_400_000
const ago = (days: number) => Date.now() - days * DAY

describe("GET /api/home", () => {
  it("says what a new academy has set up", async () => {
    const owner = await signedIn("owner")
    const none = { current: 0, previous: 0 }
    const today = new Date().toISOString().slice(0, 10)
    const found = await get("/api/home", owner)
    expect(found.body).toEqual({
      setup: { isNamed: false, hasLogo: false, courses: 0, publishedCourses: 0, newestDraftId: null, users: 1 },
      period: { firstDay: new Date(ago(29)).toISOString().slice(0, 10), lastDay: today },
      enrolled: none,
      started: none,
      completed: none,
      overdue: 0,
      dueSoon: 0,
      toGrade: 0,
      failingWebhooks: 0,
      failedExports: 0,
      openSeats: 0,
      courses: [],
    })

    await call("PUT", "/api/settings", { body: { name: "Northwind", logoUrl: "https://example.org/a.png" }, ...owner })
    await course()
    await course({ status: "draft", createdAt: ago(2) })
    const draft = await course({ status: "draft", createdAt: ago(1) })
    await signedIn("general")
    expect((await get("/api/home", owner)).body.setup).toEqual({
      isNamed: true,
      hasLogo: true,
      courses: 3,
      publishedCourses: 1,
      newestDraftId: draft.id,
      users: 2,
    })
  })

  it("takes a name in the environment for the academy's own", async () => {
    env.ACADEMY_NAME = "Northwind"
    expect((await get("/api/home", await signedIn("staff"))).body.setup.isNamed).toBe(true)
  })

  it("compares the last 30 days with the 30 before, in one round trip", async () => {
    const staff = await signedIn("staff")
    const [algebra, logic] = [await course({ name: "Algebra" }), await course({ name: "Logic" })]
    const [ada, bo, cy] = [await signedIn("general"), await signedIn("general"), await signedIn("general")]
    const done = { status: "Completed", percent: 100 } as const
    await enrollment(ada, algebra, { ...done, registeredAt: ago(29), startedAt: ago(28), completedAt: ago(1) })
    await enrollment(bo, algebra, { registeredAt: ago(30) })
    await enrollment(cy, algebra, { registeredAt: ago(60) })
    await enrollment(ada, logic, { ...done, registeredAt: ago(40), startedAt: ago(39), completedAt: ago(31) })
    const found = await get("/api/home", staff)
    expect(cost(found).roundTrips).toBe(1)
    expect(found.body).toMatchObject({
      enrolled: { current: 1, previous: 2 },
      started: { current: 1, previous: 1 },
      completed: { current: 1, previous: 1 },
      courses: [
        { courseId: algebra.id, name: "Algebra", notStarted: 2, inProgress: 0, completed: 1 },
        { courseId: logic.id, name: "Logic", notStarted: 0, inProgress: 0, completed: 1 },
      ],
    })
  })

  it("counts what waits for staff", async () => {
    const [admin, staff, learner] = [await signedIn("admin"), await signedIn("staff"), await signedIn("general")]
    const essay = await module({ type: "assignment" })
    const poetry = await course({}, [{ moduleId: essay.id }])
    const due = { dueAt: 1, dueStatus: DueStatus.Overdue }
    const { id: enrollmentId } = await enrollment(learner, poetry, due)
    await db.insert(submissions).values({
      id: await nextId("submissions"),
      enrollmentId,
      courseId: poetry.id,
      moduleId: essay.id,
      statusRowId: 1,
      userId: learner.id,
      number: 1,
      status: "Submitted",
      submittedAt: 1,
    })
    const hook = { url: "https://example.org/hook", events: ["*"], secret: "s", position: 0, createdAt: 1 }
    await db.insert(webhooks).values([
      { ...hook, id: await nextId("webhooks"), failures: 3 },
      { ...hook, id: await nextId("webhooks"), enabled: false, offReason: "gone" },
      { ...hook, id: await nextId("webhooks") },
    ])
    const job = { kind: "users", callerType: "admin", filter: "{}", message: "", filename: "users.xlsx", createdAt: 1 }
    const failed = { ...job, status: "failed" } as const
    await db.insert(exportJobs).values([
      { ...failed, id: crypto.randomUUID(), callerId: admin.id, expiresAt: Date.now() + DAY },
      { ...failed, id: crypto.randomUUID(), callerId: admin.id, expiresAt: 1 },
      { ...failed, id: crypto.randomUUID(), callerId: staff.id, expiresAt: Date.now() + DAY },
      { ...failed, id: crypto.randomUUID(), callerId: staff.id, expiresAt: Date.now() + DAY },
    ])
    const team = await group({ members: [learner.id] })
    await db.insert(groupCourseSeats).values({ groupId: team.id, courseId: poetry.id, totalSeats: 4 })
    await enrollment(await signedIn("general"), poetry, { groupId: team.id })

    const waiting = { overdue: 1, dueSoon: 0, toGrade: 1, openSeats: 3 }
    expect((await get("/api/home", admin)).body).toMatchObject({ ...waiting, failingWebhooks: 2, failedExports: 1 })
    expect((await get("/api/home", staff)).body).toMatchObject({ ...waiting, failingWebhooks: null, failedExports: 2 })
    expect((await get("/api/home", learner)).status).toBe(403)
  })
})
