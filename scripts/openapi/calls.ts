// One call of every operation with the sample academy, for `npm run verify -- openapi`. Add a call for each new
// operation.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { generateSync } from "otplib"
import { PASSWORD } from "../lib/client.ts"
import { type CallReferences, dateIn, EXAMPLE_CALLS, type ExampleCall, NO_RECORDS } from "../lib/example-operations.ts"
import {
  EXAMPLE_ADDRESS,
  EXAMPLE_MODULES,
  type ExampleRecord,
  exampleRecords,
  NEW_PASSWORD,
  RECORD_NAMES,
} from "../lib/example-records.ts"
import { createZip } from "../lib/zip.ts"
import { Academy } from "../sample/academy.ts"
import type { TestAcademy } from "./academy.ts"
import type { Answer, Call, Driver } from "./driver.ts"
import { callMedia } from "./media-calls.ts"
import { callScim } from "./scim-calls.ts"

const PAGE = { page_size: 2, page_number: 1 }
const file = (name: string, type: string, content: string | Uint8Array<ArrayBuffer>) =>
  new File([content], name, { type })

const MANIFEST = `<?xml version="1.0"?>
<manifest identifier="forklift" version="1.2" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="o"><organization identifier="o"><title>Forklift</title>
    <item identifier="i" identifierref="r"><title>Forklift</title></item></organization></organizations>
  <resources><resource identifier="r" type="webcontent" adlcp:scormtype="sco" href="index.html">
    <file href="index.html"/></resource></resources>
</manifest>`

const packageFile = async () =>
  file(
    "forklift.zip",
    "application/zip",
    new Uint8Array(
      await (await createZip({ "imsmanifest.xml": MANIFEST, "index.html": "<p>Forklift</p>" })).arrayBuffer(),
    ),
  )

/** Calls the five operations of a record: create, list, get, update and delete. */
async function callRecord(call: Call, { one, many, create, change, remove }: ExampleRecord) {
  const { id } = await call(`create${one}`, { body: create })
  await call(`list${many}`, { query: PAGE })
  await call(`get${one}`, { path: { id } })
  await call(`update${one}`, { path: { id }, body: change })
  await call(`delete${many}`, { body: { delete_ids: [id], ...remove } })
}

/** Calls the operations of a rule beyond those of a record. */
async function callAssignmentRules(call: Call, { create }: ExampleRecord) {
  const { id } = await call("createAssignmentRule", { body: create })
  await call("runAssignmentRule", { path: { id } })
  await call("previewAssignmentRule", { body: { id } })
}

/** Calls the operations of the question bank: a question needs a pool. */
async function callQuestionBank(call: Call, pool: ExampleRecord, question: ExampleRecord) {
  await callRecord(call, pool)
  const { id: poolId } = await call("createQuestionPool", { body: pool.create })
  await callRecord(call, { ...question, create: { ...question.create, poolId } })
}

/** Calls every operation. @param driver a driver of a new sample academy */
export async function callAll(driver: Driver, { url, mail }: Pick<TestAcademy, "url" | "mail">) {
  const stranger = driver.stranger()
  const owner = await driver.as("owner@example.com")
  const admin = await driver.as("admin@example.com")
  const staff = await driver.as("staff@example.com")
  const group = await driver.as("group@example.com")
  const portal = await driver.as("portal@example.com")
  const learner = await driver.as("learner@example.com")

  await stranger("getHealth")
  await stranger("getReadiness")
  await callUsers({
    admin: admin.call,
    staff: staff.call,
    owner: owner.call,
    learner,
    group: group.call,
    stranger,
    driver,
    mail,
  })
  await callSignUp(stranger, mail)
  await callAccess(admin.call, stranger, driver)
  await callScim(admin.call, stranger)
  await learner.call("getMe")
  const hook = await createWebhook(admin.call)
  await callBilling(admin.call, learner.id)
  await callOrganizations(admin.call, staff.call, learner.id, portal.id)
  const fixture = await callCourses(staff.call, group, learner)
  await callLearning(staff.call, learner.call, learner.id, fixture)
  await callClasses(staff.call, admin.call, learner, staff.id, fixture)
  const academy = new Academy(url)
  await callCertificatesAndBadges(staff.call, learner.call, learner.id, fixture, (...parameters) =>
    academy.sql(...parameters),
  )
  await callAnnouncements(staff.call, admin.call, learner)
  await callWebhooks(admin.call, hook)
  await callExports(admin.call, (...parameters) => academy.sql(...parameters))
  await callJobs(admin.call, fixture.courseId, (...parameters) => academy.sql(...parameters))
  const callers = { learner: learner.call, staff: staff.call, admin: admin.call }
  await callOthers(driver, callers, { ...NO_RECORDS, ...fixture, userId: learner.id, instructorId: staff.id })
  await callTraining(staff.call, stranger, { ...fixture, userId: learner.id })
  await callErasure(admin.call)
}

