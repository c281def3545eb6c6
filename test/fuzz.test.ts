import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { operations } from "../src/http/operation.ts"
import { type Caller, callerAs, hasRole } from "../src/lib/access.ts"
import { type Answer, call, cost, post } from "./client.ts"
import { classEnrolment, classOf } from "./factories.classes.ts"
import { apiKey } from "./factories.keys.ts"
import { course, enrolment, module, moduleStatus } from "./factories.learning.ts"
import { group, portal, signedIn, tokenOf, type UserRow, user } from "./factories.ts"
import { callsOf, openApiDocument, shown } from "./inputs.ts"

// Sends every operation inputs that its schema all but asks for, and inputs that nobody should send. The calls follow
// from the seed alone, so that a failure here fails again; a longer run takes other seeds and more calls.

const SEED = 20_261_121
/** Calls of each operation. */
const CALLS = 10

/** A small academy whose records have the ids 1 to 5, so that a call can hit. */
async function academy() {
  const people: UserRow[] = []
  for (const userType of ["general", "general", "general", "group_admin", "staff"])
    people.push(await user({ userType }))
  const [one, two] = people
  if (!one || !two) throw new Error("No people")
  await group({ admins: [4], members: [1, 2] })
  await group({ members: [3] })
  await portal({ admins: [4], members: [1] })
  const modules = []
  for (const type of ["text", "video", "quiz", "scorm", "assignment"] as const) modules.push(await module({ type }))
  const first = await course(
    {},
    modules.map(({ id }) => ({ moduleId: id })),
  )
  await course()
  await moduleStatus((await enrolment(one, first)).id, 1)
  await enrolment(two, first)
  const held = await classOf(first, { webinarProvider: "Meet" })
  for (const person of [one, two]) await classEnrolment(person, held)
  const news = { heading: "News", content: "Text", sending_rules: "all" }
  const rules = [{}, { portalId: 1 }, { sending_rules: "specific_users", user_ids: [1, 2] }]
  for (const given of [...rules, { sending_rules: "specific_course_users", course_ids: [1] }])
    await post("/api/announcement", { ...news, ...given })
}

/** Every kind of caller. Their ids are out of the calls' reach: nothing that a call does ends their sessions. */
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

describe("every operation, whatever it is sent", () => {
  it("never fails for a fault of ours, errs in one shape, answers as declared, in one trip to read, two to change", {
    timeout: 180_000,
  }, async () => {
    await academy()
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
        const most = operation.method === "get" && !operation.mutates ? 1 : 2
        const { trips } = cost(answer)
        if (trips > most) faults.push(`${where}: ${trips} trips for ${answer.status}`)
      }
    }
    expect(faults).toEqual([])
  })
})
