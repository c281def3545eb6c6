import { env } from "cloudflare:workers"
import { eq, sql } from "drizzle-orm"
import { afterEach, describe, expect, it } from "vitest"
import { assignmentUploads } from "../../drizzle/schema/assignments.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { classMaterials } from "../../drizzle/schema/classes.ts"
import { devices } from "../../drizzle/schema/devices.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { deliver, storedKeys } from "../factories/exports.ts"
import { db, PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { cost, get, post } from "../helpers/client.ts"

const DEFAULTS = {
  MAX_UNUSED_FILES: env.MAX_UNUSED_FILES,
  MAX_UNUSED_MB: env.MAX_UNUSED_MB,
  MAX_DEVICES: env.MAX_DEVICES,
  MAX_RUNNING_EXPORTS: env.MAX_RUNNING_EXPORTS,
  MAX_KEPT_EXPORTS: env.MAX_KEPT_EXPORTS,
}
const given = (vars: Partial<typeof DEFAULTS>) => Object.assign(env, vars)
afterEach(() => void Object.assign(env, DEFAULTS))

const PDF = "%PDF-1.4\n%%EOF\n"

/** A form with one small file of an accepted type. */
function fileForm(field: string, bytes = PDF.length): FormData {
  const form = new FormData()
  form.set(field, new File([PDF.padEnd(bytes, "\n")], "essay.pdf", { type: "application/pdf" }))
  return form
}

describe("unused files", () => {
  const ways = [
    { of: "an assignment", path: "/api/module/assignment/upload", field: "file", table: assignmentUploads },
    { of: "a class", path: "/api/class/study-material/upload", field: "file", table: classMaterials },
  ] as const

  it.each(ways)("for $of are refused beyond the quota per person", async ({ path, field, table }) => {
    given({ MAX_UNUSED_FILES: "2" })
    const [one, other] = [await signedIn("staff"), await signedIn("staff")]
    const send = (token: string) => post(path, fileForm(field), { token })
    const first = await send(one.token)
    expect(first.status).toBeLessThan(300)
    expect(cost(first).roundTrips).toBe(2)
    await send(one.token)
    const refused = await send(one.token)
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "too_many_files",
        message: expect.stringMatching(/2 unused uploaded files.*limit is 2 files.*seven days/),
      },
    })
    expect(await rowsOf(table)).toHaveLength(2)
    expect(await storedKeys()).toHaveLength(2)
    expect((await send(other.token)).status).toBeLessThan(300)
  })

  it("of API keys are counted together, separately from users'", async () => {
    given({ MAX_UNUSED_FILES: "1" })
    const { token } = await signedIn("staff")
    const [one, other] = [await apiKey({ role: "staff" }), await apiKey({ role: "staff" })]
    const send = async (by: string) => (await post(ways[1].path, fileForm("file"), { token: by })).status
    expect([await send(token), await send(one.token), await send(other.token)]).toEqual([200, 200, 409])
  })

  it.each(ways)("for $of are refused beyond the quota of bytes", async ({ path, field }) => {
    given({ MAX_UNUSED_MB: "1" })
    const { token } = await signedIn("staff")
    const send = (bytes: number) => post(path, fileForm(field, bytes), { token })
    expect((await send(600_000)).status).toBeLessThan(300)
    expect(await send(600_000)).toMatchObject({ status: 409, body: { code: "too_many_files" } })
    expect((await send(300_000)).status).toBeLessThan(300)
  })

  it.each(ways)("for $of stay within the quota with parallel uploads", async ({ path, field, table }) => {
    given({ MAX_UNUSED_FILES: "3" })
    const { token } = await signedIn("staff")
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(path, fileForm(field), { token })))
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    expect(await rowsOf(table)).toHaveLength(3)
    expect(await storedKeys()).toHaveLength(3)
  })

  it("no longer count once a submission or class uses them, and cost the same however many are used", async () => {
    given({ MAX_UNUSED_FILES: "1" })
    const { token, id } = await signedIn("staff")
    const send = () => post("/api/module/assignment/upload", fileForm("file"), { token })
    const { read } = cost(await send())
    expect((await send()).status).toBe(409)
    await db.update(assignmentUploads).set({ state: "used" })
    await db.run(sql`insert into assignment_uploads
      (id, user_id, object_key, filename, extension, mime, bytes, state, created_at)
      with recursive n (i) as (select 1000 union all select i + 1 from n where i < 3000)
      select i, ${id}, 'k' || i, 'a.pdf', 'pdf', 'application/pdf', 1, 'used', 0 from n`)
    const again = await send()
    expect(again.status).toBeLessThan(300)
    expect(cost(again).read).toBeLessThan(read + 20)
  })
})

