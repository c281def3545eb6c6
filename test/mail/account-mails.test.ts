import { describe, expect, it } from "vitest"
import { variablesIn } from "../../src/modules/notifications/template-text.tsx"
import { BUILT_IN_TEXTS } from "../../src/modules/notifications/texts/built-in-texts.ts"
import { portal, signedIn, user } from "../factories/index.ts"
import { post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"

const forgot = (email: string) => post("/password/forgot", { email })

describe("mails about an account", () => {
  it("are in the person's language and direction, with the brand of their portal", async () => {
    const ada = await user({ email: "ada@example.com", firstName: "Ada", language: "ar" })
    await portal({ name: "North", primaryColor: "#0b5d1e", members: [ada.id] })
    await user({ email: "bob@example.com", firstName: "Bob", language: "es-MX" })
    await user({ email: "eve@example.com", firstName: "Eve", language: "fr" })
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
    await put("/api/settings", { language: "es", name: "Norte" }, await signedIn("admin"))
    const { id } = await user({ email: "new@example.com", firstName: "Ada" })
    await post("/api/email/resendNewAccountEmail", { user_id: id })
    const [mail] = await delivered()
    expect(mail?.subject).toBe("Su contraseña temporal de Norte")
    const [, password] = /\n\n((?:\S{4}-){3}\S{4})\n/.exec(mail?.text ?? "") ?? []
    expect(mail?.html).toContain(`<strong><bdi>${password}</bdi></strong>`)
    expect((await post("/login", { email: "new@example.com", password })).body).toMatchObject({
      setPasswordUrl: expect.stringContaining("/set-password?token="),
    })
  })

  it.each(Object.entries(BUILT_IN_TEXTS))("have the variables of the English texts: %s", (_, { account }) => {
    const english = BUILT_IN_TEXTS.en?.account
    for (const [kind, text] of Object.entries(account.kinds)) {
      const expected = english?.kinds[kind as keyof typeof account.kinds]
      for (const part of ["subject", "body"] as const) {
        const names = (value = "") => [...new Set(variablesIn(value))].sort()
        expect([kind, names(text[part])]).toEqual([kind, names(expected?.[part])])
      }
      expect(text.subject).not.toMatch(/\n/)
    }
    expect(variablesIn(account.greeting)).toEqual(["first_name"])
    expect(variablesIn(account.greetingWithoutName)).toEqual([])
  })
})
