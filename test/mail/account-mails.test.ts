import { eq, inArray } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { type AccountMailKind, outbox } from "../../drizzle/schema/outbox.ts"
import { users } from "../../drizzle/schema/users.ts"
import { queueMail } from "../../src/db/outbox.ts"
import { LANGUAGES, scriptDirectionOf } from "../../src/lib/text/languages.ts"
import { renderAccountMail } from "../../src/modules/mail/account-mail.tsx"
import { variablesIn } from "../../src/modules/notifications/template-text.tsx"
import { BUILT_IN_TEXTS } from "../../src/modules/notifications/texts/built-in-texts.ts"
import { db, portal, signedIn, user } from "../factories/index.ts"
import { post, put } from "../helpers/client.ts"
import { parsed } from "../helpers/mail-parser.ts"
import { delivered, postOffice } from "../helpers/mailbox.ts"

const KINDS = Object.keys(BUILT_IN_TEXTS.en.account.kinds) as AccountMailKind[]
const BRAND = {
  ...{ name: "North & <South>", logoUrl: null, primaryColor: null, secondaryColor: null },
  ...{ senderName: null, replyTo: null },
}

/** A mail with every variable, as a mail program reads it. */
const readAccountMail = (account: AccountMailKind, language: string) =>
  parsed({
    from: { name: "North", email: "no-reply@lectern.example" },
    to: "ada@example.com",
    ...renderAccountMail({
      mail: {
        account,
        provider: "<Okta>",
        host: "hooks.example",
        cart: { items: [{ name: "<Algebra>", quantity: 2, price: 123_450 }], total: 246_900, currency: "EUR" },
      },
      name: "Ada <b>",
      language,
      brand: BRAND,
      secret: { link: "https://lectern.test/x?token=abc", password: "abcd-efgh" },
    }),
  })

const forgot = (email: string) => post("/password/forgot", { email })

