import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { enrollments, moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { modules } from "../../drizzle/schema/modules.ts"
import { scormAttempts, scormInteractions } from "../../drizzle/schema/scorm.ts"
import { toStatusRowId } from "../../src/modules/enrollments/module-statuses.queries.ts"
import { toPoints } from "../../src/modules/scorm/scorm-run-time.ts"
import { storedKeys } from "../factories/exports.ts"
import { db, group, rowsOf, signedIn } from "../factories/index.ts"
import { changeMeanwhile, course, enrollment } from "../factories/learning.ts"
import {
  manifest12,
  manifest2004,
  PACKAGE_12,
  PACKAGE_2004,
  packageForm,
  uploadPackage,
  zip,
} from "../factories/scorm.ts"
import { rawZip } from "../factories/zips.ts"
import { CONTENT_ORIGIN, call, cookieOf, cost, download, get, post, put, query } from "../helpers/client.ts"

/** The status row of the first enrollment and module. */
/** What the console frames besides packages: its own PDF files, and players. */
const FRAMED = "'self' https://www.youtube-nocookie.com https://player.vimeo.com"
const FIRST = toStatusRowId({ enrollmentId: 1, moduleId: 1 })

describe("SCORM packages", () => {
  it("of SCORM 1.2 become modules, with files in R2 under a random prefix", async () => {
    const staff = await signedIn("staff")
    const created = await uploadPackage(PACKAGE_12, { token: staff.token })
    expect(created.body).toEqual({ id: 1, message: "Module created." })
    expect(cost(created).roundTrips).toBe(1)
    const [row] = await rowsOf(modules)
    expect(row).toMatchObject({
      type: "scorm",
      name: "Fire & Safety",
      scormVersion: "1.2",
      launchPath: "index.html",
      authorId: staff.id,
    })
    expect(row?.packageKey).toMatch(/^scorm\/[\w-]{43}$/)
    expect((await storedKeys()).sort()).toEqual(
      Object.keys(PACKAGE_12)
        .map((path) => `${row?.packageKey}/${path}`)
        .sort(),
    )
    const read = await get("/api/modules/scorm/1")
    const bytes = Object.values(PACKAGE_12).reduce((sum, text) => sum + text.length, 0)
    expect(read.body).toMatchObject({ name: "Fire & Safety", scormVersion: "1.2", packageBytes: bytes })
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({ action: "created", subject: "module" })
    expect((await put("/api/modules/scorm/1", { name: "Fire" })).status).toBe(200)
    const listed = await get(`/api/modules/scorm${query({ page_size: 5, page_number: 1 })}`)
    expect(listed.body).toMatchObject({ recordsTotal: 1, records: [{ name: "Fire", type: "scorm" }] })
  })

  it("of SCORM 2004 can have namespaces, bases, parameters and spaces", async () => {
    await uploadPackage(PACKAGE_2004)
    expect(await rowsOf(modules)).toMatchObject([
      { name: "Fire & Safety", scormVersion: "2004", launchPath: "sco/start page.html?a=1" },
    ])
  })

  it("can declare the encoding of their manifest", async () => {
    const named = (name: string, encoding: string) =>
      manifest12().replace("Fire &amp; Safety", name).replace("UTF-8", encoding)
    const unitsOf = (text: string, swap: boolean) =>
      new Uint8Array(
        Array.from(`\ufeff${text}`, (unit) => unit.charCodeAt(0)).flatMap((unit) =>
          swap ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8],
        ),
      )
    const latin = Uint8Array.from(named("Café", "ISO-8859-1"), (unit) => unit.charCodeAt(0))
    for (const manifest of [unitsOf(named("火災", "UTF-16"), false), unitsOf(named("火災", "UTF-16"), true), latin])
      await uploadPackage({ ...PACKAGE_12, "imsmanifest.xml": manifest })
    expect((await rowsOf(modules)).map(({ name }) => name)).toEqual(["火災", "火災", "Café"])
    const unread = await uploadPackage({ ...PACKAGE_12, "imsmanifest.xml": named("x", "EBCDIC-9") })
    expect(unread).toMatchObject({ status: 422, body: { message: /EBCDIC-9.*UTF-8/ } })
    const broken = new Uint8Array(Buffer.from(named("Café", "UTF-8"), "latin1"))
    const refused = await uploadPackage({ ...PACKAGE_12, "imsmanifest.xml": broken })
    expect(refused).toMatchObject({ status: 422, body: { message: /cannot be decoded as UTF-8/ } })
    expect(await rowsOf(modules)).toHaveLength(3)
  })

  it("can be zipped with their folder", async () => {
    const inFolder = Object.fromEntries(Object.entries(PACKAGE_12).map(([path, text]) => [`course/${path}`, text]))
    const created = await uploadPackage({ ...inFolder, "__MACOSX/course/._index.html": "x" })
    expect(created.status).toBe(200)
    expect((await storedKeys()).every((key) => !/course|MACOSX/.test(key))).toBe(true)
  })

  it("are rejected if they are malicious, and leave nothing in R2", async () => {
    const manifest = manifest12()
    const padded = (more: string) => manifest.replace("<metadata>", `${more}<metadata>`)
    const x = "x".repeat(1_000_000)
    const files = (names: string[]) => [
      { name: "imsmanifest.xml", content: manifest },
      { name: "index.html", content: "<title>a</title>" },
      ...names.map((name) => ({ name, content: "b" })),
    ]
    const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i))
    const packed = async (more: string) => zip({ ...PACKAGE_12, "imsmanifest.xml": padded(more) })
    const cases: [string, Uint8Array | Promise<Uint8Array>, number, RegExp][] = [
      ["a name over 900 bytes", rawZip(files([`${"n".repeat(901)}.js`])), 422, /longer than 900 bytes/],
      ["a name of many bytes in few letters", rawZip(files(["火".repeat(301)])), 422, /longer than 900 bytes/],
      ["a file twice", rawZip(files(["a.js", "./a.js"])), 422, /the file a.js twice/],
      [
        "files over one another",
        rawZip([...files([]), { name: "c.js", content: "c", at: 0 }]),
        422,
        /lie over one another/,
      ],
      ["a size that is not so", rawZip([...files([]), { name: "c.js", content: "c", size: 5 }]), 422, /declared size/],
      ["5,001 folders", rawZip(files(many(5001, (i) => `f${i}/`))), 413, /more than 5000 files/],
      ["901 files", rawZip(files(many(899, (i) => `f${i}`))), 413, /901 files/],
      ["a bomb", zip({ ...PACKAGE_12, "a.bin": new Uint8Array(30_000_000) }), 413, /100 times/],
      ["a manifest of one comment", packed(`<!--${x}-->`), 413, /imsmanifest.xml is too large/],
      ["a manifest of one attribute", packed(`<a b="${x}"/>`), 413, /imsmanifest.xml is too large/],
      ["a deep manifest", packed("<item>".repeat(3000) + "</item>".repeat(3000)), 413, /imsmanifest.xml is too large/],
      ["a manifest of elements", packed("<a/>".repeat(60_000)), 413, /imsmanifest.xml is too large/],
      ["a manifest of entities", packed("&lol;"), 422, /not well-formed/],
      ["an unclosed manifest", packed("<a>"), 422, /not well-formed/],
      [
        "a launch of a long name",
        zip({ ...PACKAGE_12, "imsmanifest.xml": manifest12("h".repeat(5000)) }),
        422,
        /not a valid file name/,
      ],
      ["names of every object", packed("<__proto__ constructor='1' __proto__='2'/>"), 200, /created/],
    ]
    for (const [what, bytes, status, message] of cases) {
      const response = await post("/api/modules/scorm", packageForm(await bytes))
      expect(response, what).toMatchObject({ status, body: { message } })
      if (status !== 200) expect(await storedKeys(), what).toEqual([])
    }
  })

  it("can be replaced by a later upload", async () => {
    await uploadPackage(PACKAGE_12)
    const replaced = await post("/api/modules/scorm/1/package", packageForm(await zip(PACKAGE_2004)))
    expect(replaced.body).toEqual({ message: "Module updated." })
    expect(await rowsOf(modules)).toMatchObject([{ scormVersion: "2004", name: "Fire & Safety" }])
    expect((await post("/api/modules/scorm/9/package", packageForm(await zip(PACKAGE_2004)))).status).toBe(404)
    expect(await storedKeys()).toHaveLength(6)
  })

  for (const [what, files, status, message] of [
    ["without a manifest", { "index.html": "x" }, 422, /no imsmanifest.xml/],
    ["whose manifest is no XML", { "imsmanifest.xml": "<manifest" }, 422, /no manifest element|well-formed/],
    ["whose manifest is of no version", { "imsmanifest.xml": "<manifest/>" }, 422, /1\.2 or 2004/],
    ["that launches what it does not have", { "imsmanifest.xml": manifest12("gone.html") }, 422, /not in the package/],
    ["that launches another site", { "imsmanifest.xml": manifest12("https://evil.example/") }, 422, /not a file/],
    ["that launches a way out", { "imsmanifest.xml": manifest2004("../../x.html") }, 422, /not a file/],
    ["with a path out of it", { ...PACKAGE_12, "../../etc/passwd": "x" }, 422, /leads out/],
    ["with a rooted path", { ...PACKAGE_12, "/etc/passwd": "x" }, 422, /leads out/],
  ] as const) {
    it(`${what} are rejected, and leave nothing behind`, async () => {
      const refused = await uploadPackage(files as Record<string, string>)
      expect(refused).toMatchObject({ status, body: { errors: { package: [expect.stringMatching(message)] } } })
      expect(await rowsOf(modules)).toEqual([])
      expect(await storedKeys()).toEqual([])
    })
  }

  it("are rejected if they are not a zip, too large or have too many files", async () => {
    const plain = new TextEncoder().encode("not a zip at all")
    expect((await post("/api/modules/scorm", packageForm(plain))).status).toBe(415)
    const cut = new Uint8Array((await zip(PACKAGE_12)).buffer.slice(0, 200))
    expect((await post("/api/modules/scorm", packageForm(cut))).status).toBe(415)
    expect((await post("/api/modules/scorm", packageForm(new Uint8Array(25_000_001)))).status).toBe(413)
    const many = Object.fromEntries(Array.from({ length: 901 }, (_, i) => [`f${i}.txt`, ""]))
    expect((await uploadPackage({ ...PACKAGE_12, ...many })).status).toBe(413)
    expect((await post("/api/modules/scorm", new FormData())).body.errors).toHaveProperty("package")
    expect((await post("/api/modules/scorm", { name: "A" })).status).toBe(415)
    expect(await storedKeys()).toEqual([])
  })

  it("are rejected if they unpack to more than declared or allowed", async () => {
    const bytes = await zip({ ...PACKAGE_12, "bomb.txt": "0".repeat(100_000) })
    // Reduces the declared size of the last file, as a zip bomb does.
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    for (let i = 0; i < bytes.length - 4; i++)
      if (view.getUint32(i, true) === 0x02014b50 && view.getUint32(i + 24, true) === 100_000)
        view.setUint32(i + 24, 10, true)
    expect(await post("/api/modules/scorm", packageForm(bytes))).toMatchObject({
      status: 422,
      body: { message: /declared size/ },
    })
    const huge = await zip(PACKAGE_12)
    const seen = new DataView(huge.buffer, huge.byteOffset)
    for (let i = 0; i < huge.length - 4; i++)
      if (seen.getUint32(i, true) === 0x02014b50) seen.setUint32(i + 24, 200_000_000, true)
    expect((await post("/api/modules/scorm", packageForm(huge))).status).toBe(413)
    expect(await storedKeys()).toEqual([])
    expect(await rowsOf(modules)).toEqual([])
  })
})

