import { env } from "cloudflare:workers"
import { type Column, eq, getTableColumns, getTableName, is } from "drizzle-orm"
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { portals } from "../../drizzle/schema/portals.ts"
import { users } from "../../drizzle/schema/users.ts"
import { PERSONAL_DATA } from "../../src/modules/privacy/personal-data.ts"
import { smallAcademy } from "../factories/academy.ts"
import { deliverErasure } from "../factories/erasures.ts"
import { deliver } from "../factories/exports.ts"
import { db, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { act, columnsWith, MARK, markedPerson } from "../factories/personal-data.ts"
import { get, post } from "../helpers/client.ts"

// Records of others can contain a person's name and address. The tests write both, in another case, into every text
// column of the schema. After the erasure only the columns in KEPT contain them, each for a reason.

const KEPT: Record<string, string[]> = {
  "The academy wrote it for everybody and a namesake may be meant: it is edited by hand.": [
    "activities.course_name",
    "announcements.*",
    "assignment_rules.*",
    "badges.*",
    "bulk_uploads.external_id_source",
    "categories.*",
    "certificate_templates.*",
    "certificate_template_versions.*",
    "certificates.course_name",
    "classes.*",
    "class_materials.*",
    "class_recordings.*",
    "courses.*",
    "custom_fields.*",
    "enrollment_cycles.course_name",
    "gamification_events.*",
    "groups.*",
    "learning_paths.*",
    "locations.*",
    "media.*",
    "media_captions.*",
    "media_uploads.*",
    "memberships.*",
    "modules.*",
    "notification_templates.*",
    "portals.name",
    "portals.slug",
    "portals.referral_code",
    "portals.user_type",
    "portals.portal_type",
    "portals.expiry_message",
    "portals.logo_url",
    "portals.primary_color",
    "portals.secondary_color",
    "portals.search_text",
    "question_pools.*",
    "bank_questions.*",
    "bank_question_versions.*",
    "quiz_draws.tag",
    "quiz_attempts.layout",
    "quiz_versions.*",
    "quiz_questions.*",
    "quiz_options.*",
    "settings.*",
    "sso_providers.*",
    "user_sources.*",
  ],
  "It is in a record of another person, whose data it is.": [
    "addresses.*",
    "gamification_awards.cause",
    "cards.*",
    "carts.*",
    "certificates.instructor_name",
    "certificates.search_text",
    "class_enrollments.*",
    "custom_field_values.value",
    "due_date_changes.reason",
    "email_rules.entry",
    "enrollments.*",
    "events.group_ids",
    "events.previous",
    "external_ids.*",
    "notifications.*",
    "orders.*",
    "outbox.*",
    "quiz_attempts.responses",
    "report_schedules.*",
    "reviews.text",
    "scorm_interactions.description",
    "submissions.*",
    "transcripts.content",
    "subscriptions.*",
    "user_consents.*",
    "user_view_types.type",
    "users.*",
  ],
  "The answer of the erasure names the webhook: a changed URL would lead nowhere.": ["webhooks.url"],
  "It never changes but by an erasure: erasures.test.ts plants it.": ["audit_logs.*"],
  "Sealed or hashed, so that nothing finds the person in it; it ends by itself.": [
    "bulk_upload_chunks.encrypted_rows",
    "calendar_subscriptions.*",
    "password_links.*",
    "pending_emails.*",
    "recovery_codes.*",
    "sign_ups.*",
    "temporary_passwords.*",
    "two_factor.*",
  ],
  "The service alone writes it: ids, keys, codes, kinds and states.": [
    "api_keys.*",
    "assignment_uploads.*",
    "backfills.*",
    "background_jobs.*",
    "bulk_upload_chunks.results",
    "bulk_upload_chunks.rows",
    "bulk_uploads.base_url",
    "bulk_uploads.caller_type",
    "bulk_uploads.class_ids",
    "bulk_uploads.client",
    "bulk_uploads.course_ids",
    "bulk_uploads.lease",
    "calendar_cancellations.*",
    "certificate_template_keys.*",
    "certificates.code",
    "class_counts.*",
    "counters.*",
    "course_days.*",
    "cron_runs.*",
    "devices.*",
    "erasures.*",
    "events.type",
    "export_jobs.caller_type",
    "export_jobs.filename",
    "export_jobs.id",
    "export_jobs.kind",
    "export_jobs.message",
    "mail_pauses.*",
    "mailings.id",
    "mailings.kind",
    "quiz_counts.*",
    "scorm_interactions.correct_responses",
    "scorm_interactions.interaction_id",
    "scorm_interactions.latency",
    "scorm_interactions.objectives",
    "scorm_interactions.result",
    "scorm_interactions.timestamp",
    "scorm_interactions.type",
    "scorm_interactions.weighting",
    "report_deliveries.*",
    "reencryptions.*",
    "sequences.*",
    "session_revocations.*",
    "sso_logout_tokens.*",
    "sso_sessions.*",
    "submission_counts.*",
    "enrollment_counts.*",
    "due_counts.*",
    "transcripts.code",
    "transcripts.digest",
    "user_identities.*",
    "webhooks.events",
    "webhooks.lease",
    "webhooks.previous_secret",
    "webhooks.secret",
  ],
}

const NAMED = "Ask ZQXJANE Zqxjohnson (Zqxj.Second@Example.com)"
const EMAIL = "zqxj.second@example.com"

const schema = import.meta.glob("../../drizzle/schema/*.ts", { eager: true }) as Record<string, Record<string, unknown>>
const tables = new Map(
  Object.values(schema)
    .flatMap((file) => Object.values(file).filter((value): value is SQLiteTable => is(value, SQLiteTable)))
    .map((table) => [getTableName(table), table]),
)
const textsOf = (table: SQLiteTable) =>
  Object.values(getTableColumns(table)).filter(
    (column) => column.getSQLType() === "text" && !column.enumValues?.length,
  ) as Column[]

function keysOf(table: SQLiteTable): Column[] {
  const { primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? Object.values(getTableColumns(table)).filter(({ primary }) => primary)
}

/** Writes the text into a row of each table that belongs to others. @returns the columns that accepted it */
async function plant(personId: number): Promise<string[]> {
  const planted: string[] = []
  for (const [name, table] of tables) {
    const keys = keysOf(table)
    const people = PERSONAL_DATA.find((entry) => entry.table === table)?.userIds ?? []
    const { results } = await env.DB.prepare(`select * from "${name}"`).all()
    const row = results.find((one) => people.every((column) => one[column.name] !== personId))
    if (!row) continue
    for (const column of textsOf(table)) {
      const text = column.dataType === "json" ? JSON.stringify([NAMED]) : NAMED
      const where = keys.map((key) => `"${key.name}" = ?`).join(" and ")
      const rejected = await env.DB.prepare(`update "${name}" set "${column.name}" = ? where ${where}`)
        .bind(text, ...keys.map((key) => row[key.name]))
        .run()
        .catch(() => undefined)
      if (!rejected) continue
      if (keys.includes(column)) row[column.name] = text
      planted.push(`${name}.${column.name}`)
    }
  }
  return planted
}

describe("records of others that contain a person's name", () => {
  it("lose the name when the person is erased, except in the listed columns", async () => {
    await smallAcademy()
    const { id, admin } = await markedPerson()
    const planted = await plant(id)
    const response = await post("/api/user/erase", { userId: id, email: EMAIL }, { token: admin.token })
    expect(response.body.message).toContain("The URL of webhook 1 has their email address: change it.")
    await deliverErasure(id)
    const left = new Set((await columnsWith(MARK)).filter((column) => planted.includes(column)))
    const cleared = planted.filter((column) => !left.has(column))
    const others = [...tables]
      .flatMap(([name, table]) => textsOf(table).map((column) => `${name}.${column.name}`))
      .filter((column) => !cleared.includes(column))
    const patterns = Object.values(KEPT).flat()
    const isOf = (column: string, pattern: string) => column === pattern || `${column.split(".")[0]}.*` === pattern
    expect(others.filter((column) => !patterns.some((pattern) => isOf(column, pattern)))).toEqual([])
    expect(patterns.filter((pattern) => !others.some((column) => isOf(column, pattern)))).toEqual([])
    expect(cleared.length).toBeGreaterThan(10)
  })

  it("include settings of portals and webhooks, which keep working", async () => {
    const admin = await signedIn("admin")
    const ada = await user({ firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    const named = await portal({ senderName: "ADA BYRON, Dean", replyTo: "Ada@Example.com" })
    const other = await portal({ senderName: "Ada", replyTo: "help@example.com" })
    const { id: hook } = await act("createWebhook", {
      token: admin.token,
      body: { url: "https://hooks.example.org/x", events: ["user.created"], description: "For Ada Byron" },
    })
    const etag = (await get(`/api/portal/${named.id}`, { token: admin.token })).headers.get("etag")
    await post("/api/user/erase", { userId: ada.id, email: ada.email }, { token: admin.token })
    await deliverErasure(ada.id)
    expect(await rowsOf(portals)).toMatchObject([
      { id: named.id, senderName: null, replyTo: null },
      { id: other.id, senderName: "Ada", replyTo: "help@example.com" },
    ])
    expect((await get(`/api/portal/${named.id}`, { token: admin.token })).headers.get("etag")).not.toBe(etag)
    expect((await get(`/api/webhook/${hook}`, { token: admin.token })).body).toMatchObject({
      url: "https://hooks.example.org/x",
      description: "For [erased]",
    })
  })
})

describe("the row of a user", () => {
  it("keeps only the listed texts when the user is erased", async () => {
    const { id, admin } = await markedPerson()
    // The service alone writes them, or the erasure needs them.
    const unplanted = ["email", "user_type", "login_awards"]
    const texts = textsOf(users).filter(({ name }) => !unplanted.includes(name))
    for (const { name } of texts)
      await env.DB.prepare(`update users set "${name}" = ? where id = ?`).bind(`${MARK} text`, id).run()
    await post("/api/user/erase", { userId: id, email: EMAIL }, { token: admin.token })
    await deliverErasure(id)
    const [row] = await db.select().from(users).where(eq(users.id, id))
    expect(Object.keys(row ?? {}).filter((key) => String(row?.[key as keyof typeof row]).includes(MARK))).toEqual([
      "timeZone",
      "language",
    ])
  })
})

describe("an export that was filtered by a person", () => {
  it.each([["byron"], ["Ada@Example.com"], ["ADA BYRON"], ["ada@exam"]])(
    "loses its %s, and so does its audit row, completed or running",
    async (nameOrEmail) => {
      const admin = await signedIn("admin")
      const ada = await user({ firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
      const begin = (body: object) => act("exportUsers", { token: admin.token, body })
      const done = await begin({ search_param: { nameOrEmail } })
      await deliver(done.export_id)
      const canceled = await begin({ search_param: { nameOrEmail, userType: "general" } })
      await act("cancelUsersExport", { token: admin.token, path: { exportId: canceled.export_id } })
      const running = await begin({ search_param: { nameOrEmail, userType: "staff" } })
      const unrelated = await begin({ search_param: { nameOrEmail: "grace" } })
      await post("/api/user/erase", { userId: ada.id, email: ada.email }, { token: admin.token })
      await deliverErasure(ada.id)
      expect(await columnsWith(nameOrEmail.toLowerCase())).toEqual([])
      const jobs = new Map((await rowsOf(exportJobs)).map(({ id, status, filter }) => [id, { status, filter }]))
      expect(jobs.get(done.export_id)).toEqual({ status: "expired", filter: "{}" })
      expect(jobs.get(canceled.export_id)).toEqual({ status: "cancelled", filter: "{}" })
      expect(jobs.get(running.export_id)).toEqual({ status: "cancelled", filter: "{}" })
      expect(jobs.get(unrelated.export_id)).toMatchObject({ status: "processing" })
      expect(jobs.get(unrelated.export_id)?.filter).toContain("grace")
      const log = (await rowsOf(auditLogs)).filter(
        ({ subject, action }) => subject === "export" && action === "created",
      )
      expect(log.map(({ details }) => (details as { filter: unknown }).filter)).toEqual([
        "[erased]",
        "[erased]",
        "[erased]",
        { search_param: { nameOrEmail: "grace" } },
      ])
    },
  )
})
