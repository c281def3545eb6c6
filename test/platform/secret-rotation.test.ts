import { env } from "cloudflare:workers"
import { eq, getTableColumns, getTableName, sql } from "drizzle-orm"
import { generateSync } from "otplib"
import { afterEach, describe, expect, it, vi } from "vitest"
import { apiKeys } from "../../drizzle/schema/api-keys.ts"
import { classes } from "../../drizzle/schema/classes.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { reencryptionProgress } from "../../drizzle/schema/reencryption.ts"
import { idempotencyKeys } from "../../drizzle/schema/system.ts"
import { recoveryCodes, twoFactor } from "../../drizzle/schema/two-factor.ts"
import { webhooks } from "../../drizzle/schema/webhooks.ts"
import { issueKeyToken } from "../../src/access/keys.ts"
import { openDatabase } from "../../src/db/client.ts"
import { columnName, ENCRYPTED_COLUMNS, reencrypt } from "../../src/db/reencrypt.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { decrypt, decrypted, encrypt, hmac, secretName, secretNames } from "../../src/lib/crypto/crypto.ts"
import {
  type ContentGrant,
  createContentToken,
  verifyContentToken,
} from "../../src/modules/scorm/scorm-content-token.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { deliverUpload, sendSheet, xlsx } from "../factories/bulk-upload.ts"
import { classOf } from "../factories/classes.ts"
import { db, PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { call, get, post } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { begin, comeBack, connected, fakeProvider, sessionIn, signInAs } from "../helpers/provider.ts"
import { openQueues } from "../helpers/queues.ts"
import { everyRow } from "../helpers/secrets.ts"

const OLD = env.APP_SECRET
const NEW = "a second secret of the tests under which all is made next"
const LOST = "a third secret of the tests which never made anything"
const KEY = "Überraschung 7"
const ADA = { sub: "ada-1", email: "eve@example.com", email_verified: true, given_name: "Eve", family_name: "Byron" }

/** Has the service know these secrets from now on. */
function under(secret: string, previous?: string) {
  env.APP_SECRET = secret
  if (previous === undefined) delete env.APP_SECRET_PREVIOUS
  else env.APP_SECRET_PREVIOUS = previous
}

afterEach(() => {
  under(OLD)
  env.SIGN_UP = ""
})

const login = (email: string, more: object = {}) => post("/login", { email, password: PASSWORD, ...more })
const refresh = (refreshToken: string, key = "again") =>
  post("/session/refresh", { refreshToken }, { headers: { "idempotency-key": key } })
const lives = async (token: string) => (await get("/api/userType/lookup", { token })).status
const code = (secret: string) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) })
const linkIn = (text: string) => new URL(/https:\S+token=\S+/.exec(text)?.[0] ?? "https://nowhere.example")

/** Fills every encrypted column through the API. */
async function academy() {
  vi.useFakeTimers({ toFake: ["Date"] })
  env.SIGN_UP = "open"
  const admin = await signedIn("admin")
  const device = (await login(admin.email, { device: "Phone" })).body
  const ada = await signedIn("general", { email: "ada@example.com" })
  const { as_string: secret } = (await post("/api/user/prepareTwoFactorAuth", { user_id: ada.id }, ada)).body
  const confirmed = await post(
    "/api/user/confirmTwoFactorAuth",
    { user_id: ada.id, secretCode: code(secret), qrCode: "<svg/>", stringCode: secret },
    ada,
  )
  vi.setSystemTime(Date.now() + MINUTE)
  const provider = await fakeProvider()
  await connected(provider, admin, { create: true })
  const webhook = (
    await post("/api/webhook/create", { url: "https://hooks.example.org/", events: ["user.created"] }, admin)
  ).body
  const rotated = (await post("/api/webhook/rotate", { id: webhook.id }, admin)).body
  const course = { name: "Algebra", slug: "algebra", status: "publish", selfEnroll: true, enrollmentKey: KEY }
  const create = { token: admin.token, headers: { "idempotency-key": "algebra" } }
  const created = await post("/api/course/create", course, create)
  const room = await classOf()
  await db.update(classes).set({ webinarHostPwd: encrypt(env, "host password") })
  await post("/sign-up", { firstName: "Eve", lastName: "Byron", email: "grace@example.com" })
  await post("/password/forgot", { email: admin.email })
  const sheet = await xlsx([
    ["email", "first_name", "last_name"],
    ...Array.from({ length: 300 }, (_, i) => [`user-${i}@example.com`, "Lin", "Lovelace"]),
  ])
  const upload = await sendSheet(sheet, admin.token)
  expect(upload.body).toMatchObject({ status: "processing" })
  const key = await apiKey({ role: "admin" })
  const leaving = await user()
  await post("/api/user/erase", { userId: leaving.id, email: leaving.email }, admin)
  return {
    ...{ admin, device, ada, secret, provider, key, upload, room },
    codes: confirmed.body.recoveryCodes as string[],
    webhook: [rotated.secret, webhook.secret] as string[],
    course: { again: () => post("/api/course/create", course, create), body: created.body },
  }
}

