import { getTableColumns, getTableName, is } from "drizzle-orm"
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core"
import { describe, expect, it } from "vitest"
import { assignmentUploads } from "../../drizzle/schema/assignments.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { PERSONAL_DATA } from "../../src/modules/privacy/personal-data.ts"
import { deliver } from "../factories/exports.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { columnsWith, MARK, markedPerson, objectsWith, unzipped } from "../factories/personal-data.ts"
import { call, cost, download, get, post } from "../helpers/client.ts"
import { ended, messages, openQueue } from "../helpers/queues.ts"

const EXPORT = "/api/user/personal-data/export"
const progressPath = (id: string) => `${EXPORT}/progress/${id}`
const downloadPath = (id: string) => `${EXPORT}/download/${id}`

const schema = import.meta.glob("../../drizzle/schema/*.ts", { eager: true }) as Record<string, Record<string, unknown>>
const tables = Object.values(schema).flatMap((file) =>
  Object.values(file).filter((value): value is SQLiteTable => is(value, SQLiteTable)),
)
const columnOf = (table: SQLiteTable, column: { name: string }) => `${getTableName(table)}.${column.name}`
const declared = (which: "userIds" | "text") =>
  new Set(PERSONAL_DATA.flatMap((entry) => entry[which].map((column) => columnOf(entry.table, column))))

describe("the registry of personal data", () => {
  it("has every column that references users, or is named like one", () => {
    const called = /^(user_id|author_id|instructor_id|supervisor_id|caller_id|actor_id|performed_by|\w+ed_by)$/
    const people = tables.flatMap((table) => {
      const referring = getTableConfig(table).foreignKeys.flatMap((key) => {
        const { columns, foreignTable } = key.reference()
        return getTableName(foreignTable) === "users" ? columns : []
      })
      const named = Object.values(getTableColumns(table)).filter(({ name }) => called.test(name))
      return [...referring, ...named].map((column) => columnOf(table, column))
    })
    const known = declared("userIds")
    expect(people.filter((column) => !known.has(column))).toEqual([])
    expect(people.length).toBeGreaterThan(60)
  })

  it("has every column that contains text by or about a user", async () => {
    await markedPerson()
    const known = declared("text")
    const marked = await columnsWith(MARK)
    expect(marked.filter((column) => !known.has(column))).toEqual([])
    expect(marked.length).toBeGreaterThan(40)
  })

  it("names each table once", () => {
    const names = PERSONAL_DATA.map(({ table }) => getTableName(table))
    expect(names).toEqual([...new Set(names)])
  })
})

/** Runs the export of a person's data. @returns its archive */
async function archiveOf(caller: { token: string }, body: object) {
  const started = await post(EXPORT, body, { token: caller.token })
  expect(started.status).toBe(200)
  await deliver(started.body.export_id)
  const done = await get(progressPath(started.body.export_id), { token: caller.token })
  expect(done.body).toMatchObject({ status: "completed", progress: 100 })
  const file = await download(done.body.download_url, { token: caller.token })
  expect(file.headers.get("content-type")).toBe("application/zip")
  return unzipped(file.body)
}