/** Enrolls a learner in a course with one package. */
async function running(files: Record<string, string> = PACKAGE_12, link: object = {}) {
  const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron" })
  const { body } = await uploadPackage(files)
  const inside = await course({}, [{ moduleId: body.id, ...link }])
  const registered = await enrollment(learner, inside)
  const ref = { registrationId: registered.id, moduleId: body.id as number }
  const options = { token: learner.token }
  return {
    learner,
    ref,
    launch: (token = learner.token) => get(`/api/scorm/launch${query(ref)}`, { token }),
    commit: (cmi: object, token = learner.token) => post("/api/scorm/commit", { ...ref, cmi }, { token }),
    options,
  }
}

const file = (url: string) => new URL(url).pathname + new URL(url).search

/** The attributes of the outer frame that describe the package. */
async function framed(launchUrl: string) {
  const frame = await get(launchUrl)
  expect(frame.status).toBe(200)
  const [, player = "", within = ""] = /data-player="([^"]*)" data-package="([^"]*)"/.exec(frame.body) ?? []
  return { frame, player, within }
}
const policyOf = ({ headers }: { headers: Headers }) => (headers.get("content-security-policy") ?? "").split("; ")

describe("a package's content", () => {
  afterEach(() => {
    env.CONTENT_ORIGIN = CONTENT_ORIGIN
    env.BASE_URL = ""
    env.ENVIRONMENT = "development"
  })

  it("is framed by a page of its origin, which only the player may frame", async () => {
    const { launch } = await running(PACKAGE_2004)
    const launched = await launch()
    expect(cost(launched).roundTrips).toBe(1)
    expect(launched.body).toMatchObject({ version: "2004", statusRowId: -1, attempt: 0 })
    const { launch_url, commit_url } = launched.body
    expect(launch_url).toMatch(/^https:\/\/content\.lectern\.test\/scorm\/[\w.-]+\/$/)
    expect(new URL(commit_url).origin).toBe("https://lectern.test")
    const { frame, player, within } = await framed(launch_url)
    expect([player, within]).toEqual(["https://lectern.test", `${launch_url}sco/start%20page.html?a=1`])
    expect(frame.body).toContain(`<script defer src="${CONTENT_ORIGIN}/assets/scorm/2004.js"></script>`)
    expect(policyOf(frame)).toEqual([
      "default-src 'none'",
      `script-src ${CONTENT_ORIGIN}/assets/scorm/`,
      `frame-src ${launch_url}`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors https://lectern.test",
      "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads",
    ])
    expect(frame.headers.get("cache-control")).toBe("no-store")
    expect(frame.headers.get("x-frame-options")).toBeNull()
    expect((await env.ASSETS.fetch(`${CONTENT_ORIGIN}/assets/scorm/2004.js`)).status).toBe(200)
    expect((await env.ASSETS.fetch(`${CONTENT_ORIGIN}/assets/scorm/1.2.js`)).status).toBe(200)
  })

  it("is served with content types and ranges, restricted by its policy", async () => {
    const { launch } = await running()
    const { launch_url } = (await launch()).body
    const { within } = await framed(launch_url)
    const page = await download(within)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toMatch(/^text\/html/)
    expect(page.headers.get("content-disposition")).toBe('inline; filename="index.html"')
    expect(page.headers.get("x-content-type-options")).toBe("nosniff")
    expect(page.headers.get("referrer-policy")).toBe("same-origin")
    expect(policyOf(page)).toEqual([
      `default-src ${launch_url} 'unsafe-inline' 'unsafe-eval' data: blob:`,
      "object-src 'none'",
      "worker-src blob:",
      "form-action 'none'",
      `base-uri ${launch_url}`,
      `frame-ancestors ${CONTENT_ORIGIN} https://lectern.test`,
      "sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads",
    ])
    expect(new TextDecoder().decode(page.body)).toBe(PACKAGE_12["index.html"])
    const script = await download(`${launch_url}js/app.js`)
    expect(script.headers.get("content-type")).toMatch(/javascript/)
    const clip = await download(`${launch_url}media/clip.mp4`, { headers: { range: "bytes=2-4" } })
    expect([clip.status, clip.headers.get("content-type"), new TextDecoder().decode(clip.body)]).toEqual([
      206,
      "video/mp4",
      "234",
    ])
    expect((await get(`${launch_url}none.js`)).status).toBe(404)
    expect((await call("HEAD", within)).status).toBe(200)
  })

  it("can't register a service worker", async () => {
    const { launch } = await running()
    const { launch_url } = (await launch()).body
    for (const path of ["", "index.html"])
      expect((await get(`${launch_url}${path}`, { headers: { "service-worker": "script" } })).status).toBe(403)
  })

  it("always has a content security policy, and never sets a cookie", async () => {
    const { launch } = await running()
    const { launch_url } = (await launch()).body
    const answers = [
      await get(launch_url),
      await get(`${launch_url}index.html`),
      await get(`${launch_url}none.js`),
      await get(`${CONTENT_ORIGIN}/scorm/none/index.html`),
      await get(launch_url, { headers: { "service-worker": "script" } }),
      await call("PATCH", launch_url),
      await call("POST", `${launch_url}index.html`, { body: {} }),
      await get(`${CONTENT_ORIGIN}/api/userType/lookup`),
    ]
    for (const { headers, status } of answers) {
      expect(headers.get("content-security-policy"), String(status)).toContain("default-src ")
      expect(headers.get("set-cookie")).toBeNull()
    }
  })

  it("is not served without a valid token of the package, on another origin, or after expiry", async () => {
    const { launch } = await running()
    const { launch_url } = (await launch()).body
    const url = `${launch_url}index.html`
    expect((await get(url)).status).toBe(200)
    const refused = [
      `${CONTENT_ORIGIN}/scorm/AAAA/index.html`,
      url.replace("/scorm/", "/scorm/x"),
      ...[url, launch_url].map((one) => one.replace(CONTENT_ORIGIN, "https://lectern.test")),
    ]
    for (const one of refused) expect((await get(one)).status, one).toBe(404)
    env.CONTENT_ORIGIN = "https://other.lectern.test"
    expect((await get(url.replace(CONTENT_ORIGIN, env.CONTENT_ORIGIN))).status).toBe(404)
    env.CONTENT_ORIGIN = CONTENT_ORIGIN
    vi.useFakeTimers({ toFake: ["Date"] })
    vi.setSystemTime(Date.now() + 13 * 3_600_000)
    for (const one of [url, launch_url]) expect((await get(one)).status).toBe(404)
  })

  it("is the only thing that its origin serves", async () => {
    const { token } = await signedIn("owner")
    const { operations } = await import("../../src/http/operation.ts")
    const paths = operations.map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, "1")] as const)
    const pages = ["/", "/login", "/console", "/console/users", "/learn", "/docs", "/openapi.json", "/health", "/ready"]
    for (const [method, path] of [...paths, ...pages.map((page) => ["get", page] as const)]) {
      const response = await call(method.toUpperCase(), `${CONTENT_ORIGIN}${path}`, {
        token,
        headers: cookieOf(token),
        ...(method !== "get" && { body: {} }),
      })
      expect([response.status, response.body.code], `${method} ${path}`).toEqual([404, "unknown_path"])
    }
    env.ALLOWED_ORIGINS = "*"
    const preflight = await call("OPTIONS", `${CONTENT_ORIGIN}/api/users/tabularlist`, {
      headers: { origin: "https://evil.test", "access-control-request-method": "GET" },
    })
    env.ALLOWED_ORIGINS = ""
    expect(preflight.status).toBe(404)
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull()
    expect((await rowsOf(auditLogs)).filter(({ action }) => action !== "login")).toEqual([])
  })

  it("can't be launched in a deployment without a content origin", async () => {
    const { launch } = await running()
    env.ENVIRONMENT = "production"
    const refused = { status: 409, body: { code: "content_origin_required", message: /CONTENT_ORIGIN/ } }
    for (const none of ["", "not an origin", "ftp://content.lectern.test", "https://lectern.test"]) {
      Object.assign(env, { CONTENT_ORIGIN: none, BASE_URL: "https://lectern.test" })
      expect(await launch(), none).toMatchObject(refused)
      expect((await get("/console", { headers: cookieOf((await signedIn("staff")).token) })).status).toBe(200)
    }
    const { headers } = await get("/console", { headers: cookieOf((await signedIn("staff")).token) })
    expect(policyOf({ headers })).toContain(`frame-src ${FRAMED}`)
  })

  it("runs locally under the machine's other host name", async () => {
    const { ref, options } = await running()
    env.CONTENT_ORIGIN = ""
    const at = async (origin: string) => (await get(`${origin}/api/scorm/launch${query(ref)}`, options)).body.launch_url
    for (const [page, content] of [
      ["http://localhost:8787", "http://127.0.0.1:8787"],
      ["http://127.0.0.1:8787", "http://localhost:8787"],
    ] as const) {
      const url = await at(page)
      expect(new URL(url).origin).toBe(content)
      expect((await framed(url)).player).toBe(page)
      expect((await get(url.replace(content, page))).status).toBe(404)
      const staff = await signedIn("staff")
      const console = await get(`${page}/console`, { headers: { cookie: `session=${staff.token}` } })
      expect(policyOf(console)).toContain(`frame-src ${FRAMED} ${content}`)
    }
    expect((await get(`https://lectern.test/api/scorm/launch${query(ref)}`, options)).status).toBe(409)
  })

  it("can be launched only by the learner and staff once the module is open", async () => {
    const { launch, learner } = await running()
    const other = await signedIn("general")
    const admin = await signedIn("group_admin")
    const staff = await signedIn("staff")
    await group({ admins: [admin.id], members: [learner.id] })
    expect((await launch(other.token)).status).toBe(404)
    expect((await launch(admin.token)).status).toBe(404)
    expect((await launch(staff.token)).status).toBe(200)
    expect((await get("/api/scorm/launch", { token: staff.token })).body.errors).toHaveProperty("registrationId")
    const dripped = await running(PACKAGE_12, { dripDays: 2 })
    expect(await dripped.launch()).toMatchObject({ status: 409, body: { message: /^Available on/ } })
    expect((await dripped.commit({ "cmi.core.lesson_status": "completed" })).status).toBe(409)
    await db.update(modules).set({ packageKey: null, scormVersion: null })
    expect(await launch()).toMatchObject({ status: 409, body: { message: /no SCORM package/ } })
  })
})

