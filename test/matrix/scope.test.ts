import { env } from "cloudflare:workers"
import fc from "fast-check"
import { beforeEach, describe, expect, it } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { callerAs, hasRole } from "../../src/lib/caller.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { group, portal, signedIn, type UserRow, user } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { card, order, subscription } from "../factories/people.ts"
import { call, get, post } from "../helpers/client.ts"
import { callsOf, type Document, shown } from "./inputs.ts"
import { everyCombination, sampled } from "./matrix.ts"

// All records belong to users 1 to 5, whose names are easy to find in responses. Callers without access to these users
// then send their ids to every operation.

const STRANGER = /zzstranger/i
const CALLS = everyCombination ? 6 : 1
const SEED = 20_261_121

/** Tables that every call writes, and the tables of the search index. */
const KEPT =
  /^(counters|sequences|guards|audit_logs|idempotency_keys|d1_migrations|sqlite_.*|_cf_.*|.*_(fts|search)(_\w+)?)$/

type Row = Record<string, unknown>

/** The rows of every table of records, by table. */
async function records(): Promise<Map<string, Row[]>> {
  const { results } = await env.DB.prepare("select name from sqlite_master where type = 'table'").all<{
    name: string
  }>()
  const tables = results.map(({ name }) => name).filter((name) => !KEPT.test(name))
  const found = await env.DB.batch<Row>(tables.map((name) => env.DB.prepare(`select * from ${name}`)))
  return new Map(tables.map((name, i) => [name, found[i]?.results ?? []]))
}

const OWNERS = ["user_id", "owner_id", "supervisor_id"]
const ofStranger = (row: Row) => OWNERS.some((column) => Number(row[column]) >= 1 && Number(row[column]) <= 5)

/** The other users' records that were added or removed. */
function touched(before: Map<string, Row[]>, after: Map<string, Row[]>): string[] {
  return [...after].flatMap(([table, rows]) => {
    const mine = (row: Row) => (table === "users" ? Number(row.id) <= 5 : ofStranger(row))
    const texts = (of: Row[]) => new Set(of.filter(mine).map((row) => JSON.stringify(row)))
    const [old, now] = [texts(before.get(table) ?? []), texts(rows)]
    return [...now.symmetricDifference(old)].map((row) => `${table} ${row}`)
  })
}

async function strangers() {
  const people: UserRow[] = []
  for (let i = 1; i <= 5; i++)
    people.push(await user({ firstName: "Zzstranger", lastName: `Number ${i}`, email: `zzstranger${i}@example.com` }))
  await group({ admins: [5], members: [1, 2, 3, 4] })
  await portal({ members: [1, 2] })
  const modules = []
  for (const type of ["text", "video", "quiz", "scorm", "assignment"] as const) modules.push(await module({ type }))
  const first = await course(
    {},
    modules.map(({ id }) => ({ moduleId: id })),
  )
  const held = await classOf(first, { webinarProvider: "Meet" })
  const shipping = {
    fullName: "Zzstranger",
    addressLine1: "1 Zzstranger Road",
    zipcode: "1",
    city: "Lima",
    country: "Peru",
  }
  for (const person of people) {
    const { id: userId } = person
    const { id } = await enrollment(person, first)
    await moduleStatus(id, 1)
    await classEnrollment(person, held, { notes: "Zzstranger's" })
    await card(userId)
    await subscription(userId)
    await order(userId)
    const items = [{ type: "course", id: 1, name: "Zzstranger's", price: 1 }]
    const made = [
      await post(`/api/user/${userId}/addAddress`, { ...shipping, isDefault: true }),
      await post("/api/user-consent/create", { userId, consentId: "zzstranger", status: "accepted" }),
      await post("/api/cart/create", { userId, items, currency: "USD" }),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 200, 200])
  }
  const news = { heading: "Zzstranger's news", content: "Zzstranger", sending_rules: "specific_users" }
  for (const userId of [1, 2, 3])
    expect((await post("/api/announcement", { ...news, user_ids: [userId, 4, 5] })).status).toBe(200)
}

describe("ids of users outside the caller's scope", () => {
  let document: Document
  beforeEach(async () => {
    await strangers()
    document = (await get("/openapi.json")).body
  })

  for (const [offset, userType] of ["general", "group_admin", "portal_admin"].entries())
    it(`reveal nothing to ${userType} and change nothing`, async () => {
      const { token, id } = await signedIn(userType, { id: 700_001, email: "caller@example.com" })
      await group({ admins: userType === "group_admin" ? [id] : [], members: [id] })
      await portal({
        admins: userType === "portal_admin" ? [id] : [],
        members: userType === "portal_admin" ? [] : [id],
      })
      const caller = callerAs(id, userType, "")
      const faults: string[] = []
      let before = await records()
      for (const [at, operation] of sampled(operations.entries(), 2, offset)) {
        if (!hasRole(caller, operation.access)) continue
        const sent = fc.sample(callsOf(operation, document, { plainly: true }), { numRuns: CALLS, seed: SEED + at })
        for (const one of sent) {
          const { body, status } = await call(operation.method.toUpperCase(), one.path, {
            token,
            ...(one.body !== undefined && { body: one.body }),
          })
          if (STRANGER.test(JSON.stringify(body)))
            faults.push(
              `${operation.method} ${shown(one)} shows a stranger: ${status} ${JSON.stringify(body).slice(0, 400)}`,
            )
        }
        // The client helper checks that a GET writes nothing.
        if (operation.method === "get" && !operation.mutates) continue
        const after = await records()
        const changes = touched(before, after)
        if (changes.length > 0)
          faults.push(`${operation.method} ${operation.path} changed ${changes.slice(0, 3).join("; ")}`)
        before = after
      }
      expect(faults).toEqual([])
    })

  it("are unknown or refused in every operation with a user id", async () => {
    const { token } = await signedIn("general", { id: 700_001 })
    const named = /^(user_?id|studentId)$/i
    const faults: string[] = []
    for (const operation of operations) {
      if (operation.access !== "general") continue
      const entry = document.paths[operation.path]?.[operation.method] ?? {}
      const inQuery = (entry.parameters ?? []).some(
        (parameter) => parameter.in === "query" && named.test(parameter.name),
      )
      const inPath = /^\/api\/user\/(\w+\/)?\{id\}/.test(operation.path)
      if (!inQuery && !inPath) continue
      const path = operation.path.replace(/\{\w+\}/, "1")
      const names = (entry.parameters ?? []).filter((parameter) => named.test(parameter.name))
      const asked = new URLSearchParams([
        ["page_size", "10"],
        ["page_number", "1"],
        ...names.map(({ name }) => [name, "1"]),
      ])
      const { status, body } = await call(operation.method.toUpperCase(), `${path}?${asked}`, {
        token,
        ...(operation.method !== "get" && { body: {} }),
      })
      const empty = status === 200 && body.recordsTotal === 0
      if (![403, 404, 422].includes(status) && !empty)
        faults.push(`${operation.method} ${path}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
    }
    expect(faults).toEqual([])
  })
})
