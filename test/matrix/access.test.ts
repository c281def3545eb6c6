import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { type Access, hasRole } from "../../src/lib/caller.ts"
import { signedIn } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { call } from "../helpers/client.ts"
import { everyCombination, sampled } from "./matrix.ts"

// Calls every operation with every role and checks only whether access is refused: by 302, or by 403 with its message.
// `npm test` calls each operation with the lowest role that may call it, the next lower and the next higher one.

const LADDER: Access[] = ["general", "group_admin", "staff", "admin", "owner"]
const REFUSED = "Your role does not allow this."

/** A path with ids that do not exist. */
const concrete = (path: string) =>
  path.replace("{exportId}", "00000000-0000-4000-8000-000000000000").replace(/\{\w+\}/g, "999999999")

const send = (operation: (typeof operations)[number], token?: string) =>
  call(operation.method.toUpperCase(), concrete(operation.path), {
    ...(token && { token }),
    ...(operation.method !== "get" && { body: {} }),
  })

const refusedByRole = (answer: { status: number; body: { message?: string } }) =>
  answer.status === 403 && answer.body.message === REFUSED

describe("every operation", () => {
  const documented = env.ACCESS_POLICY
  afterEach(() => {
    env.ACCESS_POLICY = documented
  })

  it("is declared once per method and path", () => {
    const names = operations.map((operation) => `${operation.method} ${operation.path}`)
    expect(names.length).toBeGreaterThan(10)
    expect(new Set(names).size).toBe(names.length)
  })

  for (const userType of [...LADDER, "portal_admin"]) {
    it(`allows ${userType} only the operations of its role`, async () => {
      const { token } = await signedIn(userType)
      const rank = LADDER.indexOf(userType === "portal_admin" ? "group_admin" : (userType as Access))
      for (const operation of sampled(operations, 2, rank)) {
        const required = LADDER.indexOf(operation.access)
        if (!everyCombination && Math.abs(required - rank) > 1) continue
        const answer = await send(operation, token)
        const expected = required > rank
        expect(refusedByRole(answer), `${userType} ${operation.method} ${operation.path}: ${answer.status}`).toBe(
          expected,
        )
      }
    })
  }

  it("denies an unknown user type", async () => {
    const { token } = await signedIn("janitor")
    for (const operation of sampled(operations, 25)) {
      const answer = await send(operation, token)
      expect(refusedByRole(answer), `${operation.method} ${operation.path}`).toBe(true)
    }
  })

  it("gives no rank to inherited object property names", () => {
    for (const name of ["toString", "constructor", "__proto__", "hasOwnProperty"])
      expect(hasRole({ kind: "user", userType: name }, "general"), name).toBe(false)
  })

  it("redirects an anonymous call to the sign-in page if it needs a session, under `documented`", async () => {
    for (const operation of sampled(operations, 13, 3)) {
      const answer = await send(operation)
      expect(answer.status === 302, `${operation.method} ${operation.path}: ${answer.status}`).toBe(operation.signedIn)
      if (operation.signedIn) {
        expect(answer.headers.get("location")).toBe("https://lectern.test/login")
        expect(answer.headers.get("content-type")).toContain("text/html")
        expect(answer.body).toContain("<html")
      }
    }
  })

  for (const [at, policy] of ["enforced", "", "nonsense"].entries()) {
    it(`redirects every anonymous call to the sign-in page under ${policy || "an empty policy"}`, async () => {
      env.ACCESS_POLICY = policy
      for (const operation of sampled(operations, 13, at)) {
        const answer = await send(operation)
        expect(answer.status, `${operation.method} ${operation.path}`).toBe(302)
      }
    })
  }

  it("answers 401 to an invalid token under both policies", async () => {
    for (const [at, policy] of ["documented", "enforced"].entries()) {
      env.ACCESS_POLICY = policy
      for (const operation of sampled(operations, 17, at)) {
        const answer = await send(operation, "eyJhbGciOiJIUzI1NiJ9.e30.AAAA")
        expect(answer.status, `${operation.method} ${operation.path}`).toBe(401)
      }
    }
  })
})

describe("every operation, called with an API key", () => {
  type Key = { role: Access; access: "read" | "write"; families: string[] | null }

  /** The error code with which the access check refuses such a key; undefined if it is allowed. */
  function refusalOf({ role, access, families }: Key, operation: (typeof operations)[number]) {
    if (LADDER.indexOf(operation.access) > LADDER.indexOf(role)) return "insufficient_role"
    if (operation.keys === "none") return "user_session_required"
    if (operation.keys === "every") return undefined
    if (access === "read" && (operation.method !== "get" || operation.mutates)) return "key_read_only"
    return families && !families.includes(operation.tag) ? "key_scope_insufficient" : undefined
  }
  const OF_THE_GATE = ["user_session_required", "key_read_only", "key_scope_insufficient"]

  const whole = { access: "write", families: null } as const
  const keys: Key[] = [
    ...LADDER.map((role) => ({ role, ...whole })),
    { role: "owner", access: "read", families: null },
    { role: "owner", access: "write", families: ["Courses", "Users"] },
    { role: "group_admin", access: "read", families: ["Reports"] },
  ]
  for (const [at, given] of keys.entries())
    it(`allows only what its role and scope permit: ${JSON.stringify(given)}`, async () => {
      const { token } = await apiKey(given)
      for (const operation of sampled(operations, keys.length, at)) {
        const answer = await send(operation, token)
        const expected = refusalOf(given, operation)
        const code = refusedByRole(answer) || OF_THE_GATE.includes(answer.body.code) ? answer.body.code : undefined
        expect(code, `${operation.method} ${operation.path}: ${answer.status}`).toBe(expected)
        expect([302, 401, 503], `${operation.method} ${operation.path}`).not.toContain(answer.status)
      }
    })
})
