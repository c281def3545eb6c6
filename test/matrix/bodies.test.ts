import { env, exports } from "cloudflare:workers"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { categories } from "../../drizzle/schema/categories.ts"
import { users } from "../../drizzle/schema/users.ts"
import { operations } from "../../src/http/operation.ts"
import { smallAcademy } from "../factories/academy.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course } from "../factories/learning.ts"
import { call, get, post, put } from "../helpers/client.ts"
import { callsOf, openApiDocument } from "./inputs.ts"
import { sampled } from "./matrix.ts"

// Request bodies are decoded in src/lib/web/body.ts: every operation refuses the same ones.

beforeEach(() => {
  env.SIGN_UP = "open"
})
afterEach(() => {
  env.SIGN_UP = ""
})

/** The bytes of a text in ISO 8859-1, which PowerShell 5.1 sends. */
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"))
const BOUNDARY = "----a-boundary"
const part = (head: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`

/** A body of each content type with text in ISO 8859-1. */
const WRONG: Record<string, Uint8Array[]> = {
  "application/json": [latin1('{"name":"José"}')],
  "application/x-www-form-urlencoded": [latin1("name=José"), latin1("name=Jos%E9")],
  "multipart/form-data": [
    latin1(`${part('name="name"', "José")}--${BOUNDARY}--\r\n`),
    latin1(`${part('name="file"; filename="José.csv"', "a")}--${BOUNDARY}--\r\n`),
  ],
}
const typed = (type: string) => (type.startsWith("multipart") ? `${type}; boundary=${BOUNDARY}` : type)

/** Forms that the OpenAPI document does not list, and pages that accept both kinds of form. */
const PAGES = ["/login", "/logout", "/set-password", "/password/forgot", "/sign-up", "/sign-up/confirm"]

/** Every operation with a body, with each of its content types. */
async function operationsWithBody() {
  const { paths } = await openApiDocument()
  const declared = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.keys(requestBody?.content ?? {}).map((type) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, "1"),
        type,
      })),
    ),
  )
  const forms = PAGES.map((path) => ({ method: "POST", path, type: "multipart/form-data" }))
  // Its errors have the format of RFC 6749. SCIM needs a key of its own: test/scim has the same tests. An upload has
  // bytes of a file.
  return [...declared, ...forms].filter(
    ({ path, type }) =>
      path !== "/oauth/token" && !path.startsWith("/scim/") && type !== "application/offset+octet-stream",
  )
}

describe("a request body that is not UTF-8", () => {
  it("is refused with 400 by every operation and page, with every content type", async () => {
    const { token } = await signedIn("owner")
    const all = await operationsWithBody()
    expect(all.length).toBeGreaterThan(150)
    for (const { method, path, type } of all)
      for (const body of WRONG[type] ?? []) {
        const answer = await call(method, path, { token, body, headers: { "content-type": typed(type) } })
        const where = `${method} ${path} ${type} ${JSON.stringify(answer.body)}`
        expect(answer.status, where).toBe(400)
        expect(JSON.stringify(answer.body), where).toContain("not valid UTF-8")
      }
  })

  it("is not stored, passwords included", async () => {
    const { token } = await signedIn("owner")
    const learner = await user()
    const before = await rowsOf(users)
    const password = latin1('{"password":"pässwörd with ümlauts"}')
    expect(await put(`/api/user/updatePassword/${learner.id}`, password, { token })).toMatchObject({
      status: 400,
      body: {
        status: "error",
        code: "malformed_body",
        message: "The body is not valid UTF-8. Encode the text as UTF-8.",
      },
    })
    const category = latin1('{"category_name":"Física","categoryType":"course"}')
    expect((await post("/api/category/create", category, { token })).status).toBe(400)
    expect(await rowsOf(users)).toEqual(before)
    expect(await rowsOf(categories)).toEqual([])
  })

  it("is refused if JSON escapes an unpaired surrogate, and stored if it escapes a complete character", async () => {
    const { token } = await signedIn("owner")
    const create = (name: string) =>
      post("/api/category/create", `{"category_name":"${name}","categoryType":"course"}`, {
        token,
        headers: { "content-type": "application/json" },
      })
    for (const half of [
      "\\ud800",
      "a\\uDC00",
      "\\ud83d\\ud83d\\ude00",
      "\\ud83d \\ude00",
      "\\ude00\\ud83d",
      "\\ud83d\\n",
    ])
      expect(await create(half), half).toMatchObject({
        status: 400,
        body: { code: "malformed_body", message: expect.stringContaining("unpaired surrogate") },
      })
    expect(await rowsOf(categories)).toEqual([])
    for (const whole of ["\\ud83d\\ude00", "\\\\ud800", "\\ud83d\\ude00\\uD83D\\uDE01", "x\\\\\\ud83d\\ude00"])
      expect((await create(whole)).status, whole).toBe(200)
    expect((await rowsOf(categories)).map(({ name }) => name)).toEqual(["😀", "\\ud800", "😀😁", "x\\😀"])
  })

  it("is an invalid_request for an OAuth client", async () => {
    const answer = await exports.default.fetch("https://lectern.test/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: latin1("grant_type=client_credentials&client_id=1&client_secret=José"),
    })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: "invalid_request", error_description: expect.stringContaining("not valid UTF-8") },
    ])
  })
})

describe("a request body in UTF-8", () => {
  it("is stored as sent, with or without a byte order mark and a charset", async () => {
    const { token } = await signedIn("owner")
    const names = ["Física", "日本語", "emoji 👩‍👩‍👧‍👦", "� itself"]
    for (const [at, type] of ["", "; charset=utf-8", '; charset="UTF-8"', ";charset=us-ascii"].entries()) {
      const json = JSON.stringify({ category_name: names[at], categoryType: "course" })
      const body = at % 2 === 0 ? `\ufeff${json}` : json
      const headers = { "content-type": `application/json${type}` }
      expect((await post("/api/category/create", body, { token, headers })).status).toBe(200)
    }
    expect((await rowsOf(categories)).map(({ name }) => name)).toEqual(names)
  })

  it("may contain a file of any bytes: in a multipart form only names and fields are text", async () => {
    const { token } = await signedIn("general")
    const form = new FormData()
    form.set("file", new File([latin1("%PDF-1.4 José\n--x\n"), new Uint8Array([0, 255, 128])], "Prüfung 日本.pdf"))
    const sent = await post("/api/module/assignment/upload", form, { token })
    expect(sent.status).toBe(200)
  })
})

describe("a declared charset other than UTF-8", () => {
  it("is refused with 415 by every operation and page", async () => {
    const owner = await signedIn("owner")
    const scim = await apiKey({ role: "admin", scopes: ["scim"] })
    for (const [at, { method, path, type }] of (await operationsWithBody()).entries())
      for (const charset of sampled(["iso-8859-1", '"windows-1252"', "utf-16"], 3, at)) {
        const headers = { "content-type": `${typed(type)}; charset=${charset}` }
        const { token } = path.startsWith("/scim/") ? scim : owner
        const answer = await call(method, path, { token, body: "{}", headers })
        expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(415)
        expect(JSON.stringify(answer.body)).toContain("Encode the body as UTF-8")
      }
  })
})

describe("a truncated multipart form", () => {
  it("is refused with 400 by every operation and page that accepts forms", async () => {
    const { token } = await signedIn("owner")
    await course({ slug: "algebra" })
    const pages = [...PAGES, "/course/algebra/enroll"].map((path) => ({ method: "POST", path }))
    const uploads = (await operationsWithBody()).filter(({ type }) => type === "multipart/form-data")
    const headers = { "content-type": typed("multipart/form-data") }
    for (const body of ["", "--", part('name="email"', "ada"), `${part('name="a"', "1")}--${BOUNDARY}`])
      for (const { method, path } of [...uploads, ...pages]) {
        const answer = await call(method, path, { token, body, headers })
        expect(answer.status, `${method} ${path} ${JSON.stringify(body)}`).toBe(400)
        expect(JSON.stringify(answer.body)).toContain("not a valid form")
      }
  })
})

describe("percent-encoded text that is not UTF-8", () => {
  it("is refused in a query string with 422 and the parameter's name, on every path", async () => {
    const { token } = await signedIn("owner")
    const list = "/api/categories/course/lookup"
    for (const [query, name] of [
      ["search=Jos%E9", "search"],
      ["a=1&order_by%5BcolName%5D=%ff", "order_by[colName]"],
      ["search_param=%7B%22name%22%3A%22%C3%28%22%7D", "search_param"],
    ] as const)
      for (const path of [list, "/login", "/nothing/there"])
        expect(await get(`${path}?${query}`, { token }), `${path}?${query}`).toMatchObject({
          status: 422,
          body: { code: "validation_failed", errors: { [name]: [`${name} must be percent-encoded UTF-8.`] } },
        })
    for (const query of ["a=100%", "a=%zz", "a=Jos%C3%A9", "a=%"])
      expect((await get(`${list}?${query}`, { token })).status, query).toBe(200)
  })

  it("matches no path: 404", async () => {
    const { token } = await signedIn("owner")
    for (const path of ["/course/%E9", "/api/user/%FF", "/learningpath/%C3", "/api/%E9"])
      expect((await get(path, { token })).status, path).toBe(404)
  })
})

/** Fields of a body that identify another record than the path. */
const OTHER_RECORDS = [
  "post /api/user/{id}/addAddress id",
  "put /api/user/{id}/delete-certificate id",
  "put /api/user/{id}/update-membership id",
]

describe("a body with another id than its path", () => {
  it("is refused with 422 by every operation with both; no id or the same id is accepted", async () => {
    await smallAcademy()
    const { token } = await signedIn("owner", { id: 900_001 })
    const document = await openApiDocument()
    const withBoth = operations.filter(
      ({ method, path }) => path.includes("{id}") && document.paths[path]?.[method]?.requestBody !== undefined,
    )
    expect(withBoth.length).toBeGreaterThan(30)
    const unchecked = withBoth.filter(({ pathIdFields }) => !pathIdFields.includes("id"))
    expect(unchecked.map(({ method, path }) => `${method} ${path} id`).sort()).toEqual(OTHER_RECORDS)

    for (const [at, operation] of withBoth.entries()) {
      const { method, path, pathIdFields } = operation
      const [plain] = fc.sample(callsOf(operation, document, { plainly: true }), { numRuns: 1, seed: at })
      const send = (field: string, value: unknown) => {
        const form = plain?.body instanceof FormData ? plain.body : undefined
        form?.set(field, String(value ?? ""))
        const body = form ?? { ...(plain?.body as object), [field]: value }
        return call(method.toUpperCase(), path.replace("{id}", "1").replace("{language}", "en"), { token, body })
      }
      for (const field of pathIdFields) {
        for (const other of sampled([2, "2", "x", {}, -1], 3, at))
          expect(await send(field, other), `${method} ${path} ${field}`).toMatchObject({
            status: 422,
            body: { errors: { [field]: [`${field} must match the id in the path (1). Change or omit it.`] } },
          })
        for (const same of sampled([1, "1", null, "", 0], 3, at)) {
          const { body } = await send(field, same)
          expect(body.errors?.[field], `${method} ${path} ${field} ${same}`).toBeUndefined()
        }
      }
    }
  })
})
