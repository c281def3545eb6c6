import { env, exports } from "cloudflare:workers"
import { PDFDocument } from "pdf-lib"
import { afterEach, describe, expect, it } from "vitest"
import { certificate, field, template } from "../factories/certificates.ts"
import { portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { learningPath, pathEnrollment } from "../factories/learning-paths.ts"
import { cookieOf, cost, download, get, post, put, query } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { textOf } from "../helpers/pdf.ts"

const APP = "https://app.north.example"
const CHOSEN = "a staple for the horse"
const CODE = "A".repeat(24)

afterEach(() => {
  env.ACADEMY_NAME = "Lectern"
  env.APP_URL = ""
  env.SIGN_UP = ""
})

const newUser = (email: string) =>
  post("/api/user/create", { firstName: "Ada", email, password: CHOSEN, password_confirmation: CHOSEN })

describe("the academy's name", () => {
  it("is on the sign-in page, in mails, in authenticators and on certificates", async () => {
    env.ACADEMY_NAME = "Académie du Nord"
    const { body } = await get("/login")
    expect(body).toContain("<h1>Sign in to Académie du Nord</h1>")
    expect(body).toContain("<title>Sign in · Académie du Nord</title>")

    await newUser("ada@example.com")
    expect(await delivered()).toMatchObject([
      { subject: "Welcome to Académie du Nord", from: { name: "Académie du Nord" } },
    ])

    const learner = await signedIn("general", { email: "bob@example.com" })
    const prepared = await post("/api/user/prepareTwoFactorAuth", { user_id: learner.id }, learner)
    const uri = new URL(prepared.body.as_uri)
    expect(uri.searchParams.get("issuer")).toBe("Académie du Nord")
    expect(decodeURIComponent(uri.pathname)).toMatch(/Académie du Nord:bob@example.com$/)

    const diploma = await template({ fields: [field("academy_name")] })
    await certificate(learner.id, diploma.id, { code: CODE })
    const { body: pdf } = await download("/api/user-certificate/1/download", learner)
    expect(await textOf(pdf)).toBe("Académie du Nord")
    const document = await PDFDocument.load(pdf)
    expect([document.getAuthor(), document.getCreator()]).toEqual(["Académie du Nord", "Académie du Nord"])
    expect((await get(`/certificate/${CODE}`)).body).toContain('<a href="/">Académie du Nord</a>')
  })

  it("is replaced by the name of a person's portal", async () => {
    env.ACADEMY_NAME = "Academy"
    const learner = await signedIn("general")
    await portal({ name: "South & Sons", members: [learner.id] })
    const prepared = await post("/api/user/prepareTwoFactorAuth", { user_id: learner.id }, learner)
    expect(new URL(prepared.body.as_uri).searchParams.get("issuer")).toBe("South & Sons")
    const diploma = await template({ fields: [field("academy_name")] })
    await certificate(learner.id, diploma.id, { code: CODE })
    const { body: pdf } = await download("/api/user-certificate/1/download", learner)
    expect(await textOf(pdf)).toBe("South & Sons")
    const page = await get(`/certificate/${CODE}`)
    expect(page.body).toContain('<a href="/">South &amp; Sons</a>')
    expect(page.body).toContain("<title>Certificate: Valid · South &amp; Sons</title>")
    expect(cost(page).roundTrips).toBe(1)

    const newcomer = await user({ email: "new@example.com" })
    await portal({ name: "West", members: [newcomer.id] })
    await post("/api/email/resendNewAccountEmail", { user_id: newcomer.id })
    const [, password] = /\n\n((?:\S{4}-){3}\S{4})\n/.exec((await delivered())[0]?.text ?? "") ?? []
    const exchanged = await post("/login", { email: newcomer.email, password })
    const { pathname, search } = new URL(exchanged.body.setPasswordUrl)
    expect((await get(`${pathname}${search}`)).body).toContain("<title>Set your password · West</title>")
  })

  it("is Lectern by default", async () => {
    env.ACADEMY_NAME = ""
    expect((await get("/login")).body).toContain("Sign in to Lectern")
  })
})

describe("the settings of the academy", () => {
  const BRAND = { name: "Northwind", logoUrl: "https://cdn.example/logo.png", primaryColor: "#0b5d1e" }

  it("replace the variable on pages, in files and for programs, without a further round trip", async () => {
    env.ACADEMY_NAME = "Academy"
    env.SIGN_UP = "open"
    await put("/api/settings", BRAND, { token: (await signedIn("admin")).token })
    const learner = await signedIn("general", { email: "bob@example.com" })
    const algebra = await course({ slug: "algebra" })
    await enrollment(learner, algebra)
    const diploma = await template({ fields: [field("academy_name")] })
    await certificate(learner.id, diploma.id, { code: CODE })

    const headers = cookieOf(learner.token)
    for (const path of [
      "/login",
      "/sign-up",
      `/certificate/${CODE}`,
      "/course/algebra",
      "/learn",
      "/password/forgot",
      "/nowhere",
    ]) {
      const page = await get(path, { headers: { ...headers, accept: "text/html" } })
      expect(page.body, path).toMatch(/<title>[^<]+ · Northwind<\/title>/)
      expect(cost(page).roundTrips, path).toBe(1)
    }
    expect(await textOf((await download("/api/user-certificate/1/download", learner)).body)).toBe("Northwind")
    expect(
      await textOf((await download(`/api/certificate_template/preview/${diploma.id}`, await signedIn("staff"))).body),
    ).toBe("Northwind")
    const prepared = await post("/api/user/prepareTwoFactorAuth", { user_id: learner.id }, learner)
    expect(new URL(prepared.body.as_uri).searchParams.get("issuer")).toBe("Northwind")
    expect((await get("/api/me", learner)).body.academy).toBe("Northwind")
    expect((await get("/api/me/home", learner)).body.user.academy).toBe("Northwind")
    expect((await get(`/api/transcript/user/${learner.id}`, learner)).body.academy).toBe("Northwind")
    const { url } = (await post("/api/me/calendar/create", undefined, learner)).body
    expect(await (await exports.default.fetch(url)).text()).toMatch(/^X-WR-CAL[A-Z]+:Northwind\r?$/m)
  })

  it("give the sign-in page a logo and a color, which the policy allows by origin and by nonce", async () => {
    await put("/api/settings", BRAND, { token: (await signedIn("admin")).token })
    const page = await get("/login")
    expect(page.body).toContain(
      '<img src="https://cdn.example/logo.png" alt="" height="32"/><span dir="auto">Northwind</span>',
    )
    expect(page.body).toContain('<link rel="icon" href="https://cdn.example/logo.png"/>')
    const [, nonce] =
      /<style nonce="(\w+)">:root\{--button:#0b5d1e;--on-button:#ffffff\}<\/style>/.exec(page.body) ?? []
    const policy = page.headers.get("content-security-policy")
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}';`)
    expect(policy).toContain("img-src 'self' https://cdn.example data:;")
    expect((await get("/login")).body).not.toContain(`${nonce}`)
  })

  it("are replaced by the brand of a portal on its own sign-in page", async () => {
    await put("/api/settings", BRAND, { token: (await signedIn("admin")).token })
    const south = await portal({ name: "South", logoUrl: "https://south.example/logo.png" })
    const { body } = await get(`/login?portal=${south.id}`)
    expect(body).toContain("<h1>Sign in to South</h1>")
    expect(body).toContain(
      '<img src="https://south.example/logo.png" alt="" height="32"/><span dir="auto">South</span>',
    )
    expect(body).toContain("--button:#0b5d1e")
  })
})

describe("the web app manifest", () => {
  it("has the name and the color of the academy, and icons that exist, without a session", async () => {
    await put("/api/settings", { name: "Académie du Nord", primaryColor: "#0b5d1e" }, await signedIn("owner"))
    const response = await get("/manifest.webmanifest")
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/manifest+json")
    expect(response.headers.get("cache-control")).toBe("public, max-age=300")
    expect(cost(response).roundTrips).toBe(1)
    const manifest = typeof response.body === "string" ? JSON.parse(response.body) : response.body
    expect(manifest).toMatchObject({
      name: "Académie du Nord",
      short_name: "Académie du Nord",
      start_url: "/console",
      display: "standalone",
      theme_color: "#0b5d1e",
    })
    expect(manifest.icons.map(({ sizes, purpose }: Record<string, string>) => [sizes, purpose])).toEqual([
      ["192x192", "any"],
      ["512x512", "any"],
      ["512x512", "maskable"],
    ])
    for (const { src, type } of manifest.icons) {
      const icon = await env.ASSETS.fetch(`https://lectern.test${src}`, { method: "HEAD" })
      expect([icon.status, icon.headers.get("content-type")], src).toEqual([200, type])
    }
    const own = await get("/app-icon")
    expect([own.status, own.headers.get("location")]).toEqual([302, "/assets/icon-192.png"])
  })

  it("has the logo of the academy as its only icon, which Apple's devices get from its address", async () => {
    await put("/api/settings", { logoUrl: "https://cdn.example/logo.png" }, await signedIn("owner"))
    const { body } = await get("/manifest.webmanifest")
    const manifest = typeof body === "string" ? JSON.parse(body) : body
    expect(manifest.icons).toEqual([{ src: "https://cdn.example/logo.png", sizes: "any", purpose: "any" }])
    const icon = await get("/app-icon")
    expect([icon.status, icon.headers.get("location")]).toEqual([302, "https://cdn.example/logo.png"])
    const me = await get("/api/me", await signedIn("general"))
    expect(me.body).toMatchObject({ academyLogoUrl: "https://cdn.example/logo.png" })
    expect(icon.headers.get("cache-control")).toBe("public, max-age=300")
  })
})

describe("the academy's own application", () => {
  it("is the target of links in mails, courses, paths and certificates", async () => {
    env.APP_URL = `${APP}/`
    await newUser("ada@example.com")
    expect((await delivered())[0]?.text).toContain(`Sign in:\n${APP}\n`)

    const learner = await signedIn("general")
    const algebra = await course({ name: "Algebra", slug: "algebra" })
    await enrollment(learner, algebra)
    const path = await learningPath({ name: "Science", slug: "science" }, [algebra])
    await pathEnrollment(learner, path)
    const page = query({ page_size: 9, page_number: 1 })
    const courses = await get(`/api/users/enrolled-courses${page}&user_id=${learner.id}`, learner)
    const paths = await get(`/api/users/enrolled-learningpaths${page}`, learner)
    const library = await get(`/api/users/library-courses${page}`, learner)
    expect(library.body.records[0].courseSlug).toBe(`${APP}/course/algebra`)
    expect(paths.body.records[0].launchSlug).toBe(`${APP}/learningpath/science`)
    expect(courses.body.records[0].courseSlug).toBe(`${APP}/course/algebra`)
    await certificate(learner.id, (await template()).id, { code: CODE })
    expect((await get(`/certificate/${CODE}`)).body).toContain(`<a href="${APP}">Lectern</a>`)
  })

  it("can be the target of the sign-in form, and no other origin can", async () => {
    const ownPage = await get("/login")
    expect(ownPage.headers.get("content-security-policy")).toContain("form-action 'self';")
    env.APP_URL = `${APP}/start`
    const policy = (await get("/login")).headers.get("content-security-policy")
    expect(policy).toContain(`form-action 'self' ${APP};`)
  })
})

describe("a page for a user with a session cookie", () => {
  it("has a sign-out button that works without a script and ends that session", async () => {
    const learner = await signedIn("general")
    const row = await course({ slug: "algebra" })
    await enrollment(learner, row)
    const headers = cookieOf(learner.token)
    for (const path of ["/course/algebra", `/certificate/${CODE}`, "/docs", "/login"]) {
      const { body } = await get(path, { headers })
      expect(body, path).toContain(
        '<form method="post" action="/logout"><button type="submit">Sign out</button></form>',
      )
    }
    const out = await post("/logout", "", {
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    })
    expect([out.status, out.headers.get("location")]).toEqual([303, "/login"])
    expect((await get("/course/algebra", { headers })).status).toBe(302)
  })

  it("has no sign-out button for others", async () => {
    expect((await get("/login")).body).not.toContain("Sign out")
    expect((await get("/docs")).body).not.toContain("Sign out")
  })
})