/** Calls the operations of due training, opening dates and transcripts. */
async function callTraining(
  staff: Call,
  stranger: Call,
  { registrationId, courseId, text, userId }: Record<"registrationId" | "courseId" | "text" | "userId", number>,
) {
  await staff("listDueTraining", { query: PAGE })
  await staff("summarizeDueTraining", {})
  await staff("listTeamDueTraining", { query: PAGE })
  await staff("getComplianceMatrix", { query: PAGE })
  await staff("getGradebook", { query: { ...PAGE, course_id: courseId } })
  await staff("listLearnersAtRisk", { query: PAGE })
  await staff("listTaughtCourses")
  await staff("getModuleAccess", { path: { id: registrationId } })
  const opensAt = dateIn(3)
  await staff("updateModuleAccess", { path: { id: registrationId }, body: { modules: [{ module_id: text, opensAt }] } })
  await staff("getTranscript", { path: { id: userId } })
  const { id, code } = await staff("issueTranscript", { path: { id: userId } })
  await staff("downloadTranscript", { path: { id } })
  await stranger("verifyTranscript", { path: { code } })
}

/** Calls the operations of the example records and the example calls that were not called before. */
async function callOthers(driver: Driver, callers: Record<ExampleCall["by"], Call>, references: CallReferences) {
  const { userId, courseId } = references
  const badgeId = (await callers.staff("listBadges", { query: PAGE, unrecorded: true })).records?.[0]?.id
  const records = exampleRecords({ userId, courseId, badgeId })
  await callQuestionBank(callers.admin, records["question-pool"], records.question)
  for (const name of RECORD_NAMES)
    if (driver.missing.includes(`create${records[name].one}`)) await callRecord(callers.admin, records[name])
  await callAssignmentRules(callers.admin, records["assignment-rule"])
  const schedule = await callers.admin("createReportSchedule", { body: records["report-schedule"].create })
  await callers.admin("runReportSchedule", { path: { id: schedule.id } })
  for (const [operationId, example] of Object.entries(EXAMPLE_CALLS))
    if (driver.missing.includes(operationId)) {
      const call: ExampleCall = example(references)
      await callers[call.by](operationId, call)
    }
}

/** Inserts a completed job: no course of the sample academy is large enough to start one. */
async function callJobs(admin: Call, courseId: number, sql: Academy["sql"]) {
  const id = "5df32228-1fe9-4877-80af-47cb4350f14d"
  const at = Date.now()
  await sql(
    `insert into background_jobs (id, kind, params, status, done, total, created_at, completed_at)
      values (?, 'course.recount', json_object('courseId', ?), 'completed', 50000, 50000, ?, ?)`,
    [id, courseId, at, at],
  )
  await admin("getJob", { path: { id } })
}

/** Erases a user. Runs last because it ends running exports. */
async function callErasure(admin: Call) {
  const email = "jonas.lind@example.com"
  const person = { firstName: "Jonas", lastName: "Lind", email, password: NEW_PASSWORD }
  const { id } = await admin("createUser", {
    body: { ...person, password_confirmation: NEW_PASSWORD },
    unrecorded: true,
  })
  await admin("eraseUser", { body: { userId: id, email, reason: "requested" } })
  for (let tries = 0; tries < 60; tries++) {
    const { status } = await admin("getErasureProgress", { path: { id }, unrecorded: true })
    if (status !== "processing") break
    await sleep(500)
  }
  await admin("getErasureProgress", { path: { id } })
}

/** Devices, API keys and single sign-on providers. */
async function callAccess(admin: Call, stranger: Call, driver: Driver) {
  const session = await stranger("signIn", {
    body: { email: "staff@example.com", password: PASSWORD, device: "Phone" },
    unrecorded: true,
  })
  await stranger("refreshSession", { body: { refreshToken: session.refreshToken } })
  const own = await driver.as("staff@example.com")
  const devices = await own.call("listDevices", { query: PAGE })
  await own.call("signOutDevices", { body: { delete_ids: [devices.records?.[0]?.id] } })

  const example = exampleRecords({ userId: own.id, courseId: 1, badgeId: 0 })
  const { id } = await admin("createApiKey", { body: example["api-key"].create })
  await admin("listApiKeys", { query: PAGE })
  await admin("getApiKey", { path: { id } })
  await admin("updateApiKey", { path: { id }, body: example["api-key"].change })
  const { key: clientSecret } = await admin("rotateApiKey", { body: { id } })
  await stranger("exchangeApiKey", {
    fields: { grant_type: "client_credentials", client_id: String(id), client_secret: clientSecret, scope: "read" },
  })
  await stranger("getAuthorizationServer")
  await admin("deleteApiKeys", { body: { delete_ids: [id] } })

  const provider = example["sso-provider"]
  const { id: providerId } = await admin("createSignInProvider", { body: provider.create })
  await admin("listSignInProviders", { query: PAGE })
  await admin("getSignInProvider", { path: { id: providerId } })
  await admin("updateSignInProvider", { path: { id: providerId }, body: provider.change })
  await admin("unlinkSsoUsers", { body: { provider_id: providerId, user_ids: [] } })
  await admin("deleteSignInProviders", { body: { delete_ids: [providerId] } })
}

/** Signs up: the academy has SIGN_UP=open. */
async function callSignUp(stranger: Call, mail: TestAcademy["mail"]) {
  const email = "noor.haddad@example.com"
  await stranger("signUp", {
    body: { firstName: "Noor", lastName: "Haddad", email, customUserMetas: { region: "North" } },
  })
  const [, token] = /token=([\w-]+)/.exec(await mail(email, /confirm/i)) ?? []
  await stranger("confirmSignUp", { body: { token, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD } })
}

