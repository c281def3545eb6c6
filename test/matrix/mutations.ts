import { eq } from "drizzle-orm"
import { classSessions } from "../../drizzle/schema/classes.ts"
import { type CallReferences, EXAMPLE_CALLS, type ExampleCall } from "../../scripts/lib/example-operations.ts"
import {
  EXAMPLE_MODULES,
  type ExampleRecord,
  exampleRecords,
  NEW_PASSWORD,
  RECORD_NAMES,
  type RecordName,
} from "../../scripts/lib/example-records.ts"
import { type Operation, operations } from "../../src/http/operation.ts"
import { fileForm, PDF } from "../factories/assignments.ts"
import { PNG } from "../factories/certificates.ts"
import { db } from "../factories/index.ts"
import { FIRST_MEMBER, type LargeAcademy } from "../factories/large-academy.ts"
import { mediaFile } from "../factories/media.ts"
import { PACKAGE_12, packageForm, zip } from "../factories/scorm.ts"
import { call, query } from "../helpers/client.ts"

// One call of every operation that changes data, on the largest records of a large academy: the examples of
// scripts/lib, and here the operations that need more. Updates precede deletions.

interface Call {
  /** The path's parameters, in their order. */
  ids?: (number | string)[]
  query?: Record<string, unknown>
  body?: unknown
  /** The caller; the owner by default. */
  as?: { token: string }
  /** The expected status, if it is an error. */
  refused?: number
}
type Prepared = (academy: LargeAcademy, id: (name: string) => number) => Call | Promise<Call>

const nameOf = ({ method, path }: Operation) => `${method} ${path}`
const names = new Set(operations.map(nameOf))

const examplesFor = ({ learner }: LargeAcademy) => exampleRecords({ userId: learner.id, courseId: 1, badgeId: 1 })

/** The records that are changed or deleted in place of a new one, because all members refer to them. */
const LARGE_RECORDS: Partial<Record<RecordName, { change?: number; delete?: number }>> = {
  announcement: { delete: 2 },
  card: { change: 1, delete: 2 },
  cart: { change: 1, delete: 1 },
  category: { delete: 1 },
  group: { delete: 2 },
  membership: { delete: 1 },
  order: { change: 1, delete: 1 },
  portal: { delete: 2 },
  "sso-provider": { delete: 2 },
  subscription: { change: 1, delete: 1 },
}

/** Calls for each example record. Paths that are no operation are left out. */
const forRecords = (entries: (name: RecordName, created: string) => Record<string, Prepared>) =>
  Object.fromEntries(
    RECORD_NAMES.flatMap((name) =>
      Object.entries(entries(name, `/api/${name}/create`)).filter(([call]) => names.has(call)),
    ),
  )
const RECORDS = forRecords((name, created) => ({
  [`post ${created}`]: (academy) => ({ body: examplesFor(academy)[name].create }),
  [`put /api/${name}/{id}`]: (academy, id) => ({
    ids: [LARGE_RECORDS[name]?.change ?? id(created)],
    body: examplesFor(academy)[name].change,
  }),
}))
const RECORD_DELETIONS = forRecords((name, created) => ({
  [`post /api/${name}/delete`]: (academy, id) => {
    const { remove }: ExampleRecord = examplesFor(academy)[name]
    return { body: { delete_ids: [LARGE_RECORDS[name]?.delete ?? id(created)], ...remove } }
  },
}))

/** The records that the example calls refer to. Class 1 and learning path 1 have all members. */
const referencesOf = (academy: LargeAcademy): CallReferences => ({
  userId: academy.learner.id,
  instructorId: academy.staff.id,
  courseId: 1,
  registrationId: academy.registration.id,
  text: academy.text,
  quiz: academy.quiz,
  assignment: academy.assignment,
  scorm: academy.scorm,
  classId: 1,
  classSessionId: 0,
  classRegistrationId: 1,
  ownClassRegistrationId: academy.classPlace.id,
  learningPathId: 1,
  membershipId: 2,
  badgeId: 1,
  templateId: academy.templateId,
  certificateId: academy.certificateId,
  addressId: 1,
  cartId: 1,
})

