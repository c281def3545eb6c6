import { env } from "cloudflare:workers"
import { BlobReader, TextWriter, ZipReader } from "@zip.js/zip.js"
import { eq, sql } from "drizzle-orm"
import { expect } from "vitest"
import {
  assignmentClaims,
  assignmentMembers,
  assignmentPathClaims,
  assignmentRules,
} from "../../drizzle/schema/assignment-rules.ts"
import { calendarCancellations, calendarSubscriptions } from "../../drizzle/schema/calendars.ts"
import { customFields } from "../../drizzle/schema/custom-fields.ts"
import { dueDateChanges, enrollmentCycles, overdueDigests, reminders } from "../../drizzle/schema/enrollments.ts"
import { notificationPreferences, notifications } from "../../drizzle/schema/notifications.ts"
import { reportDeliveries, reportRecipients, reportSchedules } from "../../drizzle/schema/report-schedules.ts"
import { ssoProviders, userIdentities } from "../../drizzle/schema/sso.ts"
import { twoFactor } from "../../drizzle/schema/two-factor.ts"
import { users } from "../../drizzle/schema/users.ts"
import { webhookDeliveries, webhooks } from "../../drizzle/schema/webhooks.ts"
import { operations } from "../../src/http/operation.ts"
import { type CallOptions, call, post, query } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { uploadFile } from "./assignments.ts"
import { category } from "./categories.ts"
import { template } from "./certificates.ts"
import { classOf } from "./classes.ts"
import { deliver } from "./exports.ts"
import { db, group, nextId, PASSWORD, portal, signedIn, tokenOf } from "./index.ts"
import { apiKey } from "./keys.ts"
import { course, module } from "./learning.ts"

/** A text that all data of and about the marked person contains, and no other data. */
export const MARK = "zqxj"

interface Given extends Omit<CallOptions, "body"> {
  path?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
}

/** Calls an operation by its id. It must succeed. */
export async function act(operationId: string, { path = {}, query: asked, ...sent }: Given = {}) {
  const found = operations.find((operation) => operation.operationId === operationId)
  if (!found) throw new Error(`No operation ${operationId}`)
  const filled = found.path.replace(/\{(\w+)\}/g, (_, name: string) => String(path[name]))
  const response = await call(found.method.toUpperCase(), `${filled}${asked ? query(asked) : ""}`, sent)
  expect(response.status, `${operationId}: ${JSON.stringify(response.body)}`).toBeLessThan(300)
  return response.body
}

/**
 * A user with data in every table: each field that the user, or others about the user, can write contains the mark.
 * The API writes it, except data that only a provider, a program or a job can write.
 */
