import { describe, expect, it } from "vitest"
import { readSpreadsheet } from "../../src/lib/spreadsheet/spreadsheet.ts"
import { deliver } from "../factories/exports.ts"
import { signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { download, get, post, put } from "../helpers/client.ts"
import { anyIsoTime } from "../helpers/times.ts"

// The rows of a spreadsheet as CSV and as NDJSON.

type SignedIn = Awaited<ReturnType<typeof signedIn>>

async function exported(path: string, body: object, { token }: SignedIn) {
  const started = await post(path, body, { token })
  expect(started.status).toBe(200)
  const id: string = started.body.export_id
  await deliver(id)
  const { body: progress } = await get(`${path}/progress/${id}`, { token })
  const file = await download(progress.download_url, { token })
  return { filename: progress.filename as string, file, text: new TextDecoder().decode(file.body) }
}

describe("an export in another format", () => {
  it("is CSV with quotes, without a byte order mark, and without formulas", async () => {
    const admin = await signedIn("admin", { firstName: "Rob", email: "rob@example.com" })
    const name = { firstName: '=2+3 "x", y', lastName: "Zoë\nO'Neil", email: "+zoe@example.com" }
    const zoe = await user(name)
    const { filename, file, text } = await exported("/api/users/export", { format: "csv" }, admin)
    expect(filename).toMatch(/^users-\d{8}-\d{6}-[\da-f]{8}\.csv$/)
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${filename}"`)
    const [headers, ...lines] = text.split("\r\n")
    expect(headers).toBe(
      "id,first_name,last_name,is_disabled,email,avatar,user_type,display_user_type,display_type,created_at," +
        "createdAt,updatedAt,last_login,lastLoginAt,source,portals,user_category,externalId",
    )
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(`${zoe.id},"'=2+3 ""x"", y","Zoë\nO'Neil",false,'+zoe@example.com,`)
    expect(lines[1]).toContain(',Never,,API,"",""'.replaceAll('""', ""))
    expect(lines[2]).toBe("")
    const rows = await readSpreadsheet(new Uint8Array(file.body), 10)
    expect(rows.map(({ cells }) => cells[0])).toEqual(["id", String(admin.id), String(zoe.id)])
  })

  it("is an object in each line, with the keys of the fields and unchanged text", async () => {
    const admin = await signedIn("admin")
    const field = { type: "text", displayType: "Text", label: "Course", userMetaKey: "course", isRequired: false }
    await put("/api/users/customUserFields", { fields: [{ ...field, includeInReportExports: ["course-insight"] }] })
    const ada = await user({ firstName: "=Ada", lastName: "Byron", email: "ada@example.com" })
    await put(`/api/user/${ada.id}`, { customUserMetas: { course: { submitted_value: "private" } } })
    const algebra = await course({ name: "Algebra" })
    const { id } = await enrollment(ada, algebra, { registeredAt: Date.UTC(2026, 0, 5) })
    const kind = "/api/learner-insight/report/export"
    const { filename, file, text } = await exported(kind, { format: "ndjson" }, admin)
    expect(filename).toMatch(/\.ndjson$/)
    expect(file.headers.get("content-type")).toBe("application/x-ndjson")
    expect(text.endsWith("\n")).toBe(true)
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        id,
        ...{ user_id: ada.id, course_id: algebra.id, name: "=Ada Byron", email: "ada@example.com", course: "Algebra" },
        ...{
          status: "Not Started",
          percent: 0,
          registered_on: "Jan 05, 2026",
          registeredAt: "2026-01-05T00:00:00.000Z",
        },
        ...{ started_on: "Never", startedAt: null, completed_on: "Never", completedAt: null, expire_on: "Never" },
        ...{ expiresAt: null, last_accessed_on: "Never", lastAccessedAt: null, updatedAt: anyIsoTime },
        ...{ dueAt: null, dueStatus: null, cycle: 1 },
        ...{ time_spent_seconds: 0, course_2: "private" },
      },
    ])
  })

  it("has modules by id in the gradebook, and no row of possible points", async () => {
    const admin = await signedIn("admin")
    const essay = { name: "Essay", content: "x", submission_type: "text", totalPoints: 20 }
    const { id: moduleId } = (await post("/api/modules/assignment", essay)).body
    const ada = await user()
    await enrollment(ada, await course({}, [{ moduleId }]))
    const { text } = await exported("/api/user/gradebook/export", { format: "ndjson" }, admin)
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(rows).toMatchObject([{ user_id: ada.id, [`module_${moduleId}`]: null, points: null }])
    expect((await exported("/api/user/gradebook/export", { format: "csv" }, admin)).text).not.toContain("possible,x")
  })

  it("is the same export as without a format when it is xlsx; an unknown format returns 422", async () => {
    const admin = await signedIn("admin")
    const start = (body: object) => post("/api/users/export", body, { token: admin.token })
    const first = await start({})
    expect((await start({ format: "XLSX" })).body.export_id).toBe(first.body.export_id)
    expect((await start({ format: "csv" })).body.export_id).not.toBe(first.body.export_id)
    expect((await start({ format: "pdf" })).body.errors).toHaveProperty("format")
  })
})