const EXAMPLES: Record<string, Prepared> = Object.fromEntries(
  Object.entries(EXAMPLE_CALLS).flatMap(([operationId, example]) => {
    const operation = operations.find((one) => one.operationId === operationId)
    if (!operation) throw new Error(`There is no operation ${operationId}.`)
    if (operation.method === "get" && !operation.mutates) return []
    const prepared: Prepared = (academy) => {
      const { by, path = {}, ...call }: ExampleCall = example(referencesOf(academy))
      return { ids: Object.values(path), ...call, ...(by === "learner" && { as: academy.learner }) }
    }
    return [[nameOf(operation), prepared]]
  }),
)

const CAPTIONS = "WEBVTT\n\n00:00.000 --> 00:02.000\nGood morning."
const PERSON = { firstName: "Ada", password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD }
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const file = (name: string) => () => ({ body: fileForm(PDF, name, { name }) })
const exported = (path: string, body: object = {}): Record<string, Prepared> => ({
  [`post ${path}`]: () => ({ body }),
  [`post ${path}/cancel/{exportId}`]: (_, id) => ({ ids: [id(path)] }),
})

const CHANGES: Record<string, Prepared> = {
  // Records that all members refer to.
  "put /api/course/{id}": () => ({ ids: [1], body: { modules: [{ module_id: 1 }, { module_id: 2 }] } }),
  "put /api/learningpath/{id}": () => ({ ids: [1], body: { course_ids: [1] } }),
  "put /api/membership/{id}": () => ({ ids: [1], body: { name: "Renamed", course_ids: [1, 2, 3] } }),
  "put /api/category/{id}": () => ({ ids: [1], body: { category_name: "Renamed" } }),
  "put /api/users/customUserFields": () => ({
    body: { fields: [{ type: "text", label: "Renamed", userMetaKey: "field_2" }] },
  }),
  "put /api/sso-provider/{id}": () => ({ ids: [1], body: { issuer: "https://other.example.com" } }),
  "put /api/group/{id}": ({ groupAdmin, spareGroupAdmin }) => ({
    ids: [1],
    body: { name: "Renamed", admin_ids: [groupAdmin.id, spareGroupAdmin.id] },
  }),
  "put /api/portal/{id}": ({ portalAdmin, sparePortalAdmin }) => ({
    ids: [1],
    body: { name: "Renamed", admin_ids: [portalAdmin.id, sparePortalAdmin.id] },
  }),
  "put /api/announcement/{id}": () => ({ ids: [1], body: { heading: "Renamed", sending_rules: "all" } }),
  "post /api/class/update": () => ({ body: { id: 1, startTime: day(5), endTime: day(6), courseId: 1 } }),
  "put /api/modules/text/{id}": () => ({ ids: [2], body: { name: "Renamed", content: "y" } }),
  "put /api/badge/{id}": () => ({ ids: [1], body: { title: "Renamed", badgeIconUrl: "/b", points: 7 } }),
  "put /api/user/{id}": ({ groupAdmin }) => ({ ids: [groupAdmin.id], body: { firstName: "Zoe", userType: "general" } }),

  // Modules.
  ...Object.fromEntries(
    Object.entries(EXAMPLE_MODULES).map(([type, body]) => [`post /api/modules/${type}`, () => ({ body })]),
  ),
  "post /api/modules/scorm": async () => ({ body: packageForm(await zip(PACKAGE_12), { name: "Pack" }) }),
  "put /api/modules/video/{id}": (_, id) => ({ ids: [id("/api/modules/video")], body: { name: "Renamed" } }),
  "put /api/modules/quiz/{id}": ({ quiz }) => ({
    ids: [quiz],
    body: { questions: EXAMPLE_MODULES.quiz.questions.map((question) => ({ ...question, points: 9 })) },
  }),
  "put /api/modules/assignment/{id}": () => ({ ids: [1], body: { totalPoints: 20 } }),
  "put /api/modules/scorm/{id}": ({ scorm }) => ({ ids: [scorm], body: { name: "Renamed" } }),
  "post /api/modules/scorm/{id}/package": async ({ scorm }) => ({
    ids: [scorm],
    body: packageForm(await zip(PACKAGE_12)),
  }),
}

