import { eq } from "drizzle-orm"
import { beforeEach, describe, expect, it } from "vitest"
import { courses } from "../../drizzle/schema/courses.ts"
import { EXAMPLE_ADDRESS, exampleRecords } from "../../scripts/lib/example-records.ts"
import { template } from "../factories/certificates.ts"
import { deliverErasure } from "../factories/erasures.ts"
import { db, group, portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { learningPath } from "../factories/learning-paths.ts"
import { call, post, query } from "../helpers/client.ts"
import { openApiDocument } from "./inputs.ts"

// Every operation that changes something and takes the id of a user, with the id of an erased one.

const REFERENCE = /^((add_)?(user|member|admin)_ids|userId|user_id|studentIds|authorId|author_id|instructor)$/

interface Entry {
  operationId: string
  parameters: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, object>
  "x-changes"?: boolean
}
interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
}

/** The operations that change something, with the fields that name users: `add_user_ids`, or `path` for an id. */
async function operationsWithUsers() {
  const { paths, components } = await openApiDocument()
  const named = (schema: Schema | undefined): string[] => {
    if (!schema) return []
    if (schema.$ref) return named(components.schemas[schema.$ref.split("/").at(-1) ?? ""] as Schema)
    const fields = Object.entries(schema.properties ?? {})
    return [
      ...fields.flatMap(([name, field]) => [...(REFERENCE.test(name) ? [name] : []), ...named(field)]),
      ...named(schema.items),
    ]
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Record<string, Entry>).flatMap(([method, entry]) => {
      if (!path.startsWith("/api/") || (method === "get" && !entry["x-changes"])) return []
      const bodies = Object.values(entry.requestBody?.content ?? {})
      const fields = new Set([
        ...(/\/user\/(\w+\/)?\{id\}/.test(path) ? ["path"] : []),
        ...entry.parameters
          .filter(({ in: place, name }) => place === "query" && REFERENCE.test(name))
          .map(({ name }) => name),
        ...bodies.flatMap(({ schema }) => named(schema)),
      ])
      return [...fields].map((field) => ({
        name: `${entry.operationId} ${field}`,
        method,
        path,
        declares409: "409" in entry.responses,
      }))
    }),
  )
}

interface Given {
  path?: number
  query?: object
  body?: object
}
type Academy = Awaited<ReturnType<typeof academyWithErased>>

async function academyWithErased() {
  const admin = await signedIn("owner")
  const ada = await user()
  const certificateTemplateId = (await template()).id
  const algebra = await course()
  const earned = await enrollment(ada, algebra, { status: "Completed", completedAt: Date.now() })
  await db.update(courses).set({ certificateTemplateId }).where(eq(courses.id, algebra.id))
  const { id: membershipId } = (await post("/api/membership/create", { name: "Gold" })).body as { id: number }
  const badge = (await post("/api/badge/create", { title: "First", badgeIconUrl: "/b.svg", points: 1 })).body
  const found = {
    admin,
    id: ada.id,
    course: algebra.id,
    other: (await course()).id,
    registration: earned.id,
    membership: membershipId,
    badge: badge.id as number,
    path: (await learningPath({}, [algebra])).id,
    group: (await group()).id,
    portal: (await portal()).id,
    template: certificateTemplateId,
    announcement: (
      await post("/api/announcement", { heading: "News", content: "x", sending_rules: "all" }, { token: admin.token })
    ).body.id as number,
  }
  await post("/api/user/erase", { userId: ada.id, email: ada.email }, { token: admin.token })
  await deliverErasure(ada.id)
  return found
}

