import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { notificationPreferences, notificationTemplates } from "../../drizzle/schema/notifications.ts"
import { users } from "../../drizzle/schema/users.ts"
import { db, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { notify } from "../factories/notifications.ts"
import { cost, get, post, put } from "../helpers/client.ts"
import { parsed } from "../helpers/mail-parser.ts"
import { delivered } from "../helpers/mailbox.ts"

const PATH = "/api/notification-template"
const TEXT = { subject: "Welcome to {{course}}", body: "Hello {{ first_name }},\n\n[Open course]({{ url }})" }

describe("a notification template", () => {
  it("is the built-in text in the given language until the academy has its own", async () => {
    const { token } = await signedIn("staff")
    const read = await get(`${PATH}/enrolled?language=es`, { token })
    expect(read).toMatchObject({
      status: 200,
      body: {
        ...{ kind: "enrolled", portalId: null, language: "es", isCustom: false, updatedAt: null },
        subject: "Se le ha inscrito en {{course}}",
        variables: { first_name: "text", url: "url", course: "text", due_date: "date" },
      },
    })
    expect(cost(read).roundTrips).toBe(1)
    expect((await get(`${PATH}/enrolled?language=sv`, { token })).body.subject).toBe("You are enrolled in {{course}}")
    expect((await get(`${PATH}/nothing`, { token })).status).toBe(404)
  })

  it("is stored with an audit row, sent, and reset", async () => {
    const { token } = await signedIn("admin")
    const stored = await put(`${PATH}/enrolled`, TEXT, { token })
    expect(stored).toMatchObject({ status: 200, body: { message: "Notification template updated." } })
    expect(cost(stored).roundTrips).toBe(2)
    const read = await get(`${PATH}/enrolled`, { token })
    expect(read.body).toMatchObject({ ...TEXT, isCustom: true, language: "en" })
    expect((await get(`${PATH}/list`, { token })).body.records).toContainEqual(
      expect.objectContaining({
        kind: "enrolled",
        custom: [expect.objectContaining({ portalId: null, language: "en" })],
      }),
    )
    await notify([await user({ firstName: "Ada" })])
    const [mail] = await delivered()
    expect(mail?.subject).toBe("Welcome to Algebra")
    expect(mail?.text).toContain("Hello Ada,\n\nOpen course:\nhttps://lectern.test/console/learning/7")
    // What a GET returns, its PUT accepts.
    const etag = read.headers.get("etag") ?? ""
    expect((await put(`${PATH}/enrolled`, read.body, { token, headers: { "if-match": etag } })).status).toBe(200)
    const stale = { token, headers: { "if-match": '"0-x"' } }
    expect((await put(`${PATH}/enrolled`, { ...TEXT, subject: "Other" }, stale)).status).toBe(412)
    expect((await post(`${PATH}/enrolled/reset`, {}, { token })).body.message).toBe("Notification template reset.")
    expect((await post(`${PATH}/enrolled/reset`, {}, { token })).body.message).toBe("There was no text to reset.")
    expect(await rowsOf(notificationTemplates)).toEqual([])
    expect((await rowsOf(auditLogs)).map(({ action }) => action)).toEqual(["created", "deleted"])
  })

  it("is refused with an unknown variable, naming the allowed ones", async () => {
    const { token } = await signedIn("admin")
    const refused = await put(`${PATH}/exempted`, { ...TEXT, body: "{{salary}} and {{iq}}" }, { token })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        errors: {
          body: [
            [
              "body has unknown variables: salary, iq.",
              "The allowed ones are first_name, last_name, academy, url, course, reason, until.",
            ].join(" "),
          ],
        },
      },
    })
    expect(await rowsOf(notificationTemplates)).toEqual([])
  })

  it.each([
    ["<b>Hello</b>", "HTML"],
    ["![Logo](https://x.example/a.png)", "an image"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "a table"],
    ["`code`", "code"],
    ["[Here](javascript:alert)", "lead nowhere"],
    ["[Here]({{course}})", "lead nowhere"],
    ["[Here](/console)", "lead nowhere"],
  ])("is refused with %s", async (body, problem) => {
    const { token } = await signedIn("admin")
    const refused = await put(`${PATH}/enrolled`, { subject: "Hello", body }, { token })
    expect(refused).toMatchObject({ status: 422, body: { errors: { body: [expect.stringContaining(problem)] } } })
  })

  it("leaves out paragraphs and list items without a value, and escapes values", async () => {
    const { token } = await signedIn("admin")
    const body = "# Hello\n\nDue: {{due_date}}\n\n- {{course}}\n- {{due_date}}\n\n> Line\n> next"
    await put(`${PATH}/enrolled`, { subject: "Hello", body }, { token })
    await notify([await user()], { variables: { course: "[x](https://evil.example) <script>**A**" } })
    const [mail] = await delivered()
    expect(mail?.text).toMatch(/^Hello\n\n- \[x\]\(https:\/\/evil\.example\) <script>\*\*A\*\*\n\nLine\nnext\n\n/)
    expect(mail?.html).toContain("<li><bdi>[x](https://evil.example) &lt;script&gt;**A**</bdi></li></ul>")
  })

  it("is shown with its numbered and nested lists", async () => {
    const { token } = await signedIn("admin")
    const body = "2. Open **{{course}}**\n3. Read\n   - the text\n   - the rules & more"
    const { body: shown } = await post(`${PATH}/enrolled/preview`, { body }, { token })
    expect(shown.text).toContain("2. Open Workplace safety\n3. Read\n   - the text\n   - the rules & more")
    expect(shown.html).toContain(
      '<ol start="2"><li>Open <strong><bdi>Workplace safety</bdi></strong></li>' +
        "<li>Read<ul><li>the text</li><li>the rules &amp; more</li></ul></li></ol>",
    )
  })

  it("is previewed with a sample value for each variable", async () => {
    const { token } = await signedIn("admin")
    for (const { kind, variables } of (await get(`${PATH}/list`, { token })).body.records) {
      const body = Object.keys(variables).map((name) => `${name}=({{${name}}})`)
      const shown = await post(`${PATH}/${kind}/preview`, { subject: "x", body: body.join("\n\n") }, { token })
      expect([kind, shown.status]).toEqual([kind, 200])
      // A paragraph without a value is left out.
      for (const name of Object.keys(variables))
        expect([kind, shown.body.text]).toContainEqual(expect.stringContaining(`${name}=(`))
    }
  })

  it("is previewed for a person in a portal's brand, without a change", async () => {
    const { token } = await signedIn("staff")
    const person = await user({ firstName: "Zoë", language: "es" })
    const { id: portalId } = await portal({ name: "North", logoUrl: "https://cdn.example/n.png" })
    const shown = await post(`${PATH}/enrolled/preview`, { userId: person.id, portalId }, { token })
    expect(shown).toMatchObject({
      status: 200,
      body: { subject: "Se le ha inscrito en Workplace safety", language: "es" },
    })
    expect(cost(shown)).toMatchObject({ roundTrips: 1, written: 0 })
    expect(shown.body.text).toContain("Hola, Zoë:")
    expect(shown.body.html).toContain('<img src="https://cdn.example/n.png" alt="North"')
    const unsaved = await post(`${PATH}/enrolled/preview`, { ...TEXT, userId: person.id }, { token })
    expect(unsaved.body).toMatchObject({ subject: "Welcome to Workplace safety" })
    expect((await post(`${PATH}/enrolled/preview`, { userId: 999 }, { token })).status).toBe(404)
    expect((await post(`${PATH}/enrolled/preview`, { portalId: 999 }, { token })).status).toBe(404)
    expect((await post(`${PATH}/enrolled/preview`, { body: "{{x}}" }, { token })).status).toBe(422)
  })

  it("is sent to the caller as a test, whatever their preferences", async () => {
    const sam = await signedIn("staff")
    await db.insert(notificationPreferences).values({ userId: sam.id, kind: "due_soon", mail: "never", inApp: false })
    const sent = await post(`${PATH}/due_soon/test`, TEXT, sam)
    expect(sent).toMatchObject({ status: 200, body: { message: `Test sent to ${sam.email}.` } })
    expect(await delivered()).toMatchObject([{ to: sam.email, subject: "Welcome to Workplace safety" }])
  })

  it("is for staff to read and for administrators to change", async () => {
    const [learner, staff] = [await signedIn("general"), await signedIn("staff")]
    expect((await get(`${PATH}/list`, learner)).status).toBe(403)
    expect((await post(`${PATH}/enrolled/preview`, {}, learner)).status).toBe(403)
    expect((await put(`${PATH}/enrolled`, TEXT, staff)).status).toBe(403)
    expect((await post(`${PATH}/enrolled/reset`, {}, staff)).status).toBe(403)
  })
})

