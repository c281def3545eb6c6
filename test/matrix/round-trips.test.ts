import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { type Caller, callerAs, hasRole } from "../../src/lib/caller.ts"
import { manyAnnouncements } from "../factories/announcements.ts"
import { category } from "../factories/categories.ts"
import { certificate, template } from "../factories/certificates.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, group, portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { learningPath } from "../factories/learning-paths.ts"
import { mediaFile } from "../factories/media.ts"
import { card, order, subscription } from "../factories/people.ts"
import { PACKAGE_12, packageForm, zip } from "../factories/scorm.ts"
import { type Answer, call, cost, get, post, put } from "../helpers/client.ts"
import { sampled } from "./matrix.ts"

// An update accepts the body that the read returned, and changes nothing. RECORDS has an entry for every operation that
// updates a record by its whole body; an operation that is in no table of this file fails the test.

/** The paths that read and update a record. */
interface Trip {
  read: string
  change: string
  /** Makes the body of the update from the response of the read. */
  back?: (body: Record<string, unknown>) => unknown
}

interface Kind {
  read: string
  change: `${"put" | "post"} ${string}`
  /** Creates records: the ids of their paths by a description for failures. */
  make: (people: People) => Promise<Record<string, number | Trip>>
}

const ids = async (...made: Promise<{ id: number }>[]) => (await Promise.all(made)).map(({ id }) => id)

/** Creates a record through the interface. @returns its id */
async function made(path: string, body: unknown): Promise<number> {
  const answer = await post(path, body)
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200)
  return answer.body.id ?? answer.body.media_id
}

/** Deletes a record that another one refers to. */
async function deleted(path: string, body: unknown) {
  const answer = await post(path, body)
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200)
}

const ITEMS = [{ type: "course", id: 1, name: "Algebra", quantity: 2, price: 49.95 }]
const later = (days: number) => Date.now() + days * 86_400_000 + 1234

const plain = (path: string): Pick<Kind, "read" | "change"> => ({ read: path, change: `put ${path}` })

const MODULE = {
  name: "Filled",
  content: "<p>Text</p>",
  icon: "book",
  isLocked: true,
  estimatedCompletion: 2,
  estimationCompletedUnit: "hour",
}

const QUESTIONS = [
  {
    text: "Which?",
    type: "multiple",
    points: 3,
    options: [
      { text: "A", correct: true },
      { text: "B", correct: false },
      { text: "C", correct: true },
    ],
  },
  {
    text: "True?",
    type: "truefalse",
    points: 0,
    options: [
      { text: "Yes", correct: true },
      { text: "No", correct: false },
    ],
  },
  { text: "How?", type: "short", answers: ["so", "thus"] },
]

const address = {
  fullName: "Ada Byron",
  addressLine1: "12 St James's Square",
  zipcode: "SW1Y 4JH",
  city: "London",
  country: "United Kingdom",
  isDefault: true,
}

/** An address of a user. */
async function addressOf(userId: number, given: object): Promise<number> {
  expect((await post(`/api/user/${userId}/addAddress`, { ...address, ...given })).status).toBe(201)
  const [row] = await db.all<{ id: number }>(sql`select max(id) as id from addresses`)
  return row?.id ?? 0
}

async function courseOfDeletedRecords(): Promise<number> {
  const author = await user({ userType: "staff" })
  const [categoryId, moduleId] = [(await category()).id, (await module()).id]
  const given = { name: "Orphan", categoryIds: [categoryId], authorId: author.id, modules: [{ module_id: moduleId }] }
  const id = await made("/api/course/create", { ...given, certificateTemplateId: (await template()).id })
  await deleted("/api/category/delete", { delete_ids: [categoryId] })
  await deleted("/api/user/delete", { delete_ids: [author.id] })
  return id
}

/** A pool of questions. */
async function poolOf(questions: object[]): Promise<number> {
  const poolId = await made("/api/question-pool/create", { name: "Pool" })
  for (const question of questions) await made("/api/question/create", { ...question, poolId })
  return poolId
}

async function textOfDeletedCategory(): Promise<number> {
  const [kept, gone] = [await category({ type: "module" }), await category({ type: "module" })]
  const id = await made("/api/modules/text", { ...MODULE, categoryIds: [kept.id, gone.id] })
  await deleted("/api/category/delete", { delete_ids: [gone.id] })
  return id
}

