import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { SEQUENCES } from "../../drizzle/schema/system.ts"
import { openDatabase } from "../../src/db/client.ts"
import { onPathsProgressed } from "../../src/modules/progress/path-progress.ts"
import { call, post } from "../helpers/client.ts"
import { certificate, template } from "./certificates.ts"
import { classEnrollment, classOf } from "./classes.ts"
import { db, signedIn } from "./index.ts"
import { applyEnrollmentEffects, applyModuleEffects, course, enrollment, module } from "./learning.ts"
import { PACKAGE_12, packageForm, zip } from "./scorm.ts"

// An academy in which each record that can have many members has all of them. It is inserted with SQL, because calls
// would take hours. Triggers and statement builders of the service add the derived data.

/** The id of the first member. */
export const FIRST_MEMBER = 1001

/** Adds `size` rows, one for each member: `n` is the member's number from 1, `n + 1000` their id. */
const many = (size: number, into: string, values: string) =>
  env.DB.prepare(
    `insert into ${into}
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${size})
    select ${values} from numbers where true`,
  ).run()

/** What the rows of one member cost in a table, such as a large course's enrollments. */
const enroll = (size: number, courseId: number, firstId: number) =>
  many(
    size,
    `enrollments (id, user_id, course_id, status, percent, registered_at, started_at, completed_at, last_accessed_at,
      first_name_key, last_name_key)`,
    `${firstId} + n, n + 1000, ${courseId}, 'Not Started', 0, n, 0, 0, 0, 'member', 'number'`,
  )

const place = (size: number, classId: number, firstId: number) =>
  many(
    size,
    `class_enrollments (id, class_id, user_id, status, registered_at, first_name, last_name, email, first_name_key,
      last_name_key)`,
    `${firstId} + n, ${classId}, n + 1000, iif(n % 7, 'Registered', 'Cancelled'), n, 'Member', 'Number ' || n,
      'member' || n || '@example.com', 'member', 'number'`,
  )

const insert = (text: string) => env.DB.prepare(`insert into ${text}`).run()

/** Groups, portals, a membership, categories and fields with all members. */
async function places(size: number, admins: { group: number; portal: number }) {
  for (const id of [1, 2]) {
    await insert(`groups (id, name, search_text, created_at) values (${id}, 'Group ${id}', 'group', 1)`)
    await many(size, "group_members (group_id, user_id)", `${id}, n + 1000`)
    await insert(`portals (id, name, slug, referral_code, user_type, search_text, created_at)
      values (${id}, 'Portal ${id}', 'portal-${id}', 'CODE${id}', 'portal_admin', 'portal', 1)`)
    await many(size, "portal_members (portal_id, user_id, role)", `${id}, n + 1000, 'learner'`)
    await insert(`group_admins (group_id, user_id) values (${id}, ${admins.group})`)
    await insert(`portal_members (portal_id, user_id, role) values (${id}, ${admins.portal}, 'admin')`)
  }
  for (const id of [1, 2])
    await insert(`categories (id, name, name_key, type, search_text, created_at, updated_at)
      values (${id}, 'Category ${id}', 'category ${id}', 'user', 'category', 1, 1)`)
  await many(size, "user_categories (category_id, user_id)", "1, n + 1000")
  for (const id of [1, 2]) {
    await insert(`custom_fields (id, type, label, user_meta_key, is_required, options, on_registration_page,
      on_certificate, reports, display_order)
      values (${id}, 'text', 'Field ${id}', 'field_${id}', 0, '[]', 0, 0, '[]', ${id})`)
    await many(size, "custom_field_values (field_id, user_id, value)", `${id}, n + 1000, 'x'`)
  }
}

/** Courses with all members: 1 has modules, 2 has none and is in path 1, 3 has classes, 4 has reviews. */
async function learning(size: number, path: number[]) {
  const work = { name: "Graded", content: "x", estimatedCompletion: 1, submission_type: "text", totalPoints: 10 }
  const { id: moduleId } = (await post("/api/modules/assignment", work)).body
  for (const modules of [[{ moduleId }, {}, {}, {}], [{}], [{}], []]) await course({}, modules)
  await insert(
    "learning_paths (id, name, slug, type, search_text, created_at) values (1, 'Path', 'path', 'public', 'path', 1)",
  )
  for (const [index, courseId] of path.entries())
    await insert(`learning_path_courses (learning_path_id, course_id, position) values (1, ${courseId}, ${index + 1})`)
  await enroll(size, 1, 0)
  await enroll(size, 2, size)
  // One of four modules is completed.
  await many(
    size,
    "module_statuses (enrollment_id, module_id, status, points_awarded, started_at, completed_at, last_accessed_at)",
    "n, 1, 'Completed', 1, n, n, n",
  )
  await applyEnrollmentEffects(sql`${enrollments.courseId} in (1, 2)`)
  await applyModuleEffects(sql`${enrollments.courseId} = 1`)
  await many(
    size,
    `learning_path_enrollments (id, user_id, learning_path_id, status, percent, completed_courses, certificate_count,
      registered_at, started_at, completed_at)`,
    "n, n + 1000, 1, 'Not Started', 0, 0, 0, 1, 0, 0",
  )
  const database = openDatabase(env.DB, "first-primary")
  for (const statement of onPathsProgressed(database, sql`1`)) await database.batch([statement])
  await many(size, "reviews (id, user_id, course_id, rating, created_at)", "n, n + 1000, 4, 1 + n % 5, n")
  await many(size, "activities (user_id, verb, course_id, created_at)", "n + 1000, 'ENROLLED', 4, n")
}