describe("mails about an account", () => {
  it("are in the person's language and direction, with the brand of their portal", async () => {
    const ada = await user({ email: "ada@example.com", firstName: "Ada", language: "ar" })
    await portal({ name: "North", primaryColor: "#0b5d1e", members: [ada.id] })
    await user({ email: "bob@example.com", firstName: "Bob", language: "es-MX" })
    await user({ email: "eve@example.com", firstName: "Eve", language: "it" })
    for (const name of ["ada", "bob", "eve"]) await forgot(`${name}@example.com`)
    const [arabic, spanish, english] = await delivered()
    expect(arabic).toMatchObject({ to: "ada@example.com", subject: "إعادة تعيين كلمة المرور لدى North" })
    expect(arabic?.html).toContain('<html lang="ar" dir="rtl">')
    expect(arabic?.html).toMatch(/background: #0b5d1e; color: #ffffff">إعادة تعيين كلمة المرور<\/a>/)
    expect(arabic?.text).toMatch(
      /^مرحبًا Ada،\n\n.+\n\nإعادة تعيين كلمة المرور:\nhttps?:\/\/\S+token=\S+\n\n.+\n\nNorth\n$/s,
    )
    expect(spanish?.subject).toBe("Restablezca su contraseña de Lectern")
    expect(spanish?.html).toContain('<html lang="es-MX" dir="ltr">')
    expect(english?.subject).toBe("Reset your password for Lectern")
    expect(english?.html).toContain('<html lang="en" dir="ltr">')
  })

  it("are in the language of the academy for people who have not set their own", async () => {
    await put("/api/settings", { language: "es", name: "Northwind" }, await signedIn("admin"))
    const { id } = await user({ email: "new@example.com", firstName: "Ada" })
    await post("/api/email/resendNewAccountEmail", { user_id: id })
    const [mail] = await delivered()
    expect(mail?.subject).toBe("Su contraseña temporal de Northwind")
    const [, password] = /\n\n((?:\S{4}-){3}\S{4})\n/.exec(mail?.text ?? "") ?? []
    expect(mail?.html).toContain(`<strong><bdi>${password}</bdi></strong>`)
    expect((await post("/login", { email: "new@example.com", password })).body).toMatchObject({
      setPasswordUrl: expect.stringContaining("/set-password?token="),
    })
  })

  it.each(KINDS)("are complete in every language: %s", async (kind) => {
    const subjects = new Set<string>()
    for (const language of LANGUAGES) {
      const { subject = "", text = "", html = "" } = await readAccountMail(kind, language)
      subjects.add(subject)
      expect(html).toContain(`<html lang="${language}" dir="${scriptDirectionOf(language)}">`)
      for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\{|\}\}|undefined|\[object/)
      expect(html).not.toMatch(/<(b|Okta|Algebra|South)>/)
      expect(text).toContain("Ada <b>")
      expect(text).toContain("North & <South>")
    }
    expect(subjects.size).toBe(LANGUAGES.length)
  })

  it.each(KINDS)("are not sent to people who are disabled, deleted or erased meanwhile: %s", async (account) => {
    const office = postOffice()
    const [active, disabled, deleted, erased] = [await user(), await user(), await user(), await user()]
    const all = [active, disabled, deleted, erased].map(({ id: userId, email }) => ({ userId, email, name: "Ada" }))
    const cart = { items: [{ name: "Algebra", quantity: 1, price: 100 }], total: 100, currency: "EUR" }
    const content = { account, url: "https://lectern.test/x", provider: "Okta", host: "hooks.example", cart }
    const withoutAccount = { userId: null, email: "new@example.com", name: "" }
    await office.work.commit(queueMail(office.work, account, content, [...all, withoutAccount]).statements, {})
    await db.update(users).set({ disabled: true }).where(eq(users.id, disabled.id))
    await db.delete(users).where(eq(users.id, deleted.id))
    const owner = await signedIn("owner")
    expect((await post("/api/user/erase", { userId: erased.id, email: erased.email }, owner)).status).toBe(200)
    expect((await delivered()).map(({ to }) => to)).toEqual([active.email, withoutAccount.email])
    const rows = await db
      .select()
      .from(outbox)
      .where(inArray(outbox.userId, [disabled.id, deleted.id]))
    expect(rows.map(({ status, error, secret }) => [status, error, secret])).toEqual(
      Array(2).fill(["failed", "RECIPIENT_DISABLED", null]),
    )
  })

  it.each([
    ["en", "<Algebra>: 2 × €1,234.50", "Total: €2,469.00"],
    ["es", "<Algebra>: 2 × 1234,50 €", "Total: 2469,00 €"],
    ["fr", "<Algebra>: 2 × 1 234,50 €", "Total : 2 469,00 €"],
    ["de", "<Algebra>: 2 × 1.234,50 €", "Gesamt: 2.469,00 €"],
    ["pt", "<Algebra>: 2 × € 1.234,50", "Total: € 2.469,00"],
  ])("have the amounts of a cart in the language %s", async (language, line, total) => {
    const { text = "" } = await readAccountMail("cart_reminder", language)
    const withSpaces = text.replaceAll(/[\u00a0\u202f]/g, " ")
    expect(withSpaces).toContain(`- ${line}\n`)
    expect(withSpaces).toContain(total)
  })

  it.each(Object.entries(BUILT_IN_TEXTS))("have the variables of the English texts: %s", (_, { account }) => {
    const english = BUILT_IN_TEXTS.en.account
    for (const [kind, text] of Object.entries(account.kinds)) {
      const expected = english.kinds[kind as keyof typeof account.kinds]
      for (const part of ["subject", "body"] as const) {
        const names = (value = "") => [...new Set(variablesIn(value))].sort()
        expect([kind, names(text[part])]).toEqual([kind, names(expected[part])])
      }
      expect(text.subject).not.toMatch(/\n/)
    }
    expect(variablesIn(account.greeting)).toEqual(["first_name"])
    expect(variablesIn(account.greetingWithoutName)).toEqual([])
  })
})