async function essayOf(quiz: number): Promise<number | undefined> {
  const [essay] = await db.all<{ id: number }>(
    `select id from quiz_questions where module_id = ${quiz} and type = 'essay'`,
  )
  return essay?.id
}

const OTHERS: Record<string, Prepared> = {
  "post /api/report-schedule/{id}/run": (_, id) => ({ ids: [id("/api/report-schedule/create")] }),
  "post /api/assignment-rule/{id}/run": (_, id) => ({ ids: [id("/api/assignment-rule/create")] }),
  // Learning.
  "post /api/course/create": () => ({ body: { name: "New", expiresAfterDays: 9, modules: [{ module_id: 1 }] } }),
  "post /api/course/enroll": ({ learner }) => ({ body: { course_ids: [1, 2], user_ids: [learner.id] } }),
  "post /api/course/record": (_, id) => ({
    body: {
      registrations: [
        {
          user_id: FIRST_MEMBER,
          course_id: id("/api/course/create"),
          registered_on: day(-60),
          completed_on: day(-50),
          expire_on: day(-5),
        },
      ],
    },
  }),
  "post /api/course/recertify": async () => {
    const [expired] = await db.all<{ id: number }>("select id from enrollments where expires_at between 1 and 2e13")
    return { body: { registrationId: expired?.id } }
  },
  "post /api/course/self-enroll": ({ own, staff }) => ({ body: { course_id: own.id }, as: staff }),
  "put /api/enrollment/module-access/{id}": () => ({
    ids: [1],
    body: { modules: [{ module_id: 2, opensAt: day(3) }] },
  }),
  "post /api/transcript/user/{id}/issue": () => ({ ids: [FIRST_MEMBER] }),
  "post /api/module/record": ({ text }) => ({
    body: { records: [{ registrationId: 1, moduleId: 2, completed_on: day(-1), timeSpent: text }] },
  }),
  "post /api/quiz/submit": async ({ learner, quiz }) => ({
    body: { attemptId: 1, answers: [{ questionId: await essayOf(quiz), text: "Because." }] },
    as: learner,
  }),
  "post /api/quiz/grade": async ({ quiz }) => ({
    body: { attemptId: 1, grades: [{ questionId: await essayOf(quiz), points: 1 }] },
  }),
  "post /api/module/assignment/upload": ({ learner }) => ({ body: fileForm(PDF, "work.pdf"), as: learner }),
  "post /api/course/reset": () => ({ body: { registration_ids: [1, 2] } }),
  "post /api/course/unenroll": () => ({ body: { course_ids: [1, 2], user_ids: [FIRST_MEMBER] } }),
  "post /api/learningpath/unenroll": () => ({ body: { learning_path_ids: [1], user_ids: [FIRST_MEMBER + 1] } }),

  // Classes.
  "post /api/class/study-material/upload": file("notes.pdf"),
  "post /api/class/attendance": async () => {
    const [session] = await db.select().from(classSessions).where(eq(classSessions.classId, 1)).limit(1)
    return { body: { sessionId: session?.id, marks: [{ registrationId: 1, attendance: "late" }] } }
  },
  "get /api/users/update-class-status": () => ({ query: { id: 2, status: "Attended" } }),
  "get /api/users/update-webinar-status": () => ({ query: { ids: "3,4", status: "Attended" } }),
  "get /api/users/update-webinar-notes": () => ({ query: { ids: "3,4", notes: "Fine" } }),
  "post /api/class/remove/{id}": () => ({ ids: [1], body: { enrollmentIds: [5] } }),

  // Certificates and badges.
  "post /api/certificate_template": () => ({ body: { name: "New", width: 1123, height: 794, bg_url: "", fields: [] } }),
  "post /api/certificate_template/upload": () => {
    const body = new FormData()
    body.set("file", new File([PNG], "seal.png"))
    return { body }
  },

  // Organizations.
  "post /api/user/portal-create": ({ portalAdmin }) => ({
    body: { userId: portalAdmin.id, portals: [{ name: "Own" }] },
  }),
}

