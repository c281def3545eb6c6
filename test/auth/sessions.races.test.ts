import { env } from "cloudflare:workers"
import { scryptSync } from "node:crypto"
import { eq } from "drizzle-orm"
import { generateSync } from "otplib"
import { describe, expect, it } from "vitest"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { passwordLinks, temporaryPasswords } from "../../drizzle/schema/passwords.ts"
import { twoFactor } from "../../drizzle/schema/two-factor.ts"
import { users } from "../../drizzle/schema/users.ts"
import { encrypt } from "../../src/lib/crypto/crypto.ts"
import { db, signedIn, tokenOf, type UserRow, user } from "../factories/index.ts"
import { type Answer, get, post, put } from "../helpers/client.ts"
import { delayed } from "../helpers/delays.ts"
import { sampled } from "../matrix/matrix.ts"

const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
const code = () => generateSync({ secret: SECRET, epoch: Math.floor(Date.now() / 1000) })
const factor = (userId: number, active: boolean) =>
  db.insert(twoFactor).values({ userId, secret: encrypt(env, SECRET), active, createdAt: Date.now() })

const WORD = "swift and plain"
/** A cheap hash: it contains its own parameters. */
const quickHash = () => {
  const salt = Buffer.from("0123456789abcdef")
  const key = scryptSync(WORD, salt, 32, { N: 16, r: 1, p: 1 })
  return ["scrypt", 16, 1, 1, salt.toString("base64url"), key.toString("base64url")].join("$")
}

interface Scene {
  ada: UserRow
  admin: { token: string }
  /** Another open session of the user. */
  own: { token: string }
}

interface Change {
  /** The change that ends her sessions. */
  make: (scene: Scene) => Promise<Answer>
  /** Runs first if the change needs preparation. */
  prepare?: (ada: UserRow) => Promise<unknown>
  input?: () => object
  /** Set if the change or its sign-in hashes a password: then it runs without additional delays. */
  slow?: true
  /** Set if the same credentials still work after the change. */
  stillOpens?: true
}

const CHANGES: Record<string, Change> = {
  "she is disabled": {
    make: ({ ada, admin }) => post("/api/user/quickEdit", { user_ids: [ada.id], disabled: true }, admin),
  },
  "she is deleted": {
    make: ({ ada, admin }) => post("/api/user/delete", { delete_ids: [ada.id] }, admin),
    slow: true,
  },
  "she gets a new password": {
    make: ({ ada, admin }) => put(`/api/user/updatePassword/${ada.id}`, { password: "analytical engine" }, admin),
    slow: true,
  },
  "she is mailed a password": {
    make: ({ ada, admin }) => post("/api/email/resendNewAccountEmail", { user_id: ada.id }, admin),
    slow: true,
  },
  "she gets another address": {
    make: ({ ada, admin }) => put(`/api/user/${ada.id}`, { email: `new${ada.id}@example.com` }, admin),
  },
  "she is no longer staff": {
    make: ({ ada, admin }) => put(`/api/user/${ada.id}`, { userType: "general" }, admin),
    stillOpens: true,
  },
  "two-factor goes on": {
    prepare: ({ id }) => factor(id, false),
    make: ({ ada, own: session }) =>
      post(
        "/api/user/confirmTwoFactorAuth",
        { user_id: ada.id, secretCode: code(), stringCode: SECRET, qrCode: "<svg/>" },
        session,
      ),
  },
  "two-factor goes off": {
    prepare: ({ id }) => factor(id, true),
    input: () => ({ code: code() }),
    make: ({ ada, admin }) => post("/api/user/disableTwoFactorAuth", { user_id: ada.id }, admin),
    stillOpens: true,
  },
  "she signs out everywhere": {
    make: ({ own: session }) => post("/logout", { everywhere: true }, session),
    stillOpens: true,
  },
}

const lookup = (token: string) => get("/api/userType/lookup", { token })
/** An operation that staff may call and learners may not. */
const asStaff = (token: string) => get("/api/users/tabularlist?page_size=1&page_number=1", { token })

describe("concurrent sign-in", () => {
  for (const [offset, [what, { make, prepare, input, stillOpens, slow }]] of Object.entries(CHANGES).entries())
    it(`leaves no valid token when ${what} at any moment`, { timeout: 180_000 }, async () => {
      const admin = await signedIn("owner")
      let from = 0
      /** One sign-in, with the change before its n-th call. */
      const play = async (before: number, late: boolean) => {
        const ada = await user({ userType: "staff", passwordHash: quickHash() })
        await prepare?.(ada)
        const session = { token: await tokenOf(ada) }
        const played = await delayed(
          () =>
            post(
              "/login",
              { email: ada.email, password: WORD, ...input?.() },
              { headers: { "cf-connecting-ip": `198.51.100.${from++}` } },
            ),
          { before, late, other: async () => expect((await make({ ada, admin, own: session })).status).toBe(200) },
        )
        return { ...played, ada }
      }

      // The last batch writes the session. A forwarded sign-in has one more before it.
      const { answer: response, calls, batches: untilWritten } = await play(Number.POSITIVE_INFINITY, false)
      expect(response.status).toBe(200)
      expect((await lookup(response.body.token)).status).toBe(401)
      expect(calls).toBeGreaterThanOrEqual(7)
      const moments = Array.from({ length: calls }, (_, at) => at + 1).flatMap((before) =>
        (slow ? [false] : [false, true]).map((late) => ({ before, late })),
      )
      for (const { before, late } of sampled(moments, 7, offset)) {
        const when = `before call ${before} of ${calls}${late ? ", revoked late" : ""}`
        const { answer, batches, ada } = await play(before, late)
        if (answer.status !== 200) {
          expect(answer.status, when).toBe(401)
          continue
        }
        const { status } = await lookup(answer.body.token)
        if (!stillOpens || batches >= untilWritten) expect(status, when).toBe(401)
        const [row] = await db.select().from(users).where(eq(users.id, ada.id))
        if (status === 200) expect(answer.body.user.userType, when).toBe(row?.userType)
        if (status === 200 && row?.userType === "general")
          expect((await asStaff(answer.body.token)).status, when).toBe(403)
      }
    })

  it("succeeds when a concurrent change ends no sessions", async () => {
    const admin = await signedIn("owner")
    const ada = await user({ passwordHash: quickHash() })
    const login = () => post("/login", { email: ada.email, password: WORD })
    const other = () => put(`/api/user/${ada.id}`, { firstName: "Augusta" }, admin)
    for (let before = 1; before <= 7; before++) {
      const { answer: response } = await delayed(login, { before, late: false, other })
      expect(response.status).toBe(200)
      expect((await lookup(response.body.token)).status).toBe(200)
    }
  })
})