async function gamificationOfDeletedRecords(): Promise<number> {
  const { id: targetId } = await course()
  const badgeId = await made("/api/badge/create", { title: "B", badgeIconUrl: "/a.png" })
  const given = { name: "Orphan", type: "course_completed", targetId, badgeId, points: 5 }
  const id = await made("/api/gamification-event/create", given)
  await deleted("/api/course/delete", { delete_ids: [targetId] })
  await deleted("/api/badge/delete", { id: badgeId })
  return id
}

const RECORDS: Kind[] = [
  {
    ...plain("/api/badge/{id}"),
    make: async () => ({
      filled: await made("/api/badge/create", {
        title: "Filled",
        badgeIconUrl: "https://example.com/a.png",
        points: 5,
        defaultIconUrl: "/icons/star.svg",
        organizationId: "ACME",
      }),
      numbered: await made("/api/badge/create", { title: "N", badgeIconUrl: "/a.png", organizationId: 12 }),
      sparse: await made("/api/badge/create", { title: "Sparse", badgeIconUrl: "/a.png" }),
    }),
  },
  {
    ...plain("/api/webhook/{id}"),
    make: async () => {
      const given = { url: "https://hooks.example.org/a", events: ["user.created", "order.failed"] }
      const limits = { courseId: (await course()).id, groupId: (await group()).id, portalId: (await portal()).id }
      const limited = await made("/api/webhook/create", { ...given, ...limits })
      await deleted("/api/course/delete", { delete_ids: [limits.courseId] })
      await deleted("/api/group/delete", { delete_ids: [limits.groupId] })
      await deleted("/api/portal/delete", { delete_ids: [limits.portalId] })
      return {
        "limited to deleted records": limited,
        filled: await made("/api/webhook/create", { ...given, description: "CRM" }),
        sparse: await made("/api/webhook/create", given),
      }
    },
  },
  {
    ...plain("/api/category/{id}"),
    make: async () => ({
      made: await made("/api/category/create", { category_name: "Science", categoryType: "course" }),
      imported: (await category({ createdBy: null })).id,
    }),
  },
  {
    ...plain("/api/location/{id}"),
    make: async () => ({
      filled: await made("/api/location/create", { name: "Hall", city: "Bath", zipcode: "BA1", capacity: 30 }),
      sparse: await made("/api/location/create", { name: "Room" }),
    }),
  },
  {
    ...plain("/api/group/{id}"),
    make: async ({ groupAdmin, learner }) => {
      const [one, two] = await ids(course(), course())
      return {
        filled: await made("/api/group/create", {
          name: "Filled",
          user_ids: [learner.id],
          admin_ids: [groupAdmin.id],
          course_seats: [
            { course_id: one, total_seats: 3 },
            { course_id: two, total_seats: 0 },
          ],
        }),
        sparse: await made("/api/group/create", { name: "Sparse" }),
        // They are still its administrators, although their user type has changed.
        demoted: (await group({ admins: [learner.id] })).id,
      }
    },
  },
  {
    ...plain("/api/portal/{id}"),
    make: async ({ portalAdmin, learner }) => {
      const parent = await made("/api/portal/create", { name: "Parent" })
      const gone = await made("/api/portal/create", { name: "Gone" })
      const orphan = await made("/api/portal/create", { name: "Orphan", parentPortalId: gone })
      await deleted("/api/portal/delete", { delete_ids: [gone] })
      return {
        "of a deleted parent": orphan,
        filled: await made("/api/portal/create", {
          name: "Filled",
          slug: "filled",
          referralCode: "CODE",
          totalSeat: 3,
          subscriptionId: 7,
          parentPortalId: parent,
          portalType: "school",
          expiryDate: "2199-01-05 15:04:33",
          expiryMessage: "Over",
          logoUrl: "https://example.com/a.png",
          primaryColor: "#112233",
          secondaryColor: "#445566",
          senderName: "School",
          replyTo: "school@example.com",
          member_ids: [learner.id],
          admin_ids: [portalAdmin.id],
        }),
        sparse: parent,
        expired: (
          await portal({ admins: [portalAdmin.id], members: [learner.id], status: "inactive", expiresAt: 123_456 })
        ).id,
      }
    },
  },
  {
    ...plain("/api/membership/{id}"),
    make: async () => {
      const given = await ids(course(), course())
      const { id: gone } = await course()
      const orphan = await made("/api/membership/create", { name: "Iron", course_ids: [gone, ...given] })
      await deleted("/api/course/delete", { delete_ids: [gone] })
      return {
        "of a deleted course": orphan,
        filled: await made("/api/membership/create", {
          name: "Gold",
          expiresAfterDays: 30,
          course_ids: given.toReversed(),
        }),
        sparse: await made("/api/membership/create", { name: "Silver" }),
      }
    },
  },
  {
    ...plain("/api/card/{id}"),
    make: async ({ learner }) => ({ made: await card(learner.id) }),
  },
  {
    ...plain("/api/cart/{id}"),
    make: async ({ learner }) => ({
      discounted: await made("/api/cart/create", { userId: learner.id, items: ITEMS, total: 12.5, currency: "EUR" }),
      plain: await made("/api/cart/create", { userId: learner.id, items: ITEMS }),
    }),
  },
  {
    ...plain("/api/user-consent/{id}"),
    make: async ({ learner }) => ({
      filled: await made("/api/user-consent/create", {
        userId: learner.id,
        consentId: 12,
        status: "rejected",
        country: "Kenya",
        consentDate: "2026-01-05T15:04:33.210Z",
        ipAddress: "2001:db8::1",
      }),
      sparse: await made("/api/user-consent/create", { userId: learner.id, consentId: "terms", status: "accepted" }),
    }),
  },
  {
    ...plain("/api/order/{id}"),
    make: async ({ learner }) => {
      const gone = await user()
      const orphan = await order(gone.id, { total: 1000 })
      await post("/api/user/delete", { delete_ids: [gone.id] })
      return {
        made: await made("/api/order/create", {
          userId: learner.id,
          items: ITEMS,
          currency: "KWD",
          status: "refunded",
        }),
        orphan,
      }
    },
  },
  {
    ...plain("/api/subscription/{id}"),
    make: async ({ learner }) => ({
      filled: await subscription(learner.id, { endAt: later(30), cardId: await card(learner.id) }),
      open: await subscription(learner.id),
      lapsed: await subscription(learner.id, { startAt: later(-60), endAt: later(-30) }),
      cancelled: await subscription(learner.id, { status: "Cancelled" }),
    }),
  },
  {
    ...plain("/api/gamification-event/{id}"),
    make: async () => ({
      "of deleted records": await gamificationOfDeletedRecords(),
      filled: await made("/api/gamification-event/create", {
        name: "Filled",
        type: "course_completed",
        targetId: (await course()).id,
        badgeId: await made("/api/badge/create", { title: "B", badgeIconUrl: "/a.png" }),
        points: 5,
        active: false,
      }),
      sparse: await made("/api/gamification-event/create", { name: "Login", type: "login", points: 1 }),
    }),
  },
  {
    ...plain("/api/review/{id}"),
    make: async ({ learner }) => {
      const [one, two] = [await course(), await course()]
      await enrollment(learner, one)
      await enrollment(learner, two)
      const review = { userId: learner.id, rating: 4 }
      return {
        filled: await made("/api/review/create", { ...review, courseId: one.id, text: "Good" }),
        sparse: await made("/api/review/create", { ...review, courseId: two.id }),
      }
    },
  },
  {
    ...plain("/api/api-key/{id}"),
    make: async () => {
      const { token } = await signedIn("owner")
      const key = async (body: object) => (await post("/api/api-key/create", body, { token })).body.id
      const needed = { name: "Nightly", role: "staff", access: "write" }
      return {
        filled: await key({ ...needed, families: ["Users", "Courses"], expires_at: "2199-01-05 10:00" }),
        sparse: await key(needed),
      }
    },
  },
  {
    ...plain("/api/sso-provider/{id}"),
    make: async () => {
      const { id: portalId } = await portal()
      const needed = { name: "Identity", issuer: "https://id.example.com", clientId: "lectern" }
      await put("/api/users/customUserFields", { fields: [{ type: "text", label: "Nickname" }] })
      const { id: groupId } = await group()
      const orphan = await made("/api/sso-provider/create", {
        ...needed,
        claims: { nick: "nickname" },
        groups: { sales: groupId },
      })
      await deleted("/api/group/delete", { delete_ids: [groupId] })
      await put("/api/users/customUserFields", { fields: [] })
      return {
        "with a deleted group and field": orphan,
        filled: await made("/api/sso-provider/create", {
          ...needed,
          slug: "corp",
          clientSecret: "a-secret",
          scopes: "openid email",
          portalId,
          domains: ["example.com"],
          claims: { nick: "firstName" },
          create: true,
          active: false,
        }),
        sparse: await made("/api/sso-provider/create", needed),
      }
    },
  },
  {
    ...plain("/api/user-source/{id}"),
    make: async () => ({
      filled: await made("/api/user-source/create", {
        name: "Open day",
        identifier: "open_day",
        description: "Text",
        logoUrl: "https://example.com/a.png",
      }),
      sparse: await made("/api/user-source/create", { name: "Web", identifier: "web" }),
    }),
  },
  {
    ...plain("/api/course/{id}"),
    make: async ({ staff }) => ({
      "with deleted records": await courseOfDeletedRecords(),
      filled: await made("/api/course/create", {
        name: "Filled",
        slug: "filled-course",
        status: "publish",
        content: "<p>Text</p>",
        instructions: "<p>Do</p>",
        featuredImageUrl: "https://example.com/a.png",
        categoryIds: [(await category()).id],
        authorId: staff.id,
        certificateTemplateId: (await template()).id,
        estimatedMinutes: 90,
        expiresAfterDays: 30,
        totalSeats: 20,
        enableCourseRating: true,
        courseCredit: 2.5,
        modules: [
          { module_id: (await module()).id, required: false, dripDays: 2, minTimeSpent: 60, opensAt: "2030-01-05" },
          { module_id: (await module()).id, isLocked: true },
        ],
      }),
      sparse: await made("/api/course/create", { name: "Sparse" }),
      authorless: (await course({ authorId: null })).id,
    }),
  },
  {
    ...plain("/api/learningpath/{id}"),
    make: async () => {
      const [one, two, gone] = [await course(), await course(), await course()]
      const orphan = await made("/api/learningpath/create", { name: "Orphan", course_ids: [gone.id, one.id] })
      await deleted("/api/course/delete", { delete_ids: [gone.id] })
      return {
        "with a deleted course": orphan,
        filled: await made("/api/learningpath/create", {
          name: "Filled",
          course_ids: [two.id, one.id],
          type: "private",
          featuredImageUrl: "https://example.com/a.png",
        }),
        sparse: (await learningPath({}, [one])).id,
      }
    },
  },
  {
    ...plain("/api/assignment-rule/{id}"),
    make: async () => {
      const [one, two] = [await course(), await course()]
      const path = await learningPath({}, [one])
      const gone = await made("/api/group/create", { name: "Gone" })
      const orphan = await made("/api/assignment-rule/create", {
        name: "Orphan",
        audience: { any: [{ group: [gone] }, { role: ["staff"] }] },
      })
      await deleted("/api/group/delete", { delete_ids: [gone] })
      return {
        "with a deleted group": orphan,
        filled: await made("/api/assignment-rule/create", {
          name: "Filled",
          active: false,
          audience: { all: [{ role: ["general"] }, { joined: { after: "2026-01-01" } }] },
          courseIds: [two.id, one.id],
          learningPathIds: [path.id],
          due: { type: "date", date: "2027-01-31" },
          graceDays: 3,
          skipWeekends: true,
          recurrence: { type: "yearly", month: 1, day: 31 },
          reminders: { daysBefore: [], overdueEveryDays: 0, copySupervisors: true },
          onLeave: "remove",
        }),
        sparse: await made("/api/assignment-rule/create", { name: "Sparse" }),
      }
    },
  },
  {
    ...plain("/api/report-schedule/{id}"),
    make: async ({ owner: { token } }) => {
      const schedule = async (body: object) => (await post("/api/report-schedule/create", body, { token })).body.id
      return {
        filled: await schedule({
          ...{ name: "Filled", report: "overdue", interval: "monthly", day: 31, hour: 0, active: false },
          filter: { format: "csv" },
          recipientIds: [(await user({ userType: "staff" })).id],
        }),
        sparse: await schedule({ name: "Sparse", report: "due_summary", interval: "weekly" }),
      }
    },
  },
  {
    ...plain("/api/announcement/{id}"),
    make: async ({ learner }) => {
      const news = { heading: "News", content: "<p>Text</p>" }
      const inCourse = await course()
      await enrollment(learner, inCourse)
      const gone = await user()
      const orphan = await made("/api/announcement", { ...news, sending_rules: "specific_users", user_ids: [gone.id] })
      await post("/api/user/delete", { delete_ids: [gone.id] })
      await manyAnnouncements(900, 1)
      await db.run(sql`update announcements set expires_at = 1, state = 'ended' where id = 900`)
      const [goneCourse, gonePortal] = [await course(), await portal()]
      await enrollment(learner, goneCourse)
      const toCourses = { sending_rules: "specific_course_users", course_ids: [goneCourse.id, inCourse.id] }
      const toPortals = { sending_rules: "all", portal_ids: [gonePortal.id, (await portal()).id] }
      const ofCourses = await made("/api/announcement", { ...news, ...toCourses })
      const ofPortals = await made("/api/announcement", { ...news, ...toPortals })
      await deleted("/api/course/delete", { delete_ids: [goneCourse.id] })
      await deleted("/api/portal/delete", { delete_ids: [gonePortal.id] })
      return {
        orphan,
        "of a deleted course": ofCourses,
        "of a deleted portal": ofPortals,
        expired: 900,
        all: await made("/api/announcement", { ...news, sending_rules: "all", expiry: "2199-01-05 15:04:33" }),
        "of a portal": await made("/api/announcement", {
          ...news,
          sending_rules: "all",
          portal_ids: [(await portal({ members: [learner.id] })).id],
        }),
        users: await made("/api/announcement", { ...news, sending_rules: "specific_users", user_ids: [learner.id] }),
        courses: await made("/api/announcement", {
          ...news,
          sending_rules: "specific_course_users",
          course_ids: [inCourse.id],
        }),
      }
    },
  },
  {
    ...plain("/api/certificate_template/{id}"),
    make: async () => {
      const author = await user({ userType: "staff" })
      const orphan = (await template({ authorId: author.id })).id
      await deleted("/api/user/delete", { delete_ids: [author.id] })
      return {
        "of a deleted author": orphan,
        filled: (await template()).id,
        bare: await made("/api/certificate_template", { name: "Bare", width: 1123, height: 794 }),
      }
    },
  },
  {
    ...plain("/api/modules/text/{id}"),
    make: async () => ({
      "of a deleted category": await textOfDeletedCategory(),
      filled: await made("/api/modules/text", {
        ...MODULE,
        categoryIds: [(await category({ type: "module" })).id, (await category({ type: "module" })).id].toReversed(),
      }),
      sparse: await made("/api/modules/text", { name: "Sparse", content: "" }),
    }),
  },
  {
    ...plain("/api/modules/video/{id}"),
    make: async () => ({
      filled: await made("/api/modules/video", { ...MODULE, videoUrl: "https://example.com/a.mp4", videoSeconds: 90 }),
      sparse: await made("/api/modules/video", { name: "Sparse", content: "" }),
    }),
  },
  {
    ...plain("/api/modules/quiz/{id}"),
    make: async () => {
      const categoryId = (await category({ type: "question" })).id
      const { id: gone } = await category({ type: "question" })
      const [question] = QUESTIONS
      const orphan = { ...MODULE, questions: [{ ...question, categoryId: gone }] }
      const quizId = await made("/api/modules/quiz", orphan)
      await deleted("/api/category/delete", { delete_ids: [gone] })
      return {
        "of a deleted category": quizId,
        filled: await made("/api/modules/quiz", {
          ...MODULE,
          questions: QUESTIONS.map((question, at) => (at === 0 ? { ...question, categoryId } : question)),
          passPercent: 50,
          maxAttempts: 3,
          timeLimitMinutes: 20,
          ...{ shuffleQuestions: true, shuffleOptions: true, partialCredit: true },
          ...{ reviewDetail: "answers", reviewAfter: "last" },
          draws: [{ poolId: await poolOf(QUESTIONS), count: 2, points: 3 }],
        }),
        sparse: await made("/api/modules/quiz", { name: "Sparse", content: "", questions: [] }),
        recorded: (await module({ type: "quiz", totalPoints: 20 })).id,
      }
    },
  },
  {
    ...plain("/api/question-pool/{id}"),
    make: async () => ({
      filled: await made("/api/question-pool/create", { name: "Sums", description: "Addition" }),
      sparse: await made("/api/question-pool/create", { name: "Words" }),
    }),
  },
  {
    ...plain("/api/question/{id}"),
    make: async () => {
      const poolId = await made("/api/question-pool/create", { name: "Sums" })
      const [question] = QUESTIONS
      const [left, right] = [
        { text: "France", match: "Paris" },
        { text: "Spain", match: "Madrid" },
      ]
      return {
        options: await made("/api/question/create", { ...question, poolId, tags: ["a"], explanation: "Because" }),
        matching: await made("/api/question/create", {
          poolId,
          text: "Match",
          type: "matching",
          options: [left, right],
          answers: ["Rome"],
          imageUrl: "https://example.com/map.png",
          imageAlt: "A map",
        }),
        sparse: await made("/api/question/create", { poolId, text: "Why?", type: "essay" }),
      }
    },
  },
  {
    ...plain("/api/modules/scorm/{id}"),
    make: async () => ({
      filled: (await call("POST", "/api/modules/scorm", { body: packageForm(await zip(PACKAGE_12), { content: "" }) }))
        .body.id,
      sparse: (await module({ type: "scorm" })).id,
    }),
  },
  {
    ...plain("/api/modules/assignment/{id}"),
    make: async () => ({
      files: await made("/api/modules/assignment", {
        ...MODULE,
        submission_type: "file",
        totalPoints: 10,
        allowed_filetypes: ["image", "pdf"],
        maxUploadSize: 3,
      }),
      "files of any size": await made("/api/modules/assignment", {
        name: "Any",
        content: "<p>Draw it.</p>",
        submission_type: "file",
        allowed_filetypes: ["pdf"],
      }),
      text: await made("/api/modules/assignment", {
        name: "Text",
        content: "<p>Tell it.</p>",
        submission_type: "text",
      }),
    }),
  },
  {
    ...plain("/api/user/{id}"),
    make: async ({ learner, staff, admin, owner }) => {
      await put("/api/users/customUserFields", {
        fields: [
          { type: "text", label: "Nickname", isRequired: true },
          { type: "dropdown", label: "Region", isRequired: true, optionLabel: ["North", "South"] },
          { type: "date", label: "Born" },
          { type: "checkbox", label: "Interests", optionLabel: ["Chess", "Go"] },
        ],
      })
      const filled = await signedIn("general", { internalNote: "Note", disabled: false })
      const wrote = await put(`/api/user/${filled.id}`, {
        customUserMetas: { nickname: "Ada", region: "North", born: "2001-02-03", interests: ["Chess", "Go"] },
        userCategory: [(await category({ type: "user" })).id],
        avatar: "https://example.com/a.png",
      })
      expect(wrote.status, JSON.stringify(wrote.body)).toBe(200)
      const membership = await made("/api/membership/create", { name: "Held", expiresAfterDays: 30 })
      await put(`/api/user/${filled.id}/update-membership`, { id: membership })
      const orphan = await user()
      const gone = {
        userCategory: [(await category({ type: "user" })).id],
        user_source_id: await made("/api/user-source/create", { name: "Fair", identifier: "fair" }),
      }
      expect((await put(`/api/user/${orphan.id}`, gone)).status).toBe(200)
      await deleted("/api/category/delete", { delete_ids: gone.userCategory })
      await deleted("/api/user-source/delete", { delete_ids: [gone.user_source_id] })
      const drawn = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>'
      return {
        learner: learner.id,
        "with deleted records": orphan.id,
        filled: filled.id,
        staff: staff.id,
        admin: admin.id,
        owner: owner.id,
        disabled: (await user({ disabled: true })).id,
        nameless: (await user({ lastName: "" })).id,
        "with a drawn avatar": (await user({ avatar: drawn })).id,
        "with an avatar of this service": (await user({ avatar: "/assets/a.png" })).id,
        "with other initials": (await user({ avatar: "ZZ" })).id,
      }
    },
  },
  {
    read: "/api/enrollment/module-access/{id}",
    change: "put /api/enrollment/module-access/{id}",
    make: async () => {
      const [dated, other] = [await module(), await module()]
      const taken = await course({}, [{ moduleId: dated.id, opensAt: later(2) }, { moduleId: other.id }])
      const [plain, changed] = [await enrollment(await user(), taken), await enrollment(await user(), taken)]
      const body = { modules: [{ module_id: dated.id, opensAt: "2030-01-05 10:00" }] }
      await put(`/api/enrollment/module-access/${changed.id}`, body)
      return { plain: plain.id, changed: changed.id }
    },
  },
  {
    read: "/api/user/{id}",
    change: "put /api/user/{id}/update-membership",
    make: async () => {
      const trip = (userId: number, back: NonNullable<Trip["back"]>): Trip => ({
        read: `/api/user/${userId}`,
        change: `/api/user/${userId}/update-membership`,
        back,
      })
      const older: NonNullable<Trip["back"]> = ({ membership }) => ({ membership })
      const held = async (expiresAfterDays: number) => {
        const { id } = await user()
        const membership = await made("/api/membership/create", { name: `Of ${expiresAfterDays}`, expiresAfterDays })
        await put(`/api/user/${id}/update-membership`, { id: membership })
        return id
      }
      const [ending, endless] = [await held(30), await held(0)]
      return {
        none: trip((await user()).id, older),
        ending: trip(ending, older),
        endless: trip(endless, older),
        "newer form": trip(ending, ({ membership }) => membership),
      }
    },
  },
  ...["/api/update-certificate-dates", "/api/update-certificate-issue-date"].map(
    (path): Kind => ({
      read: "/api/user-certificates/{id}",
      change: `put ${path}`,
      make: async ({ learner }) => {
        await certificate(learner.id, (await template()).id, { issuedAt: later(-3), expiresAt: later(30) })
        return {
          issued: {
            read: `/api/user-certificates/${learner.id}?page_size=1&page_number=1`,
            change: path,
            back: ({ records }) => {
              const [row] = records as { id: number; issueDate: string }[]
              return { rowId: row?.id, newIssueDate: row?.issueDate }
            },
          },
        }
      },
    }),
  ),
  {
    read: "/api/users/customUserFields",
    change: "put /api/users/customUserFields",
    make: async () => {
      await put("/api/users/customUserFields", {
        fields: [
          {
            type: "dropdown",
            label: "Region",
            userMetaKey: "area",
            defaultValue: "North",
            isRequired: true,
            optionLabel: ["North", "South"],
            isFieldOnRegistrationPage: true,
            isFieldOnCertificate: true,
            includeInReportExports: ["export-users", "course-insight"],
          },
          { type: "text", label: "Sparse" },
        ],
      })
      return { all: { read: "/api/users/customUserFields", change: "/api/users/customUserFields" } }
    },
  },
  {
    read: "/api/user/getBlockedEmailsAndDomains",
    change: "put /api/user/blockedEmailsAndDomains",
    make: async () => {
      const { id: portalId } = await portal()
      const change = "/api/user/blockedEmailsAndDomains"
      const read = "/api/user/getBlockedEmailsAndDomains"
      for (const given of [{}, { portalId }])
        await put(change, { ...given, blocked: ["spam.example", "me@ok.example"], allowed: ["ok.example"] })
      return {
        everywhere: { read, change },
        "of a portal": {
          read: `${read}?portalId=${portalId}`,
          change,
          back: (body) => ({ ...body, portalId }),
        },
      }
    },
  },
  {
    read: "/api/getaddress/{id}",
    change: "post /api/user/updateAddress/{id}",
    make: async ({ learner }) => {
      const billing = await addressOf(learner.id, { orgName: "Analytical Ltd", orgVatId: "GB1", state: "London" })
      return {
        billing,
        shipping: await addressOf(learner.id, { type: "shipping", billing_address_id: billing }),
        sparse: await addressOf(learner.id, { isDefault: false }),
      }
    },
  },
  {
    ...plain("/api/media/{id}"),
    make: async ({ staff }) => ({
      image: await mediaFile(staff.token, "png"),
      video: await mediaFile(staff.token, "mp4"),
    }),
  },
  {
    read: "/api/class/edit",
    change: "post /api/class/update",
    make: async ({ staff, learner }) => {
      const inCourse = await course()
      const trip = (classId: number): Trip => ({
        read: `/api/class/edit?classId=${classId}&courseId=${inCourse.id}`,
        change: "/api/class/update",
        back: ({ classDetails }) => classDetails,
      })
      const given = { courseId: inCourse.id, instructor: staff.id, allowDownload: true, disabled: false }
      const file = new FormData()
      file.append("file", new File(["%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n"], "notes.pdf"))
      const material = await call("POST", "/api/class/study-material/upload", { body: file })
      const filled = await made("/api/class/create", {
        ...given,
        location: await made("/api/location/create", { name: "Hall", capacity: 30 }),
        starttime: "2199-01-05 10:00:00",
        endTime: "2199-01-05 11:00:00",
        webinarProvider: "Meet",
        webinar_meeting_id: "abc",
        webinar_host_pwd: "secret words",
        studyMaterial: [{ media_id: material.body.media_id, name: "Notes" }],
      })
      const gone = {
        location: await made("/api/location/create", { name: "Barn", capacity: 30 }),
        instructor: (await user({ userType: "staff" })).id,
      }
      const times = { starttime: "2199-01-06 10:00:00", endTime: "2199-01-06 11:00:00" }
      const orphan = await made("/api/class/create", { ...given, ...gone, ...times })
      await deleted("/api/location/delete", { delete_ids: [gone.location] })
      await deleted("/api/user/delete", { delete_ids: [gone.instructor] })
      const recurring = await made("/api/class/create", {
        ...given,
        type: "recurring",
        recurrence: {
          classDays: ["MO", "WE"],
          startDate: "2199-01-07",
          startTime: "10:00",
          endTime: "11:00",
          interval: 1,
          frequency: "weekly",
          end: { count: 4 },
        },
      })
      const sparse = await classOf(inCourse, { instructorId: staff.id })
      await classEnrollment(learner, sparse)
      return { filled: trip(filled), orphan: trip(orphan), recurring: trip(recurring), sparse: trip(sparse.id) }
    },
  },
]

