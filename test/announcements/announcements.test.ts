import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { beforeEach, describe, expect, it, vi } from "vitest"
import {
  announcementCourses,
  announcementPortals,
  announcements,
  announcementUsers,
} from "../../drizzle/schema/announcements.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { portalMembers } from "../../drizzle/schema/portals.ts"
import { openDatabase } from "../../src/db/client.ts"
import { markExpiredAnnouncements } from "../../src/modules/announcements/announcement-lists.queries.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { manyAnnouncements } from "../factories/announcements.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { type CallOptions, cost, get, post, put, query } from "../helpers/client.ts"
import { delivered, postOffice } from "../helpers/mailbox.ts"
import { messages } from "../helpers/queues.ts"

const NEWS = { heading: "Exam dates", content: "<p>They are out.</p>", sending_rules: "all" }
const TOMORROW = () => new Date(Date.now() + 86_400_000).toISOString()

const create = async (input: object = {}, options?: CallOptions) => {
  const response = await post("/api/announcement", { ...NEWS, ...input }, options)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body.id as number
}
const list = (input = {}, options?: CallOptions) =>
  get(`/api/announcement/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`, options)
const studentAnnouncements = (options?: CallOptions, input = {}) =>
  get(`/api/student/announcements${query({ page_size: 10, page_number: 1, ...input })}`, options)
const headings = (response: Awaited<ReturnType<typeof studentAnnouncements>>) =>
  response.body.records.map((row: { heading: string }) => row.heading)
/** The ids of users with an email, in order. */
const mailed = async () => (await rowsOf(outbox)).map((row) => row.userId).sort((a, b) => Number(a) - Number(b))
const withdrawMail = () => db.delete(mailings)

