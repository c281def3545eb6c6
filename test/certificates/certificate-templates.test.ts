import { env } from "cloudflare:workers"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { certificateTemplateKeys, certificateTemplates } from "../../drizzle/schema/certificates.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { readPlainPng } from "../../src/lib/pdf/png.ts"
import { readImage } from "../../src/modules/certificates/certificate-backgrounds.ts"
import { JPEG, PNG, template } from "../factories/certificates.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, download, get, post, put, query } from "../helpers/client.ts"
import { codeIn, squaresIn } from "../helpers/pdf.ts"

const FIELD = {
  key: "student_full_name",
  value: "Student full name",
  font_size: "36",
  font_family: "Times-Bold",
  font_color: "#1d4ed8",
  top: 200,
  left: 100,
  align_center: true,
  width: 800,
  height: 60,
  show_tools: false,
}
const NEW = { name: "Diploma", width: 1123, height: 794, fields: [FIELD] }

const create = async (overrides = {}) =>
  (await post("/api/certificate_template", { ...NEW, ...overrides })).body.id as number
const list = (parameters = {}) =>
  get(`/api/certificate_templates/tabularlist${query({ page_size: 10, page_number: 1, ...parameters })}`)
const upload = (content: Uint8Array<ArrayBuffer>, name = "seal.png") => {
  const form = new FormData()
  form.set("file", new File([content], name, { type: "text/plain" }))
  return post("/api/certificate_template/upload", form)
}