export async function markedPerson() {
  const admin = await signedIn("admin", { firstName: "Ada", lastName: "Byron" })
  const staff = await signedIn("staff", { firstName: "Sam", lastName: "Okafor" })
  const byAdmin = { token: admin.token }
  const byStaff = { token: staff.token }
  const hook = await act("createWebhook", {
    ...byAdmin,
    body: { url: "https://hooks.example.org/x", events: ["user.created"] },
  })
  await db.insert(customFields).values({
    id: await nextId("custom_fields"),
    ...{ type: "text", label: "Region", userMetaKey: "region", isRequired: false, options: [] },
    ...{ onRegistrationPage: false, onCertificate: true, reports: [], displayOrder: 1 },
  })
  const ofUsers = await category({ type: "user" })
  const { id } = await act("createUser", {
    ...byAdmin,
    headers: { "idempotency-key": "create-zqxj.first@example.com" },
    body: {
      firstName: "Zqxjane",
      lastName: "Zqxjones",
      email: "Zqxj.First@example.com",
      password: PASSWORD,
      password_confirmation: PASSWORD,
      userCategory: [ofUsers.id],
      customUserMetas: { region: "zqxj region" },
      externalId: "zqxj-1043",
    },
  })
  await act("updateUser", {
    ...byAdmin,
    path: { id },
    body: {
      lastName: "Zqxjohnson",
      email: "zqxj.second@example.com",
      internal_note: "zqxj prefers mornings",
      avatar: "https://pictures.example.org/zqxj.png",
    },
  })
  const rowOf = async () => {
    const [row] = await db.select().from(users).where(eq(users.id, id))
    if (!row) throw new Error("No user")
    return row
  }
  await db.update(users).set({ displayName: "Lady Zqxj" }).where(eq(users.id, id))
  await act("resendNewAccountEmail", { ...byStaff, body: { user_id: id } })
  await post("/password/forgot", { email: "zqxj.second@example.com" })
  await act("updateUserPassword", {
    ...byAdmin,
    path: { id },
    body: { password: PASSWORD, confirmPassword: PASSWORD, password_confirmation: PASSWORD },
  })
  const device = await post("/login", {
    email: "zqxj.second@example.com",
    password: PASSWORD,
    device: "zqxj's phone",
  })
  const caller = { token: await tokenOf(await rowOf()) }
  await act("updateUser", { ...caller, path: { id }, body: { email: "zqxj.third@example.com" } })
  await act("saveViewType", { ...caller, query: { userId: id, type: "zqxj-grid" } })
  await db.insert(calendarSubscriptions).values({ userId: id, tokenHash: "hash", createdAt: Date.now() })
  await db.insert(calendarCancellations).values({
    ...{ userId: id, classId: 999, count: 1, version: 1, courseName: "Knots", timeZone: "UTC" },
    ...{ startAt: Date.now(), endAt: Date.now(), canceledAt: Date.now() },
  })
  await db.insert(twoFactor).values({ userId: id, secret: "sealed", active: true, createdAt: Date.now() })
  await apiKey({ name: "zqxj's script", createdBy: id })
  const providerId = await nextId("sso_providers")
  await db.insert(ssoProviders).values({
    id: providerId,
    ...{ name: "Example", slug: "example", issuer: "https://id.example.org", clientId: "lectern", scopes: "openid" },
    ...{ domains: [], claims: {}, creates: false, forced: false, active: true, createdAt: Date.now() },
  })
  await db.insert(userIdentities).values({ providerId, subject: "zqxj|42", userId: id, createdAt: Date.now() })
  for (const type of ["billing", "shipping"])
    await act("addUserAddress", {
      ...caller,
      path: { id },
      body: {
        ...{ fullName: "Zqxjane Zqxjohnson", orgName: "zqxj Ltd", orgVatId: "zqxj-1", addressLine1: "zqxj street 1" },
        ...{ addressLine2: "zqxj floor", zipcode: "zqxj1", city: "zqxjville", state: "zqxjshire", country: "zqxjland" },
        ...{ isDefault: true, type },
      },
    })
  const [address] = await act("listBillingAddresses", { ...caller, path: { id } }).then(
    (found) => found.records ?? found,
  )
  await act("updateAddress", { ...byAdmin, path: { id: address.id }, body: { city: "zqxj city" } })
  await act("createConsent", { ...caller, body: { consentId: "zqxj-2026", status: "accepted", country: "PT" } })
  const inGroup = await group({ members: [id] })
  await portal({ members: [id] })

  const learned = await studied(id, caller, byStaff)
  await act("createReview", { ...caller, body: { courseId: learned.courseId, rating: 4, text: "zqxj liked it" } })
  const items = [{ type: "course", id: learned.courseId, name: "Algebra", quantity: 1, price: 49.9 }]
  await act("createOrder", {
    ...byAdmin,
    body: { userId: id, items, total: 49.9, currency: "EUR", status: "completed" },
  })
  await act("createSubscription", {
    ...byAdmin,
    body: { userId: id, subscription_name: "All courses", total: 19, currency: "EUR", status: "Active" },
  })
  const { id: cart } = await act("createCart", { ...byAdmin, body: { userId: id, items, currency: "EUR" } })
  await act("sendCartReminder", { ...byAdmin, query: { id: cart } })
  await act("createCard", {
    ...byAdmin,
    body: { userId: id, last4: "4242", payment_gateway_name: "zqxj bank", card_type: "zqxj card" },
  })
  await act("createAnnouncement", {
    ...byStaff,
    body: { heading: "News", content: "<p>All is well.</p>", sending_rules: "specific_users", user_ids: [id] },
  })
  await act("updateEmailRules", {
    ...byAdmin,
    body: { blocked: ["zqxj.second@example.com", "bad.example"], allowed: [] },
  })
  await act("bulkUploadUsers", {
    ...byStaff,
    body: { userList: [{ email: "zqxj.second@example.com", first_name: "x".repeat(300) }] },
  })
  await act("quickEditUsers", { ...byAdmin, body: { user_ids: [id], disabled: false } })
  await db.insert(webhookDeliveries).values({
    webhookId: hook.id,
    eventId: sql<number>`(select min(id) from events where user_id = ${id})`,
    ...{ status: "failed" as const, attempts: 9, answer: "no zqxj here", error: "zqxj refused" },
  })
  await db.update(webhooks).set({ enabled: false })
  await delivered()
  const list = await act("exportUsers", {
    ...byAdmin,
    body: { search_param: { nameOrEmail: "zqxj.second@example.com" } },
  })
  await deliver(list.export_id)
  return {
    id,
    admin,
    staff,
    own: caller,
    device: device.body,
    hook,
    groupId: inGroup.id,
    exportId: list.export_id as string,
    ...learned,
  }
}