describe("POST /api/announcement", () => {
  it("creates an announcement with an audit row and emails each enabled user once", async () => {
    const staff = await signedIn("staff", { firstName: "Ada", lastName: "Byron" })
    const learner = await user({ firstName: "Eva", email: "eva@example.com" })
    await user({ disabled: true })
    const content = `<h2>Dates</h2><p onclick="x()">Out <a href="/docs">here</a>.</p><script>alert(1)</script>`
    const created = await post("/api/announcement", { ...NEWS, content, expiry: "2030-01-05" }, staff)
    expect(created.status).toBe(200)
    expect(created.body).toEqual({ id: 1, message: "Announcement created." })
    expect(cost(created).roundTrips).toBe(2)
    const clean = `<h2>Dates</h2><p>Out <a href="/docs">here</a>.</p>&lt;script&gt;alert(1)&lt;/script&gt;`
    expect(await rowsOf(announcements)).toMatchObject([
      { heading: "Exam dates", content: clean, sendingRules: "all", authorId: staff.id, state: "everyone" },
    ])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "announcement", subjectId: 1, effectOn: "Exam dates", performedBy: staff.id },
    ])
    expect(await mailed()).toEqual([staff.id, learner.id])
    expect(messages.MAIL).toHaveLength(1)
    const sent = await delivered()
    const mail = sent.find(({ to }) => to === "eva@example.com")
    expect(mail).toMatchObject({ subject: "Exam dates" })
    expect(mail?.text).toContain("Hello Eva,\n\nDates\nOut here (https://lectern.test/docs).")
    expect(mail?.html).toContain(`<h2>Dates</h2><p>Out <a href="https://lectern.test/docs">here</a>.</p>`)
  })

  it("emails the selected users or the users of a course, optionally only members of portals", async () => {
    const people = [await user(), await user(), await user(), await user({ disabled: true })] as const
    const [ada, bob, eve, disabled] = people
    const algebra = await course()
    for (const person of [bob, eve, disabled]) await enrollment(person, algebra)
    const north = await portal({ name: "North", members: [ada.id, bob.id, disabled.id] })
    const south = await portal({ members: [eve.id] })
    const mailedBy = async (input: object) => {
      await withdrawMail()
      await create(input)
      return mailed()
    }
    const named = { sending_rules: "specific_users", user_ids: people.map(({ id }) => id) }
    const ofCourse = { sending_rules: "specific_course_users", course_ids: [algebra.id] }
    expect(await mailedBy(named)).toEqual([ada.id, bob.id, eve.id])
    expect(await mailedBy(ofCourse)).toEqual([bob.id, eve.id])
    expect(await mailedBy({ ...named, portal_ids: [north.id] })).toEqual([ada.id, bob.id])
    expect(await rowsOf(mailings)).toMatchObject([{ kind: "announcement", portalId: north.id }])
    expect(await mailedBy({ ...ofCourse, portalId: north.id })).toEqual([bob.id])
    expect(await mailedBy({ portal_ids: [north.id], portalId: south.id })).toEqual([ada.id, bob.id, eve.id])
    expect(await rowsOf(mailings)).toMatchObject([{ portalId: null }])
  })

  it("reports invalid input by field and records nothing", async () => {
    const past = new Date(Date.now() - 1000).toISOString()
    const wrong: [object, string, string][] = [
      [{ heading: " " }, "heading", "heading"],
      [{ content: "" }, "content", "content"],
      [{ content: "<p> </p><br>" }, "content", "is required as HTML"],
      [{ sending_rules: "everybody" }, "sending_rules", "sending_rules"],
      [{ expiry: past }, "expiry", "must be in the future"],
      [{ expiry: "soon" }, "expiry", "must be a date"],
      [{ sending_rules: "specific_users" }, "user_ids", "select at least one user"],
      [{ sending_rules: "specific_users", user_ids: [] }, "user_ids", "select at least one user"],
      [{ sending_rules: "specific_users", user_ids: [98, 99] }, "user_ids", "do not exist: 98, 99"],
      [{ sending_rules: "specific_course_users" }, "course_ids", "select at least one course"],
      [{ sending_rules: "specific_course_users", course_ids: [7] }, "course_ids", "do not exist: 7"],
      [{ portal_ids: [5] }, "portal_ids", "do not exist: 5"],
    ]
    for (const [input, field, message] of wrong) {
      const response = await post("/api/announcement", { ...NEWS, ...input })
      expect(response.status, JSON.stringify(input)).toBe(422)
      expect(response.body.errors[field]?.[0], JSON.stringify(response.body)).toContain(message)
    }
    expect((await post("/api/announcement", { ...NEWS, portalId: 6 })).status).toBe(404)
    expect(await rowsOf(announcements)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
    expect(await rowsOf(outbox)).toEqual([])
  })

  it("ignores ids of the other rule and accepts lists in every format", async () => {
    const ada = await user()
    const id = await create({ sending_rules: "specific_users", user_ids: `[${ada.id}]`, course_ids: "[]", expiry: "" })
    expect((await get(`/api/announcement/${id}`)).body).toEqual({
      id,
      heading: "Exam dates",
      content: "<p>They are out.</p>",
      sending_rules: "specific_users",
      expiry: null,
      user_ids: [ada.id],
      course_ids: [],
      portal_ids: [],
    })
    await create({ user_ids: [ada.id], course_ids: [999], id: 0 })
    expect(await rowsOf(announcementUsers)).toHaveLength(1)
  })

  it("updates the announcement with the given id, like PUT", async () => {
    const id = await create()
    await withdrawMail()
    const again = await post("/api/announcement", { ...NEWS, heading: "New dates", id })
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ id, message: "Announcement updated." })
    expect(await rowsOf(announcements)).toMatchObject([{ id, heading: "New dates", version: 2 }])
    expect(await rowsOf(outbox)).toEqual([])
    expect((await post("/api/announcement", { ...NEWS, id: 99 })).status).toBe(404)
  })

  it("returns the first response for a repeated Idempotency-Key and sends no second email", async () => {
    await user()
    const headers = { "idempotency-key": "news-1" }
    const first = await post("/api/announcement", NEWS, { headers })
    const again = await post("/api/announcement", NEWS, { headers })
    expect(again.body).toEqual(first.body)
    expect(await rowsOf(announcements)).toHaveLength(1)
    expect(await mailed()).toHaveLength(1)
  })

  it("takes two round trips for 500 selected users and for all 5,000 users, who all get an email", async () => {
    const { passwordHash } = await user()
    await db.run(
      sql`
        insert into users (id, first_name, email, user_type, password_hash, search_text, created_at)
        with recursive n(i) as (values(2) union all select i + 1 from n where i < 5000)
        select i, 'U', 'u' || i || '@example.com', 'general', ${passwordHash}, 'u', 0
        from n`,
    )
    const user_ids = Array.from({ length: 500 }, (_, i) => i + 1)
    const named = await post("/api/announcement", { ...NEWS, sending_rules: "specific_users", user_ids })
    expect(cost(named).roundTrips).toBe(2)
    expect(await rowsOf(outbox)).toHaveLength(500)
    expect(messages.MAIL).toHaveLength(20)
    expect((await list()).body.records[0].sent_to).toBe("500 users")
    const alone = await post("/api/announcement", { ...NEWS, sending_rules: "specific_users", user_ids: [7] })
    expect(cost(alone).read).toBeLessThan(100)
    expect((await post("/api/announcement/delete", { delete_ids: [2] })).status).toBe(200)
    const all = await post("/api/announcement", NEWS)
    expect(cost(all).roundTrips).toBe(2)
    await runJobs()
    expect(await rowsOf(outbox)).toHaveLength(5500)
    expect(messages.MAIL).toHaveLength(221)
    // A page of the list reads no users and no links.
    const page = await list()
    expect(cost(page).roundTrips).toBe(1)
    expect(cost(page).read).toBeLessThan(60)
    const changed = await put("/api/announcement/1", { user_ids: user_ids.map((id) => id + 250) })
    expect(cost(changed).roundTrips).toBe(2)
    expect(await rowsOf(outbox)).toHaveLength(5750)
    expect((await list({ order_by: "id" })).body.records[0].sent_to).toBe("500 users")
  })
})