/** What is in every column of sealed text, opened, by `<table>.<column>`. */
async function everythingSealed(): Promise<Record<string, (string | undefined)[]>> {
  const found: Record<string, (string | undefined)[]> = {}
  for (const sealed of ENCRYPTED_COLUMNS) {
    const { column } = sealed
    const rows = await db.all<{ text: string }>(
      sql`select ${column} as text from ${column.table} where ${column} is not null`,
    )
    found[columnName(sealed)] = rows.map(({ text }) => decrypted(env, text)).sort()
  }
  return found
}

/** The columns of all tables with text that can be decrypted. */
async function columnsThatOpen(): Promise<string[]> {
  const found = new Set<string>()
  for (const { table, row } of await everyRow())
    for (const [column, value] of Object.entries(row))
      if (typeof value === "string" && decrypted(env, value) !== undefined) found.add(`${table}.${column}`)
  return [...found].sort()
}

/** The cron, until all is sealed again. */
async function sealEverythingAgain() {
  await reencrypt(env, openDatabase(env.DB, "first-primary"))
  vi.setSystemTime(Date.now() + 6 * MINUTE)
  await reencrypt(env, openDatabase(env.DB, "first-primary"))
}

describe("rotating the secret", () => {
  it("leaves all encrypted values readable without the previous secret after the cron has run", async () => {
    const { admin, ada, secret, codes, webhook, provider, course, upload, room } = await academy()
    const before = await everythingSealed()
    for (const [column, texts] of Object.entries(before)) expect(texts.length, column).toBeGreaterThan(0)
    expect(await columnsThatOpen()).toEqual(Object.keys(before).sort())

    under(NEW, OLD)
    expect(await everythingSealed()).toEqual(before)
    await sealEverythingAgain()
    under(NEW)
    expect(await everythingSealed()).toEqual(before)
    expect(
      (await rowsOf(reencryptionProgress)).map(({ secret: name, doneAt }) => name === secretName(env) && doneAt > 0),
    ).toEqual(ENCRYPTED_COLUMNS.map(() => true))

    expect((await login(ada.email, { code: code(secret) })).status).toBe(200)
    expect((await login(ada.email, { code: codes[0] })).status).toBe(200)
    expect((await login(ada.email, { code: codes[0] })).body.code).toBe("invalid_code")
    expect(sessionIn(await signInAs(provider, ADA))).toBeDefined()
    const [hook] = await rowsOf(webhooks)
    expect([hook?.secret, hook?.previousSecret].map((text) => decrypt(env, text ?? ""))).toEqual(webhook)
    const { token } = (await login(admin.email)).body
    expect((await get(`/api/class/edit?classId=${room.id}`, { token })).body.classDetails.webinar_host_pwd).toBe(
      "host password",
    )
    expect((await get(`/api/course/${course.body.id}`, { token })).body.enrollmentKey).toBe(KEY)
    openQueues()
    expect(await deliverUpload(upload.body.upload_id)).toEqual({ retried: false })
    expect((await delivered()).map(({ text }) => linkIn(text).origin)).toContain("https://lectern.test")
  })

  it("keeps sessions, links, keys, tokens and stored responses valid while both secrets are set", async () => {
    const { admin, device, ada, secret, codes, key, course, provider } = await academy()
    const grant = { keyId: key.id, name: "", role: "admin", access: "write", families: null, scopes: [] as [] } as const
    const keyToken = (await issueKeyToken(env, { ...grant, expiresAt: 0, generation: 1 }, "read")).token
    const renewed = await refresh(device.refreshToken)
    const granted: ContentGrant = {
      ...{ scorm: "scorm/abc", version: "1.2", file: "index.html" },
      ...{ content: "https://content.lectern.test", player: "https://lectern.test" },
    }
    const scorm = createContentToken(env, granted)
    const started = await begin(provider)
    const mails = await delivered()
    const [signUp, forgot] = ["sign-up", "set-password"].map(
      (path) => mails.map(({ text }) => linkIn(text)).find((link) => link.pathname.includes(path)) ?? new URL("x:"),
    )

    for (const [now, previous] of [
      // First the next secret is announced, then it becomes the current one.
      [OLD, NEW],
      [NEW, OLD],
      [NEW, `${LOST}, ${OLD}`],
    ] as const) {
      under(now, previous)
      for (const token of [admin.token, device.token, key.token, keyToken]) expect(await lives(token)).toBe(200)
      // A lost answer is given again.
      const again = await refresh(device.refreshToken)
      expect(again.status).toBe(200)
      const { token } = again.body
      expect(await lives(token)).toBe(200)
      expect(verifyContentToken(env, scorm)).toEqual(granted)
      const kept = await course.again()
      expect(kept).toMatchObject({ status: 200, body: course.body })
      expect(kept.headers.get("idempotency-replayed")).toBe("true")
      expect((await get(`${signUp?.pathname}${signUp?.search}`)).status).toBe(200)
      expect((await get(`${forgot?.pathname}${forgot?.search}`)).status).toBe(200)
    }
    expect(sessionIn(await comeBack(provider, provider.grant(started.url, ADA), started.cookie))).toBeDefined()
    expect((await login(ada.email, { code: code(secret) })).status).toBe(200)
    expect((await login(ada.email, { code: codes[1] })).status).toBe(200)
    const next = await refresh(renewed.body.refreshToken, "next")
    const password = "analytical engine"
    for (const link of [signUp, forgot])
      expect(
        (await post(link?.pathname ?? "", { token: link?.searchParams.get("token"), password })).status,
        link?.pathname,
      ).toBe(200)
    const session = (await login("grace@example.com", { password })).body.token

    under(NEW)
    // What was made under the new secret needs the other no more. That of the administrator ended with their password.
    expect(await lives(session)).toBe(200)
    expect(await lives(key.token)).toBe(200)
    expect(next.status).toBe(200)
  })

  it("keeps devices that renewed their session meanwhile", async () => {
    const ada = await user()
    const { refreshToken } = (await login(ada.email, { device: "Phone" })).body
    under(NEW, OLD)
    const renewed = (await refresh(refreshToken)).body
    under(NEW)
    expect(await lives(renewed.token)).toBe(200)
    expect((await refresh(renewed.refreshToken, "next")).status).toBe(200)
  })

  it("keeps counting the failures of an account", async () => {
    const ada = await user()
    const fail = () => post("/login", { email: ada.email, password: "wrong horse battery" })
    for (let failures = 0; failures < 9; failures++) expect((await fail()).status).toBe(401)
    under(NEW, OLD)
    expect((await fail()).status).toBe(401)
    expect((await fail()).status).toBe(429)
  })

  it("accepts keys and recovery codes that an earlier version stored as HMACs, and rehashes keys", async () => {
    const { id, token } = await apiKey({ role: "admin" })
    await db.update(apiKeys).set({ hash: hmac(env, "key", token) })
    const ada = await user()
    const plain = encrypt(env, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    await db.insert(twoFactor).values({ userId: ada.id, secret: plain, active: true, createdAt: 0 })
    await db.insert(recoveryCodes).values({ userId: ada.id, codeHash: hmac(env, "recovery", "abcde23456") })
    under(NEW, OLD)
    expect(await lives(token)).toBe(200)
    expect((await login(ada.email, { code: "ABCDE-23456" })).status).toBe(200)
    expect(await rowsOf(recoveryCodes)).toEqual([])
    under(NEW)
    expect(await lives(token)).toBe(200)
    expect((await rowsOf(apiKeys)).map((row) => [row.id, row.hash.slice(0, 7)])).toEqual([[id, "sha256."]])
  })

  it("decrypts text that an earlier version encrypted without a secret's name", async () => {
    const bare = encrypt(env, "of before").split(".")[1] ?? ""
    under(NEW, OLD)
    expect(decrypted(env, bare)).toBe("of before")
    expect(secretNames(env)).toEqual([secretName(env), secretName({ APP_SECRET: OLD })])
    under(NEW)
    expect(decrypted(env, bare)).toBeUndefined()
  })
})

describe("reencryption", () => {
  it("waits until no Worker uses the previous secret, and then reads each row once", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const admin = await signedIn("admin")
    await post("/api/webhook/create", { url: "https://hooks.example.org/", events: ["user.created"] }, admin)
    const sealedUnder = async () => (await rowsOf(webhooks)).map(({ secret }) => secret.split(".")[0])
    const [old] = await sealedUnder()
    await runScheduled(env)
    expect(await rowsOf(reencryptionProgress)).toEqual([])
    under(NEW, OLD)
    await runScheduled(env)
    expect(await sealedUnder()).toEqual([old])
    vi.setSystemTime(Date.now() + 6 * MINUTE)
    await runScheduled(env)
    expect(await sealedUnder()).toEqual([secretName(env)])
    const database = openDatabase(env.DB, "first-primary")
    await reencrypt(env, database)
    expect(database.meter.trips).toBe(1)
    // After switching back, it starts over.
    under(OLD, NEW)
    await sealEverythingAgain()
    expect(await sealedUnder()).toEqual([old])
  })

  it("continues where it stopped, a thousand values at a time", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const rows = 1500
    const text = encrypt(env, '{"message":"kept"}')
    await db.run(sql`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
      insert into idempotency_keys (client, key, request, status, answer, created_at)
      select 'user:' || (i % 3), printf('%05d', i), 'x', 200, ${text}, ${Date.now()} from n`)
    under(NEW, OLD)
    const left = async () =>
      (await rowsOf(idempotencyKeys)).filter(({ answer }) => !answer.startsWith(secretName(env))).length
    await sealEverythingAgain()
    expect(await left()).toBe(500)
    await reencrypt(env, openDatabase(env.DB, "first-primary"))
    expect(await left()).toBe(0)
  })

  it("skips and logs what it cannot decrypt, and reencrypts the rest", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const log = vi.spyOn(console, "error").mockImplementation(() => {})
    const [ada, bob] = [await user(), await user()]
    under(LOST)
    await db.insert(twoFactor).values({ userId: ada.id, secret: encrypt(env, "A"), createdAt: 0 })
    under(OLD)
    await db.insert(twoFactor).values({ userId: bob.id, secret: encrypt(env, "B"), createdAt: 0 })
    under(NEW, OLD)
    await sealEverythingAgain()
    expect((await rowsOf(twoFactor)).map(({ secret }) => decrypted(env, secret))).toEqual([undefined, "B"])
    expect(log.mock.calls).toEqual([
      [JSON.stringify({ event: "encrypted text unreadable", column: "two_factor.secret", count: 1 })],
    ])
  })

  it("knows the primary key of each table", () => {
    for (const { column, key } of ENCRYPTED_COLUMNS) {
      expect(key.every((part) => part.table === column.table)).toBe(true)
      const primaryKeys = Object.values(getTableColumns(column.table)).filter(({ primary }) => primary)
      if (primaryKeys.length > 0) expect(primaryKeys).toEqual(key)
      expect(getTableName(column.table)).not.toBe("")
    }
  })
})

