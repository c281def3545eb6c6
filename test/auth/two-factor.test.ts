import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import jsQR from "jsqr"
import { generateSync } from "otplib"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { recoveryCodes, twoFactor } from "../../drizzle/schema/two-factor.ts"
import { users } from "../../drizzle/schema/users.ts"
import { renderQrCode } from "../../scripts/lib/qr-code.ts"
import { clientObject } from "../../src/access/clients.ts"
import { HOUR, MINUTE, SECOND } from "../../src/lib/clock.ts"
import { encrypt } from "../../src/lib/crypto/crypto.ts"
import { qrCodeSvg } from "../../src/lib/files/qr-code.ts"
import { verifyTotp } from "../../src/modules/auth/totp.ts"
import { db, group, PASSWORD, rowsOf, signedIn, tokenOf, type UserRow, user } from "../factories/index.ts"
import { call, cost, get, post } from "../helpers/client.ts"
import { keepsSecret } from "../helpers/secrets.ts"

const STEP = 30 * SECOND
const PREPARE = "/api/user/prepareTwoFactorAuth"
const CONFIRM = "/api/user/confirmTwoFactorAuth"
const DISABLE = "/api/user/disableTwoFactorAuth"
const state = (userId: number, token?: string) => get(`/api/user-meta/2fa?user_id=${userId}`, token ? { token } : {})
/** The code that the app shows, `steps` of 30 seconds from now. */
const code = (secret: string, steps = 0) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps })
/** Six digits that the app shows at no time near the current one. */
function wrongCode(secret: string) {
  const near = [-1, 0, 1].map((steps) => code(secret, steps))
  return ["918273", "827364", "736455", "645546"].find((digits) => !near.includes(digits)) ?? ""
}
const prepared = async (userId: number, token?: string) =>
  (await post(PREPARE, { user_id: userId }, token ? { token } : {})).body
const confirm = (userId: number, secret: string, input = {}, token?: string) =>
  post(
    CONFIRM,
    { user_id: userId, secretCode: code(secret), qrCode: "<svg/>", stringCode: secret, ...input },
    token ? { token } : {},
  )
const login = (who: UserRow, more: object = {}, from = 7) =>
  post(
    "/login",
    { email: who.email, password: PASSWORD, ...more },
    { headers: { "cf-connecting-ip": `203.0.113.${from}` } },
  )

/** A user with two-factor authentication on. Its first code is used: the fixed clock is two steps later. */
async function protectedUser() {
  const ada = await user({ email: "ada@example.com" })
  vi.useFakeTimers({ toFake: ["Date"] })
  const { as_string: secret } = await prepared(ada.id)
  const confirmed = await confirm(ada.id, secret)
  expect(confirmed.status).toBe(200)
  vi.setSystemTime(Date.now() + 2 * STEP)
  return { ada, secret, codes: confirmed.body.recoveryCodes as string[] }
}

describe("time-based codes", () => {
  // RFC 6238, appendix B: SHA-1, secret "12345678901234567890", the last six of eight digits.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  const vectors: [number, string][] = [
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ]
  for (const [seconds, digits] of vectors)
    it(`match RFC 6238 at ${seconds} seconds and one step before and after, and no further`, () => {
      vi.useFakeTimers({ toFake: ["Date"] })
      const step = Math.floor(seconds / 30)
      for (const [offset, expected] of [
        [-2, undefined],
        [-1, step],
        [0, step],
        [1, step],
        [2, undefined],
      ] as const) {
        const at = seconds + 30 * offset
        if (at < 0) continue
        vi.setSystemTime(at * SECOND)
        expect(verifyTotp(secret, digits.slice(2)), `${offset} steps away`).toBe(expected)
      }
    })

  it("open a session at the times of the test vectors", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await user()
    await db.insert(twoFactor).values({ userId: ada.id, secret: encrypt(env, secret), active: true, createdAt: 0 })
    for (const [seconds, digits] of vectors.slice(1, 5)) {
      vi.setSystemTime(seconds * SECOND)
      expect((await login(ada, { code: digits.slice(2) })).status).toBe(200)
    }
  })

  it("are exactly six digits", () => {
    for (const input of ["", "12345", "1234567", "12345a", "１２３４５６", "-12345"])
      expect(verifyTotp(secret, input)).toBeUndefined()
  })
})

