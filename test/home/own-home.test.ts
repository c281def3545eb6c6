import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, describe, expect, it } from "vitest"
import { announcements } from "../../drizzle/schema/announcements.ts"
import { classSessions } from "../../drizzle/schema/classes.ts"
import { userScores } from "../../drizzle/schema/leaderboard.ts"
import { DueStatus } from "../../drizzle/statuses.ts"
import { manyAnnouncements } from "../factories/announcements.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, nextId, portal, signedIn } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get } from "../helpers/client.ts"

afterEach(() => {
  env.ACCESS_POLICY = "documented"
})

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe("GET /api/me/home", () => {
  it("returns everything that a home screen shows in one round trip", async () => {
    const [learner, other] = [
      await signedIn("general", { firstName: "Ada", lastName: "Byron" }),
      await signedIn("staff"),
    ]
    await portal({ name: "North", members: [learner.id] })
    await db.insert(userScores).values({ userId: learner.id, points: 70, badgeCount: 2, ranked: true })
    const [intro, quiz, locked] = [
      await module({ name: "Intro" }),
      await module({ name: "Test", type: "quiz" }),
      await module({ name: "Essay", type: "assignment" }),
    ]
    const links = [{ moduleId: intro.id }, { moduleId: quiz.id }, { moduleId: locked.id, isLocked: true }]
    const algebra = await course({ name: "Algebra", featuredImageUrl: "https://example.org/a.png" }, links)
    const registeredAt = Date.now() - DAY
    const learning = await enrollment(learner, algebra, { registeredAt })
    await moduleStatus(learning.id, intro.id, { status: "Completed", percent: 100 })
    const empty = await course({ name: "Empty" })
    const expiresAt = Date.UTC(2090, 0, 1)
    const dueAt = Date.UTC(2079, 0, 1)
    const due = { dueAt, dueStatus: DueStatus.DueSoon }
    const later = await enrollment(learner, empty, { registeredAt: registeredAt - DAY, expiresAt, ...due })
    await enrollment(learner, await course({ name: "Done" }), { status: "Completed", percent: 100, timeSpent: 60 })
    const overdue = { dueAt: 1, dueStatus: DueStatus.Overdue }
    await enrollment(learner, await course({ name: "Draft", status: "draft" }), overdue)
    await enrollment(learner, await course({ name: "Expired" }), { registeredAt: 1, expiresAt: 2 })
    await enrollment(other, await course({ name: "Another learner's" }))

    const startAt = Date.UTC(2080, 0, 5, 12)
    const held = { startAt, endAt: startAt + HOUR, timeZone: "Europe/Berlin" }
    const welding = await classOf(await course({ name: "Welding" }), held)
    const seat = await classEnrollment(learner, welding)
    await classEnrollment(learner, await classOf(await course(), { startAt: 1, endAt: 2 }))
    await classEnrollment(learner, await classOf(await course()), { status: "Cancelled" })
    await classEnrollment(learner, await classOf(await course(), { disabled: true }))
    await manyAnnouncements(1, 7)
    await manyAnnouncements(11, 1, { userId: learner.id })
    await manyAnnouncements(21, 1, { userId: other.id })

    const answer = await get("/api/me/home", learner)
    expect([answer.status, cost(answer).roundTrips]).toEqual([200, 1])
    const news = (id: number) => ({
      id,
      heading: `News ${id}.0`,
      content: "<p>Text</p>",
      createdAt: new Date(id * 60_000).toISOString(),
    })
    expect(answer.body).toEqual({
      user: { id: learner.id, firstName: "Ada", lastName: "Byron", avatar: "AB", academy: "North" },
      points: 70,
      badges: 2,
      statistics: { notStarted: 3, inProgress: 1, completed: 1, overdue: 1, dueSoon: 1, secondsSpent: 60 },
      courses: [
        {
          registrationId: learning.id,
          courseId: algebra.id,
          name: "Algebra",
          featuredImageUrl: "https://example.org/a.png",
          status: "In Progress",
          percentComplete: 33,
          expiresAt: null,
          dueAt: null,
          dueStatus: null,
          next: { moduleId: quiz.id, name: "Test", type: "quiz" },
        },
        {
          registrationId: later.id,
          courseId: empty.id,
          name: "Empty",
          featuredImageUrl: null,
          status: "Not Started",
          percentComplete: 0,
          expiresAt: new Date(expiresAt).toISOString(),
          dueAt: new Date(dueAt).toISOString(),
          dueStatus: "due_soon",
          next: null,
        },
      ],
      tasks: [
        {
          registrationId: learning.id,
          courseId: algebra.id,
          moduleId: quiz.id,
          name: "Test",
          type: "quiz",
          status: "Not Started",
        },
      ],
      sessions: [
        {
          registrationId: seat.id,
          classId: welding.id,
          courseName: "Welding",
          location: "",
          timeZone: "Europe/Berlin",
          startsAt: new Date(startAt).toISOString(),
          endsAt: new Date(startAt + HOUR).toISOString(),
        },
      ],
      announcements: [news(11), news(7), news(6)],
    })
  })

  it("reads no more rows in a large academy, and returns at most 4 courses and 5 sessions", async () => {
    const learner = await signedIn("general")
    for (let at = 0; at < 4; at++) await enrollment(learner, await course({}, [{}]))
    const recurring = await classOf(await course(), { endAt: Date.now() + 10 * DAY })
    await classEnrollment(learner, recurring)
    const before = cost(await get("/api/me/home", learner)).read
    await manyAnnouncements(1, 300)
    const stranger = await signedIn("general")
    for (let at = 0; at < 20; at++) await enrollment(stranger, await course({}, [{}]))
    await enrollment(learner, await course({}, [{}]))
    for (let day = 2; day < 9; day++) {
      const startAt = Date.now() + day * DAY
      const session = { classId: recurring.id, courseId: recurring.courseId, startAt, endAt: startAt + HOUR }
      await db.insert(classSessions).values({ id: await nextId("class_sessions"), ...session })
    }
    const answer = await get("/api/me/home", learner)
    expect(cost(answer).read).toBeLessThan(before + 120)
    expect([answer.body.courses.length, answer.body.sessions.length]).toEqual([4, 5])
  })

  it("returns 304 without a body until something that it shows changes", async () => {
    const learner = await signedIn("general")
    await manyAnnouncements(1, 1)
    const first = await get("/api/me/home", learner)
    const etag = first.headers.get("etag") ?? ""
    expect(etag).toMatch(/^W\/"[\w-]+"$/)
    const { token } = learner
    const again = await get("/api/me/home", { token, headers: { "if-none-match": etag } })
    expect([again.status, again.body, again.headers.get("etag"), cost(again).roundTrips]).toEqual([304, "", etag, 1])
    // A change by someone else shows at once: nothing is answered from a version that could be stale.
    await db.update(announcements).set({ heading: "Changed" }).where(eq(announcements.id, 1))
    const changed = await get("/api/me/home", { token, headers: { "if-none-match": etag } })
    expect([changed.status, changed.body.announcements[0].heading]).toEqual([200, "Changed"])
    expect(changed.headers.get("cache-control")).toBe("private, no-cache")
  })

  it("is for users: 302 without a credential, 403 for an API key", async () => {
    expect((await get("/api/me/home")).status).toBe(302)
    const key = await apiKey({ role: "owner" })
    const refused = await get("/api/me/home", key)
    expect([refused.status, refused.body.code]).toEqual([403, "user_session_required"])
  })
})

describe("GET of a home screen's data", () => {
  it("returns 304 for the profile, courses, classes, dashboard and announcements that have not changed", async () => {
    const learner = await signedIn("general")
    await enrollment(learner, await course())
    const { id, token } = learner
    const page = "page_size=20&page_number=1"
    for (const path of [
      "/api/me",
      `/api/user/${id}`,
      `/api/users/enrolled-courses?user_id=${id}&${page}`,
      `/api/users/enrolled-classes?${page}`,
      "/api/users/class-sessions?dates=2026-01-01,2026-02-01",
      "/api/user/dashboard/statistics",
      `/api/student/announcements?${page}`,
    ]) {
      const first = await get(path, { token })
      expect(first.status, path).toBe(200)
      const headers = { "if-none-match": first.headers.get("etag") ?? "" }
      const again = await get(path, { token, headers })
      expect([again.status, again.body], path).toEqual([304, ""])
    }
  })
})