describe("certificate templates", () => {
  it("are created, read, updated and listed within their cost limits", async () => {
    const author = await signedIn("staff", { firstName: "Ada", lastName: "Byron" })
    const created = await post("/api/certificate_template", NEW, { token: author.token })
    expect(created.body).toEqual({ id: 1, message: "Certificate template created." })
    expect(cost(created).roundTrips).toBe(2)

    const read = await get("/api/certificate_template/1")
    expect(read.body).toEqual({
      name: "Diploma",
      bg_url: "",
      height: 794,
      width: 1123,
      fields: [{ ...FIELD, font_size: 36 }],
      qr_code: { show: true, left: 1001, top: 672, size: 111 },
    })
    expect(cost(read).roundTrips).toBe(1)

    const changed = await put("/api/certificate_template/1", { name: "Award", width: 800, height: 600 })
    expect(changed.body).toEqual({ id: 1, message: "Certificate template updated." })
    expect(cost(changed).roundTrips).toBe(2)
    expect(await rowsOf(certificateTemplates)).toMatchObject([
      { name: "Award", width: 800, fields: [{ top: 200 }], version: 2 },
    ])

    await course({ name: "Safety", certificateTemplateId: 1 })
    await course({ name: "Algebra", certificateTemplateId: 1 })
    const listed = await list()
    expect(listed.body).toEqual({
      recordsTotal: 1,
      recordsFiltered: 1,
      records: [
        {
          id: 1,
          name: "Award",
          author: "Ada Byron",
          courses: "Algebra, Safety",
          created_at: expect.any(String),
          createdAt: expect.any(String),
        },
      ],
    })
    expect(cost(listed).roundTrips).toBe(1)
    expect((await get("/api/certificate_templates/lookup")).body).toEqual([{ id: 1, name: "Award" }])
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.effectOn])).toEqual([
      ["created", "Diploma"],
      ["updated", "Award"],
    ])
  })

  it("are found by a part of the name and by course, with exact totals", async () => {
    const [first, second] = [await create(), await create({ name: "Award" })]
    const { id: courseId } = await course({ certificateTemplateId: second })
    const ids = async (search_param: object) => {
      const { recordsTotal, recordsFiltered, records } = (await list({ search_param })).body
      expect([recordsTotal, recordsFiltered]).toEqual([2, records.length])
      return records.map((row: { id: number }) => row.id)
    }
    expect(await ids({ templateName: "PLOM" })).toEqual([first])
    expect(await ids({ courseId })).toEqual([second])
    expect(await ids({ courseId: 999 })).toEqual([])
  })

  it("accept fields in every client format, and add defaults", async () => {
    const id = await create({ fields: JSON.stringify([{ key: "custom_text", value: "Well done", font_size: "12.5" }]) })
    expect((await get(`/api/certificate_template/${id}`)).body.fields).toEqual([
      {
        key: "custom_text",
        value: "Well done",
        font_size: 12.5,
        font_family: "Arial",
        font_color: "#000000",
        top: 0,
        left: 0,
        align_center: false,
        width: 0,
        height: 0,
        show_tools: false,
      },
    ])
  })

  it("accept text of several lines", async () => {
    const id = await create({ fields: [{ ...FIELD, key: "custom_text", value: "Well done\r\n\nsaid\tall" }] })
    expect((await get(`/api/certificate_template/${id}`)).body.fields).toMatchObject([
      { value: "Well done\r\n\nsaid\tall" },
    ])
  })

  for (const [what, wrong] of [
    ["a key that there is not", { key: "shoe_size" }],
    ["a font that there is not", { font_family: "Comic Sans" }],
    ["a color that is none", { font_color: "red" }],
    ["a size beyond the largest", { font_size: 1001 }],
    ["a letter that no font has", { key: "custom_text", value: "Well done \u{13000}" }],
    ["more text than it takes", { value: "a".repeat(1001) }],
    ["a size that is no number", { font_size: "large" }],
    ["a text that begins below the page", { top: 794 }],
    ["a text that begins beside the page", { left: 1123 }],
    ["a negative width", { width: -1 }],
  ] as const)
    it(`reject ${what}, and record nothing`, async () => {
      const response = await post("/api/certificate_template", { ...NEW, fields: [{ ...FIELD, ...wrong }] })
      expect(response.status).toBe(422)
      expect(Object.keys(response.body.errors)[0]).toMatch(/^fields/)
      expect(await rowsOf(certificateTemplates)).toEqual([])
      expect(await rowsOf(auditLogs)).toEqual([])
    })

  it("accept null, an empty text and 0 for optional properties of a field", async () => {
    const none = { font_size: 0, font_family: null, font_color: "", top: null, left: "", align_center: null }
    const id = await create({ fields: [{ key: "custom_text", value: null, width: null, height: "", ...none }] })
    expect((await get(`/api/certificate_template/${id}`)).body.fields).toMatchObject([
      { value: "", font_size: 16, font_family: "Arial", font_color: "#000000", top: 0, left: 0, width: 0, height: 0 },
    ])
    const changed = await put(`/api/certificate_template/${id}`, { name: null, width: null, height: 0, fields: null })
    expect(changed.status).toBe(200)
    expect(await rowsOf(certificateTemplates)).toMatchObject([
      { name: "Diploma", width: 1123, height: 794, fields: [{ key: "custom_text" }], version: 1 },
    ])
  })

  it("reject 100 fields with more than 5,000 characters in total", async () => {
    const fields = (length: number) =>
      Array.from({ length: 100 }, () => ({ key: "custom_text", value: "a".repeat(length) }))
    expect((await post("/api/certificate_template", { ...NEW, fields: fields(50) })).status).toBe(200)
    expect((await post("/api/certificate_template", { ...NEW, fields: fields(51) })).body).toMatchObject({
      errors: { fields: [expect.stringContaining("5000 characters or fewer")] },
    })
  })

  it("position or hide the QR code, and keep it in the corner when the page size changes", async () => {
    const id = await create()
    const path = `/api/certificate_template/${id}`
    const { body } = await get(path)
    await put(path, { ...body, width: 800, height: 600 })
    expect((await get(path)).body.qr_code).toEqual({ show: true, left: 694, top: 494, size: 96 })
    const place = { show: true, left: 20, top: 30, size: 80 }
    await put(path, { ...body, width: 800, height: 600, qr_code: place })
    expect((await get(path)).body.qr_code).toEqual(place)
    const outside = await put(path, { ...body, qr_code: { ...place, left: 1100 } })
    expect([outside.status, Object.keys(outside.body.errors)]).toEqual([422, ["qr_code"]])
    expect(await codeIn((await download(`/api/certificate_template/preview/${id}`)).body)).toMatch(/SAMPLE/)
    await put(path, { ...body, qr_code: { ...place, show: false } })
    expect((await get(path)).body.qr_code).toEqual({ ...place, show: false })
    expect(await squaresIn((await download(`/api/certificate_template/preview/${id}`)).body)).toEqual([])
  })

  it("accept the response of a read without any change", async () => {
    const { storage_url: bg_url } = (await upload(PNG)).body
    const id = await create({ bg_url, qr_code: { show: true, left: 20, top: 30, size: 80 } })
    const path = `/api/certificate_template/${id}`
    const { body, headers } = await get(path)
    expect((await put(path, body)).status).toBe(200)
    expect((await get(path)).headers.get("etag")).toBe(headers.get("etag"))
  })

  it("reject a template without a name or a page size", async () => {
    const { status, body } = await post("/api/certificate_template", { fields: [] })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(["height", "name", "width"])
  })

  it("can be assigned to another author, and unknown ids are counted", async () => {
    const [first, second] = [await create(), await create()]
    const { id: author_id } = await user({ firstName: "Grace", lastName: "Hopper" })
    const response = await post("/api/certificate_templates/quickEdit", {
      template_ids: [first, second, 99],
      author_id,
    })
    expect(response.body).toEqual({ message: "2 certificate templates updated. 1 id unknown." })
    expect(cost(response).roundTrips).toBe(2)
    expect((await list()).body.records.map((row: { author: string }) => row.author)).toEqual([
      "Grace Hopper",
      "Grace Hopper",
    ])
    const unknown = await post("/api/certificate_templates/quickEdit", { template_ids: [first], author_id: 999 })
    expect(unknown).toMatchObject({ status: 422, body: { errors: { author_id: [expect.any(String)] } } })
  })

  it("are deleted unless a course uses them, 500 ids in two round trips", async () => {
    const [used, unused] = [await create(), await create()]
    await course({ certificateTemplateId: used })
    const delete_ids = [used, unused, ...Array.from({ length: 498 }, (_, i) => 1000 + i)]
    const response = await post("/api/certificate_template/delete", { delete_ids })
    expect(response.body.message).toBe(
      "1 certificate template deleted. 1 not deleted: courses use them, or certificates were issued with " +
        "them. 498 ids unknown.",
    )
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(certificateTemplates)).toMatchObject([{ id: used }])
    expect((await list()).body.recordsTotal).toBe(1)
  })

  it("honor If-Match, and return 404 if unknown", async () => {
    const id = await create()
    const etag = (await get(`/api/certificate_template/${id}`)).headers.get("etag") ?? ""
    const change = (name: string) =>
      put(`/api/certificate_template/${id}`, { ...NEW, name }, { headers: { "if-match": etag } })
    expect((await change("A")).status).toBe(200)
    expect((await change("B")).status).toBe(412)
    expect((await get("/api/certificate_template/99")).status).toBe(404)
    expect((await put("/api/certificate_template/99", NEW)).status).toBe(404)
  })

  it("can be managed only by staff; supervisors and learners can read the keys and fonts", async () => {
    const id = await create()
    for (const userType of ["general", "group_admin", "portal_admin"]) {
      const { token } = await signedIn(userType)
      expect((await get(`/api/certificate_template/${id}`, { token })).status).toBe(403)
      expect((await post("/api/certificate_template", NEW, { token })).status).toBe(403)
      expect((await get("/api/certificate_template/keysLookup", { token })).status).toBe(200)
      expect((await get("/api/certificate_template/fontFamilyLookup", { token })).status).toBe(200)
    }
  })
})

