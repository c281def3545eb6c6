import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it } from "vitest"
import { manyAnnouncements } from "../factories/announcements.ts"
import { certificate, template } from "../factories/certificates.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { PASSWORD, portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { call, cookieOf, cost, get, post } from "../helpers/client.ts"

afterEach(() => {
  env.APP_URL = ""
  env.ACCESS_POLICY = "documented"
})

const signInByForm = (email: string, more = {}) =>
  call("POST", "/login", {
    body: new URLSearchParams({ email, password: PASSWORD, ...more }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  })

describe("GET /learn", () => {
  it("shows the caller's courses, certificates, upcoming classes and announcements in one round trip", async () => {
    const [learner, other] = [await signedIn("general", { firstName: "Ada <b>" }), await signedIn("general")]
    const [algebra, logic] = [await course({ name: "Algebra", slug: "algebra" }), await course({ name: "Logic" })]
    await enrollment(learner, algebra, { status: "In Progress", percent: 50 })
    await enrollment(other, logic)
    const diploma = await template()
    const earned = { code: "A".repeat(24), courseName: "Safety" }
    await certificate(learner.id, diploma.id, earned)
    await certificate(learner.id, diploma.id, { courseName: "Fire", revokedAt: 1 })
    await certificate(other.id, diploma.id, { courseName: "Poetry" })
    const startAt = Date.UTC(2040, 0, 5, 12)
    const times = { startAt, endAt: startAt + 3_600_000, timeZone: "Europe/Berlin" }
    await classEnrollment(learner, await classOf(await course({ name: "Welding" }), times))
    await classEnrollment(learner, await classOf(await course({ name: "Over" }), { startAt: 1, endAt: 2 }))
    await classEnrollment(learner, await classOf(await course({ name: "Given up" })), { status: "Cancelled" })
    await manyAnnouncements(1, 7)
    await manyAnnouncements(11, 1, { userId: learner.id })
    await manyAnnouncements(21, 1, { userId: other.id })

    const page = await get("/learn", { headers: cookieOf(learner.token) })
    expect(page.status).toBe(200)
    expect(cost(page).roundTrips).toBe(1)
    for (const text of [
      "Welcome back, Ada &lt;b&gt;",
      '<a href="/course/algebra">Algebra</a><span>In Progress, 50% complete</span>',
      `<a href="/certificate/${"A".repeat(24)}">Safety</a>`,
      "Welding</span><span>Jan 05, 2040 01:00 PM to Jan 05, 2040 02:00 PM (Europe/Berlin)</span>",
      "<h3>News 11",
      "<h3>News 7",
      "<h3>News 4",
      "Sign out",
    ])
      expect(page.body).toContain(text)
    for (const text of ["Logic", "Fire", "Poetry", "Over", "Given up", "News 21", "<h3>News 3", "<script"])
      expect(page.body).not.toContain(text)
  })

  it("shows a message without courses and the name of the learner's portal", async () => {
    const learner = await signedIn("general")
    await portal({ name: "North", members: [learner.id] })
    const { body } = await get("/learn", learner)
    expect(body).toContain("You&#39;re not enrolled in any courses yet.")
    expect(body).toContain("<title>My learning · North</title>")
  })

  it("reads no more rows in a large academy", async () => {
    const learner = await signedIn("general")
    const before = cost(await get("/learn", learner)).read
    await manyAnnouncements(1, 300)
    expect(cost(await get("/learn", learner)).read).toBeLessThan(before + 40)
  })

  it("redirects signed-out visitors to the sign-in page and back", async () => {
    const response = await get("/learn")
    expect([response.status, response.headers.get("location")]).toEqual([302, "/login?next=%2Flearn"])
  })
})

describe("sign-in with the form without next", () => {
  it("redirects learners and staff to the console", async () => {
    for (const [userType, to] of [
      ["general", "/console"],
      ["group_admin", "/console"],
      ["portal_admin", "/console"],
      ["staff", "/console"],
      ["owner", "/console"],
    ] as const) {
      const { email } = await user({ userType })
      expect((await signInByForm(email)).headers.get("location"), userType).toBe(to)
    }
  })

  it("redirects learners to APP_URL if it is set, and to next if it is present", async () => {
    env.APP_URL = "https://app.example.org"
    const { email } = await user()
    expect((await signInByForm(email)).headers.get("location")).toBe("https://app.example.org")
    expect((await signInByForm(email, { next: "/course/a" })).headers.get("location")).toBe("/course/a")
    const staff = await user({ userType: "staff" })
    expect((await signInByForm(staff.email)).headers.get("location")).toBe("/console")
  })
})

describe("GET /", () => {
  const leadsTo = async (headers = {}) => (await get("/", { headers })).headers.get("location")

  it("redirects signed-in users to their start page, and others to what they can see", async () => {
    const [learner, staff] = [await signedIn("general"), await signedIn("staff")]
    expect(await leadsTo(cookieOf(learner.token))).toBe("/console")
    expect(await leadsTo(cookieOf(staff.token))).toBe("/console")
    expect(await leadsTo()).toBe("/docs")
    env.ACCESS_POLICY = "enforced"
    expect(await leadsTo()).toBe("/login")
    await post("/logout", {}, { token: learner.token })
    expect(await leadsTo(cookieOf(learner.token))).toBe("/login")
  })
})

describe("GET /console", () => {
  it("serves one document without inline scripts and styles at every console address", async () => {
    const staff = await signedIn("staff")
    const headers = cookieOf(staff.token)
    const page = await get("/console", { headers })
    expect(page.status).toBe(200)
    expect(page.body).toContain('<script type="module" crossorigin src="/assets/console/')
    expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https:; " +
        "form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'; connect-src 'self'; font-src 'self'; " +
        "manifest-src 'self'; media-src 'self' blob:; worker-src 'self'; " +
        "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com https://content.lectern.test",
    )
    for (const path of ["/console/", "/console/users/7"]) expect((await get(path, { headers })).body).toBe(page.body)
    expect(cost(page).roundTrips).toBe(0)
  })

  it("redirects signed-out visitors to the sign-in page, and back to the same view", async () => {
    const response = await get("/console/users?nameOrEmail=ada&page=2.x")
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "/login?next=%2Fconsole%2Fusers%3FnameOrEmail%3Dada%26page%3D2.x",
    ])
  })
})
