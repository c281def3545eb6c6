import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { type Caller, callerAs, hasRole } from "../../src/lib/caller.ts"
import { smallAcademy } from "../factories/academy.ts"
import { group, signedIn, tokenOf, type UserRow } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { type Answer, call, cost } from "../helpers/client.ts"
import { callsOf, openApiDocument, shown } from "./inputs.ts"
import { everyCombination } from "./matrix.ts"

// Sends every operation inputs that almost match its schema, and hostile inputs. The seed determines the calls, so a
// failure can be repeated. Longer runs use other seeds and more calls.

const SEED = 20_261_121
/** Calls of each operation. */
const CALLS = everyCombination ? 10 : 2

/** Callers of every role. No call uses their ids, so no call ends their sessions. */
async function callers() {
  const found: { as: Caller; token?: string; row?: UserRow }[] = [{ as: callerAs(null, "anonymous", "") }]
  for (const [i, userType] of ["general", "group_admin", "portal_admin", "staff", "admin", "owner"].entries()) {
    const { token, ...row } = await signedIn(userType, { id: 700_001 + i, email: `${userType}@caller.example` })
    found.push({ as: callerAs(row.id, userType, ""), token, row })
  }
  for (const [i, role] of ["general", "staff", "owner"].entries()) {
    const { id, token } = await apiKey({ id: 700_101 + i, role })
    found.push({ as: callerAs(-id, role, ""), token })
  }
  await group({ admins: [700_002], members: [1, 700_001] })
  return found
}

describe("every operation with random input", () => {
  it("never returns 500, matches its schemas, and needs one round trip to read, two to change", {
    timeout: 180_000,
  }, async () => {
    await smallAcademy()
    const everyone = await callers()
    const document = await openApiDocument()
    const faults: string[] = []
    for (const [at, operation] of operations.entries()) {
      const allowed = everyone.filter(
        ({ as }) => hasRole(as, operation.access) && !(operation.signedIn && as.id === null),
      )
      const calls = fc.sample(callsOf(operation, document), { numRuns: CALLS, seed: SEED + at })
      for (const [i, sent] of calls.entries()) {
        const caller = allowed[(i + at) % allowed.length]
        if (!caller) throw new Error("No caller")
        const where = `${caller.as.kind} ${caller.as.userType} ${operation.method} ${shown(sent)}`
        const send = () =>
          call(operation.method.toUpperCase(), sent.path, {
            ...(caller.token && { token: caller.token }),
            ...(sent.body !== undefined && { body: sent.body }),
          })
        let answer: Answer
        try {
          answer = await send()
          if (answer.status === 401 && caller.row && answer.body.twoFactorRequired === undefined) {
            caller.token = await tokenOf(caller.row)
            answer = await send()
          }
        } catch (error) {
          faults.push(`${where}: ${String(error).slice(0, 600)}`)
          continue
        }
        // Diagnostics query the primary and the nearest instance in parallel.
        const isRead = operation.method === "get" && !operation.mutates && operation.path !== "/api/diagnostics"
        const most = isRead ? 1 : 2
        const { roundTrips } = cost(answer)
        if (roundTrips > most) faults.push(`${where}: ${roundTrips} trips for ${answer.status}`)
      }
    }
    expect(faults).toEqual([])
  })
})
