import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { fileOf, mediaFile } from "../factories/media.ts"
import { notify } from "../factories/notifications.ts"
import { cost, download, get, post, put } from "../helpers/client.ts"
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
    [{ logoUrl: "/api/media/1/captions/en" }, "logoUrl"],
    [{ logoUrl: "https://cdn.example/api/media/1/file" }, "logoUrl"],
    [{ logoUrl: "/api/media/99/file" }, "logoUrl"],
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

describe("an uploaded logo", () => {
  afterEach(() => {
    env.BASE_URL = ""
  })

  it("is public as long as it is the logo, and stored as its path", async () => {
    const { token } = await signedIn("owner")
    const [first, second] = [await mediaFile(token, "png"), await mediaFile(token, "png")]
    const path = `/api/media/${first}/file`
    expect((await download(`/logo/${first}`)).status).toBe(404)
    const changed = await put(PATH, { logoUrl: `https://lectern.test${path}` }, { token })
    expect([changed.status, cost(changed).roundTrips]).toEqual([200, 2])
    const { body } = await get(PATH, { token })
    expect(body.logoUrl).toBe(path)
    expect((await put(PATH, body, { token })).status).toBe(200)
    expect((await rowsOf(auditLogs)).filter(({ subject }) => subject === "settings")).toHaveLength(1)

    const shown = await download(`/logo/${first}`)
    const { headers } = shown
    expect([shown.status, shown.body]).toEqual([200, fileOf("png", 64)])
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=86400",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    })
    expect(cost(shown)).toEqual({ roundTrips: 1, read: 4, written: 0 })
    const known = { "if-none-match": headers.get("etag") ?? "" }
    expect((await download(`/logo/${first}`, { headers: known })).status).toBe(304)

    await put(PATH, { logoUrl: `/api/media/${second}/file` }, { token })
    const statusOf = async (id: number | string) => (await download(`/logo/${id}`)).status
    expect(await Promise.all([first, second, 99, "9".repeat(400), "x"].map(statusOf))).toEqual([
      404, 200, 404, 404, 404,
    ])
    await put(PATH, { logoUrl: null }, { token })
    expect(await statusOf(second)).toBe(404)
  })

  it("is shown by its public URL on pages, in the app and in mails", async () => {
    const { token } = await signedIn("owner")
    const id = await mediaFile(token, "png")
    await put(PATH, { name: "Northwind", logoUrl: `/api/media/${id}/file` }, { token })
    const page = await get("/login")
    expect(page.body).toContain(`<img src="https://lectern.test/logo/${id}" alt="" height="32"/>`)
    expect(page.body).toContain(`<link rel="icon" href="https://lectern.test/logo/${id}"/>`)
    expect(page.headers.get("content-security-policy")).toContain("img-src 'self' https://lectern.test data:;")

    env.BASE_URL = "https://academy.example"
    const shown = `https://academy.example/logo/${id}`
    const { body } = await get("/manifest.webmanifest")
    expect((typeof body === "string" ? JSON.parse(body) : body).icons).toMatchObject([{ src: shown }])
    expect((await get("/app-icon")).headers.get("location")).toBe(shown)
    expect((await get("/api/me", await signedIn("general"))).body.academyLogoUrl).toBe(shown)
    const ada = await user({ email: "ada@example.com" })
    await post("/password/forgot", { email: "ada@example.com" })
    await notify([ada])
    const [account, notification] = await delivered()
    expect(account?.html).toContain(`<img src="${shown}" alt="Northwind"`)
    expect(notification?.html).toContain(`<img src="https://lectern.test/logo/${id}" alt="Northwind"`)
  })

  it("is an image, chosen by someone who may see the media library", async () => {
    const { token } = await signedIn("owner")
    const [image, pdf] = [await mediaFile(token, "png"), await mediaFile(token, "pdf")]
    const choose = (id: number, caller: { token: string }) => put(PATH, { logoUrl: `/api/media/${id}/file` }, caller)
    expect(await choose(pdf, { token })).toMatchObject({ status: 422, body: { errors: { logoUrl: [/image/] } } })
    const [settings, both] = [
      await apiKey({ role: "admin", families: ["Settings"] }),
      await apiKey({ role: "admin", families: ["Settings", "Media"] }),
    ]
    expect(await choose(image, settings)).toMatchObject({ status: 403, body: { code: "key_scope_insufficient" } })
    expect((await download(`/logo/${image}`)).status).toBe(404)
    expect((await choose(image, both)).status).toBe(200)
    expect((await choose(image, settings)).status).toBe(200)
  })
})