describe("GET /api/student/announcements", () => {
  it("lists the caller's announcements, newest first, by the current audience", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 12) })
    const staff = await signedIn("staff", { firstName: "Ada", lastName: "Byron" })
    const learner = await signedIn("general", { firstName: "Eva", lastName: "Moon" })
    const other = await user()
    const algebra = await course()
    const north = await portal({ members: [learner.id] })
    const south = await portal({ members: [other.id] })
    let minute = 0
    const at = async (heading: string, input: object = {}) => {
      vi.setSystemTime(Date.UTC(2026, 0, 5, 12, ++minute))
      return create({ heading, ...input }, staff)
    }
    await at("For all")
    await at("For Eva", { sending_rules: "specific_users", user_ids: [learner.id, other.id] })
    await at("For another", { sending_rules: "specific_users", user_ids: [other.id] })
    const ofCourse = { sending_rules: "specific_course_users", course_ids: [algebra.id] }
    await at("For Algebra", ofCourse)
    await at("For North", { portal_ids: [north.id, south.id] })
    await at("For South", { portal_ids: [south.id] })
    await at("For Eva in South", { sending_rules: "specific_users", user_ids: [learner.id], portal_ids: [south.id] })
    await at("For Algebra in North", { ...ofCourse, portalId: north.id })

    const before = await studentAnnouncements(learner)
    expect(before.body).toEqual({
      avatar: "EM",
      recordsTotal: 3,
      recordsFiltered: 3,
      records: [
        {
          id: 5,
          heading: "For North",
          author: "Ada Byron",
          content: "<p>They are out.</p>",
          created_at: "Jan 05, 2026",
          createdAt: "2026-01-05T12:05:00.000Z",
        },
        expect.objectContaining({ heading: "For Eva" }),
        expect.objectContaining({ heading: "For all" }),
      ],
    })
    expect(cost(before).roundTrips).toBe(1)

    await enrollment(learner, algebra)
    expect(headings(await studentAnnouncements(learner))).toEqual([
      "For Algebra in North",
      "For North",
      "For Algebra",
      "For Eva",
      "For all",
    ])
    expect((await studentAnnouncements(learner)).body).toMatchObject({ recordsTotal: 5, recordsFiltered: 5 })
    await db.delete(portalMembers)
    expect(headings(await studentAnnouncements(learner))).toEqual(["For Algebra", "For Eva", "For all"])
    await db.delete(enrollments)
    expect(headings(await studentAnnouncements(learner))).toEqual(["For Eva", "For all"])
    expect((await studentAnnouncements(learner)).body.recordsTotal).toBe(2)
  })

  it("searches headings, sorts, and pages by cursor through all of the caller's announcements", async () => {
    const learner = await signedIn("general")
    const other = await user()
    const algebra = await course()
    const botany = await course()
    await enrollment(learner, algebra)
    await enrollment(learner, botany)
    const mine = { sending_rules: "specific_users", user_ids: [learner.id] }
    const ofBoth = { sending_rules: "specific_course_users", course_ids: [algebra.id, botany.id] }
    for (const [i, rule] of [{}, mine, ofBoth, {}, mine, ofBoth, {}].entries())
      await create({ heading: `Exam ${"gfedcba"[i]}`, ...rule })
    await create({ heading: "Exam secret", sending_rules: "specific_users", user_ids: [other.id] })
    for (const [order_by, wanted] of [
      [{ colName: "heading", direction: "asc" }, "abcdefg"],
      [{ colName: "heading", direction: "desc" }, "gfedcba"],
      [{ colName: "id", direction: "asc" }, "gfedcba"],
      [{ colName: "created_at", direction: "desc" }, "abcdefg"],
    ] as const) {
      let path: string | undefined = `/api/student/announcements${query({ page_size: 2, page_number: 1, order_by })}`
      const seen: string[] = []
      while (path) {
        const response: Awaited<ReturnType<typeof studentAnnouncements>> = await get(path, learner)
        expect(response.body).toMatchObject({ recordsTotal: 7, recordsFiltered: 7 })
        seen.push(...headings(response))
        path = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
      }
      expect(seen.map((heading) => heading.at(-1)).join("")).toBe(wanted)
    }
    const found = await studentAnnouncements(learner, { search_param: { heading: "XAM C" } })
    expect(found.body).toMatchObject({ recordsTotal: 7, recordsFiltered: 1, records: [{ heading: "Exam c" }] })
    expect((await studentAnnouncements(learner, { search_param: { heading: "secret" } })).body).toMatchObject({
      recordsTotal: 7,
      recordsFiltered: 0,
      records: [],
    })
  })

  it("hides expired announcements immediately, before and after the cron marks them", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 12) })
    const learner = await signedIn("general")
    const algebra = await course()
    await enrollment(learner, algebra)
    const expiry = "2026-01-05 13:00"
    await create({ heading: "Stays" })
    await create({ heading: "All", expiry })
    await create({ heading: "Eva", expiry, sending_rules: "specific_users", user_ids: [learner.id] })
    await create({ heading: "Algebra", expiry, sending_rules: "specific_course_users", course_ids: [algebra.id] })
    const search = { search_param: { heading: "al" } }
    expect((await studentAnnouncements(learner)).body.recordsTotal).toBe(4)
    expect((await studentAnnouncements(learner, search)).body.recordsFiltered).toBe(2)
    expect((await get("/api/announcement/2", learner)).body).toEqual({
      id: 2,
      heading: "All",
      content: "<p>They are out.</p>",
      sending_rules: "all",
      expiry: "2026-01-05T13:00:00.000Z",
    })
    vi.setSystemTime(Date.UTC(2026, 0, 5, 13))
    const expectHidden = async () => {
      expect((await studentAnnouncements(learner)).body).toMatchObject({
        recordsTotal: 1,
        records: [{ heading: "Stays" }],
      })
      expect((await studentAnnouncements(learner, search)).body).toMatchObject({ recordsFiltered: 0 })
      expect((await studentAnnouncements()).body).toMatchObject({
        avatar: "",
        recordsTotal: 1,
        records: [{ heading: "Stays" }],
      })
      expect((await get("/api/announcement/2", learner)).status).toBe(404)
      expect((await list()).body.recordsTotal).toBe(4)
      expect((await list()).body.records).toHaveLength(4)
    }
    await expectHidden()
    await markExpiredAnnouncements(openDatabase(env.DB, "first-primary"))
    expect((await rowsOf(announcements)).map((row) => row.state)).toEqual(["everyone", "ended", "ended", "ended"])
    await expectHidden()
    // Expired announcements can be updated and shown again.
    await withdrawMail()
    expect((await put("/api/announcement/2", { heading: "All of it", expiry })).status).toBe(201)
    expect((await put("/api/announcement/3", { expiry: null })).status).toBe(201)
    expect((await put("/api/announcement/4", { expiry: "2026-01-05 12:59" })).body.errors).toHaveProperty("expiry")
    expect(headings(await studentAnnouncements(learner)).toSorted()).toEqual(["Eva", "Stays"])
    expect((await studentAnnouncements(learner)).body.recordsTotal).toBe(2)
    expect(await rowsOf(outbox)).toEqual([])
  })

  it("filters by portal, for its members only", async () => {
    const learner = await signedIn("general")
    const north = await portal({ members: [learner.id] })
    const south = await portal()
    await create({ heading: "All" })
    await create({ heading: "North", portal_ids: [north.id] })
    await create({ heading: "Both", portal_ids: [north.id, south.id] })
    const inNorth = await studentAnnouncements(learner, { portalId: north.id, viewType: "grid" })
    expect(headings(inNorth).toSorted()).toEqual(["Both", "North"])
    expect(inNorth.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 })
    expect((await studentAnnouncements(learner, { portalId: south.id })).status).toBe(404)
    expect(headings(await list({ portalId: south.id }))).toEqual(["Both"])
    expect((await studentAnnouncements(learner, { viewType: "x".repeat(51) })).body.errors).toHaveProperty("viewType")
  })

  it("reads no more rows with more announcements, for everyone or for others", async () => {
    const learner = await signedIn("general")
    const other = await user()
    await manyAnnouncements(1, 2000)
    await manyAnnouncements(2001, 2000, { userId: other.id })
    await manyAnnouncements(4001, 5, { userId: learner.id })
    for (const order of ["id", "heading", "created_at"]) {
      const order_by = { colName: order, direction: "desc" }
      const page = await studentAnnouncements(learner, { order_by })
      expect(page.body).toMatchObject({ recordsTotal: 2005, recordsFiltered: 2005 })
      expect(cost(page).roundTrips).toBe(1)
      expect(cost(page).read, order).toBeLessThan(200)
      const deep = /<([^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? ""
      expect(cost(await get(deep, learner)).read, `${order}, page 2`).toBeLessThan(250)
      const staff = await list({ order_by })
      expect(staff.body.recordsTotal).toBe(4005)
      expect(cost(staff).read, `${order}, staff`).toBeLessThan(200)
      const anonymous = await studentAnnouncements({}, { order_by })
      expect(anonymous.body.recordsTotal).toBe(4005)
      expect(cost(anonymous).read, `${order}, anonymous`).toBeLessThan(200)
    }
  })
})

