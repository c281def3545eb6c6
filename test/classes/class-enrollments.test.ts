import { eq, sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { classEnrollments, classes } from "../../drizzle/schema/classes.ts"
import { groupMembers } from "../../drizzle/schema/groups.ts"
import { locations } from "../../drizzle/schema/locations.ts"
import { searchText } from "../../src/db/search.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, group, nextId, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, query } from "../helpers/client.ts"

const enroll = (id: number, studentIds: number[], token: string, more: object = {}) =>
  post(`/api/class/enroll/${id}`, { studentIds, ...more }, { token })

describe("enrolling in a class", () => {
  it("enrolls 500 users in two round trips, says why others are skipped, and re-enrolls canceled users", async () => {
    const staff = await signedIn("staff")
    const trainingClass = await classOf(await course({ name: "Algebra" }))
    await manyUsers(500)
    const [ada, bob, eve] = [
      await user({ firstName: "Ada", lastName: "L" }),
      await user(),
      await user({ firstName: "Eve", lastName: "M", disabled: true }),
    ]
    await classEnrollment(ada, trainingClass)
    const canceled = await classEnrollment(bob, trainingClass, { status: "Cancelled" })
    const many = Array.from({ length: 500 }, (_, index) => 1001 + index)
    const response = await enroll(trainingClass.id, [ada.id, bob.id, eve.id, 999_999, ...many], staff.token)
    expect(response.body).toEqual({
      message: "501 users enrolled. 3 not enrolled.",
      enrolledUsersCount: 501,
      notEnrolledUsers: [
        { id: ada.id, name: "Ada L", reason: "The user is already enrolled." },
        { id: eve.id, name: "Eve M", reason: "The user is disabled." },
        { id: 999_999, name: "", reason: "The user does not exist." },
      ],
    })
    expect(cost(response).roundTrips).toBe(2)
    const rows = await rowsOf(classEnrollments)
    expect(rows.filter((row) => row.status === "Registered")).toHaveLength(502)
    expect(rows.find((row) => row.id === canceled.id)).toMatchObject({ status: "Registered", enrolledBy: staff.id })
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject, row.effectOn])).toEqual([
      ["created", "class enrollment", "Algebra"],
    ])
    expect((await enroll(trainingClass.id, many, staff.token)).body).toMatchObject({ enrolledUsersCount: 0 })
  })

  it("writes 18 rows, and 9 for attendance, and reads no rows of other classes", async () => {
    const staff = await signedIn("staff")
    const trainingClass = await classOf()
    const { id } = await user()
    const elsewhere = await classOf()
    await manyUsers(1000)
    await db.run(sql`
      insert into class_enrollments (id, class_id, user_id, registered_at, first_name, last_name, email, status)
      select id, ${elsewhere.id}, id, 1, first_name, last_name, email,
        iif(id % 2, 'Registered', 'Cancelled')
      from users
      where id > 1000`)
    const enrolled = await enroll(trainingClass.id, [id], staff.token)
    expect(enrolled.body.enrolledUsersCount).toBe(1)
    expect(cost(enrolled).written).toBeLessThanOrEqual(18)
    expect(cost(enrolled).read).toBeLessThan(200)
    const row = (await rowsOf(classEnrollments)).find((place) => place.userId === id)
    const attended = await get(`/api/class/update-class-status?id=${row?.id}&status=Attended`, {
      token: staff.token,
    })
    expect(attended.status).toBe(200)
    expect(cost(attended).written).toBeLessThanOrEqual(9)
  })

  it("returns 409 when the class has ended, is disabled or is full", async () => {
    const staff = await signedIn("staff")
    const [ada, bob] = [await user(), await user()]
    const id = await nextId("locations")
    await db.insert(locations).values({ id, name: "Cell", capacity: 1, searchText: searchText("Cell"), createdAt: 1 })
    const past = await classOf(undefined, { startAt: Date.now() - 9e6, endAt: Date.now() - 1000 })
    const disabled = await classOf(undefined, { disabled: true })
    const small = await classOf(undefined, { locationId: id })
    for (const { id } of [past, disabled]) expect((await enroll(id, [ada.id, bob.id], staff.token)).status).toBe(409)
    expect(await rowsOf(classEnrollments)).toEqual([])
    expect((await enroll(999, [ada.id], staff.token)).status).toBe(404)
    expect((await enroll(small.id, [ada.id], staff.token)).body.enrolledUsersCount).toBe(1)
    const full = await enroll(small.id, [bob.id], staff.token)
    expect([full.status, full.body.message]).toEqual([409, "The class has no seat left. Nothing was changed."])
    expect((await enroll(small.id, [ada.id], staff.token)).body).toMatchObject({ enrolledUsersCount: 0 })
    const back = await classEnrollment(bob, small, { status: "Cancelled" })
    const again = await get(`/api/class/update-class-status?id=${back.id}&status=Registered`, { token: staff.token })
    expect(again.status).toBe(409)
  })

  it("enrolls users in order until the class is full, and lists the others", async () => {
    const staff = await signedIn("staff")
    const id = await nextId("locations")
    await db.insert(locations).values({ id, name: "Cell", capacity: 3, searchText: searchText("Cell"), createdAt: 1 })
    const trainingClass = await classOf(undefined, { locationId: id })
    const people = [
      await user(),
      await user({ disabled: true }),
      await user(),
      await user(),
      await user(),
      await user(),
    ]
    const response = await enroll(
      trainingClass.id,
      people.map((one) => one.id),
      staff.token,
    )
    const [, disabled, , , fourth, fifth] = people
    expect(response.body).toMatchObject({
      message: "3 users enrolled. 3 not enrolled.",
      enrolledUsersCount: 3,
      notEnrolledUsers: [
        { id: disabled?.id, reason: "The user is disabled." },
        { id: fourth?.id, reason: "The class has no seat left." },
        { id: fifth?.id, reason: "The class has no seat left." },
      ],
    })
    expect(await rowsOf(classEnrollments)).toHaveLength(3)
    expect((await rowsOf(classes)).map((row) => row.size)).toEqual([3])
  })

  it("enrolls each user once and never exceeds the capacity in concurrent requests", async () => {
    const staff = await signedIn("staff")
    const id = await nextId("locations")
    await db.insert(locations).values({ id, name: "Cell", capacity: 3, searchText: searchText("Cell"), createdAt: 1 })
    const [open, small] = [await classOf(), await classOf(undefined, { locationId: id })]
    const people = [await user(), await user(), await user(), await user(), await user()]
    const calls = await Promise.all(people.map((one) => enroll(open.id, [one.id], staff.token)))
    expect(calls.map((response) => response.status)).toEqual([200, 200, 200, 200, 200])
    const crowd = await Promise.all(people.map((one) => enroll(small.id, [one.id], staff.token)))
    expect(crowd.map((response) => response.status).toSorted()).toEqual([200, 200, 200, 409, 409])
    for (const { body } of crowd.filter((response) => response.status === 409))
      expect(body.message).toBe("The class has no seat left. Nothing was changed.")
    const again = await user()
    const twice = await Promise.all([1, 2, 3].map(() => enroll(open.id, [again.id], staff.token)))
    expect(twice.map((response) => response.body.enrolledUsersCount).toSorted()).toEqual([0, 0, 1])
    const sizes = (await rowsOf(classes)).map((row) => row.size)
    expect(sizes).toEqual([6, 3])
  })

  it("lets supervisors enroll only users they manage", async () => {
    const lead = await signedIn("group_admin")
    const [ada, stranger] = [await user(), await user({ firstName: "Secret", lastName: "Name" })]
    const team = await group({ admins: [lead.id], members: [ada.id] })
    const other = await group({ members: [stranger.id] })
    const trainingClass = await classOf()
    expect((await enroll(trainingClass.id, [ada.id, stranger.id], lead.token, { groupId: team.id })).body).toEqual({
      message: "1 user enrolled. 1 not enrolled.",
      enrolledUsersCount: 1,
      notEnrolledUsers: [{ id: stranger.id, name: "", reason: "The user does not exist." }],
    })
    expect((await enroll(trainingClass.id, [ada.id], lead.token, { groupId: other.id })).status).toBe(404)
    const learner = await signedIn("general")
    expect((await enroll(trainingClass.id, [learner.id], learner.token)).status).toBe(403)

    expect((await enroll(trainingClass.id, [lead.id], lead.token)).body).toMatchObject({
      enrolledUsersCount: 0,
      notEnrolledUsers: [{ id: lead.id, reason: "You can't enroll yourself." }],
    })
    await db.insert(groupMembers).values({ groupId: team.id, userId: lead.id })
    expect((await enroll(trainingClass.id, [lead.id], lead.token)).body.enrolledUsersCount).toBe(0)
    const ownEnrollment = await classEnrollment(lead, trainingClass)
    const mark = (path: string) => get(path, { token: lead.token })
    expect((await mark(`/api/class/update-class-status?id=${ownEnrollment.id}&status=Attended`)).status).toBe(403)
    expect(
      (await mark(`/api/users/update-webinar-status?ids=[${ownEnrollment.id}]&status=Attended`)).body.message,
    ).toBe("0 enrollments updated. 1 id unknown.")
    expect(
      (
        await post(
          `/api/class/remove/${trainingClass.id}`,
          { enrollmentIds: [ownEnrollment.id] },
          { token: lead.token },
        )
      ).body,
    ).toEqual({ message: "0 enrollments removed. 1 id unknown." })
    expect(await rowsOf(classEnrollments)).toMatchObject([
      { userId: ada.id },
      { userId: lead.id, status: "Registered" },
    ])
    await db.delete(groupMembers).where(eq(groupMembers.userId, lead.id))
    await db.delete(classEnrollments).where(eq(classEnrollments.id, ownEnrollment.id))

    const strange = await classEnrollment(stranger, trainingClass)
    const { id: portalId } = await portal({ members: [stranger.id] })
    const path = "/api/class/enrolled-students"
    const ofPortal = { class_id: trainingClass.id, page_size: 10, page_number: 1, portalId }
    const staff = await signedIn("staff")
    const inPortal = await get(`${path}${query(ofPortal)}`, { token: staff.token })
    expect(inPortal.body).toMatchObject({ recordsTotal: 1, recordsFiltered: 1, records: [{ user_id: stranger.id }] })
    const detailed = await get(`/api/class/reports/class-detailed${query(ofPortal)}`, { token: staff.token })
    expect(detailed.body).toMatchObject({ recordsTotal: 1, totalRegistered: 1 })
    expect((await get(`${path}${query(ofPortal)}`, { token: lead.token })).status).toBe(404)
    const list = await get(
      `/api/class/enrolled-students${query({ class_id: trainingClass.id, page_size: 10, page_number: 1 })}`,
      {
        token: lead.token,
      },
    )
    expect(list.body).toMatchObject({ recordsTotal: 1, recordsFiltered: 1, records: [{ user_id: ada.id }] })
    const set = await get(`/api/users/update-class-status?id=${strange.id}&status=Attended`, { token: lead.token })
    expect(set.status).toBe(404)
    const removed = await post(
      `/api/class/remove/${trainingClass.id}`,
      { enrollmentIds: [strange.id] },
      { token: lead.token },
    )
    expect(removed.body).toEqual({ message: "0 enrollments removed. 1 id unknown." })
  })
})

