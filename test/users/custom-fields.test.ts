import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { customFields, customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { users } from "../../drizzle/schema/users.ts"
import { openDatabase } from "../../src/db/client.ts"
import { insertFrom } from "../../src/db/insert-from.ts"
import { getMeter } from "../../src/db/meter.ts"
import { withMeter } from "../../src/db/metering.ts"
import { sortableNames } from "../../src/db/search.ts"
import { reportColumns, reportFields } from "../../src/modules/users/custom-field-columns.ts"
import { validateMetas, writeMetas } from "../../src/modules/users/custom-field-values.ts"
import { fieldsInOrder } from "../../src/modules/users/custom-fields.queries.ts"
import { deliver, exportJob } from "../factories/exports.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { call, cost, download, get, post, put, query } from "../helpers/client.ts"

const FIELDS = "/api/users/customUserFields"
const field = (input = {}) => ({ type: "text", label: "Employee number", ...input })
const choiceField = (input = {}) =>
  field({ type: "dropdown", label: "Region", userMetaKey: "region", optionLabel: ["North", "South"], ...input })

/** Replaces the set of fields and requires success. */
async function define(...fields: object[]) {
  const response = await put(FIELDS, { fields })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response
}
const defined = async () => (await get(FIELDS)).body.fields as Record<string, unknown>[]
const setMetas = (id: number, customUserMetas: unknown) => put(`/api/user/${id}`, { customUserMetas })
const metasOf = async (id: number) => (await get(`/api/user/${id}`)).body.customUserMetas
const stored = async () => (await rowsOf(customFieldValues)).map((row) => row.value)

describe("custom field lookups", () => {
  it("list the types and the reports", async () => {
    expect((await get("/api/users/fieldtype/lookup")).body).toEqual([
      { db_value: "text", display_value: "Text" },
      { db_value: "textarea", display_value: "Text Area" },
      { db_value: "date", display_value: "Date" },
      { db_value: "radio", display_value: "Single Select" },
      { db_value: "checkbox", display_value: "Multiple Select" },
      { db_value: "dropdown", display_value: "Drop Down" },
    ])
    const reports = await get("/api/users/customUserFieldsReports/lookup")
    expect(reports.body.map((row: { db_value: string }) => row.db_value)).toEqual([
      "export-users",
      "course-insight",
      "export-orders",
    ])
    expect(cost(reports).roundTrips).toBe(0)
  })
})

describe("PUT /api/users/customUserFields", () => {
  it("stores all properties of a field; lists and pages read it in one round trip", async () => {
    const response = await define(
      choiceField({
        defaultValue: "North",
        isRequired: "1",
        isFieldOnRegistrationPage: true,
        isFieldOnCertificate: true,
        includeInReportExports: ["export-users", "course-insight"],
      }),
      field(),
    )
    expect(response.body).toEqual({ message: "Custom fields saved: 2 added, 0 changed, 0 deleted." })
    expect(cost(response).roundTrips).toBe(2)
    const region = {
      id: 1,
      type: "dropdown",
      displayType: "Drop Down",
      label: "Region",
      userMetaKey: "region",
      defaultValue: "North",
      isRequired: true,
      optionLabel: ["North", "South"],
      isFieldOnRegistrationPage: true,
      isFieldOnCertificate: true,
      isSearchable: false,
      includeInReportExports: ["export-users", "course-insight"],
      display_order: 1,
      error: false,
    }
    const list = await get(FIELDS)
    expect(list.body).toEqual({
      fields: [
        region,
        {
          id: 2,
          type: "text",
          displayType: "Text",
          label: "Employee number",
          userMetaKey: "employee_number",
          defaultValue: null,
          isRequired: false,
          optionLabel: [],
          isFieldOnRegistrationPage: false,
          isFieldOnCertificate: false,
          isSearchable: false,
          includeInReportExports: [],
          display_order: 2,
          error: false,
        },
      ],
    })
    expect(cost(list).roundTrips).toBe(1)
    const registration = await get("/api/users/customRegistrationFields")
    expect(registration.body).toEqual({ fields: [region] })
    expect(cost(registration).roundTrips).toBe(1)
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "custom field", subjectId: 1, effectOn: "Region" },
      { action: "created", subject: "custom field", subjectId: 2, effectOn: "Employee number" },
    ])
  })

  it("deletes omitted fields with their values, adds new ones, and keeps ids, values and order", async () => {
    await define(choiceField(), field({ userMetaKey: "number" }), field({ label: "Notes", type: "textarea" }))
    const { id } = await user()
    await setMetas(id, { region: "South", number: "7", notes: "tall" })

    const response = await define(
      field({ label: "Notes of ours", userMetaKey: "notes", type: "textarea" }),
      field({ label: "Hired on", type: "date" }),
      choiceField({ userMetaKey: "REGION" }),
    )
    expect(response.body.message).toBe("Custom fields saved: 1 added, 2 changed, 1 deleted.")
    expect((await defined()).map((row) => [row.id, row.userMetaKey, row.label, row.display_order])).toEqual([
      [3, "notes", "Notes of ours", 1],
      [4, "hired_on", "Hired on", 2],
      [1, "region", "Region", 3],
    ])
    expect((await stored()).sort()).toEqual(["South", "tall"])
    expect((await rowsOf(auditLogs)).slice(-4)).toMatchObject([
      { action: "created", effectOn: "Hired on" },
      { action: "updated", effectOn: "Notes of ours", details: { label: "Notes of ours", displayOrder: 1 } },
      { action: "updated", effectOn: "Region", details: { displayOrder: 3 } },
      { action: "deleted", effectOn: "Employee number", details: { userMetaKey: "number" } },
    ])
  })

  it("sorts by display_order, which defaults to the position in the array", async () => {
    await define(
      field({ label: "C", display_order: 30 }),
      field({ label: "A", display_order: "10" }),
      field({ label: "B" }),
    )
    const order = async () => (await defined()).map((row) => [row.label, row.display_order])
    expect(await order()).toEqual([
      ["B", 3],
      ["A", 10],
      ["C", 30],
    ])
    const [b, a, c] = await defined()
    await define({ ...c, display_order: 1 }, { ...b, display_order: 1 }, { ...a, display_order: null })
    expect(await order()).toEqual([
      ["C", 1],
      ["B", 2],
      ["A", 3],
    ])
    expect((await define(...(await defined()).reverse())).body.message).toContain("0 changed")
  })

  it("replaces 40 fields with 40 others in two round trips", async () => {
    const forty = (word: string) => Array.from({ length: 40 }, (_, i) => field({ label: `${word} ${i}` }))
    await define(...forty("Old"))
    const response = await define(...forty("New"))
    expect(response.body.message).toBe("Custom fields saved: 40 added, 0 changed, 40 deleted.")
    expect(cost(response).roundTrips).toBe(2)
    expect(await defined()).toHaveLength(40)
    expect((await rowsOf(auditLogs)).length).toBe(120)
  })

  it("changes and audits nothing when the same set is sent again, with or without keys", async () => {
    const set = [field(), field(), choiceField()]
    await define(...set)
    const before = await defined()
    expect(before.map((row) => row.userMetaKey)).toEqual(["employee_number", "employee_number_2", "region"])
    const again = await define(...set)
    expect(again.body.message).toBe("Custom fields saved: 0 added, 0 changed, 0 deleted.")
    expect(await defined()).toEqual(before)
    expect(await rowsOf(auditLogs)).toHaveLength(3)
  })

  it("accepts its own response and ignores ids", async () => {
    await define(choiceField(), field())
    const before = await defined()
    const mixed = before.map((row) => ({ ...row, id: 900 }))
    expect((await define(...mixed)).body.message).toBe("Custom fields saved: 0 added, 0 changed, 0 deleted.")
    expect(await defined()).toEqual(before)
  })

  it.each([
    ["an array", { optionLabel: ["A", "B, b"] }],
    ["a JSON string", { optionLabel: '["A","B, b"]' }],
    ["the older spelling", { optionsLabel: ["A", "B, b"] }],
    ["the older spelling next to an empty one", { optionLabel: "", optionsLabel: '["A","B, b"]' }],
  ])("reads options from %s", async (_, options) => {
    await define(field({ type: "radio", ...options }))
    expect(await defined()).toMatchObject([{ optionLabel: ["A", "B, b"] }])
  })

  it.each([
    ["an array", ["export-users", "export-orders", "export-users"]],
    ["a JSON string", '["export-users","export-orders"]'],
    ["a comma list", "export-users, export-orders"],
  ])("reads reports from %s", async (_, includeInReportExports) => {
    await define(field({ includeInReportExports }))
    expect(await defined()).toMatchObject([{ includeInReportExports: ["export-users", "export-orders"] }])
  })

  it.each([
    ["an unknown type", [field({ type: "color" })], "fields.0.type"],
    ["no label", [{ type: "text" }], "fields.0.label"],
    ["an unknown report", [field({ includeInReportExports: ["sales"] })], "fields.0.includeInReportExports.0"],
    ["a choice without options", [field({ type: "checkbox" })], "fields.0.optionLabel"],
    ["an option twice", [choiceField({ optionLabel: ["A, b", "a b"] })], "fields.0.optionLabel"],
    ["an option of commas alone", [choiceField({ optionLabel: '["A",",,"]' })], "fields.0.optionLabel"],
    ["a key twice", [choiceField(), field({ userMetaKey: "Region" })], "fields.1.userMetaKey"],
    ["a column's name as key", [field({ userMetaKey: "Email" })], "fields.0.userMetaKey"],
    ["a key with markup", [field({ userMetaKey: "<b>" })], "fields.0.userMetaKey"],
    ["fields that are no array", "none", "fields"],
    ["fields left out", undefined, "fields"],
    ["fields null", null, "fields"],
    ["201 fields", Array.from({ length: 201 }, () => field()), "fields"],
  ])("rejects %s and changes nothing", async (_, fields, at) => {
    await define(field({ label: "Kept" }))
    const response = await put(FIELDS, { fields })
    expect(response.status).toBe(422)
    expect(Object.keys(response.body.errors)).toEqual([at])
    expect(await defined()).toMatchObject([{ label: "Kept" }])
    expect(await rowsOf(auditLogs)).toHaveLength(1)
  })

  it("deletes all fields when the array is empty", async () => {
    await define(field())
    await define()
    expect(await rowsOf(customFields)).toEqual([])
  })

  it("marks a field whose default value the field would reject", async () => {
    await define(choiceField({ defaultValue: "East" }), field({ type: "date", defaultValue: "2026-01-05" }))
    expect((await defined()).map((row) => row.error)).toEqual([true, false])
  })

  it("replaces the set once when the same Idempotency-Key is sent twice", async () => {
    const twice = { headers: { "idempotency-key": "set-1" } }
    const body = { fields: [field(), choiceField()] }
    const [first, second] = await Promise.all([put(FIELDS, body, twice), put(FIELDS, body, twice)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    expect(await rowsOf(customFields)).toHaveLength(2)
    expect(await rowsOf(auditLogs)).toHaveLength(2)
  })

  it("applies one of two concurrent sets completely", async () => {
    await define(field({ label: "Old" }))
    const responses = await Promise.all([
      put(FIELDS, { fields: [field({ label: "A1" }), field({ label: "A2" })] }),
      put(FIELDS, { fields: [field({ label: "B1" }), field({ label: "B2" })] }),
    ])
    for (const response of responses) expect([200, 409]).toContain(response.status)
    const labels = (await defined()).map((row) => row.label)
    expect([
      ["A1", "A2"],
      ["B1", "B2"],
    ]).toContainEqual(labels)
  })

  it("returns 412 for the ETag of a set that has changed", async () => {
    await define(field({ label: "Old" }))
    const headers = { "if-match": (await get(FIELDS)).headers.get("etag") ?? "" }
    expect((await put(FIELDS, { fields: [...(await defined()), field({ label: "New" })] }, { headers })).status).toBe(
      200,
    )
    expect((await put(FIELDS, { fields: [] }, { headers })).body.code).toBe("precondition_failed")
    expect(await defined()).toHaveLength(2)
  })

  it("requires an admin; everyone can read the fields", async () => {
    await define(field())
    for (const [userType, status] of [
      ["general", 403],
      ["group_admin", 403],
      ["portal_admin", 403],
      ["staff", 403],
      ["admin", 200],
      ["owner", 200],
    ] as const) {
      const { token } = await signedIn(userType)
      expect((await put(FIELDS, { fields: [field()] }, { token })).status, userType).toBe(status)
      expect((await get(FIELDS, { token })).status, userType).toBe(200)
      expect((await get("/api/users/customRegistrationFields", { token })).status, userType).toBe(200)
      const url = `/api/users/can-delete-field${query({ fieldToDelete: field() })}`
      expect((await get(url, { token })).status, userType).toBe(status)
    }
  })
})