const { webhook: WEBHOOK } = exampleRecords({ userId: 0, courseId: 0, badgeId: 0 })

/** Creates a webhook, which receives the events of later calls. @returns its id */
async function createWebhook(admin: Call): Promise<number> {
  const { id } = await admin("createWebhook", { body: WEBHOOK.create })
  return id
}

async function callWebhooks(admin: Call, id: number) {
  await admin("listWebhooks", { query: PAGE })
  await admin("getWebhook", { path: { id } })
  await admin("updateWebhook", { path: { id }, body: WEBHOOK.change })
  await admin("testWebhook", { body: { id } })
  const sent = await admin("listWebhookDeliveries", { path: { id }, query: { page_size: 2 } })
  await admin("redeliverEvents", { body: { id, event_ids: [sent.deliveries?.[0]?.eventId] } })
  await admin("rotateWebhookSecret", { body: { id } })
  await admin("deleteWebhooks", { body: { delete_ids: [id] } })
}

interface Cast {
  mail: TestAcademy["mail"]
  admin: Call
  staff: Call
  owner: Call
  group: Call
  stranger: Call
  learner: { id: number; call: Call }
  driver: Driver
}

async function callUsers({ admin, staff, learner, stranger, driver, mail }: Cast) {
  await stranger("signIn", { body: { email: "learner@example.com", password: PASSWORD } })
  const login = await driver.as("learner@example.com")
  await login.call("signOut", { body: { everywhere: false } })

  await admin("lookUpUserTypes", {})
  await admin("listUsers", {
    query: { ...PAGE, order_by: { colName: "last_name", direction: "asc" }, search_param: { nameOrEmail: "a" } },
  })
  await admin("listUsersByType", { query: { ...PAGE, userType: "staff" } })
  await admin("lookUpUsers", { query: { ...PAGE, search_term: "ga" } })
  await learner.call("saveViewType", EXAMPLE_CALLS.saveViewType({ ...NO_RECORDS, userId: learner.id }))
  await learner.call("getViewType", { query: { userId: learner.id } })
  const email = "ines.duarte@example.com"
  const { id } = await admin("createUser", {
    body: {
      firstName: "Inês",
      lastName: "Duarte",
      email,
      userType: "general",
      externalId: "E-1043",
      password: NEW_PASSWORD,
      password_confirmation: NEW_PASSWORD,
    },
  })
  await admin("getUser", { path: { id } })
  await admin("getUserByEmail", { query: { email } })
  await admin("getUserByExternalId", { query: { externalId: "E-1043" } })
  await admin("updateUser", { path: { id }, body: { lastName: "Duarte Alves", internal_note: "Prefers mornings" } })
  await admin("updateUserPassword", {
    path: { id },
    body: { password: `${NEW_PASSWORD}-2`, confirmPassword: `${NEW_PASSWORD}-2` },
  })
  const own = await driver.as(email, `${NEW_PASSWORD}-2`)
  await own.call("getTwoFactorState", { query: { user_id: id } })
  const secret = await own.call("prepareTwoFactor", { body: { user_id: id } })
  await own.call("confirmTwoFactor", {
    body: {
      user_id: id,
      secretCode: generateSync({ secret: secret.as_string ?? "" }),
      qrCode: secret.as_qr_code,
      stringCode: secret.as_string,
    },
  })
  await admin("disableTwoFactor", { body: { user_id: id } })
  const membership = (await admin("listMemberships", { query: PAGE, unrecorded: true })).records?.[0]?.id
  const references = { ...NO_RECORDS, userId: id }
  await admin("updateUserMembership", EXAMPLE_CALLS.updateUserMembership({ ...references, membershipId: membership }))
  await staff("resendNewAccountEmail", { body: { user_id: id } })
  await stranger("requestPasswordLink", { body: { email } })
  const [, token] = /token=([\w-]+)/.exec(await mail(email, /reset your password/i)) ?? []
  await stranger("setPasswordByLink", {
    body: { token, password: `${NEW_PASSWORD}-3`, password_confirmation: `${NEW_PASSWORD}-3` },
  })
  await staff("quickEditUsers", { body: { user_ids: [id], disabled: false } })
  const wanted = "ines.duarte.alves@example.com"
  const again = await driver.as(email, `${NEW_PASSWORD}-3`)
  await again.call("updateUser", { path: { id }, body: { email: wanted }, unrecorded: true })
  const [, confirmation] = /token=([\w-]+)/.exec(await mail(wanted, /confirm/i)) ?? []
  await stranger("confirmEmail", { body: { token: confirmation } })

  await admin("addUserAddress", EXAMPLE_CALLS.addUserAddress(references))
  await admin("addUserAddress", {
    path: { id },
    unrecorded: true,
    body: { ...EXAMPLE_ADDRESS, type: "shipping" },
  })
  const billing = await admin("listBillingAddresses", { path: { id } })
  await admin("listShippingAddresses", { path: { id } })
  await admin("getDefaultAddress", { path: { id }, query: { type: "billing_address" } })
  const address = (Array.isArray(billing) ? billing : (billing.records ?? billing.data))?.[0]?.id
  await admin("getAddress", { path: { id: address } })
  await admin("updateAddress", EXAMPLE_CALLS.updateAddress({ ...references, addressId: address }))

  await admin("listRegistrationFields", {})
  await admin("lookUpCustomFieldTypes", {})
  await admin("lookUpCustomFieldReports", {})
  const fields = await admin("listCustomFields", {})
  await admin("canDeleteCustomField", { query: { fieldToDelete: { userMetaKey: "region" } } })
  await admin("replaceCustomFields", {
    body: { fields: (Array.isArray(fields) ? fields : (fields.fields ?? fields.data)).slice(0, 20) },
  })
  await admin("getEmailRules", {})

  const upload = await staff("bulkUploadUsers", {
    body: { userList: [{ email: "li.wei@example.com", first_name: "Li", last_name: "Wei" }], dryRun: true },
  })
  await staff("getBulkUploadSample", {})
  await staff("bulkUploadUsersFromSpreadsheet", {
    form: {
      file: file("users.csv", "text/csv", "email,first_name,last_name\nsam.okafor@example.com,Sam,Okafor\n"),
      dryRun: "true",
    },
  })
  const many = Array.from({ length: 25 }, (_, i) => ({ email: `new${i}@example.com`, first_name: "New" }))
  const waiting = await staff("bulkUploadUsers", { body: { userList: many }, unrecorded: true })
  await staff("getBulkUploadProgress", { path: { uploadId: waiting.upload_id ?? waiting.uploadId ?? upload.uploadId } })
  await admin("deleteUsers", { body: { delete_ids: [id] } })

  const example = exampleRecords({ userId: learner.id, courseId: await findUnreviewedCourse(learner), badgeId: 0 })
  await callRecord(learner.call, example.review)
  const consent = example["user-consent"]
  const { id: consentId } = await learner.call("createConsent", { body: consent.create })
  await learner.call("listConsents", { query: PAGE })
  await learner.call("listUserConsents", { query: PAGE })
  await admin("getConsent", { path: { id: consentId } })
  await admin("updateConsent", { path: { id: consentId }, body: consent.change })
  await admin("deleteConsents", { body: { delete_ids: [consentId] } })
  await admin("lookUpUserSources", {})
}