/** Changes that do not take the whole body of a record. */
const ACTIONS = [
  "put /api/user/{id}/delete-certificate",
  "put /api/user/updatePassword/{id}",
  // Their GET returns WebVTT.
  "put /api/media/{id}/captions/{language}",
]

/** Records without an id: of the academy and of the caller. */
const SINGLE = ["/api/settings", "/api/notification-preferences"]

async function everyone() {
  const [owner, admin, staff] = [await signedIn("owner"), await signedIn("admin"), await signedIn("staff")]
  const [groupAdmin, portalAdmin] = [await signedIn("group_admin"), await signedIn("portal_admin")]
  const learner = await signedIn("general")
  await group({ admins: [groupAdmin.id], members: [learner.id] })
  await portal({ admins: [portalAdmin.id], members: [learner.id] })
  return { owner, admin, staff, groupAdmin, portalAdmin, learner }
}
type People = Awaited<ReturnType<typeof everyone>>

/** The rows of the database, without the counters of ids: a call may reserve an id that it does not use. */
async function contents(): Promise<Record<string, unknown[]>> {
  const tables = await db.all<{ name: string }>(sql`
    select name from sqlite_master
    where type = 'table' and sql not like 'create virtual%'
      and name not like '%\\_search%' escape '\\' and name not like 'sqlite\\_%' escape '\\'
      and name not like '\\_cf%' escape '\\' and name not in ('d1_migrations', 'sequences')`)
  const all = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)))
  return Object.fromEntries(tables.map(({ name }, at) => [name, all[at]?.results ?? []]))
}