describe("announcements of a learner's courses", () => {
  it("are read by their links only, without duplicates and without expired ones", async () => {
    const learner = await signedIn("general")
    const courses = []
    for (let i = 0; i < 20; i++) {
      const { id } = await course()
      await enrollment(learner, { id })
      courses.push(id)
    }
    const ofCourses = { sending_rules: "specific_course_users", course_ids: courses }
    for (let i = 0; i < 5; i++) await create(ofCourses)
    const before = await studentAnnouncements(learner)
    expect(before.body).toMatchObject({ recordsTotal: 5, recordsFiltered: 5 })
    await db.run(
      sql`
        insert into ${announcements} (id, heading, content, sending_rules, limited_to_portals, state, expires_at,
          search_text, created_at)
        with recursive n(i) as (values(100) union all select i + 1 from n where i < 599)
        select i, 'Old', 'x', 'specific_course_users', 0, 'ended', 1, 'old', 0
        from n`,
    )
    await db.run(
      sql`
        insert into ${announcementCourses} (announcement_id, course_id, shown_until)
        select id, ${courses[0]}, expires_at
        from ${announcements}
        where expires_at = 1`,
    )
    const after = await studentAnnouncements(learner)
    expect(after.body).toEqual(before.body)
    expect(cost(after).read).toBeLessThan(cost(before).read + 20)
  })
})