describe("the QR code", () => {
  it("decodes to the URI and is not mirrored", async () => {
    const ada = await user({ email: "ada.byron+lovelace@example.com" })
    const { as_qr_code, as_uri, as_string } = await prepared(ada.id)
    expect(as_uri).toBe(`otpauth://totp/Lectern:${encodeURIComponent(ada.email)}?secret=${as_string}&issuer=Lectern`)
    expect(as_qr_code).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+">.*<\/svg>$/s)
    expect(as_qr_code).not.toMatch(/<script|<image|href|<\?xml/)
    const { pixels, size, dark } = renderQrCode(as_qr_code)
    expect(jsQR(pixels, size, size, { inversionAttempts: "dontInvert" })?.data).toBe(as_uri)
    // The standard's dark module next to the lower left finder pattern: a mirrored code has it elsewhere.
    const modules = size / 4 - 8
    expect(dark((4 + 8) * 4, (4 + modules - 8) * 4)).toBe(true)
  })

  it("encodes the longest possible address", () => {
    const uri = `otpauth://totp/Lectern:${"a".repeat(254)}?secret=${"A".repeat(32)}&issuer=Lectern`
    const { pixels, size } = renderQrCode(qrCodeSvg(uri))
    expect(jsQR(pixels, size, size)?.data).toBe(uri)
  })
})