describe("devices", () => {
  const signIn = (email: string, device: string) => post("/login", { email, password: PASSWORD, device })

  it("beyond the quota end the least recently used one immediately", async () => {
    given({ MAX_DEVICES: "2" })
    const ada = await user()
    const phone = (await signIn(ada.email, "Phone")).body
    const laptop = (await signIn(ada.email, "Laptop")).body
    await db.update(devices).set({ refreshedAt: sql`${devices.refreshedAt} - 1000` })
    const renewed = (await post("/session/refresh", { refreshToken: phone.refreshToken })).body
    const third = await signIn(ada.email, "Tablet")
    expect(third.status).toBe(200)
    expect(cost(third).roundTrips).toBe(2)
    expect((await rowsOf(devices)).map(({ name }) => name).toSorted()).toEqual(["Phone", "Tablet"])
    expect((await get("/api/me", { token: laptop.token })).status).toBe(401)
    expect((await post("/session/refresh", { refreshToken: laptop.refreshToken })).status).toBe(401)
    for (const { token } of [renewed, third.body]) expect((await get("/api/me", { token })).status).toBe(200)
    expect((await rowsOf(auditLogs)).filter(({ subject }) => subject === "device")).toMatchObject([
      {
        ...{ action: "deleted", effectOn: "Laptop", performedBy: ada.id },
        details: { userId: ada.id, because: "At most 2 devices per user can be signed in." },
      },
    ])
  })

  it("of other users remain, as do sessions without a device", async () => {
    given({ MAX_DEVICES: "1" })
    const [ada, grace] = [await user(), await user()]
    const other = (await signIn(grace.email, "Phone")).body
    const plain = (await post("/login", { email: ada.email, password: PASSWORD })).body
    await signIn(ada.email, "Phone")
    await signIn(ada.email, "Laptop")
    expect(await db.select().from(devices).where(eq(devices.userId, ada.id))).toMatchObject([{ name: "Laptop" }])
    for (const { token } of [other, plain]) expect((await get("/api/me", { token })).status).toBe(200)
  })
})

describe("exports", () => {
  const begin = (token: string, n: number) =>
    post("/api/users/export", { search_param: { nameOrEmail: `person ${n}` } }, { token })

  it("run in parallel up to the quota, and the response says when to retry", async () => {
    given({ MAX_RUNNING_EXPORTS: "2" })
    const [one, other] = [await signedIn("admin"), await signedIn("admin")]
    const first = await begin(one.token, 1)
    expect(cost(first).roundTrips).toBe(2)
    await begin(one.token, 2)
    const refused = await begin(one.token, 3)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "too_many_exports", message: expect.stringMatching(/2 running exports.*cancel one/) },
    })
    expect(refused.headers.get("retry-after")).toBe("30")
    // The same export again returns the running one; exports of others are not counted.
    expect((await begin(one.token, 2)).status).toBe(200)
    expect((await begin(other.token, 3)).status).toBe(200)
    await deliver(first.body.export_id)
    expect((await begin(one.token, 3)).status).toBe(200)
  })

  it("that start in parallel stay within the quota", async () => {
    const { token } = await signedIn("admin")
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => begin(token, n)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    expect(await rowsOf(exportJobs)).toHaveLength(3)
  })

  it("are kept up to the quota: the oldest file expires and its object is deleted", async () => {
    given({ MAX_KEPT_EXPORTS: "2" })
    const { token } = await signedIn("admin")
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      const { body } = await begin(token, n)
      ids.push(body.export_id)
      await deliver(body.export_id)
      await db.update(exportJobs).set({ createdAt: n }).where(eq(exportJobs.id, body.export_id))
    }
    const [oldest = "", , newest = ""] = ids
    const download = (id: string) => get(`/api/users/export/download/${id}`, { token })
    expect(await download(oldest)).toMatchObject({ status: 410, body: { code: "export_expired" } })
    expect((await download(newest)).status).toBe(200)
    await runScheduled(env)
    expect((await storedKeys()).filter((key) => key.includes(oldest))).toEqual([])
    expect(await storedKeys()).toHaveLength(2)
  })
})