describe("GET /api/users/can-delete-field", () => {
  const canDelete = (fieldToDelete: unknown) => get(`/api/users/can-delete-field${query({ fieldToDelete })}`)

  it("returns true while the field has no data, and false when a user has a value", async () => {
    await define(choiceField(), field())
    const unused = await canDelete({ userMetaKey: "region", label: "Region", type: "dropdown", isRequired: false })
    expect(unused.body).toEqual({
      canDeleteField: true,
      message: "Field Region can be deleted.",
      certificateTemplates: [],
    })
    expect(cost(unused).roundTrips).toBe(1)
    await setMetas((await user()).id, { region: "North" })
    expect((await canDelete({ userMetaKey: "region" })).body).toEqual({
      canDeleteField: false,
      message: "Field Region is in use by user values, which would be deleted.",
      certificateTemplates: [],
    })
    expect((await canDelete({ label: "Employee number" })).body.canDeleteField).toBe(true)
  })

  it("reads no more rows when many users have values", async () => {
    await define(choiceField())
    const one = await user()
    await setMetas(one.id, { region: "North" })
    const first = cost(await canDelete({ userMetaKey: "region" })).read
    for (let i = 0; i < 20; i++) await setMetas((await user()).id, { region: "South" })
    expect(cost(await canDelete({ userMetaKey: "region" })).read).toBe(first)
  })

  it("returns true for a field that does not exist, and ignores a stray brace", async () => {
    const response = await canDelete('{"userMetaKey":"shoe_size"}}')
    expect(response.body).toMatchObject({ canDeleteField: true, message: "Field shoe_size does not exist." })
  })

  it.each(["", "{}", "region", "[1]"])("rejects fieldToDelete %j", async (input) => {
    expect((await canDelete(input)).status).toBe(422)
    expect((await get("/api/users/can-delete-field")).status).toBe(422)
  })
})