describe("PUT /api/announcement/{id}", () => {
  let ada: Awaited<ReturnType<typeof user>>
  let bob: Awaited<ReturnType<typeof user>>
  beforeEach(async () => {
    ada = await user()
    bob = await user()
  })

  it("returns 201, changes the audience, and emails only new users in it", async () => {
    const algebra = await course()
    await enrollment(bob, algebra)
    const id = await create({ sending_rules: "specific_users", user_ids: [ada.id] })
    expect(await mailed()).toEqual([ada.id])
    const changed = await put(`/api/announcement/${id}`, { user_ids: [ada.id, bob.id], expiry: TOMORROW() })
    expect(changed.status).toBe(201)
    expect(changed.body).toEqual({ id, message: "Announcement updated." })
    expect(cost(changed).roundTrips).toBe(2)
    expect(await mailed()).toEqual([ada.id, bob.id])
    expect((await rowsOf(announcementUsers)).map((row) => row.userId)).toEqual([ada.id, bob.id])
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({ action: "updated", details: { user_ids: [1, 2] } })

    // Much later, when the emails are deleted, earlier recipients still get no second email.
    await withdrawMail()
    await put(`/api/announcement/${id}`, { sending_rules: "specific_course_users", course_ids: [algebra.id] })
    expect(await mailed()).toEqual([])
    expect(await rowsOf(announcementUsers)).toEqual([])
    expect(await rowsOf(announcementCourses)).toMatchObject([{ courseId: algebra.id }])
    await put(`/api/announcement/${id}`, { sending_rules: "all" })
    expect(await mailed()).toEqual([ada.id])
    expect(await rowsOf(announcements)).toMatchObject([{ state: "everyone", userCount: 0, version: 4 }])
  })

  it("emails nobody for a new text, a smaller audience or no change, and returns the same message", async () => {
    const id = await create({ sending_rules: "specific_users", user_ids: [ada.id, bob.id] })
    await withdrawMail()
    const north = await portal({ members: [ada.id] })
    for (const change of [{ content: "<p>Corrected</p>" }, { user_ids: [bob.id, ada.id] }, { portal_ids: [north.id] }])
      expect((await put(`/api/announcement/${id}`, change)).status).toBe(201)
    expect((await put(`/api/announcement/${id}`, { user_ids: [ada.id] })).body.message).toBe("Announcement updated.")
    expect(await mailed()).toEqual([])
    const [row] = await rowsOf(announcements)
    expect(row).toMatchObject({ limitedToPortals: true, userCount: 1, version: 4 })
    await put(`/api/announcement/${id}`, { portal_ids: [], user_ids: [ada.id, bob.id] })
    expect(await mailed()).toEqual([bob.id])
    expect(await rowsOf(announcementPortals)).toEqual([])
  })

  it("dispatches enough messages if an unchanged portal or course restricts the audience", async () => {
    const north = await portal({ members: [ada.id, bob.id] })
    const id = await create({ sending_rules: "specific_users", user_ids: [ada.id], portal_ids: [north.id] })
    messages.MAIL.length = 0
    await put(`/api/announcement/${id}`, { user_ids: [ada.id, bob.id] })
    expect(await mailed()).toEqual([ada.id, bob.id])
    expect(messages.MAIL).toHaveLength(1)
  })

  it("rejects a rule without its ids, unknown ids and a concurrent change, and changes nothing", async () => {
    const id = await create()
    const path = `/api/announcement/${id}`
    const etag = (await get(path)).headers.get("etag") ?? ""
    expect((await put(path, { sending_rules: "specific_users" })).body.errors).toHaveProperty("user_ids")
    expect((await put(path, { sending_rules: "specific_users", user_ids: [99] })).status).toBe(422)
    expect((await put(path, { portal_ids: [99] })).body.errors).toHaveProperty("portal_ids")
    expect((await put(path, { content: "<p></p>" })).body.errors).toHaveProperty("content")
    expect((await put("/api/announcement/99", { heading: "X" })).status).toBe(404)
    expect(await rowsOf(announcements)).toMatchObject([{ heading: "Exam dates", version: 1 }])
    expect((await put(path, { heading: "A" }, { headers: { "if-match": etag } })).status).toBe(201)
    expect((await put(path, { heading: "B" }, { headers: { "if-match": etag } })).status).toBe(412)
    const headers = { "idempotency-key": "change-1" }
    expect((await put(path, { heading: "C" }, { headers })).status).toBe(201)
    expect((await put(path, { heading: "C" }, { headers })).status).toBe(201)
    expect(await rowsOf(announcements)).toMatchObject([{ heading: "C", version: 3 }])
  })
})