describe("the content of certificates", () => {
  it("has ten keys and eight fonts, with Arial selected", async () => {
    const keys = (await get("/api/certificate_template/keysLookup")).body
    expect(keys).toHaveLength(10)
    expect(keys[2]).toEqual({ db_value: "student_full_name", display_value: "Student full name" })
    const fonts = (await get("/api/certificate_template/fontFamilyLookup")).body
    expect(fonts).toHaveLength(8)
    expect(fonts.filter((font: { is_selected?: boolean }) => font.is_selected)).toEqual([
      { db_value: "Arial", display_value: "Arial", is_selected: true },
    ])
  })

  it("includes custom fields for certificates, which cannot be deleted while a template uses them", async () => {
    const field = (label: string, isFieldOnCertificate: boolean) => ({ type: "text", label, isFieldOnCertificate })
    await put("/api/users/customUserFields", { fields: [field("Employee number", true), field("Nickname", false)] })
    const keys = await get("/api/certificate_template/keysLookup")
    expect(keys.body.slice(10)).toEqual([{ db_value: "employee_number", display_value: "Employee number" }])
    expect(cost(keys).roundTrips).toBe(1)

    expect((await post("/api/certificate_template", { ...NEW, fields: [{ key: "nickname" }] })).status).toBe(422)
    const id = await create({ fields: [{ key: "employee_number" }, { key: "employee_number" }, FIELD] })
    expect(await rowsOf(certificateTemplateKeys)).toEqual([{ key: "employee_number", templateId: id }])
    const canDelete = () =>
      get(`/api/users/can-delete-field${query({ fieldToDelete: { userMetaKey: "employee_number" } })}`)
    const tied = await canDelete()
    expect(tied.body).toEqual({
      canDeleteField: false,
      message: "Field Employee number is in use by certificate templates: Diploma.",
      certificateTemplates: [{ id, name: "Diploma" }],
    })
    expect(cost(tied).roundTrips).toBe(1)
    await put(`/api/certificate_template/${id}`, { ...NEW })
    expect((await canDelete()).body.canDeleteField).toBe(true)
  })
})