const PEOPLE: Record<string, Prepared> = {
  "post /api/review/create": ({ own, learner }) => ({
    body: exampleRecords({ userId: learner.id, courseId: own.id, badgeId: 1 }).review.create,
    as: learner,
  }),
  "put /api/review/{id}": (academy, id) => ({
    ids: [id("/api/review/create")],
    body: examplesFor(academy).review.change,
  }),
  "post /api/user/create": () => ({ body: { ...PERSON, email: "ada@example.com" } }),
  "post /api/user/bulkUpload": () => ({ body: { userList: [{ email: "b@example.com", first_name: "B" }] } }),
  "post /api/user/userBulkUploadSpreadsheet": () => {
    const body = new FormData()
    body.set("file", new File(["email,first_name\nc@example.com,C\n"], "users.csv", { type: "text/csv" }))
    return { body }
  },
  "post /api/email/resendNewAccountEmail": ({ learner }) => ({ body: { user_id: learner.id } }),
  "put /api/user/updatePassword/{id}": ({ learner }) => ({
    ids: [learner.id],
    body: { password: `${NEW_PASSWORD}-2`, confirmPassword: `${NEW_PASSWORD}-2` },
  }),
  "post /api/user/quickEdit": () => ({ body: { user_ids: [FIRST_MEMBER], disabled: true, course_ids: [3] } }),
  "post /api/user/prepareTwoFactorAuth": ({ staff }) => ({ body: { user_id: staff.id }, as: staff }),
  "post /api/user/confirmTwoFactorAuth": ({ staff }) => ({
    body: { user_id: staff.id, secretCode: "000000" },
    as: staff,
    refused: 422,
  }),
  "post /api/user/disableTwoFactorAuth": ({ learner }) => ({ body: { user_id: learner.id } }),
  "post /api/me/calendar/create": ({ staff }) => ({ as: staff }),
  "post /api/notifications/read": ({ staff }) => ({ as: staff, body: { ids: [1] } }),
  "post /api/notifications/read-all": ({ staff }) => ({ as: staff }),
  "put /api/notification-preferences": ({ staff }) => ({
    as: staff,
    body: { records: [{ kind: "enrolled", mail: "daily" }] },
  }),
  "put /api/notification-template/{kind}": () => ({ ids: ["enrolled"], body: { subject: "Hello", body: "Hello" } }),
  "post /api/notification-template/{kind}/preview": () => ({ ids: ["enrolled"], body: {} }),
  "post /api/notification-template/{kind}/test": () => ({ ids: ["enrolled"], body: {} }),
  "post /api/notification-template/{kind}/reset": () => ({ ids: ["enrolled"], body: {} }),
  "put /api/settings": () => ({ body: { name: "Northwind" } }),
  "post /api/me/calendar/delete": ({ staff }) => ({ as: staff }),
  "post /api/session/delete": ({ owner }) => ({ body: { delete_ids: [1] }, as: owner }),
  "post /api/api-key/rotate": (_, id) => ({ body: { id: id("/api/api-key/create") } }),
  "post /api/webhook/test": (_, id) => ({ body: { id: id("/api/webhook/create") } }),
  "post /api/webhook/rotate": (_, id) => ({ body: { id: id("/api/webhook/create") } }),
  "post /api/webhook/redeliver": (_, id) => ({ body: { id: id("/api/webhook/create"), event_ids: ["1"] } }),
  "post /api/sso-provider/unlink": () => ({ body: { provider_id: 2, user_ids: [FIRST_MEMBER] } }),
  "post /api/announcement": () => ({ body: { heading: "To all", content: "x", sending_rules: "all" } }),
  ...exported("/api/users/export"),
  ...exported("/api/due/export"),
  ...exported("/api/due/team/export", {}),
  ...exported("/api/reports/compliance-matrix/export"),
  ...exported("/api/learner-insight/report/export"),
  ...exported("/api/user/learner-quizzes/export"),
  ...exported("/api/user/gradebook/export", { search_param: {} }),
  ...exported("/api/user/personal-data/export", { userId: FIRST_MEMBER }),
}