describe("concurrent refresh of a device", () => {
  const refresh = (refreshToken: string) =>
    post("/session/refresh", { refreshToken }, { headers: { "idempotency-key": "once" } })
  /** Her devices, as an administrator sees them. */
  const devicesOf = async (userId: number, admin: { token: string }): Promise<number[]> => {
    const path = `/api/session/tabularlist?page_size=10&page_number=1&user_id=${userId}`
    return (await get(path, admin)).body.records.map(({ id }: { id: number }) => id)
  }
  const changes: Record<string, Change> = {
    ...CHANGES,
    "the device is ended by hand": {
      make: async ({ ada, admin }) =>
        post("/api/session/delete", { delete_ids: await devicesOf(ada.id, admin) }, admin),
    },
  }
  // The edge entry reads the device and its epoch near the client, in one call more.
  const refreshCalls = env.FORWARD_CHANGES === "on" ? [1, 2, 3, 4, 5] : [1, 2, 3, 4]
  const moments = [false, true].flatMap((again) =>
    [false, true].flatMap((late) => refreshCalls.map((before) => ({ again, late, before }))),
  )
  for (const [offset, [what, { make, prepare }]] of Object.entries(changes).entries())
    it(`leaves no valid token of the device when ${what} at any moment`, { timeout: 180_000 }, async () => {
      const admin = await signedIn("owner")
      for (const { again, late, before } of sampled(moments, 11, offset)) {
        const ada = await user({ userType: "staff", passwordHash: quickHash() })
        const own = { token: await tokenOf(ada) }
        const login = { email: ada.email, password: WORD, device: "Phone" }
        const first = (await post("/login", login)).body.refreshToken
        await prepare?.(ada)
        if (again) await refresh(first)
        const { answer } = await delayed(() => refresh(first), {
          before,
          late,
          other: async () => expect((await make({ ada, admin, own })).status).toBe(200),
        })
        const when = `${again ? "repeated" : "first"} call, before call ${before}${late ? ", revoked late" : ""}`
        expect([200, 401], when).toContain(answer.status)
        if (answer.status === 200) {
          expect((await lookup(answer.body.token)).status, when).toBe(401)
          expect((await refresh(answer.body.refreshToken)).status, when).toBe(401)
        }
        expect((await refresh(first)).status, when).toBe(401)
        expect(await devicesOf(ada.id, admin), when).toEqual([])
      }
    })

  it("makes as many calls as the cases above cover", async () => {
    const ada = await user({ passwordHash: quickHash() })
    const { refreshToken } = (await post("/login", { email: ada.email, password: WORD, device: "Phone" })).body
    for (let round = 0; round < 2; round++) {
      const other = () => lookup("nonsense")
      const { calls } = await delayed(() => refresh(refreshToken), { before: 9, late: false, other })
      expect(calls).toBe(refreshCalls.length)
    }
  })
})

describe("concurrent email of a password", () => {
  it("is sent neither to a previous address nor to a disabled user", async () => {
    const staff = await signedIn("staff")
    const admin = await signedIn("owner")
    const others = {
      address: { make: (id: number) => put(`/api/user/${id}`, { email: `new${id}@example.com` }, admin), status: 200 },
      disabled: { make: (id: number) => put(`/api/user/${id}`, { disabled: true }, admin), status: 409 },
      type: { make: (id: number) => put(`/api/user/${id}`, { userType: "admin" }, admin), status: 403 },
    }
    for (const [what, { make, status }] of Object.entries(others)) {
      const ada = await user()
      const resend = () => post("/api/email/resendNewAccountEmail", { user_id: ada.id }, staff)
      // The limiter's call comes first, then the read, then the batch, which fails; then everything runs again.
      const { answer: response } = await delayed(resend, { before: 3, late: false, other: () => make(ada.id) })
      expect(response.status, what).toBe(status)
      const passwords = await db.select().from(temporaryPasswords).where(eq(temporaryPasswords.userId, ada.id))
      expect(passwords).toHaveLength(status === 200 ? 1 : 0)
      expect(await db.select().from(passwordLinks).where(eq(passwordLinks.userId, ada.id))).toEqual([])
      const mails = await db.select().from(outbox).where(eq(outbox.userId, ada.id))
      expect(mails.flatMap(({ secret, recipient }) => (secret ? recipient : []))).toEqual(
        status === 200 ? [`new${ada.id}@example.com`] : [],
      )
    }
  })
})