describe("the learners of a class", () => {
  it("are listed with the class and its totals, and found by name and status, in one round trip", async () => {
    const staff = await signedIn("staff")
    const inCourse = await course({ name: "Algebra" })
    const trainingClass = await classOf(inCourse, { startAt: Date.parse("2027-01-05T09:00Z") })
    const { id } = trainingClass
    const ada = await user({ firstName: "Ada", lastName: "L", email: "ada@example.com" })
    const one = await classEnrollment(ada, trainingClass, {
      status: "Attended",
      registeredAt: Date.parse("2026-12-01"),
    })
    await classEnrollment(await user(), trainingClass, { status: "No Show" })
    await classEnrollment(await user(), trainingClass, { status: "Cancelled" })
    const list = async (search_param: object) => {
      const response = await get(
        `/api/class/enrolled-students${query({ class_id: id, page_size: 10, page_number: 1, search_param })}`,
        { token: staff.token },
      )
      expect(cost(response).roundTrips).toBe(1)
      return response.body
    }
    expect(await list({ nameOrEmail: "ada@" })).toEqual({
      courseId: inCourse.id,
      locationId: null,
      courseName: "Algebra",
      featuredImage: null,
      startDate: "Jan 05, 2027",
      endDate: "Jan 05, 2027",
      startTime: "09:00 AM",
      endTime: "10:00 AM",
      timeZone: "UTC",
      startsAt: "2027-01-05T09:00:00.000Z",
      endsAt: "2027-01-05T10:00:00.000Z",
      totalAttended: 1,
      totalNoShow: 1,
      totalCancelled: 1,
      recordsTotal: 3,
      recordsFiltered: 1,
      records: [
        {
          id: one.id,
          user_id: ada.id,
          first_name: "Ada",
          last_name: "L",
          email: "ada@example.com",
          avatar: "AL",
          status: "Attended",
          display_status: "Attended",
          registered_on: "Dec 01, 2026",
          registeredAt: "2026-12-01T00:00:00.000Z",
          lastAccessedAt: null,
          last_accessed_on: "Never",
        },
      ],
    })
    expect(await list({ status: ["no show", "CANCELLED"] })).toMatchObject({ recordsTotal: 3, recordsFiltered: 2 })
    expect(
      (await get("/api/class/enrolled-students?class_id=999&page_size=1&page_number=1", { token: staff.token })).status,
    ).toBe(404)
  })

  it("are listed at a cost that does not grow with other classes", async () => {
    const staff = await signedIn("staff")
    const trainingClass = await classOf()
    await manyUsers(3000)
    await db.run(
      `
        insert into class_enrollments (id, class_id, user_id, registered_at, first_name, last_name, email, status)
        select id, ${trainingClass.id}, id, id % 50, first_name, last_name, email,
          iif(id % 2, 'Registered', 'Attended')
        from users
        where id > 1000`,
    )
    const indexed = ["user_id", "first_name", "last_name", "registered_on"]
    for (const order_by of [...indexed, "id", "email", "status", "last_accessed_on"]) {
      const response = await get(
        `/api/class/enrolled-students${query({ class_id: trainingClass.id, page_size: 20, page_number: 1, order_by })}`,
        { token: staff.token },
      )
      expect(response.body).toMatchObject({ recordsTotal: 3000, totalAttended: 1500 })
      expect(cost(response).read, order_by).toBeLessThan(20 * 20 + 200 + (indexed.includes(order_by) ? 0 : 3 * 3000))
    }
  })

  it("have their status set and are removed, with exact counts and audit rows", async () => {
    const staff = await signedIn("staff")
    const trainingClass = await classOf(await course({ name: "Algebra" }))
    const ada = await user()
    const row = await classEnrollment(ada, trainingClass)
    const set = (path: string, status: string, more = "") =>
      get(`/api/${path}/update-class-status?id=${row.id}&status=${encodeURIComponent(status)}${more}`, {
        token: staff.token,
      })
    const updated = await set("class", "Attended", `&classId=${trainingClass.id}`)
    expect(updated.body).toEqual({ message: "Status set to Attended." })
    expect(cost(updated).roundTrips).toBe(2)
    expect((await set("users", "no show")).body).toEqual({ message: "Status set to No Show." })
    expect((await set("users", "Late")).status).toBe(422)
    expect((await set("users", "Attended", "&classId=999")).status).toBe(404)
    expect(await rowsOf(classEnrollments)).toMatchObject([{ status: "No Show" }])

    const removed = await post(
      `/api/class/remove/${trainingClass.id}`,
      { enrollmentIds: [row.id, 999] },
      { token: staff.token },
    )
    expect(removed.body).toEqual({ message: "1 enrollment removed. 1 id unknown." })
    expect(await rowsOf(classEnrollments)).toEqual([])
    expect((await rowsOf(auditLogs)).map((log) => [log.action, log.details])).toEqual([
      ["updated", { user_id: ada.id, status: "Attended", before: "Registered" }],
      ["updated", { user_id: ada.id, status: "No Show", before: "Attended" }],
      ["deleted", { user_ids: [ada.id] }],
    ])
    expect((await post("/api/class/remove/999", { enrollmentIds: [1] }, { token: staff.token })).status).toBe(404)
  })
})