const ALL_TYPES = [
  field({ type: "text", label: "Text", defaultValue: "none yet" }),
  field({ type: "textarea", label: "Area" }),
  field({ type: "date", label: "Day" }),
  field({ type: "radio", label: "Radio", optionLabel: ["Yes", "No, never"] }),
  field({ type: "checkbox", label: "Boxes", optionLabel: ["Red", "Green", "Blue, dark"] }),
  field({ type: "dropdown", label: "Drop", optionLabel: ["35-55", "55<="] }),
]

describe("customUserMetas", () => {
  it("are returned for all fields by key, with or without a value, in one round trip", async () => {
    await define(...ALL_TYPES)
    const { id } = await user()
    await setMetas(id, { text: "seven", boxes: ["Blue, dark", "Red"] })
    const response = await get(`/api/user/${id}`)
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body.customUserMetas).toEqual({
      text: { type: "text", label: "Text", submitted_value: "seven", placeholder_value: "none yet" },
      area: { type: "textarea", label: "Area", submitted_value: "", placeholder_value: "" },
      day: { type: "date", label: "Day", submitted_value: "", placeholder_value: "" },
      radio: {
        type: "radio",
        label: "Radio",
        submitted_value: "",
        placeholder_value: "",
        option_label: ["Yes", "No, never"],
        option_value: ["Yes", "No never"],
      },
      boxes: {
        type: "checkbox",
        label: "Boxes",
        submitted_value: "Red,Blue dark",
        placeholder_value: "",
        option_label: ["Red", "Green", "Blue, dark"],
        option_value: ["Red", "Green", "Blue dark"],
      },
      drop: {
        type: "dropdown",
        label: "Drop",
        submitted_value: "",
        placeholder_value: "",
        option_label: ["35-55", "55<="],
        option_value: ["35-55", "55<="],
      },
    })
  })

  it.each([
    ["text", " a\u0000b ", "ab"],
    ["text", "two\nlines", "two lines"],
    ["text", 42, "42"],
    ["text", "x".repeat(255), "x".repeat(255)],
    ["text", { submitted_value: "wrapped", label: "Text" }, "wrapped"],
    ["area", "two\nlines", "two\nlines"],
    ["day", "2026-01-05", "2026-01-05"],
    ["day", "2026-01-05T23:30:00-05:00", "2026-01-05"],
    ["day", "2024-02-29 10:00", "2024-02-29"],
    ["day", "Jan 05, 2001", "2001-01-05"],
    ["day", " jan 5, 2001 ", "2001-01-05"],
    ["day", "Jan 05, 2001 11:59 PM", "2001-01-05"],
    ["day", { submitted_value: "Feb 29, 2024" }, "2024-02-29"],
    ["radio", "Yes", "Yes"],
    ["radio", "no, NEVER", "No never"],
    ["radio", ["No never"], "No never"],
    ["drop", "55<=", "55<="],
    ["boxes", ["Green", "Red", "green"], "Red,Green"],
    ["boxes", "Green,Blue dark", "Green,Blue dark"],
    ["boxes", "Blue, dark", "Blue dark"],
    ["boxes", '["Blue, dark","Red"]', "Red,Blue dark"],
    ["boxes", { submitted_value: ["Red"] }, "Red"],
  ])("accept for %s the value %j", async (key, value, submitted) => {
    await define(...ALL_TYPES)
    const { id } = await user()
    const response = await setMetas(id, { [key]: value })
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    expect(await metasOf(id)).toMatchObject({ [key]: { submitted_value: submitted } })
    expect(await stored()).toEqual([submitted])
  })

  it.each([
    ["text", "x".repeat(256), "must have 255 characters or fewer"],
    ["text", ["a", "b"], "must be one value"],
    ["text", { deep: 1 }, "must be a value, or an object with submitted_value"],
    ["text", { submitted_value: { deep: 1 } }, "must be a value, or an object with submitted_value"],
    ["text", [[1]], "must be text, a number or an array of these"],
    ["area", "x".repeat(5001), "must have 5000 characters or fewer"],
    ["day", "2026-02-30", "must be a date such as 2026-01-05"],
    ["day", "soon", "must be a date such as 2026-01-05"],
    ["day", "Jan 05, 20", "must be a date such as 2026-01-05"],
    ["day", "Feb 30, 2026", "must be a date such as 2026-01-05"],
    ["day", "2026-01-05, 2026-01-06", "must be a date such as 2026-01-05"],
    ["radio", "Maybe", "must be one of: Yes, No, never"],
    ["radio", ["Yes", "No never"], "must be one value"],
    ["drop", "0-35", "must be one of: 35-55, 55<="],
    ["boxes", ["Red", "Pink"], "must be any of: Red, Green, Blue, dark"],
    ["boxes", "Red,Pink", "must be any of: Red, Green, Blue, dark"],
  ])("reject for %s the value %j", async (key, value, fault) => {
    await define(...ALL_TYPES)
    const { id } = await user()
    const answer = await setMetas(id, { [key]: value })
    const message = `customUserMetas.${key} ${fault}.`
    expect(answer).toMatchObject({ status: 422, body: { errors: { [`customUserMetas.${key}`]: [message] } } })
    expect(await stored()).toEqual([])
  })

  it("are updated in two round trips, raise the version, and are audited by key", async () => {
    await define(...ALL_TYPES)
    const { id } = await user()
    const etag = (await get(`/api/user/${id}`)).headers.get("etag") ?? ""
    const response = await call("PUT", `/api/user/${id}`, {
      body: { customUserMetas: { text: "one", radio: "Yes" } },
      headers: { "if-match": etag },
    })
    expect(response.status).toBe(200)
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(users)).toMatchObject([{ version: 2 }])
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "updated",
      subject: "user",
      subjectId: id,
      details: { customUserMetas: { text: "one", radio: "Yes" } },
    })
    const late = await call("PUT", `/api/user/${id}`, {
      body: { customUserMetas: { text: "two" } },
      headers: { "if-match": etag },
    })
    expect(late.status).toBe(412)
    expect((await metasOf(id)).text.submitted_value).toBe("one")
  })

  it("can be sent back as returned without any change", async () => {
    await define(...ALL_TYPES)
    const { id } = await user()
    await setMetas(id, { text: "one", boxes: ["Red"], day: "2026-01-05" })
    const before = await rowsOf(auditLogs)
    expect((await setMetas(id, await metasOf(id))).status).toBe(200)
    expect((await setMetas(id, JSON.stringify(await metasOf(id)))).status).toBe(200)
    expect((await setMetas(id, [])).status).toBe(200)
    expect(await rowsOf(auditLogs)).toEqual(before)
    expect(await rowsOf(users)).toMatchObject([{ version: 2 }])
  })

  it("are deleted by blank values unless the field is required", async () => {
    await define(...ALL_TYPES, field({ label: "Badge", isRequired: true }))
    const { id } = await user()
    await setMetas(id, { text: "one", badge: "B7" })
    expect((await setMetas(id, { text: "" })).status).toBe(200)
    expect(await stored()).toEqual(["B7"])
    for (const blank of ["", "  ", null, [], { submitted_value: "" }]) {
      const response = await setMetas(id, { badge: blank })
      expect(response.status).toBe(422)
      expect(response.body.errors).toEqual({ "customUserMetas.badge": ["customUserMetas.badge is required."] })
    }
    expect(await stored()).toEqual(["B7"])
  })

  it("can be sent back blank by a user who never filled in a required field", async () => {
    await define(field({ label: "Badge", isRequired: true }), choiceField({ isRequired: true }))
    const learner = await signedIn("general")
    for (const caller of [{}, learner]) {
      const read = await get(`/api/user/${learner.id}`, caller)
      const response = await put(`/api/user/${learner.id}`, read.body, caller)
      expect(response.status).toBe(200)
      expect(cost(response).written).toBe(0)
    }
    expect((await setMetas(learner.id, { badge: null, region: [] })).status).toBe(200)
    expect((await setMetas(learner.id, { badge: "B7", region: "" })).status).toBe(200)
    expect((await setMetas(learner.id, { badge: "" })).status).toBe(422)
    expect(await stored()).toEqual(["B7"])
    expect(await rowsOf(auditLogs)).toHaveLength(3)
  })

  it("are rejected with the names of unknown keys", async () => {
    await define(...ALL_TYPES)
    const { id } = await user()
    const answer = await setMetas(id, { text: "one", shoe: 44, hat: "M" })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { customUserMetas: ["customUserMetas has unknown keys: shoe, hat."] } },
    })
    expect(await stored()).toEqual([])
    expect((await setMetas(id, "text")).status).toBe(422)
    expect((await setMetas(id, [1])).status).toBe(422)
  })

  it("are kept when the field changes, and can be sent back even if it now rejects them", async () => {
    await define(choiceField())
    const { id } = await user()
    await setMetas(id, { region: "South" })
    await define(choiceField({ optionLabel: ["North", "East"] }))
    expect((await metasOf(id)).region).toMatchObject({ submitted_value: "South", option_value: ["North", "East"] })
    expect((await setMetas(id, await metasOf(id))).status).toBe(200)
    expect((await setMetas(id, { region: "East" })).status).toBe(200)
    expect((await setMetas(id, { region: "South" })).status).toBe(422)
  })

  it("can be changed by the learner, and by no other user below staff", async () => {
    await define(field())
    const learner = await signedIn("general")
    const other = await user()
    const body = { customUserMetas: { employee_number: "7" } }
    expect((await put(`/api/user/${learner.id}`, body, { token: learner.token })).status).toBe(200)
    expect((await put(`/api/user/${other.id}`, body, { token: learner.token })).status).toBe(404)
    expect(await rowsOf(customFieldValues)).toMatchObject([{ userId: learner.id }])
    const staff = await signedIn("staff")
    expect((await put(`/api/user/${other.id}`, body, { token: staff.token })).status).toBe(200)
  })
})