/** The counters of the ids of a quiz's questions and options. */
const MOST_WRITTEN = 2

const fill = (path: string, id: number) => path.replace("{id}", String(id))

describe("a record that is sent back as it was read", () => {
  it("has a row in this table", () => {
    const known = new Set<string>([
      ...RECORDS.map(({ change }) => change),
      ...ACTIONS,
      ...SINGLE.map((path) => `put ${path}`),
      // test/notifications/templates.test.ts
      "put /api/notification-template/{kind}",
    ])
    const changes = operations
      .filter(({ method, path }) => method === "put" || (method === "post" && /update/i.test(path)))
      .map(({ method, path }) => `${method} ${path}`)
    expect(changes.filter((name) => !known.has(name))).toEqual([])
    const declared = new Set(operations.map(({ method, path }) => `${method} ${path}`))
    const named = [...known, ...RECORDS.map(({ read }) => `get ${read}`)]
    expect(named.filter((name) => !declared.has(name))).toEqual([])
  })

  it.each(SINGLE)("is accepted and changes nothing: %s", async (path) => {
    const { token } = await signedIn("owner")
    const { body } = await get(path, { token })
    expect((await put(path, body, { token })).status).toBe(200)
    expect((await get(path, { token })).body).toEqual(body)
  })

  for (const [offset, kind] of RECORDS.entries()) {
    it(`is accepted and changes nothing, for every role: ${kind.change}`, { timeout: 60_000 }, async () => {
      const people = await everyone()
      const [method = "", path = ""] = kind.change.split(" ")
      const operation = operations.find((one) => one.method === method && one.path === path)
      if (!operation) throw new Error(`No operation ${kind.change}`)
      const { owner, ...others } = people
      const callers: { as: Caller; token?: string }[] = [
        ...[owner, ...sampled(Object.values(others), Object.keys(others).length, offset)].map(
          ({ id, userType, token }) => ({
            as: callerAs(id, userType, ""),
            token,
          }),
        ),
        { as: callerAs(null, "anonymous", "") },
      ]
      for (const [what, record] of Object.entries(await kind.make(people))) {
        const trip: Trip =
          typeof record === "number" ? { read: fill(kind.read, record), change: fill(path, record) } : record
        const held = await contents()
        for (const { as, token } of callers.filter((caller) => hasRole(caller.as, operation.access))) {
          const options = token ? { token } : {}
          const where = `${what}, by ${as.userType}`
          const before = await get(trip.read, options)
          // A caller below the owner may not have access to this record.
          if (before.status === 404 && as.userType !== "owner") continue
          expect(before.status, where).toBe(200)
          const body = trip.back ? trip.back(before.body) : before.body
          const answer: Answer = await call(method.toUpperCase(), trip.change, { ...options, body })
          expect(cost(answer).written, where).toBeLessThanOrEqual(MOST_WRITTEN)
          if ([403, 404].includes(answer.status) && as.userType !== "owner") continue
          expect(answer, `${where}: ${JSON.stringify(answer.body)}`).toMatchObject({ status: operation.status })
          const after = await get(trip.read, options)
          expect(after.body, where).toEqual(before.body)
          expect(after.headers.get("etag"), where).toBe(before.headers.get("etag"))
        }
        expect(await contents(), what).toEqual(held)
      }
    })
  }
})