describe("announcements", () => {
  it("are listed with their audience and found by a part of the heading", async () => {
    const staff = await signedIn("staff", { firstName: "Ada", lastName: "Byron" })
    const people = [await user(), await user(), await user()]
    const names = ["Algebra", "Botany", "Chemistry", "Drawing", "Ethics", "French"]
    const courses = []
    for (const name of names) courses.push((await course({ name })).id)
    const north = await portal({ name: "North" })
    const south = await portal({ name: "South" })
    await create({ heading: "One" }, staff)
    await create({ heading: "Two", portal_ids: [north.id, south.id] })
    const user_ids = people.map(({ id }) => id)
    await create({ heading: "Three", sending_rules: "specific_users", user_ids, portalId: south.id })
    await create({ heading: "Four", sending_rules: "specific_course_users", course_ids: courses.slice(0, 2) })
    await create({ heading: "Five", sending_rules: "specific_course_users", course_ids: courses })
    const response = await list({ order_by: { colName: "id", direction: "asc" } }, staff)
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body.records.map((row: { sent_to: string; rules: string }) => [row.sent_to, row.rules])).toEqual([
      ["All users", "all"],
      ["All users in North, South", "all"],
      ["3 users in South", "specific_users"],
      ["Users of Algebra, Botany", "specific_course_users"],
      ["Users of Algebra, Botany, Chemistry, Drawing, Ethics and others", "specific_course_users"],
    ])
    expect(response.body.records[0]).toMatchObject({ id: 1, heading: "One", author: "Ada Byron" })
    const none = { names: [], has_more: false }
    const byId = response.body.records.map(({ audience }: { audience: unknown }) => audience)
    expect(byId[2]).toEqual({ user_count: 3, courses: none, portals: { names: ["South"], has_more: false } })
    expect(byId[4]).toEqual({ user_count: 0, courses: { names: names.slice(0, 5), has_more: true }, portals: none })
    expect((await list({ search_param: { heading: "t" } })).body).toMatchObject({ recordsTotal: 5, recordsFiltered: 2 })
    expect(headings(await list({ order_by: "rules" })).slice(0, 2)).toEqual(["One", "Two"])
    // Deleted users are no longer counted.
    await post("/api/user/delete", { delete_ids: [people[0]?.id] })
    expect((await list({ search_param: { heading: "three" } })).body.records[0].sent_to).toBe("2 users in South")
  })

  it("can be read and managed according to the role", async () => {
    const staff = await signedIn("staff")
    const learner = await signedIn("general")
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [learner.id] })
    const forLearner = await create({ sending_rules: "specific_users", user_ids: [learner.id] }, staff)
    const read = (who: CallOptions) => get(`/api/announcement/${forLearner}`, who)
    expect((await read(staff)).body).toMatchObject({ user_ids: [learner.id] })
    expect((await read(learner)).body).not.toHaveProperty("user_ids")
    expect((await read(supervisor)).status).toBe(404)
    expect((await studentAnnouncements(supervisor)).body.recordsTotal).toBe(0)
    for (const who of [learner, supervisor]) {
      expect((await post("/api/announcement", NEWS, who)).status).toBe(403)
      expect((await put(`/api/announcement/${forLearner}`, { heading: "X" }, who)).status).toBe(403)
      expect((await post("/api/announcement/delete", { delete_ids: [forLearner] }, who)).status).toBe(403)
      expect((await list({}, who)).status).toBe(403)
    }
    expect((await get("/api/announcement/999", staff)).status).toBe(404)
    expect((await read(learner)).headers.get("etag")).toBeTruthy()
  })

  it("are deleted with their queued emails, with correct counts", async () => {
    await user()
    const ids = [await create(), await create(), await create()]
    await sendMails(postOffice().env, { mails: 1 })
    const response = await post("/api/announcement/delete", { delete_ids: [ids[0], ids[1], 999] })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: "2 announcements deleted. 1 id unknown." })
    expect(cost(response).roundTrips).toBe(2)
    const mails = await rowsOf(outbox)
    expect(mails.map((row) => [Number.parseInt(row.mailingId.slice(-12), 16), row.number, row.status])).toEqual([
      [ids[0], 1, "sent"],
      [ids[2], 1, "queued"],
    ])
    expect((await rowsOf(auditLogs)).filter((row) => row.action === "deleted")).toHaveLength(2)
    expect((await list()).body).toMatchObject({ recordsTotal: 1, records: [{ id: ids[2] }] })
    expect((await studentAnnouncements()).body.recordsTotal).toBe(1)
    const many = await post("/api/announcement/delete", { delete_ids: Array.from({ length: 500 }, (_, i) => i + 1) })
    expect(many.body.message).toBe("1 announcement deleted. 499 ids unknown.")
    expect(cost(many).roundTrips).toBe(2)
  })

  it("are deleted with their last portal and keep their audience without their author", async () => {
    const author = await signedIn("staff")
    const learner = await signedIn("general")
    const north = await portal()
    const south = await portal()
    await create({ heading: "Author's" }, author)
    await create({ heading: "North's", portal_ids: [north.id] })
    await create({ heading: "Both's", portal_ids: [north.id, south.id] })
    expect((await post("/api/user/delete", { delete_ids: [author.id] })).body.message).toBe("1 user deleted.")
    expect((await post("/api/portal/delete", { delete_ids: [north.id] })).body.message).toBe("1 portal deleted.")
    expect((await list()).body).toMatchObject({ recordsTotal: 1, records: [{ heading: "Both's" }] })
    await post("/api/portal/delete", { delete_ids: [south.id] })
    expect(await rowsOf(announcements)).toEqual([])
    expect((await studentAnnouncements(learner)).body.recordsTotal).toBe(0)
    expect(await rowsOf(announcementPortals)).toEqual([])
  })
})