describe("run-time data", () => {
  it("of SCORM 1.2 is stored with the attempt and updates the module", async () => {
    const { commit, launch, learner } = await running()
    const started = await commit({
      "cmi.core.lesson_status": "incomplete",
      "cmi.core.lesson_location": "page 3",
      "cmi.core.exit": "suspend",
      "cmi.core.session_time": "0000:01:30.50",
      "cmi.suspend_data": "état=1",
    })
    expect(started.body).toEqual({
      message: "Committed.",
      result: true,
      errorCode: 0,
      statusRowId: FIRST,
      attempt: 1,
      status: "In Progress",
      completion_status: "incomplete",
      success_status: "unknown",
    })
    expect(cost(started).roundTrips).toBe(2)
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "In Progress", timeSpent: 91, timesAccessed: 1 }])
    const resumed = await launch()
    expect(resumed.body).toMatchObject({ attempt: 1, statusRowId: FIRST })
    expect(resumed.body.cmi).toEqual({
      "cmi.core.lesson_status": "incomplete",
      "cmi.core.lesson_location": "page 3",
      "cmi.suspend_data": "état=1",
      "cmi.core.student_id": String(learner.id),
      "cmi.core.student_name": "Byron, Ada",
      "cmi.core.entry": "resume",
      "cmi.core.total_time": "0000:01:30.50",
    })
    const done = await commit({
      cmi: {
        core: {
          lesson_status: "passed",
          session_time: "00:00:10",
          total_time: "0000:01:30.50",
          score: { raw: 87.6, min: 0, max: "100" },
        },
      },
    })
    expect(done.body).toMatchObject({ attempt: 1, status: "Completed", success_status: "passed" })
    expect(await rowsOf(scormAttempts)).toMatchObject([
      {
        number: 1,
        completionStatus: "completed",
        successStatus: "passed",
        scoreRaw: 87.6,
        scoreMax: 100,
        totalTime: 100.5,
      },
    ])
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "Completed", pointsAwarded: 88, timeSpent: 101 }])
    expect(await rowsOf(enrollments)).toMatchObject([{ status: "Completed", percent: 100 }])
    expect((await rowsOf(auditLogs)).filter((row) => row.subject === "scorm attempt")).toMatchObject([
      { action: "created" },
      { action: "updated", details: { successStatus: "passed" } },
    ])
  })

  it("of SCORM 2004 is stored with its interactions, which the reports show", async () => {
    const { commit, learner } = await running(PACKAGE_2004)
    const interactions = {
      0: {
        id: "q1",
        type: "choice",
        objectives: { 0: { id: "fire" } },
        timestamp: "2026-01-05T15:04:00",
        correct_responses: { 0: { pattern: "a" }, 1: { pattern: "b" } },
        weighting: 2,
        learner_response: "=a",
        result: "correct",
        latency: "PT5S",
        description: "Which?",
      },
      1: { id: "q2", type: "true-false" },
    }
    const body = {
      completion_status: "completed",
      success_status: "failed",
      score: { scaled: 0.4, raw: 40, min: 0, max: 100 },
      session_time: "PT1H2M3.5S",
      interactions,
    }
    expect((await commit(body)).body).toMatchObject({ status: "In Progress", success_status: "failed" })
    const again = await commit({ ...body, success_status: "passed", interactions: { childArray: [interactions[0]] } })
    expect(again.body).toMatchObject({ status: "Completed", attempt: 1 })
    expect(await rowsOf(scormInteractions)).toMatchObject([{ position: 0, learnerResponse: "=a" }])
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ pointsAwarded: 40, timeSpent: 3724 }])

    const sheet = async (kind: string, more = "") => {
      const response = await download(`/api/${kind}/spreadsheet/${FIRST}${more}`, { token: learner.token })
      expect(response.status).toBe(200)
      return (await readXlsx(response.body)).sheets[0]?.rows ?? []
    }
    const [headers, attempt] = await sheet("scorm-report", `?studentId=${learner.id}`)
    expect(headers).toEqual([
      "attempt",
      "started",
      "last accessed",
      "completion status",
      "success status",
      "score raw",
      "score min",
      "score max",
      "score scaled",
      "total time",
    ])
    expect([attempt?.[0], ...(attempt?.slice(3) ?? [])]).toEqual([
      1,
      "completed",
      "passed",
      40,
      0,
      100,
      0.4,
      "0001:02:03.50",
    ])
    const [, activity] = await sheet("scorm-activity-report")
    expect(activity).toEqual([
      1,
      0,
      "q1",
      "choice",
      "fire",
      "2026-01-05T15:04:00",
      "a\nb",
      "2",
      "=a",
      "correct",
      "PT5S",
      "Which?",
    ])
    const other = await signedIn("general")
    for (const kind of ["scorm-report", "scorm-activity-report"]) {
      expect((await get(`/api/${kind}/spreadsheet/${FIRST}`)).status).toBe(302)
      expect((await get(`/api/${kind}/spreadsheet/${FIRST}`, { token: other.token })).status).toBe(404)
      expect(
        (await get(`/api/${kind}/spreadsheet/${FIRST}?studentId=${other.id}`, { token: learner.token })).status,
      ).toBe(404)
    }
  })

  it("is rejected if it is nested too deeply", async () => {
    const { commit } = await running()
    let nested: object = { exit: "suspend" }
    for (let i = 0; i < 25; i++) nested = { childArray: nested }
    expect((await commit({ core: { childArray: { childArray: { exit: "suspend" } } } })).status).toBe(200)
    expect(await commit(nested)).toMatchObject({ status: 422, body: { errors: { cmi: [/invalid element/] } } })
  })

  it("is reported completely for many attempts and interactions", async () => {
    const { commit, learner } = await running()
    await commit({ interactions: { 0: { id: "q0", student_response: "a" } } })
    await db.run(sql`with recursive n(i) as (select 2 union all select i + 1 from n where i < 4100)
      insert into scorm_attempts (id, enrollment_id, module_id, status_row_id, number, scorm_version, completion_status,
        success_status, cmi, started_at, last_accessed_at)
      select i, enrollment_id, module_id, status_row_id, i, scorm_version, 'completed', 'passed', '{}', 0, 0
      from n, scorm_attempts where id = 1`)
    await db.run(sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 4998)
      insert into scorm_interactions (attempt_id, position, interaction_id, type, objectives, timestamp,
        correct_responses, weighting, learner_response, result, latency, description)
      select 2 + i / 999, i % 999, 'q' || i, 'choice', '', '', '', '1', 'answer ' || i, 'correct', 'PT1S', ''
      from n`)
    const sheet = async (kind: string) => {
      const response = await download(`/api/${kind}/spreadsheet/${FIRST}`, { token: learner.token })
      expect([response.status, cost(response).roundTrips]).toEqual([200, 1])
      return (await readXlsx(response.body)).sheets[0]?.rows ?? []
    }
    const [, ...attempts] = await sheet("scorm-report")
    expect(attempts.map(([number]) => number)).toEqual(Array.from({ length: 4100 }, (_, i) => i + 1))
    const [headers, first, ...activity] = await sheet("scorm-activity-report")
    expect([headers?.[0], first?.[2], activity.length]).toEqual(["attempt", "q0", 4999])
    expect(activity.map(([, , id]) => id)).toEqual(Array.from({ length: 4999 }, (_, i) => `q${i}`))
    expect(activity.at(-1)?.slice(0, 2)).toEqual([7, 3])
  })

  it("adds the time of each session once, even if it is committed repeatedly", async () => {
    const { commit } = await running()
    const at = (session_time: string, total_time?: string) =>
      commit({ core: { lesson_status: "incomplete", session_time, ...(total_time && { total_time }) } })
    const total = async () => (await rowsOf(scormAttempts))[0]?.totalTime
    await at("00:00:10", "00:00:00")
    await at("00:01:00", "00:00:00")
    expect(await total()).toBe(60)
    await at("00:01:00", "00:01:00")
    expect(await total()).toBe(60)
    await at("00:01:30", "00:01:00")
    expect(await total()).toBe(150)
    await at("00:00:20", "00:02:50")
    expect(await total()).toBe(170)
    await at("00:00:05")
    expect(await total()).toBe(175)
  })

  it("distinguishes sessions by their launch", async () => {
    const { launch, options } = await running()
    const session = async (commitUrl: string, session_time: string) =>
      post(file(commitUrl), { "cmi.core.lesson_status": "incomplete", "cmi.core.session_time": session_time }, options)
    for (const expected of [60, 120]) {
      const { commit_url } = (await launch()).body
      await session(commit_url, "00:00:30")
      await session(commit_url, "00:01:00")
      await session(commit_url, "00:01:00")
      expect((await rowsOf(scormAttempts))[0]?.totalTime).toBe(expected)
    }
  })

  it("starts a new attempt after a reset, and keeps the previous one", async () => {
    const { commit, launch, ref } = await running()
    await commit({ core: { lesson_status: "completed" } })
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    expect((await launch()).body).toMatchObject({ attempt: 0, cmi: { "cmi.core.entry": "ab-initio" } })
    expect((await commit({ core: { lesson_status: "incomplete" } })).body).toMatchObject({ attempt: 2 })
    expect((await rowsOf(scormAttempts)).map((row) => row.completionStatus)).toEqual(["completed", "incomplete"])
  })

  it("refuses the commits of sessions that began before a reset", async () => {
    const { launch, options, ref } = await running()
    const session = async () => {
      const { commit_url } = (await launch()).body
      return (lesson_status: string, session_time: string) =>
        post(
          file(commit_url),
          { "cmi.core.lesson_status": lesson_status, "cmi.core.session_time": session_time },
          options,
        )
    }
    const [first, unused] = [await session(), await session()]
    expect((await first("completed", "00:10:00")).body).toMatchObject({ attempt: 1, status: "Completed" })
    const second = await session()
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    for (const commit of [first, unused, second])
      expect(await commit("completed", "00:11:00")).toMatchObject({ status: 409, body: { code: "conflict" } })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "Not Started", timeSpent: 600 }])

    const after = await session()
    expect((await after("incomplete", "00:02:00")).body).toMatchObject({ attempt: 2, status: "In Progress" })
    expect((await first("completed", "00:12:00")).status).toBe(409)
    expect((await rowsOf(scormAttempts)).map(({ totalTime }) => totalTime)).toEqual([600, 120])
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "In Progress", timeSpent: 720 }])
  })

  it("starts a new attempt if the package is replaced by one of the other SCORM version", async () => {
    const { commit, launch, ref } = await running()
    await commit({ core: { lesson_status: "incomplete", exit: "suspend" }, suspend_data: "page=3" })
    await post(`/api/modules/scorm/${ref.moduleId}/package`, packageForm(await zip(PACKAGE_12)))
    expect((await launch()).body).toMatchObject({ attempt: 1, cmi: { "cmi.suspend_data": "page=3" } })
    await post(`/api/modules/scorm/${ref.moduleId}/package`, packageForm(await zip(PACKAGE_2004)))
    const { body } = await launch()
    expect(body).toMatchObject({ version: "2004", attempt: 0, cmi: { "cmi.entry": "ab-initio" } })
    expect(Object.keys(body.cmi).filter((key) => key.startsWith("cmi.core."))).toEqual([])
    expect((await commit({ completion_status: "completed" })).body).toMatchObject({ attempt: 2, status: "Completed" })
  })

  it("starts with the data that the manifest defines", async () => {
    const item = (manifest: string, inside: string) =>
      manifest.replace(/(<title>|<imscp:title>)Page/, `${inside}$1Page`)
    const first = await running({
      ...PACKAGE_12,
      "imsmanifest.xml": item(
        manifest12(),
        "<adlcp:masteryscore>80</adlcp:masteryscore><adlcp:datafromlms> lang=fr&amp;x </adlcp:datafromlms>",
      ),
    })
    const expectedData = { "cmi.launch_data": "lang=fr&x", "cmi.student_data.mastery_score": "80" }
    expect((await first.launch()).body.cmi).toMatchObject(expectedData)
    await first.commit({ core: { lesson_status: "incomplete" }, launch_data: "other" })
    expect((await first.launch()).body.cmi).toMatchObject(expectedData)
    const second = await running({
      ...PACKAGE_2004,
      "imsmanifest.xml": item(
        manifest2004(),
        [
          "<adlcp:timeLimitAction>exit,message</adlcp:timeLimitAction>",
          '<adlcp:completionThreshold completedByMeasure="true" minProgressMeasure="0.9"/>',
          '<imsss:sequencing><imsss:limitConditions attemptAbsoluteDurationLimit="PT1H"/>',
          '<imsss:objectives><imsss:primaryObjective satisfiedByMeasure="true">',
          "<imsss:minNormalizedMeasure>0.7</imsss:minNormalizedMeasure>",
          "</imsss:primaryObjective></imsss:objectives></imsss:sequencing>",
        ].join(""),
      ),
    })
    expect((await second.launch()).body.cmi).toMatchObject({
      "cmi.time_limit_action": "exit,message",
      "cmi.completion_threshold": "0.9",
      "cmi.max_time_allowed": "PT1H",
      "cmi.scaled_passing_score": "0.7",
    })
  })

  it("delays completion until the minimum time is spent", async () => {
    const { commit } = await running(PACKAGE_12, { minTimeSpent: 60 })
    const early = await commit({ core: { lesson_status: "completed", session_time: "00:00:20" } })
    expect(early.body).toMatchObject({ status: "In Progress", message: /40 more seconds/ })
    const late = await commit({ core: { lesson_status: "completed", session_time: "00:01:00" } })
    expect(late.body.status).toBe("Completed")
  })

  it("accepts the module in the query, and rejects invalid data", async () => {
    const { commit, options, ref } = await running()
    const cmi = { "cmi.core.lesson_status": "completed" }
    await commit({})
    expect((await post(`/api/scorm/commit?statusRowId=${FIRST}`, { cmi }, options)).body.status).toBe("Completed")
    expect((await post(`/api/scorm/commit?statusRowId=${FIRST}`, cmi, options)).status).toBe(200)
    expect((await post(`/api/scorm/commit?statusRowId=${FIRST}`, {}, options)).body.errors).toHaveProperty("cmi")
    expect((await post("/api/scorm/commit", { cmi }, options)).body.errors).toHaveProperty("statusRowId")
    expect((await post("/api/scorm/commit", { ...ref, cmi: "x" }, options)).body.errors).toHaveProperty("cmi")
    expect((await commit({ "cmi.suspend data": "x" })).body.errors).toHaveProperty("cmi")
    expect((await commit({ suspend_data: "x".repeat(64_001) })).body.errors).toHaveProperty("cmi")
    expect((await commit({ "cmi.interactions.1000.id": "x" })).body.errors).toHaveProperty("cmi")
    const other = await signedIn("general")
    expect((await commit(cmi, other.token)).status).toBe(404)
  })

  it("creates one attempt for concurrent commits", async () => {
    const { commit } = await running()
    const responses = await Promise.all([1, 2, 3].map(() => commit({ core: { lesson_status: "incomplete" } })))
    expect(responses.map(({ status, body }) => [status, body.attempt])).toEqual(responses.map(() => [200, 1]))
    expect(await rowsOf(scormAttempts)).toHaveLength(1)
  })

  it("adds a session's time once for concurrent commits", async () => {
    const { commit, ref, options } = await running()
    const ending = { core: { lesson_status: "incomplete", session_time: "00:01:00" } }
    await Promise.all([commit(ending), post("/api/module/progress", ref, options), commit(ending), commit(ending)])
    const [state] = await rowsOf(moduleStatuses)
    expect(state).toMatchObject({ timeSpent: 60 })
    expect(await rowsOf(scormAttempts)).toMatchObject([{ totalTime: 60, statusRowId: state?.id }])
    const next = { core: { lesson_status: "incomplete", session_time: "00:02:00" } }
    expect((await Promise.all([commit(next), commit(next), commit(next)])).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ])
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ timeSpent: 120 }])
    expect(await rowsOf(scormAttempts)).toMatchObject([{ totalTime: 120 }])
    const rival = await changeMeanwhile(sql`update scorm_attempts set total_time = 300, session_time = 300`)
    // Every run conflicts: the clock skips the 30 seconds in which the mutation is retried.
    vi.useFakeTimers({ toFake: ["Date"] })
    const wait = vi.spyOn(scheduler, "wait").mockImplementation(async () => void vi.setSystemTime(Date.now() + 31_000))
    onTestFinished(() => wait.mockRestore())
    const late = await post("/api/scorm/commit", { ...ref, cmi: next }, { ...options, ...rival })
    expect(late).toMatchObject({ status: 409, body: { message: /Repeat/ } })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ timeSpent: 120 }])
  })
})

describe("the points of an attempt", () => {
  it("are scaled to 100 points for any score range", () => {
    const pointsOf = (score: object) =>
      toPoints({ scoreRaw: null, scoreMin: null, scoreMax: null, scoreScaled: null, ...score })
    expect(pointsOf({})).toBe(null)
    expect(pointsOf({ scoreRaw: 80 })).toBe(80)
    expect(pointsOf({ scoreRaw: 4, scoreMax: 5 })).toBe(80)
    expect(pointsOf({ scoreRaw: 150, scoreMin: 100, scoreMax: 200 })).toBe(50)
    expect(pointsOf({ scoreRaw: 900 })).toBe(100)
    expect(pointsOf({ scoreRaw: -5 })).toBe(0)
    expect(pointsOf({ scoreScaled: 0.4 })).toBe(40)
    expect(pointsOf({ scoreScaled: -1 })).toBe(0)
    expect(pointsOf({ scoreRaw: 3, scoreMin: 5, scoreMax: 5, scoreScaled: 0.7 })).toBe(70)
  })
})