const PASSWORD = "correct horse battery staple"
const records = ({ id, course: courseId, badge: badgeId }: Academy) => exampleRecords({ userId: id, courseId, badgeId })
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A call that gives an erased user something or changes them. The response is 409 `user_erased`. */
const REFUSED: Record<string, (academy: Academy) => Given> = {
  "saveViewType userId": ({ id }) => ({ query: { userId: id, type: "grid" } }),
  "updateUser path": ({ id }) => ({ path: id, body: { firstName: "Ada" } }),
  "updateUserPassword path": ({ id }) => ({ path: id, body: { password: PASSWORD } }),
  "updateUserMembership path": ({ id, membership }) => ({ path: id, body: { id: membership } }),
  "addUserAddress path": ({ id }) => ({ path: id, body: EXAMPLE_ADDRESS }),
  "quickEditUsers user_ids": ({ id }) => ({ body: { user_ids: [id], disabled: false } }),
  "createCard userId": (academy) => ({ body: records(academy).card.create }),
  "createOrder userId": (academy) => ({ body: records(academy).order.create }),
  "createSubscription userId": (academy) => ({ body: records(academy).subscription.create }),
  "createCart userId": (academy) => ({ body: records(academy).cart.create }),
  "createConsent userId": (academy) => ({ body: { ...records(academy)["user-consent"].create, userId: academy.id } }),
  "createReview userId": (academy) => ({ body: { ...records(academy).review.create, userId: academy.id } }),
  "createGroup user_ids": ({ id }) => ({ body: { name: "North", user_ids: [id] } }),
  "createGroup admin_ids": ({ id }) => ({ body: { name: "North", admin_ids: [id] } }),
  "updateGroup user_ids": ({ group: path, id }) => ({ path, body: { user_ids: [id] } }),
  "updateGroup add_user_ids": ({ group: path, id }) => ({ path, body: { add_user_ids: [id] } }),
  "updateGroup admin_ids": ({ group: path, id }) => ({ path, body: { admin_ids: [id] } }),
  "createPortal member_ids": ({ id }) => ({ body: { name: "North", member_ids: [id] } }),
  "createPortal admin_ids": ({ id }) => ({ body: { name: "North", admin_ids: [id] } }),
  "updatePortal member_ids": ({ portal: path, id }) => ({ path, body: { member_ids: [id] } }),
  "updatePortal add_member_ids": ({ portal: path, id }) => ({ path, body: { add_member_ids: [id] } }),
  "updatePortal admin_ids": ({ portal: path, id }) => ({ path, body: { admin_ids: [id] } }),
  "createUserPortals userId": ({ id }) => ({ body: { userId: id, portals: [{ name: "South" }] } }),
  "createCourse authorId": ({ id }) => ({ body: { name: "New", authorId: id } }),
  "updateCourse authorId": ({ course: path, id }) => ({ path, body: { authorId: id } }),
  "enrollUsers user_ids": ({ other: courseId, id }) => ({ body: { course_ids: [courseId], user_ids: [id] } }),
  "recordEnrollments user_id": ({ other: course_id, id }) => ({
    body: { registrations: [{ user_id: id, course_id, registered_on: day(-9), completed_on: day(-5) }] },
  }),
  "enrollUsersInLearningPaths user_ids": ({ path, id }) => ({ body: { learning_path_ids: [path], user_ids: [id] } }),
  "awardBadge user_ids": ({ badge, id }) => ({ body: { id: badge, user_ids: [id] } }),
  "createAnnouncement user_ids": (academy) => ({ body: records(academy).announcement.create }),
  "updateAnnouncement user_ids": ({ announcement: path, id }) => ({
    path,
    body: { sending_rules: "specific_users", user_ids: [id] },
  }),
  "quickEditCertificateTemplates author_id": ({ template: one, id }) => ({
    body: { template_ids: [one], author_id: id },
  }),
  "issueTranscript path": ({ id }) => ({ path: id }),
}

/** Operations that give an erased user nothing. */
const OTHERS: Record<string, string> = {
  "prepareTwoFactor user_id": "accepts the caller's own id only",
  "confirmTwoFactor user_id": "accepts the caller's own id only",
  "disableTwoFactor user_id": "takes away",
  "resendNewAccountEmail user_id": "refuses users who are disabled",
  "createClass instructor": "refuses instructors who are disabled",
  "updateClass instructor": "refuses instructors who are disabled",
  "enrollInClass studentIds": "leaves out users who are disabled, with the reason",
  "addUserAddress userId": "names the user of the path again",
  "updateAddress path": "changes an address by its id, and an erased user has none",
  "updateAddress userId": "changes an address by its id, and an erased user has none",
  "updateUserPassword userId": "names the user of the path again",
  "sendMessage user_ids": "leaves out users who are disabled",
  "unlinkSsoUsers user_ids": "takes away",
  "deleteUsers user_id": "takes away",
  "unenrollUsers user_ids": "takes away",
  "unenrollUsersFromLearningPaths user_ids": "takes away",
  "deleteUserCertificate path": "takes away",
  "eraseUser userId": "returns user_erased for the second erasure, which has tests of its own",
  "exportPersonalData userId": "reads",
  "exportUserReport user_id": "reads",
  "exportLearnerQuizzes user_id": "reads",
  "exportGradebook user_id": "reads",
  "exportDueList user_id": "reads",
  "previewNotificationTemplate userId": "reads",
}

describe("an operation with the id of an erased user", () => {
  let academy: Academy
  let operations: Awaited<ReturnType<typeof operationsWithUsers>>

  beforeEach(async () => {
    academy = await academyWithErased()
    operations = await operationsWithUsers()
  })

  it("is in one of the lists of this file", () => {
    const names = operations.map(({ name }) => name)
    expect([...Object.keys(REFUSED), ...Object.keys(OTHERS)].sort()).toEqual([...new Set(names)].sort())
  })

  it("declares 409 if it gives users something or changes them", () => {
    const undeclared = operations.filter(({ name, declares409 }) => name in REFUSED && !declares409)
    expect(undeclared.map(({ name }) => name)).toEqual([])
  })

  it("returns 409 user_erased if it gives them something or changes them", async () => {
    const answers: Record<string, unknown> = {}
    for (const { name, method, path } of operations) {
      const prepare = REFUSED[name]
      if (!prepare) continue
      const { path: id, query: parameters = {}, body } = prepare(academy)
      const { status, body: answer } = await call(
        method.toUpperCase(),
        `${path.replace("{id}", String(id))}${query({ ...parameters })}`,
        {
          token: academy.admin.token,
          ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        },
      )
      answers[name] = status === 409 ? answer.code : { status, answer }
    }
    expect(answers).toEqual(Object.fromEntries(Object.keys(REFUSED).map((name) => [name, "user_erased"])))
  })

  it("returns 409 user_erased for a certificate by hand", async () => {
    const { admin, registration } = academy
    const { status, body } = await post(
      "/api/course/assignCertificate",
      { registrationIds: [registration] },
      { token: admin.token },
    )
    expect([status, body.code], JSON.stringify(body)).toEqual([409, "user_erased"])
  })
})
