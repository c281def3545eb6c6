import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { notify } from "../factories/notifications.ts"
import { cost, get, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"

const PATH = "/api/settings"

describe("the settings of the academy", () => {
  it("fall back to the environment, and say so", async () => {
    const { token } = await signedIn("staff")
    const read = await get(PATH, { token })
    expect(read).toMatchObject({
      status: 200,
      body: {
        ...{ name: null, logoUrl: null, timeZone: null, language: null },
        effective: { name: "Lectern", senderName: "Lectern", timeZone: "UTC", language: "en" },
        source: { name: "environment", senderName: "environment", timeZone: "environment", language: "default" },
        updatedAt: null,
      },
    })
    expect(cost(read).roundTrips).toBe(1)
  })

  it("are changed by administrators, audited, and used in mails", async () => {
    const { token } = await signedIn("admin")
    const input = {
      ...{ name: "Northwind", logoUrl: "https://cdn.example/logo.png", primaryColor: "#0B5D1E", language: "ES" },
      ...{ senderName: "Training", replyTo: "help@example.com", timeZone: "europe/madrid", secondaryColor: null },
    }
    const changed = await put(PATH, input, { token })
    expect(changed).toMatchObject({ status: 200, body: { message: "Settings updated." } })
    expect(cost(changed).roundTrips).toBe(2)
    const { body, headers } = await get(PATH, { token })
    expect(body).toMatchObject({
      ...{ name: "Northwind", primaryColor: "#0b5d1e", language: "es", timeZone: "Europe/Madrid" },
      source: { name: "setting", senderName: "setting", timeZone: "setting", language: "setting" },
    })
    expect(await rowsOf(auditLogs)).toMatchObject([{ action: "updated", subject: "settings" }])
    await notify([await user({ firstName: "Ada" })])
    const [mail] = await delivered()
    expect(mail).toMatchObject({
      from: { name: "Training" },
      replyTo: "help@example.com",
      subject: "Se le ha inscrito en Algebra",
    })
    expect(mail?.html).toContain('<img src="https://cdn.example/logo.png" alt="Northwind"')
    expect(mail?.html).toContain("background: #0b5d1e; color: #ffffff")

    const stale = { token, headers: { "if-match": '"0-x"' } }
    expect((await put(PATH, { name: "Other" }, stale)).status).toBe(412)
    const current = { token, headers: { "if-match": headers.get("etag") ?? "" } }
    expect((await put(PATH, { name: null }, current)).status).toBe(200)
    expect((await get(PATH, { token })).body).toMatchObject({ name: null, effective: { name: "Lectern" } })
    expect((await put(PATH, (await get(PATH, { token })).body, { token })).status).toBe(200)
  })

  it.each([
    [{ primaryColor: "#ffff00" }, "primaryColor"],
    [{ secondaryColor: "#ffffff" }, "secondaryColor"],
    [{ primaryColor: "red" }, "primaryColor"],
    [{ timeZone: "Mars/Olympus" }, "timeZone"],
    [{ language: "not a language" }, "language"],
    [{ logoUrl: "javascript:alert(1)" }, "logoUrl"],
    [{ replyTo: "nobody" }, "replyTo"],
  ])("refuse %j", async (input, field) => {
    const { token } = await signedIn("owner")
    expect(await put(PATH, input, { token })).toMatchObject({ status: 422, body: { errors: { [field]: [/./] } } })
  })

  it("are for staff to read and for administrators to change", async () => {
    const [learner, staff] = [await signedIn("general"), await signedIn("staff")]
    expect((await get(PATH, { token: learner.token })).status).toBe(403)
    expect((await put(PATH, { name: "X" }, { token: staff.token })).status).toBe(403)
  })
})