describe("the export of personal data", () => {
  it("runs from the request to the download through the queue", async () => {
    const admin = await signedIn("admin")
    const ada = await user({ firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    openQueue("EXPORTS")
    const started = await post(EXPORT, { userId: ada.id }, { token: admin.token })
    expect(started).toMatchObject({
      status: 200,
      body: { status: "success", message: "Export of a person's data started." },
    })
    expect(cost(started).roundTrips).toBe(2)
    const id = started.body.export_id
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "export", performedBy: admin.id, details: { exportId: id, userId: ada.id } },
    ])
    const done = await ended(progressPath(id), admin.token)
    expect(done).toEqual({
      status: "completed",
      progress: 100,
      message: expect.stringMatching(/^Completed: \d+ rows\.$/),
      filename: expect.stringMatching(/^personal-data-\d{8}-\d{6}-[0-9a-f]{8}\.zip$/),
      download_url: downloadPath(id),
    })
    const file = await download(done.download_url, { token: admin.token })
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${done.filename}"`)
    const files = await unzipped(file.body)
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(["README.txt", "manifest.json", "profile/user.json", "audit/about-them.json"]),
    )
    expect(JSON.parse(files["manifest.json"] ?? "")).toMatchObject({ userId: ada.id, leftOut: [] })
    const [row] = JSON.parse(files["profile/user.json"] ?? "")
    expect(row).toEqual({
      ...{ id: ada.id, firstName: "Ada", lastName: "Byron", email: "ada@example.com", userType: "general" },
      ...{ disabled: false, avatar: null, internalNote: null, sourceId: 1, membershipId: null },
      ...{ membershipExpiresAt: null, lastLoginAt: null, emailVerifiedAt: null, version: 1, hasPassword: true },
      ...{ deprovisioned: false, displayName: null, language: null, timeZone: null },
      loginAwards: {},
      createdAt: new Date(ada.createdAt).toISOString(),
      updatedAt: expect.stringMatching(/Z$/),
    })
  })

  it("contains all registered data of a user with the files, and no secret", async () => {
    const { id, own, hook } = await markedPerson()
    const files = await archiveOf(own as { token: string }, {})
    const declaredFiles = PERSONAL_DATA.flatMap((entry) => entry.exports.map(({ file }) => `${file}.json`))
    // What only those have who administer or teach, and what programs do.
    const others = ["profile/groups-administered", "announcements/written", "events/exports", "authored/courses"]
    const nothing = [...others, "authored/modules", "authored/classes"].map((file) => `${file}.json`)
    expect(declaredFiles.filter((file) => !nothing.includes(file) && !(file in files))).toEqual([])
    const uploads = await rowsOf(assignmentUploads)
    for (const upload of uploads) expect(files[`files/${upload.id}-${upload.filename}`]).toContain("zqxj")
    expect(uploads).toHaveLength(2)
    const all = Object.values(files).join("\n")
    for (const secret of ["scrypt", "sealed", "whsec", String(own.token)]) expect(all).not.toContain(secret)
    const read = (file: string) => JSON.parse(files[`${file}.json`] ?? "")
    expect(read("learning/reviews")).toMatchObject([{ userId: id, course: "Algebra", text: "zqxj liked it" }])
    expect(read("learning/quiz-attempts")).toMatchObject([{ quiz: "Quiz", responses: [{ text: "I am zqxj" }] }])
    expect(read("profile/custom-fields")).toMatchObject([{ label: "Region", key: "region", value: "zqxj region" }])
    expect(read("mails/mails").map((mail: { content: unknown }) => typeof mail.content)).toContain("object")
    expect(read("events/events").length).toBeGreaterThan(5)
    expect(JSON.parse(files["manifest.json"] ?? "").records).toMatchObject({ "profile/addresses": 2 })
    expect(hook.id).toBeGreaterThan(0)
  })

  it("contains the user's actions on others without data about those others", async () => {
    const admin = await signedIn("admin")
    const ada = await user()
    await post("/api/user/quickEdit", { user_ids: [ada.id], disabled: true }, { token: admin.token })
    const files = await archiveOf(admin, {})
    expect(JSON.parse(files["audit/by-them.json"] ?? "")).toMatchObject([
      { action: "updated", subject: "user", subjectId: ada.id, effectOn: null, details: null },
      { action: "created", subject: "export" },
    ])
  })

  it("reads a table of several pages completely", async () => {
    const ada = await signedIn("general")
    await db.run(
      `insert into events (type, occurred_at, object_id, user_id)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 12000)
       select 'user.created', 0, i % 12 + ${ada.id}, i % 12 + ${ada.id} from n`,
    )
    const files = await archiveOf(ada, {})
    const exported = JSON.parse(files["events/events.json"] ?? "")
    expect(exported).toHaveLength(1001)
    expect(exported[0]).toMatchObject({ type: "user.created", userId: ada.id })
    expect(JSON.parse(files["manifest.json"] ?? "").records["events/events"]).toBe(1001)
  })

  it("is available to everyone for themselves, to administrators for others, and to owners for owners", async () => {
    const owner = await signedIn("owner")
    const admin = await signedIn("admin")
    const learner = await signedIn("general")
    const supervisor = await signedIn("group_admin")
    const member = await user()
    await group({ admins: [supervisor.id], members: [member.id] })
    const asked = async (caller: { token: string }, userId?: number) =>
      (await post(EXPORT, userId === undefined ? {} : { userId }, { token: caller.token })).status
    expect(await asked(learner)).toBe(200)
    expect(await asked(learner, learner.id)).toBe(200)
    expect(await asked(learner, member.id)).toBe(404)
    expect(await asked(supervisor, member.id)).toBe(403)
    expect(await asked(supervisor, learner.id)).toBe(404)
    expect(await asked(await signedIn("staff"), member.id)).toBe(403)
    expect(await asked(admin, member.id)).toBe(200)
    expect(await asked(admin, 99_999)).toBe(404)
    expect(await asked(admin, owner.id)).toBe(403)
    expect(await asked(owner, admin.id)).toBe(200)
    expect((await call("POST", EXPORT, {})).status).toBe(302)
    const key = await apiKey({ role: "admin", access: "write" })
    expect(await asked(key, member.id)).toBe(200)
    // API keys have no personal data.
    expect(await asked(key)).toBe(404)
    expect(messages.EXPORTS).toHaveLength(5)
  })

  it("can be tracked, downloaded and canceled only by its requester", async () => {
    const learner = await signedIn("general")
    const other = await signedIn("admin")
    const { body } = await post(EXPORT, {}, { token: learner.token })
    expect((await get(progressPath(body.export_id), { token: other.token })).status).toBe(404)
    expect((await get(downloadPath(body.export_id), { token: other.token })).status).toBe(404)
    expect((await post(`${EXPORT}/cancel/${body.export_id}`, {}, { token: learner.token })).status).toBe(200)
    await deliver(body.export_id)
    expect(await objectsWith("")).toEqual([])
  })
})
