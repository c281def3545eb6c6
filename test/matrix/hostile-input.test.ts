import { afterEach, describe, expect, it, vi } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { RouteIndex } from "../../src/http/route-index.ts"
import { smallAcademy } from "../factories/academy.ts"
import { signedIn, user } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { call, get, post, query } from "../helpers/client.ts"
import { sampled } from "./matrix.ts"

// Malformed and hostile input is refused with an error of the documented shape that names the cause.

const INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"]

afterEach(() => {
  vi.restoreAllMocks()
})

describe("inherited object property names", () => {
  it("are ordinary names in a query string, in every bracket form", async () => {
    const page = "/api/users/tabularlist?page_size=1&page_number=1"
    for (const name of INHERITED)
      for (const parameter of [`x[${name}][]=1`, `x[${name}]=1`, `${name}[]=1`, `${name}[${name}][]=1`, `${name}=1`])
        expect((await get(`${page}&${parameter}`)).status, parameter).toBe(200)
    for (const name of INHERITED)
      expect((await get(`${page}&search_param[${name}][]=1&order_by[colName]=${name}`)).status, name).toBe(422)
  })

  it("are accepted as a person's name where a response contains the name", async () => {
    const held = await course()
    const people = []
    for (const firstName of INHERITED) people.push(await user({ firstName, lastName: "" }))
    for (const person of people) await enrollment(person, held)
    const { status, body } = await post("/api/user/delete", { delete_ids: people.map(({ id }) => id) })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain('"toString"')
  })

  it("are not accepted as the return type of certificates", async () => {
    const { id } = await user()
    for (const name of INHERITED)
      expect((await get(`/api/user-certificates/${id}?page_size=1&page_number=1&return_type=${name}`)).status).toBe(200)
  })

  it("are not members of a SCORM interaction", async () => {
    const { token, ...learner } = await signedIn("general")
    const scorm = await module({ type: "scorm" })
    const status = await moduleStatus(
      (await enrollment(learner, await course({}, [{ moduleId: scorm.id }]))).id,
      scorm.id,
    )
    const cmi = Object.fromEntries(INHERITED.map((name) => [`cmi.interactions.0.${name}`, "x"]))
    expect((await post("/api/scorm/commit", { statusRowId: status.id, cmi }, { token })).status).toBeLessThan(500)
  })
})

describe("nested JSON", () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`

  it("is refused in a body beyond 32 levels and accepted up to them", async () => {
    for (const path of ["/api/scorm/commit", "/api/category/create", "/login", "/set-password"]) {
      const { status, body } = await post(path, `{"statusRowId":1,"cmi":${nested(2300)}}`)
      expect(status, path).toBe(400)
      expect(body.message).toMatch(/nested more than 32 levels/)
    }
    expect((await post("/api/category/create", `{"x":${nested(31)}}`)).status).toBe(422)
    expect((await post("/api/category/create", `{"x":${nested(32)}}`)).status).toBe(400)
    expect((await post("/api/category/create", `{"x":"${"[{".repeat(400)}\\"[["}`)).status).toBe(422)
  })

  it("is refused in a query parameter and in a form field", async () => {
    for (const name of ["search_param", "order_by"]) {
      const deep = `${"[".repeat(500)}${"]".repeat(500)}`
      const { status, body } = await get(
        `/api/users/tabularlist${query({ page_size: 1, page_number: 1, [name]: deep })}`,
      )
      expect(status).toBe(422)
      expect(body.errors).toHaveProperty(name)
    }
    const { token } = await signedIn("owner")
    const form = new FormData()
    form.set("file", new File(["first name,email\nAda,ada@example.com\n"], "people.csv"))
    form.set("selectedCourses", `${"[".repeat(5000)}${"]".repeat(5000)}`)
    expect((await post("/api/user/userBulkUploadSpreadsheet", form, { token })).status).toBe(422)
  })
})

describe("a body that is declared as a form but is not one", () => {
  it("is refused with 400, as JSON or as a page", async () => {
    const { token } = await signedIn("owner")
    const headers = { "content-type": "multipart/form-data; boundary=x" }
    for (const body of ["", "x", "--x\r\n\r\n", '--x\r\ncontent-disposition: form-data; name="email"\r\n\r\nada'])
      for (const path of ["/login", "/set-password", "/api/user/userBulkUploadSpreadsheet"]) {
        const answer = await call("POST", path, { body, headers, token })
        expect(answer.status, `${path} ${body}`).toBe(400)
        expect(JSON.stringify(answer.body)).toContain("not a valid form")
      }
    const withoutBoundary = { "content-type": "multipart/form-data" }
    for (const path of ["/login", "/set-password", "/api/user/userBulkUploadSpreadsheet"])
      expect((await call("POST", path, { body: "--x--", headers: withoutBoundary, token })).status, path).toBe(400)
  })
})

describe("an id in a path", () => {
  it("has one spelling: digits without a sign, a point, an exponent or a leading zero", async () => {
    await smallAcademy()
    const { token } = await signedIn("owner", { id: 900_001 })
    // A provider's key is not an id.
    const withId = operations.filter(
      ({ method, mutates, path }) => method === "get" && !mutates && /\{(?!key)/.test(path),
    )
    const at = (path: string, id: string) => get(path.replace(/\{\w+\}/g, id), { token })
    const known: string[] = []
    for (const [offset, { path }] of withId.entries()) {
      if ((await at(path, "1")).status === 200) known.push(path)
      for (const id of sampled(["01", "+1", "1.0", "1e0", "0x1", "%201", "1%20", "-1", "0", "９"], 4, offset))
        expect((await at(path, id)).status, `${path} ${id}`).toBe(404)
    }
    expect(known.length).toBeGreaterThan(10)
  })
})

describe("a URL that is too long", () => {
  const list = "/api/users/tabularlist?page_size=1&page_number=1"

  it("is refused with 413 on every path, and counts toward the rate limit", async () => {
    for (const path of [`${list}&x=${"a".repeat(9000)}`, `/${"a".repeat(9000)}`, `/login?next=${"/a".repeat(5000)}`]) {
      const { status, body } = await get(path)
      expect(status).toBe(413)
      expect(body.message).toMatch(/URL is longer than 8192/)
    }
  })

  it("shortens the Link header: links that do not fit are omitted, last ones first", async () => {
    for (let i = 0; i < 3; i++) await user()
    const short = (await get(`${list}&x=${"a".repeat(500)}`)).headers.get("link") ?? ""
    for (const rel of ["first", "next", "last"]) expect(short).toContain(`rel="${rel}"`)
    const long = (await get(`${list}&x=${"a".repeat(7000)}`)).headers.get("link") ?? ""
    expect(long).toContain('rel="next"')
    expect(long.length).toBeLessThan(9000)
  })
})

describe("an error outside every app", () => {
  it("has the documented shape, with a request id and without internal details", async () => {
    const logged: string[] = []
    vi.spyOn(console, "error").mockImplementation((line: string) => void logged.push(line))
    vi.spyOn(RouteIndex.prototype, "routerAt").mockImplementation(() => {
      throw new Error("innermost secret")
    })
    const { exports } = await import("cloudflare:workers")
    const answer = await exports.default.fetch("https://lectern.test/api/users/tabularlist")
    const id = answer.headers.get("x-request-id")
    expect(answer.status).toBe(500)
    expect(id).toBeTruthy()
    expect(await answer.json()).toEqual({
      status: "error",
      code: "internal_error",
      message: `An internal error occurred. Include the request id ${id} when you report it.`,
    })
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
    expect(logged.join()).toContain("innermost secret")
  })
})