/** Lets the person take a course with one module of each type, and a class of it. */
async function studied(id: number, caller: CallOptions, byStaff: CallOptions) {
  const questions = [{ text: "Who are you?", type: "short", points: 2, answers: ["somebody"] }]
  const { id: quiz } = await act("createQuizModule", {
    ...byStaff,
    body: { name: "Quiz", content: "", questions: questions },
  })
  const essay = await module({
    type: "assignment",
    name: "Essay",
    totalPoints: 20,
    submissionType: "file",
    allowedFiletypes: ["pdf"],
  })
  const letter = await module({ type: "assignment", name: "Letter", totalPoints: 20, submissionType: "text" })
  const page = await module({
    type: "scorm",
    name: "Package",
    scormVersion: "2004",
    packageKey: "p",
    launchPath: "x.html",
  })
  const certified = await template()
  const text = await module()
  const links = [quiz, essay.id, letter.id, page.id, text.id].map((moduleId) => ({ moduleId }))
  const { id: courseId } = await course(
    { name: "Algebra", enableCourseRating: true, certificateTemplateId: certified.id },
    links,
  )
  await act("enrollUsers", { ...byStaff, body: { course_ids: [courseId], user_ids: [id] } })
  const found = await act("listEnrolledCourses", { ...caller, query: { page_size: 5, page_number: 1, user_id: id } })
  const registrationId = found.records[0].id
  const at = (moduleId: number) => ({ registrationId, moduleId })
  const attempt = await act("beginQuizAttempt", { ...caller, body: at(quiz) })
  await act("submitQuizAttempt", {
    ...caller,
    body: { attemptId: attempt.attemptId, answers: [{ questionId: attempt.questions[0].id, text: "I am zqxj" }] },
  })
  await act("openAssignment", { ...caller, query: at(essay.id) })
  const file = await uploadFile(String(caller.token), "%PDF-1.4\nzqxj wrote this\n%%EOF\n", "zqxj essay.pdf")
  await uploadFile(String(caller.token), "%PDF-1.4\nzqxj draft\n%%EOF\n", "zqxj draft.pdf")
  await act("submitAssignment", {
    ...caller,
    body: { ...at(essay.id), submissions: [file], studentMessage: "zqxj did this" },
  })
  await act("openAssignment", { ...caller, query: at(letter.id) })
  await act("submitAssignment", { ...caller, body: { ...at(letter.id), submission: "<p>zqxj says</p>" } })
  const evaluation = { isAccepted: true, pointsAwarded: 9, instructorMessage: "Well done zqxj" }
  for (const { id } of [essay, letter]) await act("evaluateAssignment", { ...byStaff, body: { ...at(id), evaluation } })
  await act("issueTranscript", { ...caller, path: { id }, body: {} })
  await act("commitScorm", {
    ...caller,
    body: {
      ...at(page.id),
      cmi: {
        completion_status: "completed",
        success_status: "passed",
        suspend_data: "zqxj was here",
        interactions: { 0: { id: "q0", type: "fill-in", learner_response: "zqxj" } },
      },
    },
  })
  await act("recordProgress", {
    ...caller,
    body: { ...at(text.id), status: "Completed", percentage: 100, timeSpent: 300 },
  })
  const { id: path } = await act("createLearningPath", { ...byStaff, body: { name: "Path", course_ids: [courseId] } })
  await act("enrollUsersInLearningPaths", { ...byStaff, body: { learning_path_ids: [path], user_ids: [id] } })
  await db.insert(dueDateChanges).values({
    ...{ id: await nextId("due_date_changes"), userId: id, courseId, cycle: 1, kind: "extension", until: 2 },
    ...{ previousDueAt: 1, reason: "zqxj is ill", createdBy: id, createdAt: 1 },
  })
  await db.insert(enrollmentCycles).values({
    ...{ userId: id, courseId, cycle: 0, courseName: "Earlier", beganAt: 1, endedAt: 2, status: "Completed" },
    ...{ percent: 100, pointsAwarded: 0, pointsPossible: 0, startedAt: 1, completedAt: 2, dueAt: 0, overdueAt: 0 },
    dueStatus: "no_due_date",
  })
  await db.insert(reminders).values({ enrollmentId: registrationId, cycle: 1, day: 20_000, sentAt: 1 })
  await db.insert(overdueDigests).values({ supervisorId: id, sendAt: 1 })
  const scheduleId = await nextId("report_schedules")
  await db.insert(reportSchedules).values({
    ...{ id: scheduleId, name: "Overdue", report: "overdue", filter: {}, interval: "weekly", day: 1, hour: 7 },
    ...{ ownerId: id, active: true, nextRunAt: 0, createdAt: 1 },
  })
  await db.insert(reportRecipients).values({ scheduleId, userId: id })
  await db.insert(reportDeliveries).values({ scheduleId, userId: id, runAt: 1, exportId: "export" })
  const ruleId = await nextId("assignment_rules")
  await db.insert(assignmentRules).values({
    ...{ id: ruleId, name: "Safety", active: false, audience: { everyone: true }, due: { type: "none" } },
    reminders: { daysBefore: [], overdueEveryDays: 0, copySupervisors: false },
    ...{ onLeave: "keep", searchText: "safety", createdAt: 1 },
  })
  await db.insert(assignmentMembers).values({ ruleId, userId: id, assignedAt: 1 })
  await db.insert(assignmentClaims).values({ ruleId, userId: id, courseId, dueAt: 0, enrolled: false })
  await db.insert(assignmentPathClaims).values({ ruleId, userId: id, learningPathId: path, enrolled: false })
  await db.insert(notifications).values({
    ...{ userId: id, kind: "enrolled", path: "/console", createdAt: 1 },
    variables: { course: "Algebra" },
  })
  await db.insert(notificationPreferences).values({ userId: id, kind: "enrolled", mail: "daily", inApp: true })
  const icon = "/assets/badge-star.svg"
  const { id: badge } = await act("createBadge", {
    ...byStaff,
    body: { title: "Star", badgeIconUrl: icon, points: 20 },
  })
  await act("awardBadge", { ...byStaff, body: { id: badge, user_ids: [id] } })
  const trainingClass = await classOf({ id: courseId })
  await act("enrollInClass", { ...byStaff, path: { id: trainingClass.id }, body: { studentIds: [id] } })
  const places = await act("listClassStudents", {
    ...byStaff,
    query: { page_size: 5, page_number: 1, class_id: trainingClass.id },
  })
  await act("updateWebinarNotes", { ...byStaff, query: { ids: [places.records[0].id], notes: "zqxj asked questions" } })
  return { courseId, registrationId, classId: trainingClass.id, file }
}