const MEDIA: Record<string, Prepared> = {
  "put /api/media/{id}": async ({ owner }) => ({ ids: [await mediaFile(owner.token, "png")], body: { altText: "x" } }),
  "put /api/media/{id}/captions/{language}": async ({ owner }) => ({
    ids: [await mediaFile(owner.token, "mp4"), "en"],
    body: { content: CAPTIONS },
  }),
  "post /api/media/{id}/captions/delete": async ({ owner }) => {
    const id = await mediaFile(owner.token, "mp4")
    await call("PUT", `/api/media/${id}/captions/en`, { token: owner.token, body: { content: CAPTIONS } })
    return { ids: [id], body: { language: "en" } }
  },
  "post /api/media/delete": async ({ owner }) => ({ body: { delete_ids: [await mediaFile(owner.token, "png")] } }),
}

const DELETIONS: Record<string, Prepared> = {
  "post /api/class/delete": () => ({ body: { classId: 1 } }),
  "post /api/class/delete-course-classes": () => ({ body: { courseId: 3 } }),
  "post /api/class-recording/delete": (_, id) => ({ body: { delete_ids: [id("/api/class-recording/create")] } }),
  "post /api/course/delete": () => ({ body: { delete_ids: [4] } }),
  "post /api/badge/delete": () => ({ body: { id: [1] } }),
  "post /api/certificate_template/delete": (_, id) => ({ body: { delete_ids: [id("/api/certificate_template")] } }),
  "post /api/user/delete-card": () => ({ body: { paymentTokenId: 1 } }),
  "post /api/user/erase": () => ({
    body: { userId: FIRST_MEMBER + 5, email: "member6@example.com", reason: "requested" },
  }),
  "post /api/user/delete": ({ groupAdmin, portalAdmin }) => ({ body: { delete_ids: [groupAdmin.id, portalAdmin.id] } }),
}

/**
 * The calls by method and path, in a valid order. A later entry replaces the call of an earlier one, and keeps its
 * position: these are the calls of large records in place of the examples.
 */
export const MUTATIONS: Record<string, Prepared> = {
  ...CHANGES,
  ...RECORDS,
  ...EXAMPLES,
  ...CHANGES,
  ...OTHERS,
  ...PEOPLE,
  ...MEDIA,
  ...RECORD_DELETIONS,
  ...DELETIONS,
}

/**
 * Makes a call.
 * @param made the ids of what earlier calls made, by their path
 * @returns a description of an answer that was not expected
 */
export async function mutate(name: string, academy: LargeAcademy, made: Map<string, number>) {
  const [method = "", path = ""] = name.split(" ")
  const prepared = await MUTATIONS[name]?.(academy, (of) => {
    const id = made.get(of)
    if (id === undefined) throw new Error(`Nothing was made by ${of}.`)
    return id
  })
  const { ids = [], body, as = academy.owner, refused, ...given } = prepared ?? {}
  const filled = ids.reduce<string>((text, id) => text.replace(/\{\w+\}/, String(id)), path)
  const url = given.query ? `${filled}${query(given.query)}` : filled
  const isGet = method === "get"
  const answer = await call(method.toUpperCase(), url, { ...(!isGet && { body: body ?? {} }), token: as.token })
  made.set(path, answer.body?.id ?? answer.body?.export_id)
  const isExpected = refused === undefined ? answer.status < 300 : answer.status === refused
  return isExpected ? undefined : `${name} answers ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`
}