describe("two-factor setup", () => {
  it("reports each state: off, prepared, on and off again", async () => {
    const ada = await user({ firstName: "Ada", lastName: "Byron" })
    const disabledState = {
      is2FactorAuthActive: false,
      as_qr_code: null,
      as_uri: null,
      as_string: null,
      qr_code: null,
      string_code: null,
    }
    const before = await state(ada.id)
    expect(before).toMatchObject({ status: 200, body: disabledState })
    expect(cost(before).roundTrips).toBe(1)
    expect(before.headers.get("cache-control")).toBe("no-store")

    const prepare = await post(PREPARE, { user_id: ada.id })
    expect(cost(prepare).roundTrips).toBe(2)
    expect(Object.keys(prepare.body).sort()).toEqual(["as_qr_code", "as_string", "as_uri"])
    const { as_qr_code, as_uri, as_string } = prepare.body
    expect((await state(ada.id)).body).toEqual({
      is2FactorAuthActive: false,
      as_qr_code,
      as_uri,
      as_string,
      qr_code: as_qr_code,
      string_code: as_string,
    })

    const confirmed = await confirm(ada.id, as_string, { qrCode: as_qr_code })
    expect(confirmed).toMatchObject({ status: 200, body: { status: "success", message: expect.any(String) } })
    expect(confirmed.body.recoveryCodes).toHaveLength(10)
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10)
    expect(cost(confirmed).roundTrips).toBe(2)
    expect((await state(ada.id)).body).toEqual({ ...disabledState, is2FactorAuthActive: true })

    const disabled = await post(DISABLE, { user_id: ada.id })
    expect(disabled.body).toEqual({ message: expect.stringContaining("is off"), qrcode: null, stringcode: null })
    expect(cost(disabled).roundTrips).toBe(2)
    expect((await state(ada.id)).body).toEqual(disabledState)
    expect(await rowsOf(twoFactor)).toEqual([])
    expect(await rowsOf(recoveryCodes)).toEqual([])
    expect((await rowsOf(auditLogs)).map((row) => [row.effectOn, row.details])).toEqual([
      ["Ada Byron", { twoFactor: "prepared" }],
      ["Ada Byron", { twoFactor: "on" }],
      ["Ada Byron", { twoFactor: "off" }],
    ])
    expect((await post(DISABLE, { user_id: ada.id })).body.message).toContain("already off")
  })

  it("ends all sessions of the user when it is turned on and off", async () => {
    const ada = await signedIn("general")
    const { as_string } = await prepared(ada.id, ada.token)
    expect((await state(ada.id, ada.token)).status).toBe(200)
    expect((await confirm(ada.id, as_string, {}, ada.token)).status).toBe(200)
    expect((await state(ada.id, ada.token)).status).toBe(401)
    const next = await tokenOf(ada)
    expect((await post(DISABLE, { user_id: ada.id }, { token: next })).body.message).toContain("Sign in again")
    expect((await state(ada.id, next)).status).toBe(401)
  })

  it("accepts only the newest secret and a current code, as a number or with a space", async () => {
    const ada = await user()
    const { as_string: old } = await prepared(ada.id)
    const { as_string: secret } = await prepared(ada.id)
    expect(await confirm(ada.id, old)).toMatchObject({
      status: 422,
      body: { errors: { stringCode: expect.anything() } },
    })
    expect(await confirm(ada.id, secret, { secretCode: wrongCode(secret) })).toMatchObject({
      status: 422,
      body: { errors: { secretCode: expect.anything() } },
    })
    expect((await state(ada.id)).body.is2FactorAuthActive).toBe(false)
    const digits = code(secret)
    expect((await confirm(ada.id, secret, { secretCode: Number(digits) })).status).toBe(200)

    const bob = await user()
    const { as_string: other } = await prepared(bob.id)
    expect((await confirm(bob.id, other, { secretCode: code(other).replace(/^(...)/, "$1 ") })).status).toBe(200)
  })

  it("reports each missing field", async () => {
    const response = await post(CONFIRM, {})
    expect(response.status).toBe(422)
    expect(Object.keys(response.body.errors).sort()).toEqual(["qrCode", "secretCode", "stringCode", "user_id"])
    expect((await post(PREPARE, {})).status).toBe(422)
    expect((await post(DISABLE, { user_id: "x" })).status).toBe(422)
    expect(await get("/api/user-meta/2fa")).toMatchObject({
      status: 422,
      body: { errors: { user_id: expect.anything() } },
    })
  })

  it("returns 404 for an unknown user, and 409 if nothing is prepared or it is on", async () => {
    expect((await state(999)).status).toBe(404)
    for (const path of [PREPARE, DISABLE]) expect((await post(path, { user_id: 999 })).status).toBe(404)
    expect((await confirm(999, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")).status).toBe(404)
    const ada = await user()
    expect((await confirm(ada.id, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")).status).toBe(409)
    const { as_string } = await prepared(ada.id)
    await confirm(ada.id, as_string)
    expect((await post(PREPARE, { user_id: ada.id })).status).toBe(409)
    expect((await confirm(ada.id, as_string)).status).toBe(409)
  })

  it("discards a secret that was not confirmed within an hour", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await user()
    const { as_string } = await prepared(ada.id)
    vi.setSystemTime(Date.now() + HOUR)
    expect((await state(ada.id)).body.as_string).toBeNull()
    expect((await confirm(ada.id, as_string)).status).toBe(409)
  })

  it("rejects the eleventh code within 15 minutes, even a correct one", async () => {
    const ada = await user()
    const { as_string: secret } = await prepared(ada.id)
    for (let i = 0; i < 10; i++)
      expect((await confirm(ada.id, secret, { secretCode: wrongCode(secret) })).status).toBe(422)
    const refused = await confirm(ada.id, secret)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  })

  it("counts attempts separately from other users, network addresses and sign-in", async () => {
    const [ada, eve, staff] = [await signedIn("general"), await signedIn("general"), await signedIn("staff")]
    const { as_string: secret } = await prepared(ada.id, ada.token)
    const wrong = { secretCode: wrongCode(secret) }
    for (let i = 0; i < 12; i++) {
      expect((await confirm(ada.id, secret, wrong, eve.token)).status).toBe(404)
      expect((await confirm(ada.id, secret, wrong, staff.token)).status).toBe(403)
    }
    for (let i = 0; i < 10; i++) expect((await confirm(ada.id, secret, wrong, ada.token)).status).toBe(422)
    expect((await confirm(ada.id, secret, {}, ada.token)).status).toBe(429)
    expect((await login(ada)).status).toBe(200)
    expect((await login(eve)).status).toBe(200)
  })

  it("is available only to the user; callers who may change the user can turn it off and see its status", async () => {
    const [ada, eve] = [await signedIn("general"), await signedIn("general")]
    const [staff, admin, supervisor] = [await signedIn("staff"), await signedIn("admin"), await signedIn("group_admin")]
    await group({ admins: [supervisor.id], members: [ada.id] })
    const { as_string } = await prepared(ada.id, ada.token)
    expect((await state(ada.id, eve.token)).status).toBe(404)
    expect((await state(ada.id, supervisor.token)).status).toBe(403)
    expect((await state(ada.id, staff.token)).body).toMatchObject({ as_string: null, as_uri: null, as_qr_code: null })
    expect((await state(admin.id, staff.token)).status).toBe(403)
    for (const { token } of [staff, admin, supervisor]) {
      expect((await post(PREPARE, { user_id: ada.id }, { token })).status).toBe(403)
      expect((await confirm(ada.id, as_string, {}, token)).status).toBe(403)
    }
    expect((await post(PREPARE, { user_id: ada.id }, { token: eve.token })).status).toBe(404)
    await confirm(ada.id, as_string, {}, ada.token)
    expect((await post(DISABLE, { user_id: ada.id }, { token: eve.token })).status).toBe(404)
    expect((await post(DISABLE, { user_id: ada.id }, { token: supervisor.token })).status).toBe(403)
    expect((await post(DISABLE, { user_id: admin.id }, { token: staff.token })).status).toBe(403)
    expect((await post(DISABLE, { user_id: ada.id }, { token: staff.token })).status).toBe(200)
    expect((await state(ada.id)).body.is2FactorAuthActive).toBe(false)
  })

  it("defaults to the caller", async () => {
    const ada = await signedIn("general")
    const { as_string } = await prepared(ada.id, ada.token)
    expect((await get("/api/user-meta/2fa", { token: ada.token })).body.string_code).toBe(as_string)
  })
})

describe("sign-in with two-factor authentication", () => {
  it("asks for the code after a correct password, which counts as neither success nor failure", async () => {
    const { ada, secret } = await protectedUser()
    for (let i = 0; i < 12; i++)
      expect(await login(ada)).toMatchObject({ status: 401, body: { twoFactorRequired: true } })
    const wrong = await login(ada, { password: "not this one", code: code(secret) })
    expect(wrong.body.twoFactorRequired).toBeUndefined()
    const response = await login(ada, { code: code(secret) })
    expect(response).toMatchObject({ status: 200, body: { token: expect.any(String) } })
    expect(response.headers.get("server-timing")).toContain("trips=2")
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({ action: "login", details: { twoFactor: "app" } })
  })

  it("accepts each code once, within one step, and no code older than the last one used", async () => {
    const { ada, secret } = await protectedUser()
    expect((await login(ada, { code: code(secret, -2) }, 1)).status).toBe(401)
    expect((await login(ada, { code: code(secret, 2) }, 2)).status).toBe(401)
    expect((await login(ada, { code: code(secret, -1) }, 3)).status).toBe(200)
    expect((await login(ada, { code: code(secret) }, 4)).status).toBe(200)
    expect(await login(ada, { code: code(secret) }, 5)).toMatchObject({
      status: 401,
      body: { twoFactorRequired: true },
    })
    expect((await login(ada, { code: code(secret, -1) }, 6)).status).toBe(401)
    expect((await login(ada, { code: code(secret, 1) }, 7)).status).toBe(200)
  })

  it("rejects the code that turned it on", async () => {
    const ada = await user()
    vi.useFakeTimers({ toFake: ["Date"] })
    const { as_string: secret } = await prepared(ada.id)
    await confirm(ada.id, secret)
    expect((await login(ada, { code: code(secret) })).status).toBe(401)
  })

  it("opens one session for a code that is used five times concurrently", async () => {
    const { ada, secret, codes } = await protectedUser()
    for (const once of [code(secret), codes[0]]) {
      const responses = await Promise.all([1, 2, 3, 4, 5].map((from) => login(ada, { code: once }, from)))
      expect(responses.map((response) => response.status).sort()).toEqual([200, 401, 401, 401, 401])
    }
  })

  it("accepts each recovery code once, regardless of its formatting", async () => {
    const { ada, codes } = await protectedUser()
    const [first = "", second = ""] = codes
    expect(first).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/)
    expect((await login(ada, { code: first }, 1)).status).toBe(200)
    expect((await login(ada, { code: first }, 2)).status).toBe(401)
    expect((await login(ada, { code: ` ${second.toLowerCase().replace("-", " ")} ` }, 3)).status).toBe(200)
    expect(await rowsOf(recoveryCodes)).toHaveLength(8)
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({ details: { twoFactor: "recovery code" } })
    const bob = await user()
    await db.update(twoFactor).set({ userId: bob.id }).where(eq(twoFactor.userId, ada.id))
    expect((await login(bob, { code: codes[2] }, 4)).status).toBe(401)
  })

  it("counts a wrong code as a failure and rejects the eleventh", async () => {
    const { ada, secret } = await protectedUser()
    for (let i = 0; i < 10; i++) expect((await login(ada, { code: wrongCode(secret) }, i)).status).toBe(401)
    expect((await login(ada, { code: code(secret) }, 11)).status).toBe(429)
    vi.setSystemTime(Date.now() + 15 * MINUTE)
    expect((await login(ada, { code: code(secret) }, 12)).status).toBe(200)
  })

  it("does not block the network address after wrong codes", async () => {
    const { ada } = await protectedUser()
    const bob = await user()
    const address = clientObject(env, "ip:203.0.113.7")
    for (let i = 0; i < 99; i++) await address.attempt(100)
    for (let i = 0; i < 5; i++) expect((await login(ada, { code: "wrong" })).status).toBe(401)
    expect((await login(bob)).status).toBe(200)
    expect((await login(bob, { password: "wrong" })).status).toBe(401)
    expect((await login(bob)).status).toBe(429)
  })

  it("asks for the code on the sign-in form", async () => {
    const { ada, secret } = await protectedUser()
    const send = (fields: Record<string, string>) =>
      call("POST", "/login", {
        body: new URLSearchParams({ email: ada.email, password: PASSWORD, next: "/docs?x=1", ...fields }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      })
    const challenge = await send({})
    expect(challenge.status).toBe(401)
    expect(challenge.body).toContain('<label for="code">')
    expect(challenge.body).not.toContain("aria-invalid")
    expect(challenge.body).toMatch(/<input id="password"[^>]*autofocus/)
    expect((await send({ code: "wrong" })).body).toMatch(/<input id="code"[^>]*aria-invalid="true"/)
    expect(challenge.body).not.toContain(PASSWORD)
    expect((await send({ code: "" })).body).toContain('<label for="code">')
    const done = await send({ code: code(secret) })
    expect(done.status).toBe(303)
    expect(done.headers.get("location")).toBe("/docs?x=1")
    expect(done.headers.get("set-cookie")).toContain("session=")
  })
})

describe("secrets in the database, logs and responses", () => {
  it("appear only in the response that issues them", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await signedIn("general", { email: "ada@example.com" })
    await keepsSecret(async (secret) => {
      const { as_string, as_uri } = await prepared(ada.id, ada.token)
      secret("the two-factor secret", as_string, `POST ${PREPARE}`)
      secret("its URI", as_uri, `POST ${PREPARE}`)
      secret("the first code", code(as_string))
      const { body } = await confirm(ada.id, as_string, {}, ada.token)
      for (const recovery of body.recoveryCodes) secret("a recovery code", recovery, `POST ${CONFIRM}`)
      vi.setSystemTime(Date.now() + 2 * STEP)
      secret("the second code", code(as_string))
      secret("a wrong code", wrongCode(as_string))
      secret("the password", PASSWORD)
      await login(ada)
      await login(ada, { code: wrongCode(as_string) })
      const { token } = (await login(ada, { code: code(as_string) })).body
      secret("the token", token, "POST /login")
      await login(ada, { code: body.recoveryCodes[0] })
      await state(ada.id, token)
      await post(DISABLE, { user_id: ada.id }, { token, headers: { "idempotency-key": "once" } })
    })
  })

  it("are detected by this check if they leak", async () => {
    await user({ internalNote: "swordfish" })
    const leaks = async (flow: () => Promise<unknown>, answeredBy?: string) =>
      keepsSecret(async (secret) => {
        await flow()
        secret("the word", "swordfish", answeredBy)
      }).then(
        () => "kept",
        (error: Error) => /the word in (\w+ ?\w*)/.exec(error.message)?.[1],
      )
    expect(await leaks(async () => console.error("It is swordfish."))).toBe("the log")
    expect(await leaks(async () => {})).toBe("tables")
    await db.update(users).set({ internalNote: null })
    expect(await leaks(async () => {})).toBe("kept")
    const response = () => get("/api/user/swordfish")
    expect(await leaks(response)).toBe("answers")
  })
})