/** A course of the learner without a review. */
async function findUnreviewedCourse({ id, call }: { id: number; call: Call }): Promise<number> {
  const courses = await call("listEnrolledCourses", {
    query: { ...PAGE, page_size: 50, user_id: id },
    unrecorded: true,
  })
  const reviews = await call("listReviews", { query: { ...PAGE, page_size: 50 }, unrecorded: true })
  const reviewed = new Set(reviews.records?.filter((r: Answer) => r.userId === id).map((r: Answer) => r.courseId))
  return courses.records?.map((c: Answer) => c.courseId ?? c.course_id).find((c: number) => !reviewed.has(c))
}

async function callBilling(admin: Call, userId: number) {
  const { card, cart } = exampleRecords({ userId, courseId: 1, badgeId: 0 })
  await admin("listUserOrders", { query: { ...PAGE, user_id: userId } })
  const { id: cardId } = await admin("createCard", { body: card.create, unrecorded: true })
  await admin("listSavedCards", { query: { user_id: userId } })
  await admin("deleteSavedCard", { body: { paymentTokenId: cardId } })
  await admin("listUserSubscriptions", { query: { ...PAGE, user_id: userId } })
  const { id: cartId } = await admin("createCart", { body: cart.create, unrecorded: true })
  await admin("sendCartReminder", EXAMPLE_CALLS.sendCartReminder({ ...NO_RECORDS, cartId }))
}

async function callOrganizations(admin: Call, staff: Call, learnerId: number, portalId: number) {
  const example = exampleRecords({ userId: learnerId, courseId: 1, badgeId: 0 })
  await staff("createGroup", { body: { name: "Yard", externalId: "G-7" }, unrecorded: true })
  await staff("getGroupByExternalId", { query: { externalId: "G-7" } })
  await admin("createUserPortals", {
    body: { userId: portalId, portals: [{ name: "Hilltop School", totalSeat: 10 }] },
  })
  await admin("listUserPortals", { query: { ...PAGE, user_id: portalId } })
  for (const type of ["Course", "Module", "Product", "Question", "User"]) {
    await staff(`lookUp${type}Categories`, {})
    await staff(`list${type}Categories`, { query: PAGE })
  }
  const { id } = await staff("createCategory", { body: example.category.create })
  await staff("getCategory", { path: { id } })
  await staff("updateCategory", { path: { id }, body: example.category.change })
  await staff("deleteCategories", { body: { delete_ids: [id] } })
}

interface CourseFixture {
  courseId: number
  registrationId: number
  text: number
  quiz: number
  scorm: number
  assignment: number
}

