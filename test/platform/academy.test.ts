import { env } from "cloudflare:workers"
import { PDFDocument } from "pdf-lib"
import { afterEach, describe, expect, it } from "vitest"
import { certificate, field, template } from "../factories/certificates.ts"
import { portal, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { learningPath, pathEnrollment } from "../factories/learning-paths.ts"
import { cookieOf, cost, download, get, post, query } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { textOf } from "../helpers/pdf.ts"

const APP = "https://app.north.example"
const CHOSEN = "a staple for the horse"
const CODE = "A".repeat(24)

afterEach(() => {
  env.ACADEMY_NAME = "Lectern"
  env.APP_URL = ""
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
