import { eq, sql } from "drizzle-orm"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apiKeys } from "../../drizzle/schema/api-keys.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { devices } from "../../drizzle/schema/devices.ts"
import { passwordLinks, temporaryPasswords } from "../../drizzle/schema/passwords.ts"
import { pendingEmails } from "../../drizzle/schema/pending-emails.ts"
import { recoveryCodes, twoFactor } from "../../drizzle/schema/two-factor.ts"
import { users } from "../../drizzle/schema/users.ts"
import { operations } from "../../src/http/operation.ts"
import { verifyPassword } from "../../src/lib/crypto/password.ts"
import { db, PASSWORD, rowsOf, signedIn, type UserRow, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { type Answer, call, get, post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { callsOf, openApiDocument } from "../matrix/inputs.ts"
import { sampled } from "../matrix/matrix.ts"

// Changes of credentials and roles by API keys: src/access/credentials.ts. The rules
// are repeated here as docs/operations/security.md describes them.

const NEW_PASSWORD = "a password of the key's"
const RANKS = ["general", "group_admin", "staff", "admin", "owner"]
const FAMILIES = ["Bulk upload", "Groups", "Sessions", "Two-factor authentication", "Users"]

interface Key {
  role: "staff" | "admin" | "owner"
  families: string[] | null
  scopes: "credentials"[]
}

const KEYS: Key[] = (["staff", "admin", "owner"] as const).flatMap((role) =>
  [null, FAMILIES].flatMap((families) => [
    { role, families, scopes: [] },
    { role, families, scopes: ["credentials" as const] },
  ]),
)

/** A person with every kind of credential. */
async function person(userType: string, input: Partial<typeof users.$inferInsert> = {}): Promise<UserRow> {
  const made = await user({ userType, ...input })
  const createdAt = Date.now()
  await db.insert(twoFactor).values({ userId: made.id, secret: "sealed", active: true, createdAt })
  await db.insert(recoveryCodes).values({ userId: made.id, codeHash: "sealed" })
  await db.insert(devices).values({ id: made.id, userId: made.id, name: "Phone", createdAt, refreshedAt: createdAt })
  return made
}

/** The data that determines how a user signs in, and with which role. */
async function credentialsOf(id: number) {
  const mine = <T extends { userId: number }>(rows: T[]) => rows.filter(({ userId }) => userId === id)
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return {
    account: row && {
      email: row.email,
      password: row.passwordHash,
      role: row.userType,
      verified: row.emailVerifiedAt,
    },
    factors: [...mine(await rowsOf(twoFactor)), ...mine(await rowsOf(recoveryCodes))],
    links: [
      ...mine(await rowsOf(passwordLinks)),
      ...mine(await rowsOf(temporaryPasswords)),
      ...mine(await rowsOf(pendingEmails)),
    ],
  }
}

type Did = boolean | undefined
interface Act {
  /** The kind of change in the rules. */
  kind: "revoke" | "enable" | "change" | "raise"
  input?: Partial<typeof users.$inferInsert>
  send: (target: UserRow, token: string) => Promise<Answer>
  /** Whether the database has the change. */
  did: (target: UserRow) => Promise<Did>
}

const now = async ({ id }: UserRow) => (await db.select().from(users).where(eq(users.id, id)))[0]

const ACTS: Record<string, Act> = {
  "sets a password": {
    kind: "change",
    send: ({ id }, token) => put(`/api/user/updatePassword/${id}`, { password: NEW_PASSWORD }, { token }),
    did: async (target) => (await now(target))?.passwordHash !== target.passwordHash,
  },
  "mails a temporary password": {
    kind: "change",
    send: ({ id }, token) => post("/api/email/resendNewAccountEmail", { user_id: id }, { token }),
    did: async (target) => (await now(target))?.passwordHash !== target.passwordHash,
  },
  "changes an address": {
    kind: "change",
    send: ({ id }, token) => put(`/api/user/${id}`, { email: `taken${id}@evil.example` }, { token }),
    did: async (target) => (await now(target))?.email !== target.email,
  },
  "turns two-factor off": {
    kind: "change",
    send: ({ id }, token) => post("/api/user/disableTwoFactorAuth", { user_id: id }, { token }),
    did: async ({ id }) => (await credentialsOf(id)).factors.length === 0,
  },
  "raises a role": {
    kind: "raise",
    send: ({ id, userType }, token) =>
      put(`/api/user/${id}`, { userType: RANKS[Math.min(RANKS.indexOf(userType) + 1, 4)] }, { token }),
    did: async (target) => (await now(target))?.userType !== target.userType,
  },
  "adds a group administrator": {
    kind: "raise",
    send: ({ id }, token) => post("/api/group/create", { name: `Group ${id}`, admin_ids: [id] }, { token }),
    did: async (target) => (await now(target))?.userType !== target.userType,
  },
  "changes a role to learner": {
    kind: "change",
    send: ({ id }, token) => put(`/api/user/${id}`, { userType: "general" }, { token }),
    did: async (target) => (await now(target))?.userType !== target.userType,
  },
  "disables a user": {
    kind: "revoke",
    send: ({ id }, token) => put(`/api/user/${id}`, { disabled: true }, { token }),
    did: async (target) => (await now(target))?.disabled,
  },
  "disables several users": {
    kind: "revoke",
    send: ({ id }, token) => post("/api/user/quickEdit", { user_ids: [id], disabled: true }, { token }),
    did: async (target) => (await now(target))?.disabled,
  },
  "enables a user": {
    kind: "enable",
    input: { disabled: true },
    send: ({ id }, token) => put(`/api/user/${id}`, { disabled: false }, { token }),
    did: async (target) => !(await now(target))?.disabled,
  },
  "enables several users": {
    kind: "enable",
    input: { disabled: true },
    send: ({ id }, token) => post("/api/user/quickEdit", { user_ids: [id], disabled: false }, { token }),
    did: async (target) => !(await now(target))?.disabled,
  },
  "signs a device out": {
    kind: "revoke",
    send: ({ id }, token) => post("/api/session/delete", { delete_ids: [id] }, { token }),
    did: async ({ id }) => !(await rowsOf(devices)).some(({ userId }) => userId === id),
  },
  "deletes a user": {
    kind: "revoke",
    send: ({ id }, token) => post("/api/user/delete", { delete_ids: [id] }, { token }),
    did: async (target) => (await now(target)) === undefined,
  },
}

/** Requires an administrator, regardless of the key's role. */
const OF_ADMINS = new Set(["signs a device out", "deletes a user"])

/** What docs/operations/security.md says. */
function isAllowed({ role, families, scopes }: Key, what: string, target: string): boolean {
  const { kind } = ACTS[what] as Act
  if (OF_ADMINS.has(what) && role === "staff") return false
  if (RANKS.indexOf(target) >= RANKS.indexOf(role)) return false
  if (kind === "revoke") return true
  if (target !== "general" && families !== null) return false
  if (kind === "enable") return true
  return kind === "change" && scopes.includes("credentials")
}

describe("changes of credentials by API keys", () => {
  for (const [index, key] of KEYS.entries())
    it(`follow the rights of the key: ${JSON.stringify(key)}`, { timeout: 120_000 }, async () => {
      const { token } = await apiKey(key)
      const acts = Object.entries(ACTS).flatMap(([what, act]) => RANKS.map((userType) => ({ what, act, userType })))
      for (const { what, act, userType } of sampled(acts, 17, index)) {
        // Nothing of it would change.
        if (what === "changes a role to learner" && userType === "general") continue
        if (what === "adds a group administrator" && userType !== "general") continue
        const target = await person(userType, act.input)
        const before = await credentialsOf(target.id)
        const response = await act.send(target, token)
        const expected = isAllowed(key, what, userType)
        const output = `${what}: ${userType}, ${response.status} ${JSON.stringify(response.body)}`
        expect(await act.did(target), output).toBe(expected)
        if (expected) expect(response.status, output).toBe(200)
        else expect(await credentialsOf(target.id), output).toEqual(before)
      }
    })

  it("report the missing scope and the operations that require a user", async () => {
    const learner = await user()
    const plain = await apiKey({ role: "admin" })
    const trusted = await apiKey({ role: "admin", scopes: ["credentials"] })
    const bound = await apiKey({ role: "admin", scopes: ["credentials"], families: ["Users"] })
    const password = { password: NEW_PASSWORD }
    const path = `/api/user/updatePassword/${learner.id}`
    expect(await put(path, password, plain)).toMatchObject({
      status: 403,
      body: { code: "credentials_scope_required", message: /scope `credentials`/ },
    })
    expect((await put(path, password, trusted)).status).toBe(200)
    expect((await put(path, password, bound)).status).toBe(200)
    expect(await put(`/api/user/${learner.id}`, { userType: "staff" }, trusted)).toMatchObject({
      status: 403,
      body: { code: "user_session_required" },
    })
    const staff = await user({ userType: "staff" })
    expect(await put(`/api/user/updatePassword/${staff.id}`, password, bound)).toMatchObject({
      status: 403,
      body: { code: "insufficient_role", message: /restricted to some modules/ },
    })
    const admin = await user({ userType: "admin" })
    expect(await put(`/api/user/updatePassword/${admin.id}`, password, trusted)).toMatchObject({
      status: 403,
      body: { code: "insufficient_role", message: /own role or above/ },
    })
    const many = { user_ids: [admin.id, learner.id], disabled: true }
    expect((await post("/api/user/quickEdit", many, trusted)).body.message).toBe(
      "1 user disabled. 1 not disabled: they may do as much as this API key, or more.",
    )
  })

  it("cannot turn a key into a user: an existing administrator, a new one, or another key", async () => {
    const admin = await person("admin", { email: "admin@example.com" })
    const narrow = await apiKey({ role: "admin", families: ["Users", "Two-factor authentication"] })
    const before = await credentialsOf(admin.id)
    const eve = { firstName: "Eve", email: "eve@evil.example", userType: "admin" }
    const password = { password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD }
    const steps = [
      await put(`/api/user/updatePassword/${admin.id}`, { password: NEW_PASSWORD }, narrow),
      await put(`/api/user/${admin.id}`, { email: "eve@evil.example" }, narrow),
      await post("/api/email/resendNewAccountEmail", { user_id: admin.id }, narrow),
      await post("/api/user/disableTwoFactorAuth", { user_id: admin.id }, narrow),
      await post("/api/user/create", { ...eve, ...password }, narrow),
      await post("/api/user/create", { ...eve, sendInvitation: true }, narrow),
      await post("/api/api-key/create", { name: "Another", role: "admin", access: "write" }, narrow),
    ]
    expect(steps.map(({ status }) => status)).toEqual(Array(steps.length).fill(403))
    expect((await post("/login", { email: admin.email, password: NEW_PASSWORD })).status).toBe(401)
    expect(await credentialsOf(admin.id)).toEqual(before)
    expect(await rowsOf(apiKeys)).toHaveLength(1)
    expect(await rowsOf(users)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toEqual([])
    expect(await delivered()).toEqual([])
  })

  it("create learners without a password, who are invited, unless the key has the scope", async () => {
    const body = (email: string) => ({
      firstName: "Ada",
      email,
      password: NEW_PASSWORD,
      password_confirmation: NEW_PASSWORD,
    })
    const plain = await apiKey({ role: "owner" })
    const trusted = await apiKey({ role: "owner", scopes: ["credentials"] })
    expect(await post("/api/user/create", body("plain@example.com"), plain)).toMatchObject({
      status: 200,
      body: { message: /^User created without the password: this API key may not set passwords\. Invitation/ },
    })
    expect((await post("/api/user/create", body("trusted@example.com"), trusted)).body.message).toBe("User created.")
    for (const key of [plain, trusted])
      expect(await post("/api/user/create", { ...body("x@example.com"), userType: "group_admin" }, key)).toMatchObject({
        status: 403,
        body: { code: "user_session_required" },
      })
    const rows = await rowsOf(users)
    expect(rows.map(({ email, userType }) => [email, userType])).toEqual([
      ["plain@example.com", "general"],
      ["trusted@example.com", "general"],
    ])
    expect(rows[0]?.passwordHash).toBeNull()
    expect(await verifyPassword(NEW_PASSWORD, rows[1]?.passwordHash ?? null)).toBe(true)
    expect((await rowsOf(passwordLinks)).map(({ userId }) => userId)).toEqual([1])
  })

  it("ignore the passwords of a bulk upload without the scope, immediately and in the queue", async () => {
    const row = (n: number) => ({ email: `u${n}@example.com`, first_name: "U", password: n % 2 ? NEW_PASSWORD : "" })
    const list = (from: number, count: number) => ({ userList: Array.from({ length: count }, (_, i) => row(from + i)) })
    const plain = await apiKey({ role: "staff" })
    const atOnce = await post("/api/user/bulkUpload", list(1, 3), plain)
    expect(atOnce.body).toMatchObject({ created: 3, failed: 0, message: /2 passwords ignored/ })
    const queued = await post("/api/user/bulkUpload", list(10, 30), plain)
    expect(queued.body).toMatchObject({ status: "processing", message: /15 passwords ignored/ })
    const encrypted = await db.all<{ rows: string }>(
      sql`select encrypted_rows as rows from bulk_upload_chunks where encrypted_rows is not null`,
    )
    expect(encrypted).toHaveLength(1)
    expect((await rowsOf(users)).map(({ passwordHash }) => passwordHash)).toEqual([null, null, null])

    const trusted = await apiKey({ role: "staff", scopes: ["credentials"] })
    expect((await post("/api/user/bulkUpload", list(100, 1), trusted)).body.message).toBe(
      "1 user created, 0 already existed, 0 rows failed.",
    )
  })

  it("are impossible without the scope in every operation", {
    timeout: 240_000,
  }, async () => {
    const document = await openApiDocument()
    const { token } = await apiKey({ role: "owner" })
    const keys = await rowsOf(apiKeys)
    let calls = 0
    for (const [rank, userType] of RANKS.entries()) {
      let target = await person(userType)
      let before = await credentialsOf(target.id)
      for (const [index, operation] of sampled(operations.entries(), RANKS.length, rank)) {
        if (operation.method === "get" && !operation.mutates) continue
        const [plain] = fc.sample(callsOf(operation, document, { plainly: true }), { numRuns: 1, seed: index })
        const { id, email } = target
        const ids = { userId: id, user_id: id, user_ids: [id], delete_ids: [id], admin_ids: [id], member_ids: [id] }
        const other = { email: `other${index}-${id}@example.com`, userType: "owner", disabled: false }
        const password = { password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }
        const body = {
          ...(plain?.body as object),
          ...ids,
          ...other,
          ...password,
          userList: [{ email, first_name: "A", password: NEW_PASSWORD }],
        }
        const path = operation.path.replace(/\{\w+\}/g, String(id))
        const url = operation.method === "get" ? `${path}?userId=${id}&user_id=${id}&type=list` : path
        const response = await call(operation.method.toUpperCase(), url, {
          token,
          ...(operation.method !== "get" && { body }),
        })
        calls++
        const after = await credentialsOf(id)
        const output = `${userType}: ${operation.method} ${path} ${response.status} ${JSON.stringify(response.body)}`
        if (after.account) expect(after, output).toEqual(before)
        else {
          // Deleted, which takes access away.
          expect(operation.operationId, output).toBe("deleteUsers")
          target = await person(userType)
          before = await credentialsOf(target.id)
        }
      }
    }
    expect(calls).toBeGreaterThan(100)
    const created = (await rowsOf(users)).filter(({ email }) => email.startsWith("other"))
    expect(created.filter(({ passwordHash, userType }) => passwordHash !== null || userType !== "general")).toEqual([])
    expect((await rowsOf(apiKeys)).map(({ id, hash, role, scopes }) => [id, hash, role, scopes])).toEqual(
      keys.map(({ id, hash, role, scopes }) => [id, hash, role, scopes]),
    )
  })
})

describe("scope `credentials`", () => {
  it("can be granted only by administrators, is shown with the key and is off by default", async () => {
    const admin = await signedIn("admin")
    const created = await post("/api/api-key/create", { name: "HR", role: "staff", access: "write" }, admin)
    const token = created.body.key
    const path = `/api/api-key/${created.body.id}`
    expect((await get(path, admin)).body.scopes).toEqual([])
    expect((await get("/api/me", { token })).body.scope).toMatchObject({ scopes: [] })
    expect((await put(path, { scopes: ["credentials"] }, { token })).status).toBe(403)
    expect((await put(path, { scopes: ["everything"] }, admin)).body.errors).toHaveProperty("scopes.0")

    const learner = await user()
    const set = () => put(`/api/user/updatePassword/${learner.id}`, { password: NEW_PASSWORD }, { token })
    expect((await set()).status).toBe(403)
    expect((await put(path, { scopes: "Credentials" }, admin)).status).toBe(200)
    expect((await get(path, admin)).body.scopes).toEqual(["credentials"])
    expect((await set()).status).toBe(200)
    expect((await get("/api/me", { token })).body.scope).toMatchObject({ scopes: ["credentials"] })
    expect((await put(path, (await get(path, admin)).body, admin)).status).toBe(200)
    await put(path, { scopes: [] }, admin)
    expect((await set()).status).toBe(403)
    expect((await rowsOf(auditLogs)).filter(({ subject }) => subject === "api key")).toMatchObject([
      { action: "created", details: { scopes: [] } },
      { action: "updated", details: { scopes: ["credentials"] } },
      { action: "updated", details: { scopes: [] } },
    ])
    expect((await post("/login", { email: learner.email, password: PASSWORD })).status).toBe(401)
  })
})