async function callCourses(
  staff: Call,
  group: { id: number; call: Call },
  learner: { id: number; call: Call },
): Promise<CourseFixture> {
  await callMedia(staff)
  const { id: text } = await staff("createTextModule", { body: EXAMPLE_MODULES.text })
  const { id: video } = await staff("createVideoModule", { body: EXAMPLE_MODULES.video })
  const { id: quiz } = await staff("createQuizModule", { body: EXAMPLE_MODULES.quiz })
  const { id: assignment } = await staff("createAssignmentModule", { body: EXAMPLE_MODULES.assignment })
  const { id: scorm } = await staff("createScormModule", {
    form: { name: "Forklift simulation", package: await packageFile() },
  })
  await staff("replaceScormPackage", { path: { id: scorm }, form: { package: await packageFile() } })
  for (const [type, id] of Object.entries({
    Text: text,
    Video: video,
    Quiz: quiz,
    Scorm: scorm,
    Assignment: assignment,
  })) {
    await staff(`list${type}Modules`, { query: PAGE })
    await staff(`get${type}Module`, { path: { id } })
    await staff(`update${type}Module`, { path: { id }, body: { estimatedCompletion: 25 } })
  }
  const modules = [{ module_id: text }, { module_id: quiz }, { module_id: assignment }, { module_id: scorm }]
  const { id: courseId } = await staff("createCourse", {
    body: {
      name: "Driving a forklift",
      slug: "driving-a-forklift",
      status: "publish",
      content: "<p>Safely through the yard.</p>",
      estimatedMinutes: 90,
      expiresAfterDays: 365,
      modules,
    },
  })
  await staff("listCourses", { query: { ...PAGE, search_param: { status: "publish" } } })
  await staff("getCourse", { path: { id: courseId } })
  await staff("updateCourse", { path: { id: courseId }, body: { estimatedMinutes: 100, externalId: "C-7" } })
  await staff("getCourseByExternalId", { query: { externalId: "C-7" } })
  const { id: unusedId } = await staff("createCourse", { body: { name: "A draft", slug: "a-draft" }, unrecorded: true })
  await staff("deleteCourses", { body: { delete_ids: [unusedId] } })
  await group.call("listGroupCourses", { query: { group_id: await ownGroup(group.call) } })
  await staff("getCoursesOverview", { query: PAGE })
  await staff("getStaffHome")

  await staff("enrollUsers", EXAMPLE_CALLS.enrollUsers({ ...NO_RECORDS, courseId, userId: learner.id }))
  const students = await staff("listUsersByType", {
    query: { ...PAGE, page_size: 5, userType: "general" },
    unrecorded: true,
  })
  const others: number[] = students.records?.map((one: Answer) => one.id).filter((one: number) => one !== learner.id)
  await staff("recordEnrollments", {
    body: {
      registrations: [
        { user_id: others[0], course_id: courseId, registered_on: dateIn(-40), completed_on: dateIn(-30) },
      ],
    },
  })
  await staff("listCourseStudents", { query: { ...PAGE, course_id: courseId, group_id: await ownGroup(group.call) } })
  await staff("recordEnrollments", {
    unrecorded: true,
    body: {
      registrations: [
        {
          user_id: others[2],
          course_id: courseId,
          registered_on: dateIn(-60),
          completed_on: dateIn(-50),
          expire_on: dateIn(-5),
        },
      ],
    },
  })
  const past = await staff("listEnrolledCourses", {
    query: { ...PAGE, user_id: others[2], search_param: { nameOrEmail: "forklift" } },
    unrecorded: true,
  })
  await staff("recertifyEnrollment", { body: { registrationId: past.records?.[0]?.id } })
  const found = await learner.call("listEnrolledCourses", {
    query: { ...PAGE, user_id: learner.id, search_param: { nameOrEmail: "forklift" } },
  })
  const registrationId = found.records?.[0]?.id
  await staff("unenrollUsers", { body: { course_ids: [courseId], user_ids: [others[1]] } })

  const { learningpath } = exampleRecords({ userId: learner.id, courseId, badgeId: 0 })
  const { id: path } = await staff("createLearningPath", { body: learningpath.create })
  await staff("listLearningPaths", { query: PAGE })
  await staff("getLearningPath", { path: { id: path } })
  await staff("updateLearningPath", { path: { id: path }, body: learningpath.change })
  const references = { ...NO_RECORDS, learningPathId: path, userId: learner.id }
  await staff("enrollUsersInLearningPaths", EXAMPLE_CALLS.enrollUsersInLearningPaths(references))
  await learner.call("listEnrolledLearningPaths", { query: { ...PAGE, user_id: learner.id } })
  await learner.call("listPortalLearningPaths", { query: PAGE })
  await learner.call("listLibraryLearningPaths", { query: PAGE })
  await learner.call("listLibraryCourses", { query: PAGE })
  await learner.call("listMembershipContents", { query: PAGE })
  const { id: open } = await staff("createCourse", {
    body: { name: "A first look", slug: "a-first-look", status: "publish", selfEnroll: true },
    unrecorded: true,
  })
  await learner.call("enrollSelf", { body: { course_id: open } })
  await learner.call("showOwnLearning")
  await learner.call("showCoursePage", { path: { slug: "driving-a-forklift" } })
  const slug = (await staff("getLearningPath", { path: { id: path }, unrecorded: true })).slug
  await learner.call("showLearningPathPage", { path: { slug: slug ?? "yard-work" } })
  await staff("unenrollUsersFromLearningPaths", { body: { learning_path_ids: [path], user_ids: [learner.id] } })
  await staff("deleteLearningPaths", { body: { delete_ids: [path] } })
  return { courseId, registrationId, text, quiz, scorm, assignment }
}

