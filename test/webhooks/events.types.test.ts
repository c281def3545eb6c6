import { sql } from "drizzle-orm"
import { expect, it } from "vitest"
import { exampleRecords, type RecordName } from "../../scripts/lib/example-records.ts"
import { template } from "../factories/certificates.ts"
import { classOf } from "../factories/classes.ts"
import { listening } from "../factories/events.ts"
import { db, portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { get, post, put } from "../helpers/client.ts"

type Change = () => Promise<{ status: number; body: unknown }>

/** Returns a function that makes a change and returns the types of its events. */
async function observed() {
  const events = await listening()
  return async (change: Change) => {
    const response = await change()
    expect([200, 201], JSON.stringify(response.body)).toContain(response.status)
    return (await events()).map(({ type }) => type)
  }
}

it.each<[RecordName, string, string[]]>([
  ["announcement", "announcement", ["created", "updated", "deleted"]],
  ["api-key", "api_key", ["created", "updated", "revoked"]],
  ["learningpath", "learning_path", ["created", "updated", "deleted"]],
  ["sso-provider", "sso_provider", ["created", "updated", "deleted"]],
  ["subscription", "subscription", ["created", "canceled", "deleted"]],
])("the creation, change and deletion of the record %s are events", async (name, object, verbs) => {
  const admin = await signedIn("admin")
  await course()
  const after = await observed()
  const { create, change } = exampleRecords({ userId: admin.id, courseId: 1, badgeId: 1 })[name]
  // The example of a learning path changes nothing.
  const renamed = name === "learningpath" && { name: "Science" }
  const path = name === "announcement" ? "/api/announcement" : `/api/${name}/create`
  const types = [
    ...(await after(() => post(path, create, admin))),
    ...(await after(() => put(`/api/${name}/1`, { ...change, ...renamed }, admin))),
    ...(await after(() => post(`/api/${name}/delete`, { delete_ids: [1] }, admin))),
  ]
  expect(types).toEqual(verbs.map((verb) => `${object}.${verb}`))
})

it("the end and the renewal of a subscription are events", async () => {
  const { id: userId } = await user()
  const subscription = { userId, subscription_name: "All", total: 19, currency: "EUR", status: "Active" }
  await post("/api/subscription/create", subscription)
  const after = await observed()
  const change = (input: object) => after(() => put("/api/subscription/1", input))
  expect(await change({ status: "Expired" })).toEqual(["subscription.ended"])
  expect(await change({ status: "Active" })).toEqual(["subscription.renewed"])
  expect(await change({ subscription_name: "Some" })).toEqual(["subscription.updated"])
})

it("the rotation of a key is an event", async () => {
  const admin = await signedIn("admin")
  const key = exampleRecords({ userId: admin.id, courseId: 1, badgeId: 1 })["api-key"].create
  const { body } = await post("/api/api-key/create", key, admin)
  const after = await observed()
  expect(await after(() => post("/api/api-key/rotate", { id: body.id }, admin))).toEqual(["api_key.rotated"])
})

it("changes of a webhook are events", async () => {
  const after = await observed()
  const webhook = { url: "https://hooks.example.org/x", events: ["user.*"] }
  expect(await after(() => post("/api/webhook/create", webhook))).toEqual(["webhook.created"])
  expect(await after(() => put("/api/webhook/1", { events: ["*"] }))).toEqual(["webhook.updated"])
  expect(await after(() => put("/api/webhook/1", { enabled: false }))).toEqual(["webhook.disabled"])
  expect(await after(() => post("/api/webhook/delete", { delete_ids: [1] }))).toEqual(["webhook.deleted"])
})

it("an enrollment in a learning path, its completion, reset and end are events", async () => {
  const learner = await signedIn("general")
  await course({}, [{}])
  await post("/api/learningpath/create", { name: "Science", course_ids: [1] })
  const after = await observed()
  const pair = { learning_path_ids: [1], user_ids: [learner.id] }
  expect(await after(() => post("/api/learningpath/enroll", pair))).toContain("learning_path.enrolled")
  const done = { registrationId: 1, moduleId: 1, status: "Completed" }
  expect(await after(() => post("/api/module/progress", done, { token: learner.token }))).toEqual([
    ...["module.completed", "enrollment.completed", "learning_path.completed"],
  ])
  expect(await after(() => post("/api/course/reset", { registration_ids: [1] }))).toEqual([
    ...["learning_path.reset", "enrollment.reset"],
  ])
  expect(await after(() => post("/api/learningpath/unenroll", pair))).toContain("learning_path.removed")
})

it("the move, the cancellation and the deletion of a class are events", async () => {
  await classOf(await course())
  const after = await observed()
  const change = (input: object) => after(() => post("/api/class/update", { id: 1, ...input }))
  const at = (day: number) => new Date(Date.now() + day * 86_400_000).toISOString()
  expect(await change({ startTime: at(5), endTime: at(6) })).toEqual(["class.moved"])
  expect(await change({ disabled: true })).toEqual(["class.canceled"])
  expect(await change({ disabled: false })).toEqual(["class.updated"])
  expect(await after(() => post("/api/class/delete", { classId: 1 }))).toEqual(["class.canceled", "class.deleted"])
})

it("the attendance of a class is an event", async () => {
  const learner = await user()
  await classOf(await course())
  await post("/api/class/enroll/1", { studentIds: [learner.id] })
  const after = await observed()
  const mark = (status: string) =>
    after(() => get(`/api/class/update-class-status?id=1&status=${encodeURIComponent(status)}`))
  expect(await mark("Attended")).toEqual(["class_enrollment.attended"])
  expect(await mark("No Show")).toEqual(["class_enrollment.no_show"])
  expect(await mark("Registered")).toEqual(["class_enrollment.updated"])
  expect(await mark("Cancelled")).toEqual(["class_enrollment.canceled"])
})

it("an issue date and a revocation of a certificate are events", async () => {
  const learner = await signedIn("general")
  const { id: certificateTemplateId } = await template()
  await enrollment(learner, await course({ certificateTemplateId }, [{}]))
  const after = await observed()
  const done = { registrationId: 1, moduleId: 1, status: "Completed" }
  expect(await after(() => post("/api/module/progress", done, { token: learner.token }))).toContain(
    "certificate.issued",
  )
  const date = { rowId: 1, newIssueDate: "2026-01-05" }
  expect(await after(() => put("/api/update-certificate-issue-date", date))).toEqual(["certificate.updated"])
  expect(await after(() => put(`/api/user/${learner.id}/delete-certificate`, { id: 1 }))).toEqual([
    "certificate.revoked",
  ])
})

it("badges and points are events", async () => {
  const learner = await signedIn("general")
  const { badge } = exampleRecords({ userId: learner.id, courseId: 1, badgeId: 1 })
  await post("/api/badge/create", badge.create)
  await post("/api/gamification-event/create", { name: "Done", type: "course_completed", points: 5 })
  await enrollment(learner, await course({}, [{}]))
  const after = await observed()
  const award = { id: 1, user_ids: [learner.id] }
  expect(await after(() => post("/api/badge/award", award))).toEqual(["badge.awarded"])
  const done = { registrationId: 1, moduleId: 1, status: "Completed" }
  expect(await after(() => post("/api/module/progress", done, { token: learner.token }))).toContain("points.awarded")
})

it("administrators of a portal are events", async () => {
  const [first, second] = [await user({ userType: "portal_admin" }), await user({ userType: "portal_admin" })]
  const { id } = await portal({ admins: [first.id] })
  const after = await observed()
  const types = await after(() => put(`/api/portal/${id}`, { admin_ids: [second.id] }))
  expect(types.filter((type) => type.includes("admin_"))).toEqual(["portal.admin_removed", "portal.admin_added"])
  const created = { name: "North", slug: "north" }
  expect(await after(() => post("/api/portal/create", created))).toEqual(["portal.created"])
  expect(await after(() => post("/api/portal/delete", { delete_ids: [id] }))).toContain("portal.deleted")
})

it("a failed export is an event", async () => {
  const events = await listening()
  const failed = sql`insert into export_jobs (id, kind, caller_id, caller_type, filter, message, filename, created_at,
    expires_at) values ('0b0ff0a6-6a3c-4d7b-b5a5-3f2a6f1c2d10', 'users', 1, 'admin', '{}', '', 'users.xlsx', 1, 2)`
  await db.run(failed)
  await db.run(sql`update export_jobs set status = 'failed'`)
  expect((await events()).map(({ type }) => type)).toEqual(["export.failed"])
})
