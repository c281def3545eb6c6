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
const held = async (userId: number) => (await get(`/api/user/${userId}`)).body.membership
const holders = async (membershipId: number) =>
  (await get(`/api/users/tabularlist${query({ page_size: 10, page_number: 1, search_param: { membershipId } })}`)).body

describe("PUT /api/user/{id}/update-membership", () => {
  it("gives a membership until the date, in the newer form and the older", async () => {
    const [gold, silver] = [await membership("Gold"), await membership("Silver")]
    const { id } = await user()
    const newer = await update(id, { id: gold, expired_at: "2199-01-05" })
    expect(newer).toMatchObject({ status: 200, body: { message: "Membership Gold given until Jan 05, 2199." } })
    expect(cost(newer).trips).toBe(2)
    expect(await held(id)).toEqual({ id: gold, name: "Gold", expiryDate: "Jan 05, 2199" })
    await update(id, { membership: { id: silver, name: "Silver", expired_at: "2199-02-05 10:00" } })
    expect(await held(id)).toEqual({ id: silver, name: "Silver", expiryDate: "Feb 05, 2199" })
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "updated",
      subject: "user",
      subjectId: id,
      details: { membershipId: silver },
    })
  })

  it("takes the membership's own expiry when none is given", async () => {
    const [year, ever] = [await membership("Year", 365), await membership("Ever")]
    const { id } = await user()
    const before = Date.now()
    await update(id, { id: year })
    const [row] = await rowsOf(users)
    expect(row?.membershipExpiresAt).toBeGreaterThanOrEqual(before + 365 * DAY)
    expect(row?.membershipExpiresAt).toBeLessThan(before + 366 * DAY)
    expect((await update(id, { membership: { id: ever, expired_at: "" } })).body.message).toBe(
      "Membership Ever given without an end.",
    )
    expect(await held(id)).toEqual({ id: ever, name: "Ever", expiryDate: null })
  })

  it("changes nothing when it takes the membership as read", async () => {
    const [year, ever] = [await membership("Year", 365), await membership("Ever")]
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
    for (const given of [{ id: year }, { id: year, expired_at: "2199-01-05 10:00" }, { id: ever }]) {
      await update(id, given)
      await unchanged(older)
      await unchanged(newer)
    }
    const included = await course()
    await db.insert(membershipCourses).values({ membershipId: ever, courseId: included.id })
    await unchanged(older)
    expect(await rowsOf(enrollments)).toEqual([])
  })

  it("takes expiryDate in place of expired_at: a date, a past one, and null for no end", async () => {
    const year = await membership("Year", 365)
    const { id } = await user()
    await update(id, { id: year, expiryDate: "Jan 05, 2199" })
    expect(await held(id)).toMatchObject({ id: year, expiryDate: "Jan 05, 2199" })
    await update(id, { membership: { id: year, name: "Year", expiryDate: null } })
    expect(await held(id)).toMatchObject({ id: year, expiryDate: null })
    expect((await update(id, { expiryDate: "soon" })).body.errors.expiryDate).toBeDefined()
    await update(id, { expiryDate: "Jan 05, 2020" })
    expect(await held(id)).toBeNull()
  })

  it("revokes when the date is in the past, the user's own when no id is given", async () => {
    const gold = await membership("Gold")
    const { id } = await user({ membershipId: gold })
    expect((await update(id, { expired_at: "2020-01-01" })).body.message).toBe("Membership Gold revoked.")
    expect(await held(id)).toBeNull()
    expect((await holders(gold)).recordsFiltered).toBe(0)
    expect((await update(id, { expired_at: "2020-01-01" })).body.errors.id).toBeDefined()
  })

  it("revokes no membership but the one that the call names", async () => {
    const [gold, silver] = [await membership("Gold"), await membership("Silver")]
    const { id } = await user({ membershipId: gold })
    const audited = (await rowsOf(auditLogs)).length
    const refused = await update(id, { id: silver, expired_at: "2020-01-01" })
    expect(refused).toMatchObject({ status: 409, body: { message: "The user does not hold Silver." } })
    expect(await held(id)).toMatchObject({ id: gold })
    expect(await rowsOf(auditLogs)).toHaveLength(audited)
    expect((await update(id, { id: gold, expired_at: "2020-01-01" })).body.message).toBe("Membership Gold revoked.")
    expect((await update(id, { id: gold, expired_at: "2020-01-01" })).status).toBe(200)
  })

  it("is over when its time comes, for the user, the list and the membership's deletion alike", async () => {
    const gold = await membership("Gold", 30)
    const { id } = await user()
    await update(id, { id: gold })
    expect((await holders(gold)).recordsFiltered).toBe(1)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31 * DAY })
    expect(await held(id)).toBeNull()
    expect(await holders(gold)).toMatchObject({ recordsFiltered: 0, recordsTotal: 1, records: [] })
    expect((await post("/api/membership/delete", { delete_ids: [gold] })).body.message).toBe("1 membership deleted.")
  })

  it("refuses an unknown membership, user or date, and records nothing", async () => {
    const gold = await membership("Gold")
    const { id } = await user()
    expect((await update(id, { id: 99 })).body.errors).toEqual({ id: ["id names no membership."] })
    expect((await update(id, { id: gold, expired_at: "soon" })).body.errors.expired_at).toBeDefined()
    expect((await update(99, { id: gold })).status).toBe(404)
    expect(await held(id)).toBeNull()
    expect(await rowsOf(auditLogs)).toHaveLength(1)
  })

  it("is an admin's, honors If-Match, and leaves owners to owners", async () => {
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
