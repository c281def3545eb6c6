import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { notificationPreferences, notifications } from "../../drizzle/schema/notifications.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, post } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"

const MESSAGE = { subject: "Office hours", text: "Come by <today>.\n\nRoom 4 & 5" }
const send = (user_ids: number[], { token }: { token: string }, more: object = {}) =>
  post("/api/notifications/message", { user_ids, ...MESSAGE, ...more }, { token })

describe("a message to people", () => {
  it("is in the list of notifications and mailed, in two round trips, with one audit row", async () => {
    const staff = await signedIn("staff", { firstName: "Tea", lastName: "Cher" })
    const ada = await signedIn("general", { firstName: "Ada" })
    const sent = await send([ada.id, staff.id, 999_999], staff)
    expect(sent.body).toEqual({ message: "Message sent to 1 person. 2 skipped.", sent: 1, skipped: 2 })
    expect(cost(sent).roundTrips).toBe(2)
    const { records } = (await get("/api/notifications", { token: ada.token })).body
    expect(records).toMatchObject([
      {
        kind: "message",
        title: "Office hours",
        message: { sender: "Tea Cher", text: MESSAGE.text },
        path: "/console/notifications",
      },
    ])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "message", effectOn: "Office hours", details: { recipients: [ada.id] } },
    ])
    const [mail] = await delivered()
    expect(mail).toMatchObject({ to: ada.email, subject: "Office hours" })
    expect(mail?.text).toContain("Hello Ada,\n\nTea Cher sent you a message:\n\nCome by <today>.\n\nRoom 4 & 5")
    expect(mail?.html).toContain("<p>Come by &lt;today&gt;.</p><p>Room 4 &amp; 5</p>")
  })

  it("respects what people chose, and leaves out disabled people", async () => {
    const staff = await signedIn("staff")
    const [off, daily, disabled, plain] = [await user(), await user(), await user({ disabled: true }), await user()]
    await db.insert(notificationPreferences).values([
      { userId: off.id, kind: "message", mail: "never", inApp: true },
      { userId: daily.id, kind: "message", mail: "daily", inApp: true },
    ])
    const sent = await send(
      [off, daily, disabled, plain].map(({ id }) => id),
      staff,
    )
    expect(sent.body).toMatchObject({ sent: 3, skipped: 1 })
    expect((await rowsOf(outbox)).map(({ userId, priority }) => ({ userId, priority }))).toEqual([
      { userId: plain.id, priority: 1 },
    ])
    expect(await rowsOf(mailings)).toHaveLength(1)
    expect((await rowsOf(notifications)).map(({ userId }) => userId)).toEqual([off.id, daily.id, plain.id])
  })

  it("reaches only the people of a supervisor, and returns 404 for others", async () => {
    const boss = await signedIn("group_admin")
    const [member, stranger] = [await user(), await user()]
    await group({ admins: [boss.id], members: [member.id] })
    expect((await send([member.id, stranger.id], boss)).body).toMatchObject({ sent: 1, skipped: 1 })
    expect((await send([stranger.id], boss)).status).toBe(404)
    expect((await send([member.id], await signedIn("general"))).status).toBe(403)
    expect((await rowsOf(notifications)).map(({ userId }) => userId)).toEqual([member.id])
  })

  it("needs a subject, a text and 1 to 500 people", async () => {
    const staff = await signedIn("staff")
    const { id } = await user()
    expect((await send([id], staff, { subject: " " })).status).toBe(422)
    expect((await send([id], staff, { text: "" })).status).toBe(422)
    expect((await send([id], staff, { text: "x".repeat(5001) })).status).toBe(422)
    expect((await send([], staff)).status).toBe(422)
    expect(
      (
        await send(
          Array.from({ length: 501 }, (_, index) => index + 1),
          staff,
        )
      ).status,
    ).toBe(422)
    expect(await rowsOf(notifications)).toEqual([])
  })
})