const ownGroup = async (call: Call): Promise<number> =>
  (await call("listGroups", { query: PAGE, unrecorded: true })).records?.[0]?.id

async function callLearning(staff: Call, learner: Call, learnerId: number, fixture: CourseFixture) {
  const { registrationId, courseId, quiz, scorm, assignment } = fixture
  const references = { ...NO_RECORDS, ...fixture }
  await learner("listRegistrationModules", { query: { registrationId } })
  await learner("recordProgress", EXAMPLE_CALLS.recordProgress(references))
  const attempt = await learner("beginQuizAttempt", EXAMPLE_CALLS.beginQuizAttempt(references))
  const { attemptId, questions = [] } = attempt
  const [question, essay] = questions
  await learner("submitQuizAttempt", {
    body: {
      attemptId,
      answers: [
        { questionId: question?.id, optionIds: [question?.options?.[0]?.id] },
        { questionId: essay?.id, text: "A load on bad brakes cannot be stopped." },
      ],
    },
  })
  await staff("gradeQuizAttempt", {
    body: { attemptId, grades: [{ questionId: essay?.id, points: 2, comment: "Right." }] },
  })
  await learner("listQuizAttempts", { query: { registrationId, moduleId: quiz } })
  await learner("getQuizAttempt", { path: { id: attemptId } })
  await staff("reportQuizStatistics", { query: { module_id: quiz } })
  await learner("openAssignment", EXAMPLE_CALLS.openAssignment(references))
  const upload = await learner("uploadAssignmentFile", {
    form: { file: file("shift.txt", "text/plain", "I checked the brakes first.\n") },
  })
  await learner("downloadAssignmentFile", { path: { id: upload.storage_url.split("/").at(-1) } })
  await learner("submitAssignment", EXAMPLE_CALLS.submitAssignment(references))
  const rows: Answer[] = await learner("listRegistrationModules", { query: { registrationId }, unrecorded: true })
  const statusRowId = (moduleId: number) => rows.find(({ module_id }) => module_id === moduleId)?.status_row_id
  await learner("getSubmission", { query: { statusRowId: statusRowId(assignment) } })
  await staff("listCourseSubmissions", { query: { ...PAGE, course_id: courseId } })
  await staff("listAllSubmissions", { query: PAGE })
  await staff("evaluateAssignment", EXAMPLE_CALLS.evaluateAssignment(references))
  await learner("launchScorm", { query: { registrationId, moduleId: scorm } })
  const committed = await learner("commitScorm", EXAMPLE_CALLS.commitScorm(references))
  await learner("getDashboardStatistics", { query: { user_id: learnerId } })
  await learner("getOwnHome")
  await learner("reportQuizzes", { query: { ...PAGE, user_id: learnerId } })
  await staff("downloadQuizReport", { path: { statusRowId: statusRowId(quiz) } })
  await staff("downloadScormReport", { path: { modulesStatusId: committed.statusRowId } })
  await staff("downloadScormActivityReport", { path: { modulesStatusId: committed.statusRowId } })
  await staff("reportUserInDetail", { query: { ...PAGE, user_id: learnerId } })
  await staff("reportCourseInDetail", { query: { ...PAGE, course_id: courseId } })
  await staff("reportCourseDays", { query: { course_id: courseId, between: `${dateIn(-1)},${dateIn(0)}` } })
  await staff("reportCourseModules", { query: { course_id: courseId } })
  await staff("reportQuizScores", { query: { course_id: courseId, module_id: quiz } })
  await staff("reportUsers", { query: PAGE })
  await staff("listEnrollments", { query: PAGE })
  await staff("listCertificates", { query: PAGE })
  await staff("listUserActivities", { query: { ...PAGE, user_id: learnerId, context: "admin" } })

  const other = await staff("reportCourseInDetail", {
    query: { ...PAGE, page_size: 20, course_id: courseId },
    unrecorded: true,
  })
  const otherRow = other.records?.find((row: Answer) => (row.registrationId ?? row.id) !== registrationId)
  const theirs = { ...references, registrationId: otherRow?.registrationId ?? otherRow?.id }
  await staff("recordModuleStatuses", EXAMPLE_CALLS.recordModuleStatuses(theirs))
  await staff("recordQuizAttempts", EXAMPLE_CALLS.recordQuizAttempts(theirs))
  await staff("recordSubmissions", EXAMPLE_CALLS.recordSubmissions(theirs))
}

