import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { membershipCourses } from "../../drizzle/schema/membership-courses.ts"
import { users } from "../../drizzle/schema/users.ts"
import { DAY } from "../../src/lib/clock.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const membership = async (name: string, expiresAfterDays?: number) =>
  (await post("/api/membership/create", { name, expiresAfterDays })).body.id as number
const update = (userId: number, body: object, options = {}) =>
  put(`/api/user/${userId}/update-membership`, body, options)
const membershipOf = async (userId: number) => (await get(`/api/user/${userId}`)).body.membership
const holders = async (membershipId: number) =>
  (await get(`/api/users/tabularlist${query({ page_size: 10, page_number: 1, search_param: { membershipId } })}`)).body

describe("PUT /api/user/{id}/update-membership", () => {
  it("assigns a membership until the date, in the current and the older format", async () => {
    const [gold, silver] = [await membership("Gold"), await membership("Silver")]
    const { id } = await user()
    const newer = await update(id, { id: gold, expired_at: "2199-01-05" })
    expect(newer).toMatchObject({ status: 200, body: { message: "Membership Gold assigned until Jan 05, 2199." } })
    expect(cost(newer).roundTrips).toBe(2)
    expect(await membershipOf(id)).toEqual({
      id: gold,
      name: "Gold",
      expiryDate: "Jan 05, 2199",
      expiresAt: "2199-01-05T00:00:00.000Z",
    })
    await update(id, { membership: { id: silver, name: "Silver", expired_at: "2199-02-05 10:00" } })
    expect(await membershipOf(id)).toEqual({
      id: silver,
      name: "Silver",
      expiryDate: "Feb 05, 2199",
      expiresAt: "2199-02-05T10:00:00.000Z",
    })
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "updated",
      subject: "user",
      subjectId: id,
      details: { membershipId: silver },
    })
  })

  it("uses the membership's own duration when no date is given", async () => {
    const [year, unlimited] = [await membership("Year", 365), await membership("Ever")]
    const { id } = await user()
    const before = Date.now()
    await update(id, { id: year })
    const [row] = await rowsOf(users)
    expect(row?.membershipExpiresAt).toBeGreaterThanOrEqual(before + 365 * DAY)
    expect(row?.membershipExpiresAt).toBeLessThan(before + 366 * DAY)
    expect((await update(id, { membership: { id: unlimited, expired_at: "" } })).body.message).toBe(
      "Membership Ever assigned with no end date.",
    )
    expect(await membershipOf(id)).toEqual({ id: unlimited, name: "Ever", expiryDate: null, expiresAt: null })
  })

  it("changes nothing when the membership is sent back as returned", async () => {
    const [year, unlimited] = [await membership("Year", 365), await membership("Ever")]
    const { id } = await user()
    const unchanged = async (bodyOf: (read: object | null) => object) => {
      const { body } = await get(`/api/user/${id}`)
      const [before, audited] = [await rowsOf(users), (await rowsOf(auditLogs)).length]
      vi.setSystemTime(Date.now() + 3 * DAY)
      const sent = await update(id, bodyOf(body.membership))
      expect([sent.status, await rowsOf(users), (await rowsOf(auditLogs)).length]).toEqual([200, before, audited])
    }
    vi.useFakeTimers({ toFake: ["Date"] })
    const older = (read: object | null) => ({ membership: read })
    const newer = (read: object | null) => ({ ...read })
    await unchanged(older)
    for (const input of [{ id: year }, { id: year, expired_at: "2199-01-05 10:00" }, { id: unlimited }]) {
      await update(id, input)
      await unchanged(older)
      await unchanged(newer)
    }
    const included = await course()
    await db.insert(membershipCourses).values({ membershipId: unlimited, courseId: included.id })
    await unchanged(older)
    expect(await rowsOf(enrollments)).toEqual([])
  })

  it("accepts expiryDate instead of expired_at: a future date, a past date, and null for no end", async () => {
    const year = await membership("Year", 365)
    const { id } = await user()
    await update(id, { id: year, expiryDate: "Jan 05, 2199" })
    expect(await membershipOf(id)).toMatchObject({ id: year, expiryDate: "Jan 05, 2199" })
    await update(id, { membership: { id: year, name: "Year", expiryDate: null } })
    expect(await membershipOf(id)).toMatchObject({ id: year, expiryDate: null })
    expect((await update(id, { expiryDate: "soon" })).body.errors.expiryDate).toBeDefined()
    await update(id, { expiryDate: "Jan 05, 2020" })
    expect(await membershipOf(id)).toBeNull()
  })

  it("revokes a membership with a past date, the user's current one when no id is given", async () => {
    const gold = await membership("Gold")
    const { id } = await user({ membershipId: gold })
    expect((await update(id, { expired_at: "2020-01-01" })).body.message).toBe("Membership Gold revoked.")
    expect(await membershipOf(id)).toBeNull()
    expect((await holders(gold)).recordsFiltered).toBe(0)
    expect((await update(id, { expired_at: "2020-01-01" })).body.errors.id).toBeDefined()
  })

  it("revokes only the membership that the request names", async () => {
    const [gold, silver] = [await membership("Gold"), await membership("Silver")]
    const { id } = await user({ membershipId: gold })
    const audited = (await rowsOf(auditLogs)).length
    const refused = await update(id, { id: silver, expired_at: "2020-01-01" })
    expect(refused).toMatchObject({ status: 409, body: { message: "The user does not have the membership Silver." } })
    expect(await membershipOf(id)).toMatchObject({ id: gold })
    expect(await rowsOf(auditLogs)).toHaveLength(audited)
    expect((await update(id, { id: gold, expired_at: "2020-01-01" })).body.message).toBe("Membership Gold revoked.")
    expect((await update(id, { id: gold, expired_at: "2020-01-01" })).status).toBe(200)
  })

  it("treats an expired membership as ended for the user, the list and its deletion", async () => {
    const gold = await membership("Gold", 30)
    const { id } = await user()
    await update(id, { id: gold })
    expect((await holders(gold)).recordsFiltered).toBe(1)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31 * DAY })
    expect(await membershipOf(id)).toBeNull()
    expect(await holders(gold)).toMatchObject({ recordsFiltered: 0, recordsTotal: 1, records: [] })
    expect((await post("/api/membership/delete", { delete_ids: [gold] })).body.message).toBe("1 membership deleted.")
  })

  it("rejects an unknown membership, user or date and records nothing", async () => {
    const gold = await membership("Gold")
    const { id } = await user()
    expect((await update(id, { id: 99 })).body.errors).toEqual({ id: ["id does not match any membership."] })
    expect((await update(id, { id: gold, expired_at: "soon" })).body.errors.expired_at).toBeDefined()
    expect((await update(99, { id: gold })).status).toBe(404)
    expect(await membershipOf(id)).toBeNull()
    expect(await rowsOf(auditLogs)).toHaveLength(1)
  })

  it("requires an admin, honors If-Match, and lets only owners change owners", async () => {
    const gold = await membership("Gold")
    const { id } = await user()
    const [staff, admin] = [await signedIn("staff"), await signedIn("admin")]
    const owner = await user({ userType: "owner" })
    expect((await update(id, { id: gold }, staff)).status).toBe(403)
    expect((await update(owner.id, { id: gold }, admin)).status).toBe(403)
    const etag = (await get(`/api/user/${id}`, admin)).headers.get("etag") ?? ""
    const match = { token: admin.token, headers: { "if-match": etag } }
    expect((await update(id, { id: gold }, match)).status).toBe(200)
    expect((await update(id, { id: gold, expired_at: "2020-01-01" }, match)).status).toBe(412)
  })
})
