import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { consents } from "../../drizzle/schema/consents.ts"
import { group, rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const newConsent = (input = {}) => ({ consentId: "privacy-2026", status: "accepted", country: "Kenya", ...input })
const list = (input = {}, options = {}) =>
  get(`/api/user-consents/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`, options)

describe("consents", () => {
  it("are recorded, then listed with exactly the fields of the interface in one round trip", async () => {
    const { id: userId } = await user({ firstName: "Ada", lastName: "Byron" })
    const input = newConsent({ userId, consentDate: "2026-01-05 15:04", ipAddress: "198.51.100.7" })
    const created = await post("/api/user-consent/create", input)
    expect(created.body).toEqual({ id: 1, message: "Consent recorded." })
    expect(cost(created).roundTrips).toBe(2)
    const response = await list()
    expect(response.body).toEqual({
      userConsents: [
        {
          id: 1,
          consentDate: "Jan 05, 2026 03:04 PM",
          consentedAt: "2026-01-05T15:04:00.000Z",
          consentId: "privacy-2026",
          country: "Kenya",
          ipAddress: "198.51.100.7",
          status: "accepted",
          userId,
          userName: "Ada Byron",
          createdAt: expect.stringMatching(/^\w{3} \d\d, \d{4} \d\d:\d\d [AP]M$/),
        },
      ],
      total: 1,
      recordsFiltered: 1,
    })
    expect(cost(response).roundTrips).toBe(1)
    expect(await rowsOf(auditLogs)).toMatchObject([{ action: "created", subject: "consent", effectOn: "privacy-2026" }])
  })

  it("can be given by a learner only for themselves, dated now and from their own address", async () => {
    const ada = await signedIn("general")
    const bob = await user()
    const before = Date.now()
    expect((await post("/api/user-consent/create", newConsent({ consentId: 7 }), ada)).status).toBe(200)
    const [row] = await rowsOf(consents)
    expect(row).toMatchObject({ userId: ada.id, consentId: "7", ipAddress: "203.0.113.7" })
    expect(row?.consentAt).toBeGreaterThanOrEqual(before)
    for (const input of [{ userId: bob.id }, { consentDate: "2020-01-01" }, { ipAddress: "::1" }])
      expect((await post("/api/user-consent/create", newConsent(input), ada)).status).toBe(403)
    expect((await put("/api/user-consent/1", { status: "rejected" }, ada)).status).toBe(403)
    expect(await rowsOf(consents)).toHaveLength(1)
  })

  it("are visible to the user, their supervisors and staff", async () => {
    const ada = await signedIn("general")
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [ada.id] })
    for (const userId of [ada.id, (await user()).id]) await post("/api/user-consent/create", newConsent({ userId }))
    for (const caller of [ada, supervisor]) {
      expect((await list({}, caller)).body).toMatchObject({ total: 1, userConsents: [{ userId: ada.id }] })
      expect((await get("/api/user-consent/1", caller)).status).toBe(200)
      expect((await get("/api/user-consent/2", caller)).status).toBe(404)
    }
    await post("/api/user-consent/create", newConsent(), supervisor)
    const seen = (await list({ order_by: "id" }, supervisor)).body
    expect(seen).toMatchObject({ total: 2, userConsents: [{ userId: ada.id }, { userId: supervisor.id }] })
    expect((await list({}, await signedIn("staff"))).body.total).toBe(3)
  })

  it("can be filtered, sorted, updated and deleted", async () => {
    const { id: userId } = await user()
    for (const status of ["accepted", "rejected", "accepted"])
      await post("/api/user-consent/create", newConsent({ userId, status, consentDate: "2026-01-05" }))
    const found = await list({ search_param: { status: "rejected" }, order_by: { colName: "country" } })
    expect(found.body).toMatchObject({ total: 3, recordsFiltered: 1, userConsents: [{ id: 2 }] })
    expect((await put("/api/user-consent/2", { status: "accepted" })).body.message).toBe("Consent updated.")
    const deleted = await post("/api/user-consent/delete", { delete_ids: [1, 2, 9] })
    expect(deleted.body.message).toBe("2 consents deleted. 1 id unknown.")
    const rest = await get(`/api/user-consent/tabularlist${query({ page_size: 10, page_number: 1 })}`)
    expect(rest.body).toMatchObject({ recordsTotal: 1, recordsFiltered: 1, records: [{ id: 3 }] })
  })

  it("accept the date that they return, keeping the stored seconds", async () => {
    const { id: userId } = await user()
    await post("/api/user-consent/create", newConsent({ userId, consentDate: "2026-01-05 15:04:33" }))
    const before = await rowsOf(consents)
    const { body } = await get("/api/user-consent/1")
    expect(body.consentDate).toBe("Jan 05, 2026 03:04 PM")
    expect((await put("/api/user-consent/1", body)).status).toBe(200)
    expect((await put("/api/user-consent/1", { consentDate: null, status: "", ipAddress: 0 })).status).toBe(200)
    expect(await rowsOf(consents)).toEqual(before)
    await put("/api/user-consent/1", { consentDate: "Jan 05, 2026 03:05 PM", country: null })
    expect(await rowsOf(consents)).toMatchObject([{ consentAt: Date.UTC(2026, 0, 5, 15, 5), country: "" }])
  })

  it("report errors by field", async () => {
    const { id: userId } = await user()
    for (const [field, value] of [
      ["status", "maybe"],
      ["consentId", ""],
      ["ipAddress", "here"],
      ["consentDate", "soon"],
      ["userId", 99],
    ] as const) {
      const response = await post("/api/user-consent/create", newConsent({ userId, [field]: value }))
      expect(response, field).toMatchObject({ status: 422, body: { errors: { [field]: expect.anything() } } })
    }
    expect((await list({ page_size: 501 })).status).toBe(422)
    expect((await get("/api/user-consents/tabularlist")).status).toBe(422)
    expect(await rowsOf(consents)).toEqual([])
  })
})