describe("a course's certificate template", () => {
  it("must exist", async () => {
    const { id } = await template()
    const created = await post("/api/course/create", { name: "Safety", certificateTemplateId: id, courseCredit: "1.5" })
    expect((await get(`/api/course/${created.body.id}`)).body).toMatchObject({
      certificateTemplateId: id,
      courseCredit: 1.5,
    })
    for (const answer of [
      await post("/api/course/create", { name: "Other", certificateTemplateId: 99 }),
      await put(`/api/course/${created.body.id}`, { certificateTemplateId: 99 }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { errors: { certificateTemplateId: [expect.any(String)] } } })
    await put(`/api/course/${created.body.id}`, { certificateTemplateId: null, courseCredit: null })
    expect(await rowsOf(courses)).toMatchObject([{ certificateTemplateId: null, courseCredit: 0 }])
  })
})

/** A PNG of two pixels whose data decompresses to 20 MB. */
async function bomb() {
  const zeros = new Blob([new Uint8Array(20_000_000)]).stream().pipeThrough(new CompressionStream("deflate"))
  const data = new Uint8Array(await new Response(zeros).arrayBuffer())
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, data.length)
  const type = new TextEncoder().encode("IDAT")
  return Uint8Array.from(Buffer.concat([PNG.slice(0, 33), length, type, data, new Uint8Array(4), PNG.slice(-12)]))
}

describe("a background image", () => {
  it("is uploaded, validated by its content, and served under a random name", async () => {
    const response = await upload(PNG, "no-image.txt")
    expect(response.body).toEqual({
      storage_url: expect.stringMatching(/^\/api\/certificate_template\/background\/[\w-]{43}\.png$/),
      message: "Image uploaded.",
    })
    const { storage_url: bg_url } = response.body
    const read = await download(bg_url)
    expect([read.status, read.headers.get("content-type")]).toEqual([200, "image/png"])
    // Transparent pixels become white, as on the page. Opaque images are stored unchanged.
    expect(readPlainPng(read.body)).toMatchObject({ width: 2, height: 1, components: 3 })
    const again = await upload(Uint8Array.from(read.body))
    expect((await download(again.body.storage_url)).body).toEqual(read.body)
    const id = await create({ bg_url })
    const url = `https://lectern.test${bg_url}`
    expect((await get(`/api/certificate_template/${id}`)).body.bg_url).toBe(url)
    const other = await create({ bg_url: url })
    expect(await rowsOf(certificateTemplates)).toMatchObject([{ bgUrl: bg_url }, { id: other, bgUrl: bg_url }])
    const drawn = await download(`/api/certificate_template/preview/${other}`)
    expect(new TextDecoder("latin1").decode(drawn.body)).toContain("/Subtype /Image")
    expect((await upload(JPEG)).body.storage_url).toMatch(/\.jpg$/)
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "certificate background" },
      {},
      {},
      {},
      {},
    ])
  })

  it("is rejected if it is no image, not uploaded here or too large, and is not stored", async () => {
    // Truncated data, and data that decompresses to more than the declared size, must not hang the decoder.
    expect((await upload(PNG.slice(0, -20))).status).toBe(415)
    expect((await upload(await bomb())).status).toBe(415)
    const svg = Uint8Array.from(new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>"))
    expect((await upload(svg, "seal.png")).status).toBe(415)
    const huge = PNG.slice()
    new DataView(huge.buffer).setUint32(20, 100_000_000)
    expect((await upload(huge)).status).toBe(413)
    expect((await env.FILES.list()).objects).toEqual([])
    for (const bg_url of [
      "/api/certificate_template/background/none.png",
      `/api/certificate_template/background/${"x".repeat(43)}.png`,
      "http://127.0.0.1/a.png",
      "javascript:alert(1)",
      "/etc/passwd",
      "https://images.example.com/a.png",
    ]) {
      const { status, body } = await post("/api/certificate_template", { ...NEW, bg_url })
      expect([status, Object.keys(body.errors)]).toEqual([422, ["bg_url"]])
    }
    expect((await get(`/api/certificate_template/background/${"x".repeat(43)}.png`)).status).toBe(410)
    expect((await get("/api/certificate_template/background/..%2Fexports")).status).toBe(404)
  })

  it("has a size that is read only from PNG and JPEG", () => {
    expect(readImage(PNG)).toEqual({ kind: "png", width: 2, height: 1 })
    expect(readImage(JPEG)).toEqual({ kind: "jpg", components: 3, width: 2, height: 1 })
    expect(readImage(JPEG.slice(0, 12))).toBeUndefined()
    expect(readImage(new Uint8Array())).toBeUndefined()
  })
})
