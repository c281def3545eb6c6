import { describe, expect, it } from "vitest"
import { LANGUAGES, type Language, scriptDirectionOf } from "../../src/lib/text/languages.ts"
import { ENGLISH_TEXTS } from "../../src/lib/texts/en.ts"
import { loadWords, type TextKey, type Words } from "../../src/lib/texts/texts.ts"
import { certificate, template } from "../factories/certificates.ts"
import { signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { call, get, post, put } from "../helpers/client.ts"

const KEYS = Object.keys(ENGLISH_TEXTS) as TextKey[]
const OTHERS = LANGUAGES.filter((language) => language !== "en")
const accepting = (language: string) => ({ headers: { "accept-language": language } })
const FORM = { "content-type": "application/x-www-form-urlencoded", origin: "https://lectern.test" }

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([name]) => name).sort()

describe.each(OTHERS)("the texts of pages and documents in %s", (language) => {
  it("have the placeholders of the English texts, and are translated", async () => {
    const words = await loadWords(language)
    /** Shows the placeholders themselves. */
    const raw = (key: TextKey, { t }: Words) =>
      t(key, Object.fromEntries(placeholders(ENGLISH_TEXTS[key]).map((name) => [name.slice(2, -2), name])))
    for (const key of KEYS) {
      const text = raw(key, words)
      expect([key, placeholders(text)]).toEqual([key, placeholders(ENGLISH_TEXTS[key])])
      expect([key, text.trim()]).not.toEqual([key, ""])
      const isSentence = (ENGLISH_TEXTS[key].replaceAll(/\{\{\w+\}\}/g, "").match(/[a-z]+/gi) ?? []).length > 2
      if (isSentence) expect([key, text]).not.toEqual([key, ENGLISH_TEXTS[key]])
    }
  })
})

const SIGN_IN: Record<Language, string> = {
  en: "Sign in to Lectern",
  es: "Iniciar sesión en Lectern",
  fr: "Se connecter à Lectern",
  de: "Bei Lectern anmelden",
  pt: "Entrar em Lectern",
  ar: "تسجيل الدخول إلى Lectern",
}

describe("a page for visitors", () => {
  it.each(LANGUAGES)("is in the language that their browser accepts: %s", async (language) => {
    const page = await get("/login", accepting(`xx, ${language}-XX;q=0.9, en;q=0.1`))
    expect(page.status).toBe(200)
    expect(page.headers.get("content-language")).toBe(language)
    expect(page.body).toContain(`<html lang="${language}" dir="${scriptDirectionOf(language)}">`)
    expect(page.body).toContain(`<h1>${SIGN_IN[language]}</h1>`)
  })

  it("is in the academy's language without an accepted one, and in English without either", async () => {
    expect((await get("/login", accepting("it, xx"))).body).toContain('<html lang="en" dir="ltr">')
    await put("/api/settings", { language: "pt-BR" }, await signedIn("admin"))
    expect((await get("/login", accepting("it, *;q=0.5"))).body).toContain('<html lang="pt" dir="ltr">')
    expect((await get("/login", accepting("de;q=0, fr"))).body).toContain('<html lang="fr" dir="ltr">')
  })

  it.each([
    ["en", "Incorrect email or password."],
    ["es", "El correo o la contraseña no son correctos."],
    ["fr", "Adresse e-mail ou mot de passe incorrect."],
    ["de", "E-Mail-Adresse oder Passwort ist falsch."],
    ["pt", "E-mail ou senha incorretos."],
    ["ar", "البريد الإلكتروني أو كلمة المرور غير صحيحة."],
  ])("says in %s why signing in was refused, and the API in English", async (language, message) => {
    const { headers } = accepting(language)
    const page = await call("POST", "/login", {
      headers: { ...headers, ...FORM },
      body: "email=eve%40example.com&password=wrong-password",
    })
    expect(page.status).toBe(401)
    expect(page.body).toContain(message)
    const answer = await post("/login", { email: "eve@example.com", password: "wrong-password" }, { headers })
    expect(answer.body).toMatchObject({ code: "invalid_credentials", message: "Incorrect email or password." })
  })

  it("translates the rule that a field breaks", async () => {
    const page = await call("POST", "/set-password", {
      headers: { ...accepting("de").headers, ...FORM },
      body: "token=abc&password=short&password_confirmation=short",
    })
    expect(page.status).toBe(422)
    expect(page.body).toContain("Neues Passwort: Geben Sie mindestens 8 Zeichen ein.")
  })

  it.each(LANGUAGES)("verifies a certificate in %s", async (language) => {
    const { t, date } = await loadWords(language)
    const ada = await user({ firstName: "Ada", lastName: "Byron" })
    const { id } = await template()
    const { code, issuedAt } = await certificate(ada.id, id, { expiresAt: 1 })
    const { body } = await get(`/certificate/${code}`, accepting(language))
    expect(body).toContain(`<h1>${t("certificate.expired")}</h1>`)
    expect(body).toContain(t("certificate.expired-text", { date: date(1) }))
    expect(body).toContain(`<dd>${date(issuedAt)}</dd>`)
  })
})

describe("a page for a signed-in person", () => {
  it.each(LANGUAGES)("is in their own language, whatever the browser accepts: %s", async (language) => {
    const { t, percent } = await loadWords(language)
    const ada = await signedIn("general", { language, firstName: "Ada" })
    const algebra = await course({ name: "Algebra", slug: "algebra" })
    await enrollment(ada, algebra, { status: "In Progress", percent: 50 })
    const options = { ...ada, headers: { "accept-language": "it" } }
    const progress = t("course.progress", { status: t("status.In Progress"), percent: percent(0.5) })
    for (const path of ["/learn", "/course/algebra"]) {
      const { body } = await get(path, options)
      expect(body).toContain(`<html lang="${language}" dir="${scriptDirectionOf(language)}">`)
      expect(body).toContain(progress)
    }
  })
})