describe("POST /api/user/create with customUserMetas", () => {
  const newUser = (input = {}) => ({
    firstName: "Ada",
    email: "ada@example.com",
    password: "analytical engine",
    password_confirmation: "analytical engine",
    ...input,
  })

  it("stores the values with the user in two round trips", async () => {
    await define(choiceField({ isRequired: true }), field())
    const response = await post("/api/user/create", newUser({ customUserMetas: { region: "north" } }))
    expect(response.status).toBe(200)
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(customFieldValues)).toEqual([
      { userId: response.body.id, fieldId: 1, value: "North", searchable: false },
    ])
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      details: { customUserMetas: { region: "North" } },
    })
  })

  it("accepts a date as returned in responses, and rejects incomplete dates", async () => {
    await define(field({ type: "date", userMetaKey: "born" }))
    expect((await post("/api/user/create", newUser({ customUserMetas: { born: "Jan 05, 2001" } }))).status).toBe(200)
    expect((await rowsOf(customFieldValues)).map(({ value }) => value)).toEqual(["2001-01-05"])
    const cut = newUser({ email: "eve@example.com", customUserMetas: { born: "Jan 05, 20" } })
    expect((await post("/api/user/create", cut)).body.errors).toHaveProperty("customUserMetas.born")
  })

  it("rejects a request without a required field and creates no user", async () => {
    await define(choiceField({ isRequired: true }), field())
    const response = await post("/api/user/create", newUser({ customUserMetas: { employee_number: "7", hat: 1 } }))
    expect(response.status).toBe(422)
    expect(Object.keys(response.body.errors)).toEqual(["customUserMetas", "customUserMetas.region"])
    expect(await rowsOf(users)).toEqual([])
  })

  it("does not require custom fields from clients that omit customUserMetas", async () => {
    await define(choiceField({ isRequired: true }))
    expect((await post("/api/user/create", newUser())).status).toBe(200)
    expect((await post("/api/user/create", newUser({ email: "b@example.com", customUserMetas: [] }))).status).toBe(200)
  })

  it("deletes the values when the user is deleted", async () => {
    await define(field())
    const { id } = await user()
    await setMetas(id, { employee_number: "7" })
    await post("/api/user/delete", { delete_ids: [id] })
    expect(await stored()).toEqual([])
  })
})