describe("with a lost secret", () => {
  it("no operation returns 500, and each error says what to do", async () => {
    const { ada, admin, secret, codes, device, provider, course, key, upload, room } = await academy()
    under(LOST)
    const log = vi.spyOn(console, "error").mockImplementation(() => {})
    expect(await lives(admin.token)).toBe(401)
    expect((await refresh(device.refreshToken)).status).toBe(401)
    expect(await lives(key.token)).toBe(200)
    for (const factor of [code(secret), codes[0]])
      expect(await login(ada.email, { code: factor })).toMatchObject({
        status: 409,
        body: { code: "two_factor_unreadable", message: expect.stringContaining("Ask an administrator") },
      })
    const { token } = (await login(admin.email)).body
    expect((await post("/api/user/disableTwoFactorAuth", { user_id: ada.id }, { token })).status).toBe(200)
    expect((await login(ada.email)).status).toBe(200)

    const page = await call("GET", `/sso/${provider.slug}/start`)
    expect([page.status, String(page.body)]).toEqual([502, expect.stringContaining("must enter it again")])
    expect((await get(`/api/class/edit?classId=${room.id}`, { token })).body.classDetails.webinar_host_pwd).toBe("")
    expect((await get(`/api/course/${course.body.id}`, { token })).body.enrollmentKey).toBeNull()
    const learner = await signedIn("general")
    expect(
      (await post("/api/course/self-enroll", { course_id: course.body.id, enrollment_key: KEY }, learner)).status,
    ).toBe(422)
    expect((await course.again()).status).toBe(401)

    await delivered()
    expect((await rowsOf(outbox)).map(({ error }) => error)).toContain("SEALED_UNDER_ANOTHER_SECRET")
    expect(await deliverUpload(upload.body.upload_id)).toEqual({ retried: true })
    expect(log).toHaveBeenCalled()
  })

  it("an earlier Idempotency-Key is refused rather than run again", async () => {
    const key = await apiKey({ role: "admin" })
    const create = { token: key.token, headers: { "idempotency-key": "once" } }
    const body = { category_name: "Physics", categoryType: "course" }
    expect((await post("/api/category/create", body, create)).status).toBe(200)
    under(LOST)
    expect((await post("/api/category/create", body, create)).status).toBe(422)
    await db
      .update(idempotencyKeys)
      .set({ createdAt: Date.now() - 2 * DAY })
      .where(eq(idempotencyKeys.key, "once"))
  })
})
