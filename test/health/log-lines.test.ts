import { env, exports } from "cloudflare:workers"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { signedIn, tokenOf } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { call } from "../helpers/client.ts"
import { CREDENTIAL } from "../helpers/guards.ts"
import { callsOf, openApiDocument } from "../matrix/inputs.ts"
import { sampled } from "../matrix/matrix.ts"

// Everything that is logged while every operation is called, with marked values wherever a caller can send text.

const MARK = "m4rk3d"
const EMAIL = `${MARK}@somebody.example`
/** The allowed members of the log line of an operation. */
const MEMBERS =
  "event requestId operation method status caller role messages failed ms trips read written slow expensive".split(" ")

const logged: string[] = []
beforeEach(() => {
  logged.length = 0
  Object.assign(env, { LOG: "requests" })
  for (const level of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void logged.push(words.join(" ")))
})
afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(env, { LOG: "" })
})

/** A body whose addresses, passwords, keys and free texts are marked. */
function marked(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => marked(item, name))
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, marked(member, key)]))
  if (typeof value !== "string") return value
  if (/email/i.test(name)) return EMAIL
  return /password|secret|token|key|code|name|text|note|message|url/i.test(name) ? `${MARK}-${name}` : value
}

/** A path of the operation, with a mark in place of keys. */
const pathOf = (path: string) =>
  path
    .replace("{exportId}", "00000000-0000-4000-8000-000000000000")
    .replace(/(?<=validate-key\/)\{\w+\}/, MARK)
    .replace(/\{\w+\}/g, "1")

describe("log of every operation", () => {
  it("contains no token, address, password or key, and only the cost of the request", {
    timeout: 240_000,
  }, async () => {
    const owner = await signedIn("owner", { id: 900_001, email: `owner-${EMAIL}` })
    const key = await apiKey({ id: 900_101, role: "owner", name: MARK })
    let { token } = owner
    for (const credential of [token, key.token]) expect(credential).toMatch(CREDENTIAL)
    const document = await openApiDocument()
    logged.length = 0
    let calls = 0
    for (const [index, operation] of operations.entries()) {
      const [plain] = fc.sample(callsOf(operation, document, { plainly: true }), { numRuns: 1, seed: index })
      if (!plain) throw new Error("No call")
      const address = `${pathOf(operation.path)}?${plain.path.split("?")[1] ?? ""}&access_token=${MARK}&email=${EMAIL}`
      const body = operation.method === "get" ? {} : { body: marked(plain.body ?? {}) }
      for (const as of [...sampled([token, key.token], 2, index), ...sampled([`${token}${MARK}`], 3, index)]) {
        const headers = { "idempotency-key": `${MARK}-${index}`, cookie: `__Host-session=${MARK}`, referer: `/${MARK}` }
        const response = await call(operation.method.toUpperCase(), address, { token: as, headers, ...body })
        calls++
        if (as === token && response.status === 401) token = await tokenOf(owner)
      }
    }
    for (const path of ["/login", "/set-password", "/oauth/token", "/password/forgot", "/session/refresh"]) {
      const secrets = { email: EMAIL, password: `${MARK}-password`, token: MARK, refreshToken: MARK, client_id: MARK }
      const to = `https://lectern.test${path}?token=${MARK}`
      for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
        const body = type.endsWith("json") ? JSON.stringify(secrets) : new URLSearchParams(secrets).toString()
        await exports.default.fetch(to, { method: "POST", headers: { "content-type": type }, body, redirect: "manual" })
        calls++
      }
      await exports.default.fetch(to, { redirect: "manual" })
      calls++
    }
    await call("GET", `/nowhere/${MARK}`)
    await runScheduled(env)

    expect(logged.filter((line) => line.includes(MARK) || line.includes(owner.email))).toEqual([])
    expect(logged.filter((line) => CREDENTIAL.test(line) || line.includes("@"))).toEqual([])
    const acts = logged.map((line) => JSON.parse(line)).filter(({ event }) => /^(request|queue|cron)$/.test(event))
    expect(acts.length).toBe(calls + 2)
    expect(acts.flatMap((act) => Object.keys(act)).filter((name) => !MEMBERS.includes(name))).toEqual([])
    const covered = new Set(acts.map(({ operation }) => operation))
    expect(operations.map(({ operationId }) => operationId).filter((id) => !covered.has(id))).toEqual([])
    // Operation names are never paths with values.
    expect([...covered].filter((name) => !/^([a-zA-Z0-9]+|\/[\w:{}\-+[\]./*]*)$/.test(name))).toEqual([])
  })
})
