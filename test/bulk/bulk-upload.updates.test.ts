import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { externalIds } from "../../drizzle/schema/external-ids.ts"
import { groupMembers } from "../../drizzle/schema/groups.ts"
import { users } from "../../drizzle/schema/users.ts"
import { deliverUpload, sendSheet } from "../factories/bulk-upload.ts"
import { group, rowsOf, signedIn, type UserRow, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { cost, get, post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { openQueue } from "../helpers/queues.ts"

const PATH = "/api/user/bulkUpload"
type Options = { token: string }
const upload = (userList: object[], fields: object, options: Options) => post(PATH, { userList, ...fields }, options)
const namesOf = async () => (await rowsOf(users)).map(({ firstName, lastName }) => `${firstName} ${lastName}`)

describe("a bulk upload with mode upsert", () => {
  it("changes existing users and creates others, with an id for each row, in two round trips", async () => {
    const admin = await signedIn("admin", { firstName: "Admin", lastName: "One" })
    await put("/api/users/customUserFields", { fields: [{ type: "text", label: "Desk", userMetaKey: "desk" }] })
    const ada = await user({ email: "Ada@example.com", firstName: "Ada", lastName: "Byron" })
    const bob = await user({ email: "bob@example.com", firstName: "Bob", lastName: "Stone" })
    const rows = [
      { email: "ada@example.com", first_name: "Augusta", last_name: "", external_id: "E-1", desk: "4b" },
      { email: "new@example.com", first_name: "New", last_name: "Person", external_id: "E-2" },
      { email: "bob@example.com", first_name: "Bob", last_name: "Stone" },
      { email: "bad", first_name: "x" },
    ]
    const dry = await upload(rows, { mode: "upsert", dryRun: true }, admin)
    expect(dry.body).toMatchObject({
      message: "Dry run, nothing was changed: 1 user to create, 1 to update, 1 already exist, 1 row with errors.",
      upload_id: null,
      rows: [
        { row: 1, id: ada.id, result: "updated" },
        { row: 2, id: null, result: "created" },
        { row: 3, id: bob.id, result: "existing" },
        { row: 4, id: null, result: "failed" },
      ],
    })
    expect(await namesOf()).toEqual(["Admin One", "Ada Byron", "Bob Stone"])

    const done = await upload(rows, { mode: "upsert" }, admin)
    expect(cost(done).roundTrips).toBe(2)
    const newId = bob.id + 1
    expect(done.body).toMatchObject({ created: 1, updated: 1, existing: 1, failed: 1 })
    expect(done.body.rows).toEqual([
      { row: 1, id: ada.id, result: "updated" },
      { row: 2, id: newId, result: "created" },
      { row: 3, id: bob.id, result: "existing" },
      { row: 4, id: null, result: "failed" },
    ])
    expect(await namesOf()).toEqual(["Admin One", "Augusta Byron", "Bob Stone", "New Person"])
    expect(await rowsOf(externalIds)).toEqual([
      { object: "user", source: "manual", externalId: "E-1", objectId: ada.id },
      { object: "user", source: "manual", externalId: "E-2", objectId: newId },
    ])
    expect((await get(`/api/user/${ada.id}`, admin)).body).toMatchObject({
      email: "Ada@example.com",
      customUserMetas: { desk: { submitted_value: "4b" } },
    })
    expect((await get("/api/users/lookup?search_term=august", admin)).body.records).toMatchObject([{ id: ada.id }])
    expect(
      (await rowsOf(auditLogs)).filter(({ action, subject }) => `${action} ${subject}` === "updated user"),
    ).toMatchObject([
      {
        subjectId: ada.id,
        effectOn: "Augusta Byron",
        details: { firstName: "Augusta", externalId: "E-1", customUserMetas: { desk: "4b" } },
      },
    ])
    expect((await delivered()).map(({ to }) => to)).toEqual(["new@example.com"])
    const progress = await get(`${PATH}/progress/${done.body.upload_id}`, admin)
    expect(progress.body).toMatchObject({ updated: 1, progress: 100, rows: done.body.rows })
  })

  it("writes nothing of a row that is what is stored", async () => {
    const admin = await signedIn("admin")
    const rows = [{ email: "ada@example.com", first_name: "Ada", last_name: "Byron", external_id: "E-1" }]
    await upload(rows, {}, admin)
    const [, before] = await rowsOf(users)
    const again = await upload(rows, { mode: "upsert" }, admin)
    expect(again.body).toMatchObject({ created: 0, updated: 0, existing: 1, rows: [{ result: "existing" }] })
    expect((await rowsOf(users))[1]).toEqual(before)
  })

  it("finds users by external id without an address, also for the group, and refuses another address", async () => {
    const key = await apiKey({ role: "admin" })
    const { id: groupId } = await group()
    const ada = await user({ email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
    await put(`/api/user/${ada.id}`, { externalId: "E-1", externalIdSource: "hr" }, key)
    const options = { mode: "upsert", externalIdSource: "hr", groupId }
    const done = await upload([{ external_id: "E-1", last_name: "King" }], options, key)
    expect(done.body.rows).toEqual([{ row: 1, id: ada.id, result: "updated" }])
    expect(await rowsOf(groupMembers)).toEqual([{ groupId, userId: ada.id }])
    const other = await upload([{ external_id: "E-1", email: "x@example.com", first_name: "X" }], options, key)
    expect(other.body.errors).toMatchObject([
      { row: 1, reasons: ["email is another one than the user's. Change it in the user's account."] },
    ])
    const own = await upload([{ external_id: "E-1", email: "y@example.com", first_name: "Y" }], { mode: "upsert" }, key)
    expect(own.body.rows).toMatchObject([{ result: "created" }])
  })

  it.each(["create", "update", "upsert"])(
    "takes the first of two rows that find one user by address and by external id, with mode %s",
    async (mode) => {
      const admin = await signedIn("admin")
      const ada = await user({ email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
      await put(`/api/user/${ada.id}`, { externalId: "E-1" }, admin)
      const rows = [
        { email: "ada@example.com", first_name: "Augusta" },
        { external_id: "E-1", first_name: "Gus" },
      ]
      const done = await upload(rows, { mode }, admin)
      expect(done.body.rows).toEqual([
        { row: 1, id: ada.id, result: mode === "create" ? "existing" : "updated" },
        { row: 2, id: null, result: "failed" },
      ])
      expect(done.body.errors).toEqual([
        { row: 2, email: "", reasons: ["The user is that of row 1 too; the first one counts."] },
      ])
      expect((await namesOf())[1]).toBe(mode === "create" ? "Ada Byron" : "Augusta Byron")
    },
  )

  it("reports rows that contradict each other or the caller's role", async () => {
    const staff = await signedIn("staff")
    const [ada, bob] = [await user({ email: "ada@example.com" }), await user({ email: "bob@example.com" })]
    const boss = await user({ email: "boss@example.com", userType: "admin" })
    await put(`/api/user/${ada.id}`, { externalId: "E-1" }, staff)
    const done = await upload(
      [
        { email: bob.email, external_id: "E-1", first_name: "Bob" },
        { email: boss.email, first_name: "Boss" },
        { email: "new@example.com", first_name: "New", external_id: "E-9" },
        { email: "other@example.com", first_name: "Other", external_id: "E-9" },
        { email: "long@example.com", first_name: "Long", external_id: "x".repeat(256) },
      ],
      { mode: "upsert" },
      staff,
    )
    expect(done.body.errors.map(({ row, reasons }: { row: number; reasons: string[] }) => [row, ...reasons])).toEqual([
      [1, "external_id is that of another user."],
      [2, "Your role does not allow you to change this user."],
      [4, "external_id is that of row 3 too; the first one counts."],
      [5, "external_id must have 255 characters or fewer."],
    ])
    expect((await rowsOf(users)).find(({ id }) => id === boss.id)?.firstName).toBe("Learner")
  })
})

describe("a bulk upload with mode update", () => {
  it("creates nobody, and takes a sheet with external ids alone", async () => {
    const admin = await signedIn("admin")
    const ada = await user({ email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
    await put(`/api/user/${ada.id}`, { externalId: "E-1" }, admin)
    const done = await sendSheet(
      "External ID,Last name\nE-1,King\nE-2,Nobody\n",
      admin.token,
      { mode: "update" },
      "a.csv",
    )
    expect(done.body).toMatchObject({
      created: 0,
      updated: 1,
      failed: 1,
      errors: [{ row: 3, reasons: ["No user has this email address or external_id."] }],
    })
    expect(await rowsOf(users)).toHaveLength(2)
    const missing = await sendSheet("Last name\nKing\n", admin.token, { mode: "update" }, "a.csv")
    expect(missing.status).toBe(422)
  })

  it("is written by the queue if it has more than 20 rows", async () => {
    const admin = await signedIn("admin")
    const people: UserRow[] = []
    for (let n = 0; n < 25; n++) people.push(await user({ email: `p${n}@example.com` }))
    openQueue("UPLOADS")
    const rows = people.map(({ email }, n) => ({ email, first_name: `First ${n}`, external_id: `E-${n}` }))
    const queued = await upload(rows, { mode: "update" }, admin)
    expect(queued.body).toMatchObject({ status: "processing", rows: [] })
    await deliverUpload(queued.body.upload_id)
    const done = await get(`${PATH}/progress/${queued.body.upload_id}`, admin)
    expect(done.body).toMatchObject({ status: "completed", progress: 100, updated: 25, failed: 0 })
    expect(done.body.rows).toEqual(people.map(({ id }, n) => ({ row: n + 1, id, result: "updated" })))
    expect(await rowsOf(externalIds)).toHaveLength(25)
    expect((await rowsOf(users)).find(({ id }) => id === people[7]?.id)?.firstName).toBe("First 7")
  })
})

describe("a bulk upload with mode create, the default", () => {
  it("stores external ids of new users, and leaves existing ones as they are", async () => {
    const admin = await signedIn("admin")
    const ada = await user({ email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
    const rows = [
      { email: "ada@example.com", first_name: "Augusta", external_id: "E-1" },
      { email: "new@example.com", first_name: "New", external_id: "E-2" },
    ]
    const done = await upload(rows, {}, admin)
    expect(done.body.rows).toMatchObject([{ id: ada.id, result: "existing" }, { result: "created" }])
    expect((await rowsOf(users))[1]).toEqual(ada)
    expect(await rowsOf(externalIds)).toMatchObject([{ externalId: "E-2" }])
    expect((await upload(rows, { mode: "create" }, admin)).body).toMatchObject({ created: 0, existing: 2 })
    expect((await upload(rows, { mode: "replace" }, admin)).status).toBe(422)
  })
})