describe("custom field values of many users", () => {
  const open = () => openDatabase(env.DB, "first-primary")

  it("are validated row by row, with errors by key", async () => {
    await define(choiceField({ isRequired: true }), field({ type: "date", label: "Hired on" }))
    const database = open()
    const [fields] = await database.batch([fieldsInOrder(database)])
    const check = (row: Record<string, unknown>) => validateMetas(fields, row, { required: true })
    expect(check({ region: "north", hired_on: "" })).toEqual({
      metas: [{ field: fields[0], value: "North" }],
      errors: {},
    })
    expect(check({ hired_on: "soon" })).toEqual({
      metas: [],
      errors: {
        "customUserMetas.region": ["customUserMetas.region is required."],
        "customUserMetas.hired_on": ["customUserMetas.hired_on must be a date such as 2026-01-05."],
      },
    })
  })

  it("are inserted, updated and deleted by few statements, and deleted fields are skipped", async () => {
    await define(field(), choiceField())
    const database = open()
    const ids = Array.from({ length: 6000 }, (_, i) => i + 1)
    await database.batch([
      insertFrom(
        database,
        users,
        {
          id: sql`value`,
          ...sortableNames({ firstName: "L", lastName: "" }),
          email: sql`value || '@example.com'`,
          userType: "general",
          searchText: "l",
          createdAt: 1,
        },
        sql`from json_each(${JSON.stringify(ids)})`,
      ),
    ])
    const rows = ids.flatMap((userId) => [
      { userId, fieldId: 1, value: "x".repeat(200) },
      { userId, fieldId: 99, value: "lost" },
    ])
    const statements = writeMetas(database, rows)
    expect(statements.length).toBeLessThan(6)
    const [first, ...rest] = statements
    if (first) await database.batch([first, ...rest])
    expect(await stored()).toHaveLength(6000)

    const counting = await withMeter(env)
    const counted = openDatabase(counting.DB, "first-primary")
    const [change, removal] = writeMetas(counted, [
      { userId: 7, fieldId: 1, value: "seven" },
      { userId: 8, fieldId: 1, value: "" },
    ])
    if (change && removal) await counted.batch([change, removal])
    expect(getMeter(counting)?.d1.read).toBeLessThan(20)
    const values = await rowsOf(customFieldValues)
    expect(values).toHaveLength(5999)
    expect(values.find((row) => row.userId === 7)?.value).toBe("seven")
  })

  it("are columns of the users export for the fields that include it", async () => {
    const boxes = { type: "checkbox", optionLabel: ["Red", "Blue, dark"] }
    await define(
      field({ label: "Colors", ...boxes, includeInReportExports: ["export-users", "export-orders"] }),
      field({ label: "Badge", includeInReportExports: "export-users" }),
      field({ label: "Secret", includeInReportExports: "course-insight" }),
    )
    const admin = await signedIn("admin")
    const other = await user()
    await setMetas(admin.id, { colors: ["Blue, dark", "Red"], badge: "=B7", secret: "x" })
    const id = await exportJob(admin, {})
    await deliver(id)
    const file = await download(`/api/users/export/download/${id}`, { token: admin.token })
    const [headers = [], ...rows] = (await readXlsx(file.body)).sheets[0]?.rows ?? []
    expect(headers.slice(-4)).toEqual(["user_category", "externalId", "Colors", "Badge"])
    expect(rows.map((row) => [row[0], ...headers.slice(-2).map((name) => row[headers.indexOf(name)] ?? "")])).toEqual([
      [admin.id, "Red, Blue, dark", "=B7"],
      [other.id, "", ""],
    ])
  })

  it("are read with the rows of a page in one statement", async () => {
    await define(field({ includeInReportExports: ["course-insight"] }))
    const { id } = await user()
    await setMetas(id, { employee_number: "7" })
    const database = open()
    const [fields, none] = await database.batch([
      reportFields(database, "course-insight"),
      reportFields(database, "export-orders"),
    ])
    const read = async (columns: ReturnType<typeof reportColumns>) => {
      const [rows] = await database.batch([database.select({ values: columns.values }).from(users)])
      return rows.map((row) => columns.cells(row.values))
    }
    expect(await read(reportColumns(fields, users.id))).toEqual([["7"]])
    expect(await read(reportColumns(none, users.id))).toEqual([[]])
  })
})