async function callClasses(
  staff: Call,
  admin: Call,
  learner: { id: number; call: Call },
  staffId: number,
  { courseId }: CourseFixture,
) {
  const material = await staff("uploadStudyMaterial", {
    form: { file: file("plan.txt", "text/plain", "Bring boots.\n"), name: "Plan of the day" },
  })
  const { body: classBody } = EXAMPLE_CALLS.createClass({ ...NO_RECORDS, courseId, instructorId: staffId })
  const { id: classId } = await staff("createClass", {
    body: { ...classBody, studyMaterial: [{ media_id: material.media_id, name: "Plan of the day" }] },
  })
  await staff("getClass", { query: { classId } })
  await staff("updateClass", { body: { id: classId, allowDownload: true, externalId: "S-7" } })
  await staff("getClassByExternalId", { query: { externalId: "S-7" } })
  await staff("listClasses", { query: PAGE })
  await staff("listClassSchedules", { query: { courseId } })
  await staff("listCourseClasses", { query: { ...PAGE, course_id: courseId } })
  await learner.call("lookUpCourseLocations", { query: { course_id: courseId } })
  await staff("enrollInClass", EXAMPLE_CALLS.enrollInClass({ ...NO_RECORDS, classId, userId: learner.id }))
  const students = await staff("listClassStudents", { query: { ...PAGE, class_id: classId } })
  const registration = students.records?.[0]?.id
  const attendance = await staff("listClassAttendance", { query: { ...PAGE, class_id: classId } })
  const own = await learner.call("listEnrolledClasses", {
    query: { ...PAGE, user_id: learner.id, search_param: { course_id: courseId } },
  })
  await learner.call("listUserClassSessions", { query: { dates: `${dateIn(0)},${dateIn(60)}` } })
  const registrationId = own.records?.[0]?.id ?? registration
  const references = {
    ...NO_RECORDS,
    classId,
    classSessionId: attendance.sessions?.[0]?.id,
    classRegistrationId: registration,
    ownClassRegistrationId: registrationId,
  }
  await staff("setClassAttendance", EXAMPLE_CALLS.setClassAttendance(references))
  const material2 = await learner.call("getClassWithMaterial", EXAMPLE_CALLS.getClassWithMaterial(references))
  const fileId = material2.classMaterial?.[0]?.id
  await learner.call("downloadStudyMaterial", { path: { id: fileId } })
  await learner.call("viewStudyMaterial", { path: { id: fileId } })
  await learner.call("downloadClassCalendar", { path: { id: classId } })
  await learner.call("getCalendar")
  const { url: calendarUrl } = await learner.call("createCalendar")
  await learner.call("readCalendar", { path: { subscription: calendarUrl.split("/").at(-1).replace(".ics", "") } })
  await learner.call("deleteCalendar")
  await learner.call("listNotifications")
  await learner.call("markNotificationsRead", { body: { ids: [1] } })
  await learner.call("markAllNotificationsRead")
  await learner.call("getNotificationPreferences")
  await learner.call("updateNotificationPreferences", { body: { records: [{ kind: "enrolled", mail: "daily" }] } })
  await admin("listNotificationTemplates")
  const kind = { kind: "enrolled" }
  await admin("getNotificationTemplate", { path: kind })
  const text = { subject: "Welcome to {{course}}", body: "Hello {{first_name}},\n\n[Open course]({{url}})" }
  await admin("updateNotificationTemplate", { path: kind, body: text })
  await admin("previewNotificationTemplate", { path: kind, body: {} })
  await admin("sendTestNotification", { path: kind, body: {} })
  await admin("resetNotificationTemplate", { path: kind, body: {} })
  await admin("getSettings")
  await admin("updateSettings", { body: { timeZone: "Europe/Madrid" } })
  await learner.call("getWebinar", { query: { registrationId } })
  await learner.call("launchWebinar", EXAMPLE_CALLS.launchWebinar(references))
  await staff("updateClassStatus", EXAMPLE_CALLS.updateClassStatus(references))
  await staff("updateUserClassStatus", EXAMPLE_CALLS.updateUserClassStatus(references))
  await staff("updateWebinarStatus", EXAMPLE_CALLS.updateWebinarStatus(references))
  await staff("updateWebinarNotes", EXAMPLE_CALLS.updateWebinarNotes(references))
  const { id: recording } = await staff("createClassRecording", EXAMPLE_CALLS.createClassRecording(references))
  await staff("deleteClassRecordings", { body: { delete_ids: [recording] } })
  await staff("reportUserClasses", { query: { ...PAGE, user_id: learner.id } })
  await staff("reportClassInDetail", { query: { ...PAGE, class_id: classId } })
  await staff("getClassesOverview", { query: PAGE })
  await staff("issueClassCertificates", EXAMPLE_CALLS.issueClassCertificates(references))
  await staff("removeFromClass", { path: { id: classId }, body: { enrollmentIds: [registration] } })
  const { id: unusedId } = await staff("createClass", { body: classBody, unrecorded: true })
  await staff("deleteClass", { body: { classId: unusedId } })
  await staff("deleteCourseClasses", { body: { courseId } })
  await admin("lookUpCredentialGroups", {})
  await admin("validateCredentialKey", { path: { key: "key-of-the-provider" } })
}