describe("a mail parser", () => {
  it.each([
    ["en", "ltr", "You are enrolled in Größe & <Maß>", "Unsubscribe"],
    ["es", "ltr", "Se le ha inscrito en Größe & <Maß>", "Cancelar la suscripción"],
    ["fr-CA", "ltr", "Vous êtes inscrit à Größe & <Maß>", "Se désabonner"],
    ["de", "ltr", "Sie sind in Größe & <Maß> eingeschrieben", "Abbestellen"],
    ["pt-BR", "ltr", "Você está matriculado em Größe & <Maß>", "Parar de receber e-mails"],
    ["ar", "rtl", "تم تسجيلك في Größe & <Maß>", "إلغاء الاشتراك"],
  ])("reads a notification in the language %s, written %s", async (language, direction, subject, unsubscribe) => {
    const ada = await user({ firstName: "ليلى José", language })
    await notify([ada], { variables: { course: "Größe\r\nBcc: eve@example.com\n& <Maß>" } })
    await db.update(users).set({ language }).where(eq(users.id, ada.id))
    const [sent] = await delivered()
    if (!sent) throw new Error("No mail")
    const mail = await parsed(sent)
    // A line break in a value makes no header.
    expect(mail.subject).toBe(subject.replace("Größe", "Größe Bcc: eve@example.com"))
    expect(mail.bcc).toBeUndefined()
    expect(mail.to).toMatchObject([{ address: ada.email }])
    expect(mail.text).toContain("ليلى José")
    expect(mail.html).toContain(`<html lang="${language}" dir="${direction}">`)
    expect(mail.html).toContain("&amp; &lt;Maß&gt;")
    expect(mail.html).toContain(`>${unsubscribe}</a>`)
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click")
    expect(header("list-unsubscribe")).toMatch(/^<https:\/\/lectern\.test\/unsubscribe\?token=[\w.-]+>$/)
  })
})