const describe = (value: unknown): string => {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString("latin1")
  if (Array.isArray(value)) return Buffer.from(value as number[]).toString("latin1")
  return String(value ?? "")
}

/** The columns that contain a text, including shadow tables of the search, as `table.column`. */
export async function columnsWith(text: string): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '_cf%' and sql not like 'create virtual%'",
  ).all<{ name: string }>()
  const found = new Set<string>()
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`select * from "${name}"`).all()
    for (const row of results)
      for (const [column, value] of Object.entries(row))
        if (describe(value).toLowerCase().includes(text)) found.add(`${name}.${column}`)
  }
  return [...found].sort()
}

/** The objects in R2 that contain a text, including files within archives. */
export async function objectsWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const { key } of (await env.FILES.list()).objects) {
    const object = await env.FILES.get(key)
    const bytes = new Uint8Array((await object?.arrayBuffer()) ?? [])
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
    const contents = isZip ? Object.values(await unzipped(bytes)).join("\n") : Buffer.from(bytes).toString("latin1")
    if (`${key}\n${contents}`.toLowerCase().includes(text)) found.push(key)
  }
  return found
}

/** The files of an archive, as text. */
export async function unzipped(bytes: Uint8Array): Promise<Record<string, string>> {
  const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(bytes)])), { useWebWorkers: false })
  const files: Record<string, string> = {}
  for (const entry of await reader.getEntries())
    if (!entry.directory) files[entry.filename] = await entry.getData(new TextWriter())
  await reader.close()
  return files
}