async function callCertificatesAndBadges(
  staff: Call,
  learner: Call,
  learnerId: number,
  { registrationId }: CourseFixture,
  sql: Academy["sql"],
) {
  const image = readFileSync(join(import.meta.dirname, "../sample/certificate.png"))
  const background = await staff("uploadCertificateBackground", {
    form: { file: file("frame.png", "image/png", new Uint8Array(image)) },
  })
  await staff("getCertificateBackground", { path: { file: String(background.storage_url).split("/").at(-1) ?? "" } })
  const { id: template } = await staff("createCertificateTemplate", {
    body: {
      name: "License to drive",
      width: 1123,
      height: 794,
      bg_url: background.storage_url,
      qr_code: { show: true, left: 821, top: 652, size: 84 },
      fields: [
        {
          key: "student_full_name",
          value: "student full name",
          font_size: 54,
          font_family: "Times-Bold",
          font_color: "#1f3a68",
          top: 252,
          left: 120,
          align_center: true,
          width: 883,
          height: 70,
          show_tools: false,
        },
      ],
    },
  })
  await staff("lookUpCertificateTemplates", {})
  await staff("listCertificateTemplates", { query: PAGE })
  await staff("lookUpCertificateKeys", {})
  await staff("lookUpCertificateFonts", {})
  await staff("getCertificateTemplate", { path: { id: template } })
  const templateReferences = { ...NO_RECORDS, templateId: template }
  await staff("updateCertificateTemplate", EXAMPLE_CALLS.updateCertificateTemplate(templateReferences))
  await staff("quickEditCertificateTemplates", EXAMPLE_CALLS.quickEditCertificateTemplates(templateReferences))
  await staff("previewCertificateTemplate", EXAMPLE_CALLS.previewCertificateTemplate(templateReferences))
  await staff("deleteCertificateTemplates", { body: { delete_ids: [template] } })
  const certificates = await learner("listUserCertificates", { path: { id: learnerId }, query: PAGE })
  const certificate = certificates.records?.[0]
  const [[code = ""] = []] = await sql("select code from certificates where id = ?", [certificate?.id])
  await learner("downloadCertificate", { path: { id: certificate?.id } })
  for (const operation of ["verifyCertificate", "getCertificatePicture", "downloadPublicCertificate"])
    await learner(operation, { path: { code: String(code) } })
  const references = { ...NO_RECORDS, userId: learnerId, registrationId, certificateId: certificate?.id }
  await staff("updateCertificateIssueDate", EXAMPLE_CALLS.updateCertificateIssueDate(references))
  await staff("updateCertificateDates", EXAMPLE_CALLS.updateCertificateDates(references))
  await staff("deleteUserCertificate", EXAMPLE_CALLS.deleteUserCertificate(references))
  await staff("issueCourseCertificates", EXAMPLE_CALLS.issueCourseCertificates(references))
  await staff("resetEnrollments", { body: { registration_ids: [registrationId] } })

  const icons = await staff("lookUpDefaultBadges", {})
  const icon = JSON.stringify(icons).match(/https?:[^"]+|\/assets[^"]+/)?.[0]
  const badge = { title: "First shift", badgeIconUrl: icon, points: 20 }
  const { id } = await staff("createBadge", { body: badge })
  await staff("listBadges", { query: PAGE })
  await staff("getBadge", { path: { id } })
  await staff("updateBadge", { path: { id }, body: { ...badge, points: 25 } })
  await staff("awardBadge", EXAMPLE_CALLS.awardBadge({ ...references, badgeId: id }))
  await learner("listUserBadges", { path: { id: learnerId } })
  await learner("getLeaderboard", { path: { id: learnerId } })
  await staff("deleteBadges", { body: { id: [id] } })
}

async function callAnnouncements(staff: Call, admin: Call, learner: { id: number; call: Call }) {
  const { announcement } = exampleRecords({ userId: learner.id, courseId: 1, badgeId: 0 })
  const { id } = await staff("createAnnouncement", { body: announcement.create })
  await staff("listAnnouncements", { query: PAGE })
  await staff("getAnnouncement", { path: { id } })
  await staff("updateAnnouncement", { path: { id }, body: announcement.change })
  await learner.call("listStudentAnnouncements", { query: PAGE })
  await staff("deleteAnnouncements", { body: { delete_ids: [id] } })
  await admin("listAuditLog", { query: PAGE })
  await admin("lookUpAuditVerbs", {})
  await admin("listEvents", {})
  await admin("getDiagnostics", {})
}

/** Downloads an export of each kind, then cancels it. */
async function callExports(admin: Call, sql: Academy["sql"]) {
  const search = { search_param: { nameOrEmail: "a" } }
  const kinds = [
    ...["Users", "UserReport", "LearnerQuizzes", "Gradebook"].map((kind) => ({ kind, body: search })),
    { kind: "DueList", body: search },
    { kind: "DueTeam", body: {} },
    { kind: "ComplianceMatrix", body: search },
    { kind: "PersonalData", body: { userId: 7 } },
  ]
  for (const { kind, body } of kinds) {
    const { export_id: exportId } = await admin(`export${kind}`, { body })
    for (let tries = 0; tries < 60; tries++) {
      const { status } = await admin(`get${kind}ExportProgress`, { path: { exportId }, unrecorded: true })
      if (status !== "processing") break
      await sleep(500)
    }
    await admin(`get${kind}ExportProgress`, { path: { exportId } })
    await admin(`download${kind}Export`, { path: { exportId } })
    // Exports of the sample academy finish before they can be cancelled, so one is set back to running.
    await sql("update export_jobs set status = 'processing' where id = ?", [exportId])
    await admin(`cancel${kind}Export`, { path: { exportId } })
  }
}
