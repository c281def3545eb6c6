import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { notificationPreferences, notifications, notificationTemplates } from "../../drizzle/schema/notifications.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { settings } from "../../drizzle/schema/settings.ts"
import { users } from "../../drizzle/schema/users.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { db, portal, rowsOf, user } from "../factories/index.ts"
import { notify } from "../factories/notifications.ts"
import { delivered } from "../helpers/mailbox.ts"

const MESSAGE = { mails: 25 }
const NOON = Date.UTC(2026, 10, 25, 12)

const atNoon = () => vi.useFakeTimers({ toFake: ["Date"], now: NOON })

describe("notifications", () => {
  it("are in the list and mailed at once, in the order of the batch, in two writes per person", async () => {
    const [ada, bob] = [await user({ firstName: "Ada" }), await user()]
    await notify([ada, bob])
    expect(await rowsOf(notifications)).toMatchObject([
      { id: 1, userId: ada.id, kind: "enrolled", variables: { course: "Algebra" }, path: "/console/learning/7" },
      { id: 2, userId: bob.id, readAt: 0, isListed: true, inDigest: false },
    ])
    expect(await rowsOf(outbox)).toMatchObject([
      { userId: ada.id, recipient: ada.email, variables: { course: "Algebra", path: "/console/learning/7" } },
      { userId: bob.id, number: 2, priority: 1, dedupe: null },
    ])
    const [first, second] = await delivered()
    expect(first).toMatchObject({ to: ada.email, subject: "You are enrolled in Algebra" })
    expect(first?.text).toContain(
      [
        "Hello Ada,",
        "You are enrolled in Algebra.",
        "Open course:\nhttps://lectern.test/console/learning/7",
        "Lectern",
      ].join("\n\n"),
    )
    expect(second?.to).toBe(bob.email)
  })

  it("writes nothing to disabled people and nothing that people switched off", async () => {
    const [ada, off, disabled, daily] = [await user(), await user(), await user({ disabled: true }), await user()]
    await db.insert(notificationPreferences).values([
      { userId: off.id, kind: "enrolled", mail: "never", inApp: false },
      { userId: daily.id, kind: "enrolled", mail: "daily", inApp: false },
    ])
    await notify([ada, off, disabled, daily])
    expect(await rowsOf(notifications)).toMatchObject([
      { userId: ada.id, isListed: true, inDigest: false },
      { userId: daily.id, isListed: false, inDigest: true },
    ])
    expect(await rowsOf(outbox)).toMatchObject([{ userId: ada.id }])
  })

  it("writes no mailing if no one gets a mail", async () => {
    await notify([await user({ disabled: true })])
    expect(await rowsOf(mailings)).toEqual([])
    expect(await rowsOf(notifications)).toEqual([])
  })

  it("are written once per dedupe key", async () => {
    const ada = await user()
    await notify([ada], { dedupe: "class:7" })
    await notify([ada], { dedupe: "class:7" })
    expect(await rowsOf(notifications)).toHaveLength(1)
    expect(await rowsOf(outbox)).toHaveLength(1)
  })

  it("sends nothing to a person who was disabled after it was written", async () => {
    const ada = await user()
    const office = await notify([ada])
    await db.update(users).set({ disabled: true }).where(eq(users.id, ada.id))
    await sendMails(office.env, MESSAGE)
    expect(office.sent).toEqual([])
    expect(await rowsOf(outbox)).toMatchObject([{ status: "failed", error: "RECIPIENT_DISABLED" }])
  })

  it("delays reminders from 20:00 to 07:00 in the person's time zone, and sends them once", async () => {
    atNoon()
    const [ada, bob] = [await user({ timeZone: "Pacific/Auckland" }), await user()]
    const office = await notify([ada, bob], { kind: "due_soon", variables: { course: "Algebra", due_date: NOON } })
    await sendMails(office.env, MESSAGE)
    expect(office.sent.map(({ to }) => to)).toEqual([bob.email])
    // 07:00 in Auckland
    const morning = Date.UTC(2026, 10, 25, 18)
    expect(await rowsOf(outbox)).toMatchObject([{ status: "queued", attempts: 0, notBefore: morning }, {}])
    vi.setSystemTime(morning)
    await sendMails(office.env, MESSAGE)
    await sendMails(office.env, MESSAGE)
    expect(office.sent.map(({ to }) => to)).toEqual([bob.email, ada.email])
  })

  it("is shown in the person's language and time zone, right to left in Arabic", async () => {
    const due = Date.UTC(2026, 11, 31, 23)
    const people = [
      await user({ firstName: "Ada" }),
      await user({ firstName: "José", language: "es-MX", timeZone: "Europe/Madrid" }),
      await user({ firstName: "ليلى", language: "ar" }),
    ]
    await notify(people, { variables: { course: "<Algebra> & Co", due_date: due } })
    const [english, spanish, arabic] = await delivered()
    expect(english?.subject).toBe("You are enrolled in <Algebra> & Co")
    expect(english?.html).toContain("<strong><bdi>&lt;Algebra&gt; &amp; Co</bdi></strong>")
    expect(english?.html).toContain('<html lang="en" dir="ltr">')
    expect(english?.text).toContain("Please complete it by December 31, 2026.")
    expect(spanish?.html).toContain('<html lang="es-MX" dir="ltr">')
    expect(spanish?.text).toContain("Hola, José:")
    // It is 2027 in Madrid.
    expect(spanish?.text).toContain("1 de enero de 2027")
    expect(arabic?.html).toContain('<html lang="ar" dir="rtl">')
    expect(arabic?.text).toContain("مرحبًا ليلى،")
  })

  it("uses the text of the portal, then of the academy, in the person's language before the academy's", async () => {
    await db
      .insert(settings)
      .values({ id: 1, name: "Northwind", language: "en", senderName: "Training", replyTo: "help@n.example" })
    const text = (portalId: number, language: string) => ({
      kind: "enrolled" as const,
      portalId,
      language,
      subject: `${portalId} ${language} {{course}}`,
      body: "Go to [it]({{url}}), {{first_name}}.",
      updatedAt: NOON,
    })
    const [inPortal, spanish, german] = [
      await user(),
      await user({ language: "es" }),
      await user({ language: "de-CH", firstName: "Uli" }),
    ]
    const { id } = await portal({ name: "South", members: [inPortal.id], primaryColor: "#ffff00" })
    await db.insert(notificationTemplates).values([text(id, "en"), text(0, "es"), text(0, "en")])
    await notify([inPortal, spanish, german])
    const sent = await delivered()
    expect(sent.map(({ subject }) => subject)).toEqual([`${id} en Algebra`, "0 es Algebra", "0 en Algebra"])
    expect(sent.map(({ from }) => from.name)).toEqual(["Training", "Training", "Training"])
    expect(sent.map(({ replyTo }) => replyTo)).toEqual(["help@n.example", "help@n.example", "help@n.example"])
    expect(sent[2]?.text).toContain("Go to it: https://lectern.test/console/learning/7, Uli.\n\nNorthwind")
    expect(sent[2]?.html).toContain('<html lang="en"')
    expect(env.BASE_URL).toBeDefined()
  })
})
