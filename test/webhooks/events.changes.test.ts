import { expect, it } from "vitest"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { classOf } from "../factories/classes.ts"
import { listening } from "../factories/events.ts"
import { db, group, portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { post, put } from "../helpers/client.ts"

/** Returns a function that makes a change and returns its events: type, ids and previous values. */
async function observed() {
  const events = await listening()
  return async (change: () => Promise<{ status: number; body: unknown }>) => {
    const response = await change()
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    return (await events()).map(({ type, previous }) => (previous ? [type, previous] : [type]))
  }
}

it("changes of a user are events with the previous values", async () => {
  const admin = await signedIn("admin")
  const { id } = await user({ firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
  await db.insert(memberships).values({ id: 1, name: "Gold", searchText: "gold", createdAt: 0 })
  const after = await observed()
  const change = (input: object) => after(() => put(`/api/user/${id}`, input, admin))
  expect(await change({ firstName: "Augusta" })).toEqual([["user.updated", { firstName: "Ada" }]])
  expect(await change({ email: "king@example.com", lastName: "King" })).toEqual([
    ["user.email_changed", { email: "ada@example.com", lastName: "Byron" }],
  ])
  expect(await change({ userType: "staff" })).toEqual([["user.role_changed", { userType: "general" }]])
  expect(await after(() => post("/api/user/quickEdit", { user_ids: [id], disabled: true }, admin))).toEqual([
    ["user.disabled", { disabled: false }],
  ])
  expect(await after(() => post("/api/user/quickEdit", { user_ids: [id], disabled: false }, admin))).toEqual([
    ["user.enabled", { disabled: true }],
  ])
  expect(await after(() => put(`/api/user/${id}/update-membership`, { id: 1 }, admin))).toMatchObject([
    ["membership.given", { membershipId: null }],
  ])
  const membership = (input: object) => after(() => put(`/api/user/${id}/update-membership`, input, admin))
  expect(await membership({ id: 1, expiryDate: "2030-01-01" })).toMatchObject([
    ["membership.changed", { membershipExpiresAt: null }],
  ])
  expect(await membership({ id: 1, expiryDate: "2020-01-01" })).toMatchObject([
    ["membership.ended", { membershipId: 1 }],
  ])
  expect(await after(() => post("/api/user/delete", { delete_ids: [id] }, admin))).toEqual([["user.deleted"]])
})

it("changes of a group and its members are events", async () => {
  const [ada, bob] = [await user(), await user()]
  const { id } = await group({ members: [ada.id] })
  const after = await observed()
  const change = (input: object) => after(() => put(`/api/group/${id}`, input))
  expect(await change({ name: "New" })).toMatchObject([["group.updated", { name: expect.any(String) }]])
  expect(await change({ add_user_ids: [bob.id], remove_user_ids: [ada.id] })).toEqual([
    ["group.updated", {}],
    ["group.member_removed"],
    ["group.member_added"],
  ])
  expect(await change({ externalId: "G-1" })).toEqual([["group.updated", {}]])
  expect((await change({ admin_ids: [ada.id] })).map(([type]) => type)).toContain("group.admin_added")
  expect(await change({ admin_ids: [] })).toEqual([["group.updated", {}], ["group.admin_removed"]])
  // A deleted user leaves without an event of their own.
  expect(await after(() => post("/api/user/delete", { delete_ids: [bob.id] }))).toEqual([["user.deleted"]])
})

it("changes of a portal and its members are events", async () => {
  const ada = await user()
  const { id } = await portal({ name: "North" })
  const after = await observed()
  const change = (input: object) => after(() => put(`/api/portal/${id}`, input))
  expect(await change({ name: "South" })).toMatchObject([["portal.updated", { name: "North" }]])
  expect(await change({ member_ids: [ada.id] })).toContainEqual(["portal.member_added"])
  expect(await change({ member_ids: [] })).toContainEqual(["portal.member_removed"])
})

it("a reset, a new expiry and a removal of an enrollment are events", async () => {
  const staff = await signedIn("staff")
  const learner = await signedIn("general")
  const inside = await course({}, [{}])
  const { id: registrationId } = await enrollment(learner, inside)
  const after = await observed()
  const done = { registrationId, moduleId: 1, status: "Completed" }
  expect(await after(() => post("/api/module/progress", done, { token: learner.token }))).toMatchObject([
    ["module.completed"],
    ["enrollment.completed", { status: "Not Started", percent: 0, startedAt: null, completedAt: null }],
  ])
  const ids = { course_ids: [inside.id], user_ids: [learner.id] }
  expect(await after(() => post("/api/course/reset", { registration_ids: [registrationId] }, staff))).toMatchObject([
    ["enrollment.reset", { status: "Completed", percent: 100 }],
  ])
  expect(await after(() => post("/api/course/unenroll", ids, staff))).toEqual([["enrollment.removed"]])
})

it("changes of a course are events", async () => {
  const after = await observed()
  expect(await after(() => post("/api/course/create", { name: "Algebra", status: "draft" }))).toEqual([
    ["course.created"],
  ])
  expect(await after(() => put("/api/course/1", { status: "publish" }))).toEqual([
    ["course.published", { status: "draft" }],
  ])
  expect(await after(() => put("/api/course/1", { content: "<p>New</p>" }))).toEqual([["course.updated", {}]])
  expect(await after(() => post("/api/course/delete", { delete_ids: [1] }))).toEqual([["course.deleted"]])
})

it("changes of a class and its seats are events", async () => {
  const staff = await signedIn("staff")
  const learner = await user()
  const { id } = await classOf(await course())
  const after = await observed()
  expect(await after(() => post(`/api/class/enroll/${id}`, { studentIds: [learner.id] }, staff))).toEqual([
    ["class_enrollment.created"],
  ])
  expect(await after(() => post(`/api/class/remove/${id}`, { enrollmentIds: [1] }, staff))).toEqual([
    ["class_enrollment.removed"],
  ])
})

it("a new external id is an event of its object, whose data has it", async () => {
  const { id } = await user()
  const { id: courseId } = await course()
  const { id: groupId } = await group()
  const { id: classId } = await classOf({ id: courseId })
  const events = await listening()
  const externalId = "HR-1"
  for (const path of [`user/${id}`, `course/${courseId}`, `group/${groupId}`])
    expect((await put(`/api/${path}`, { externalId })).status, path).toBe(200)
  expect((await post("/api/class/update", { id: classId, externalId })).status).toBe(200)
  const externalIds = [{ source: "manual", externalId }]
  expect((await events()).map(({ type, data }) => [type, data.externalIds])).toEqual(
    ["user.updated", "course.updated", "group.updated", "class.updated"].map((type) => [type, externalIds]),
  )
})