/** Announcements, badges and logins of all users. */
async function rest(size: number, authorId: number) {
  for (const id of [1, 2]) {
    await insert(`announcements (id, heading, content, author_id, sending_rules, limited_to_portals, state, search_text,
      created_at) values (${id}, 'News', '', ${authorId}, 'specific_users', 0, 'some', 'news', 1)`)
    await many(size, "announcement_users (announcement_id, user_id, shown_until)", `${id}, n + 1000, 0`)
    await insert(`sso_providers (id, name, slug, issuer, client_id, scopes, domains, claims, creates, forced, active,
      created_at)
      values (${id}, 'Provider ${id}', 'p${id}', 'https://sso${id}.example.com', 'c', 'openid', '[]', '{}', 1, 0, 1,
        1)`)
    await many(size, "user_identities (provider_id, subject, user_id, created_at)", `${id}, 's' || n, n + 1000, 1`)
  }
  await insert(
    "badges (id, title, badge_icon_url, points, search_text, created_at) values (1, 'Star', '/a', 5, 'star', 1)",
  )
  await many(
    size,
    "gamification_awards (user_id, badge_id, cause, points, awarded_at)",
    "n + 1000, 1, 'hand', n % 9, n",
  )
}

/** Creates an academy of `size` members and some staff. */
export async function largeAcademy(size: number) {
  const [owner, staff, learner] = [await signedIn("owner"), await signedIn("staff"), await signedIn("general")]
  const [groupAdmin, portalAdmin] = [await signedIn("group_admin"), await signedIn("portal_admin")]
  const [spareGroupAdmin, sparePortalAdmin] = [await signedIn("group_admin"), await signedIn("portal_admin")]
  await insert(
    "memberships (id, name, search_text, created_at) values (1, 'Pass', 'pass', 1), (2, 'Other', 'other', 1)",
  )
  await many(
    size,
    `users (id, first_name, last_name, first_name_key, last_name_key, email, user_type, search_text, created_at,
      membership_id, membership_expires_at)`,
    `n + 1000, 'Member', 'Number ' || n, 'member', 'number', 'member' || n || '@example.com', 'general',
      'member number', n, 1, 1`,
  )
  await places(size, { group: groupAdmin.id, portal: portalAdmin.id })
  await learning(size, [1, 2])
  for (const [index, courseId] of [3, 3, 5].entries()) {
    if (courseId === 5) await course()
    const trainingClass = await classOf({ id: courseId }, { instructorId: staff.id })
    await place(size, trainingClass.id, index * size)
  }
  await rest(size, staff.id)
  for (const table of SEQUENCES)
    await db.run(
      sql.raw(`insert into sequences (name, value) select '${table}', coalesce(max(id), 0) from ${table} where true
      on conflict (name) do update set value = max(value, excluded.value)`),
    )

  // A course with one learner and a module of each type.
  const module4 = { content: "x", estimatedCompletion: 1 }
  const questions = [
    { text: "?", type: "single", points: 3, options: [{ text: "4", correct: true }, { text: "5" }] },
    { text: "Why?", type: "essay", points: 1 },
  ]
  const createRecord = async (path: string, body: unknown): Promise<number> => (await post(path, body)).body.id
  const text = (await module()).id
  const quiz = await createRecord("/api/modules/quiz", { name: "Quiz", ...module4, questions, passPercent: 50 })
  const assignment = await createRecord("/api/modules/assignment", {
    name: "Work",
    ...module4,
    submission_type: "text",
    totalPoints: 10,
  })
  const scorm = (
    await call("POST", "/api/modules/scorm", { body: packageForm(await zip(PACKAGE_12), { name: "Pack" }) })
  ).body.id
  const ids = [text, quiz, assignment, scorm]
  const ownCourse = await course(
    { selfEnroll: true },
    ids.map((moduleId) => ({ moduleId })),
  )
  const registration = await enrollment(learner, ownCourse)
  const trainingClass = await classOf(ownCourse, { instructorId: staff.id })
  const classPlace = await classEnrollment(learner, trainingClass)
  const { id: templateId } = await template()
  const { id: certificateId } = await certificate(learner.id, templateId)
  return {
    ...{ size, owner, staff, learner, groupAdmin, portalAdmin, spareGroupAdmin, sparePortalAdmin },
    ...{
      own: ownCourse,
      text,
      quiz,
      assignment,
      scorm,
      registration,
      held: trainingClass,
      classPlace,
      templateId,
      certificateId,
    },
  }
}

export type LargeAcademy = Awaited<ReturnType<typeof largeAcademy>>
