import { eq } from "drizzle-orm"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { NOTIFICATION_KINDS, type NotificationKind } from "../../drizzle/schema/notifications.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { users } from "../../drizzle/schema/users.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { KINDS } from "../../src/modules/notifications/kinds.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { notify } from "../factories/notifications.ts"
import { call, post } from "../helpers/client.ts"
import { parsed } from "../helpers/mail-parser.ts"
import { delivered, postOffice } from "../helpers/mailbox.ts"

// Mails of every kind in the six built-in languages, as a mail program reads them.

const NOON = Date.UTC(2026, 10, 25, 12)
const DUE = Date.UTC(2026, 11, 24, 12)

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOON }))

/** A value for each variable: text that would break HTML, a date, or a link. */
const variablesFor = (kind: NotificationKind) =>
  Object.fromEntries(
    Object.entries(KINDS[kind].variables).map(([name, type]) => {
      if (type === "text") return [name, `<${name}> & "more"`]
      return [name, type === "url" ? `/${name}` : DUE]
    }),
  )

const LANGUAGES = {
  en: { direction: "ltr", date: "December 24, 2026" },
  es: { direction: "ltr", date: "24 de diciembre de 2026" },
  fr: { direction: "ltr", date: "24 décembre 2026" },
  de: { direction: "ltr", date: "24. Dezember 2026" },
  pt: { direction: "ltr", date: "24 de dezembro de 2026" },
  ar: { direction: "rtl", date: "ديسمبر" },
} as const

/** Mails a kind to a person of each language. */
async function mailed(kind: NotificationKind) {
  const languages = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]
  const people = await Promise.all(languages.map((language) => user({ firstName: "Ada", language })))
  await notify(people, { kind, variables: variablesFor(kind) })
  const byAddress = new Map((await delivered()).map((mail) => [mail.to, mail]))
  return Promise.all(
    people.map(async ({ email }, at) => {
      const mail = byAddress.get(email)
      if (!mail) throw new Error(`${kind} was not mailed to ${email}`)
      return { language: languages[at] ?? "en", sent: mail, read: await parsed(mail) }
    }),
  )
}

describe.each(NOTIFICATION_KINDS)("a mail of the kind %s", (kind) => {
  it("is complete in every language", async () => {
    const subjects = new Set<string>()
    for (const { language, read } of await mailed(kind)) {
      const { direction, date } = LANGUAGES[language]
      const { subject = "", text = "", html = "" } = read
      subjects.add(subject)
      expect(html).toContain(`<html lang="${language}" dir="${direction}">`)
      for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\{|\}\}|undefined|\[object/)
      // The text of another person or course cannot become markup.
      for (const name of Object.keys(KINDS[kind].variables)) expect(html).not.toContain(`<${name}>`)
      const hasDate = Object.values(KINDS[kind].variables).includes("date")
      if (hasDate) expect(`${subject} ${text}`).toContain(date)
      expect(read.from?.address).toBe("no-reply@lectern.example")
    }
    // The heading of an announcement or a message is the whole subject.
    expect(subjects.size).toBe(["announcement", "message"].includes(kind) ? 1 : 6)
  })

  it("can be ended by one click of a mail program unless it is required", async () => {
    const [english] = await mailed(kind)
    const headers = new Map(english?.read.headers.map(({ key, value }) => [key, value]))
    const link = /^<(.*)>$/.exec(headers.get("list-unsubscribe") ?? "")?.[1]
    if (KINDS[kind].isRequired) {
      expect([link, headers.get("list-unsubscribe-post")]).toEqual([undefined, undefined])
      return
    }
    expect(headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click")
    const { pathname, search } = new URL(link ?? "")
    const done = await call("POST", pathname + search, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    })
    expect(done.status).toBe(200)
    const [row] = await db
      .select()
      .from(users)
      .where(eq(users.email, english?.sent.to ?? ""))
    await notify(row ? [row] : [], { kind, variables: variablesFor(kind) })
    expect(await delivered()).toEqual([])
  })

  it("is not sent to people who were disabled or erased, before or after it was written", async () => {
    const { token } = await signedIn("owner")
    const [disabled, disabledLater, erased] = [await user({ disabled: true }), await user(), await user()]
    const active = await user()
    await notify([disabled, disabledLater, erased, active], { kind, variables: variablesFor(kind) })
    await db.update(users).set({ disabled: true }).where(eq(users.id, disabledLater.id))
    const body = { userId: erased.id, email: erased.email, reason: "requested" }
    expect((await post("/api/user/erase", body, { token })).status).toBe(200)
    const office = postOffice()
    await sendMails(office.env, { mails: 25 })
    expect(office.sent.map(({ to }) => to)).toEqual([active.email])
    expect((await rowsOf(outbox)).filter(({ status }) => status === "sent")).toHaveLength(1)
  })
})
