import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { type Operation, operations } from "../../src/http/operation.ts"
import { callerAs, hasRole } from "../../src/lib/caller.ts"
import { smallAcademy } from "../factories/academy.ts"
import { group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { call, cost, post, query } from "../helpers/client.ts"
import { callsOf, type Document, openApiDocument } from "./inputs.ts"
import { sampled } from "./matrix.ts"

// A portal or group outside the caller's scope is unknown in every operation that has a field for it.

const NAMES = /^(portal_?id|group_?id)$/i
const UNKNOWN = 99_999

type Place = "query" | "search_param" | "body"

const sheet = () => {
  const form = new FormData()
  form.set("file", new File(["email,first_name\na@example.com,Ada\n"], "people.csv"))
  return form
}

/** Bodies of operations that require more than their schema says. */
const GIVEN: Record<string, object> = {
  "post /api/sso-provider/create": {
    ...{ name: "Provider", issuer: "https://id.example", clientId: "client", clientSecret: "secret" },
  },
  "post /api/user/portal-create": { userId: 1, portals: [{ name: "Branch", userType: "portal_admin" }] },
  "post /api/class/enroll/{id}": { studentIds: [1] },
  "post /api/module/assignment/submit": { statusRowId: 1, submission: "Text" },
  "post /api/module/assignment/evaluate": { statusRowId: 1, evaluation: { isAccepted: true } },
  "post /api/course/enroll": { course_ids: [1], user_ids: [1] },
  "post /api/user/bulkUpload": { userList: [{ email: "a@example.com", first_name: "Ada" }] },
  "post /api/user/userBulkUploadSpreadsheet": sheet(),
}

/** Administrators only: an unknown record in a field of their records answers 422, like every other reference. */
const REFERENCES = ["post /api/webhook/create", "put /api/webhook/{id}"]

interface Subject {
  operation: Operation
  path: string
  required: Record<string, unknown>
  body: object | FormData | undefined
  fields: { place: Place; name: string }[]
}

const shapeOf = (schema: { $ref?: string; properties?: object; required?: string[] } | undefined, document: Document) =>
  (schema?.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema) ?? {}

const only = (members: object, names: string[]) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)))

/** An operation with a field for a portal or group, and its minimal body. */
function subjectOf(operation: Operation, document: Document, seed: number): Subject | undefined {
  const entry = document.paths[operation.path]?.[operation.method] ?? {}
  const parameters = (entry.parameters ?? []).filter((parameter) => parameter.in === "query")
  const search = shapeOf(parameters.find(({ name }) => name === "search_param")?.schema, document)
  const [content] = Object.values(entry.requestBody?.content ?? {})
  const schema = shapeOf(content?.schema, document)
  const named = (place: Place, names: string[]) =>
    names.filter((name) => NAMES.test(name)).map((name) => ({ place, name }))
  const fields = [
    ...named(
      "query",
      parameters.map(({ name }) => name),
    ),
    ...named("search_param", Object.keys(search.properties ?? {})),
    ...named("body", Object.keys(schema.properties ?? {})),
  ]
  if (fields.length === 0 || REFERENCES.includes(`${operation.method} ${operation.path}`)) return undefined
  const [plain] = fc.sample(callsOf(operation, document, { plainly: true }), { numRuns: 1, seed })
  const url = new URL(plain?.path ?? "", "https://a.example")
  const asked = parameters.filter(({ required }) => required).map(({ name }) => name)
  const given = GIVEN[`${operation.method} ${operation.path}`]
  const body = plain?.body
  return {
    operation,
    path: operation.path.replace("{kind}", "enrolled").replace(/\{\w+\}/g, "1"),
    required: only(Object.fromEntries(url.searchParams), asked),
    body:
      body === undefined
        ? undefined
        : (given ?? (body instanceof FormData ? body : only(body as object, schema.required ?? []))),
    fields,
  }
}

describe("a portal or group in a request", () => {
  it("does not exist for callers who cannot see it, in every operation", { timeout: 240_000 }, async () => {
    await smallAcademy()
    const people = []
    for (const [at, userType] of ["owner", "group_admin", "general"].entries())
      people.push(await signedIn(userType, { id: 900_001 + at }))
    const ids = people.map(({ id }) => id)
    const own = {
      portal: (await portal({ admins: ids.slice(1, 2), members: [1, ...ids.slice(2)] })).id,
      group: (await group({ admins: ids.slice(1, 2), members: [1, ...ids.slice(2)] })).id,
    }
    const foreign = { portal: (await portal({ members: [2] })).id, group: (await group({ members: [2] })).id }

    const document = await openApiDocument()
    const subjects = operations.flatMap((operation, at) => subjectOf(operation, document, at) ?? [])
    expect(subjects.length).toBeGreaterThan(60)
    const wrong: string[] = []
    for (const [at, { operation, path, required, body, fields }] of sampled(subjects.entries(), 5))
      for (const { place, name } of fields) {
        const thing = /portal/i.test(name) ? "portal" : "group"
        const refusal = `No such ${thing}.`
        const mayCall = people.filter(({ id, userType }) => hasRole(callerAs(id, userType, ""), operation.access))
        for (const person of sampled(mayCall, mayCall.length, at)) {
          const send = async (value: number) => {
            const member = { [name]: value }
            const inQuery = place === "query" ? member : place === "search_param" ? { search_param: member } : {}
            const form = body instanceof FormData ? body : undefined
            if (place === "body") form?.set(name, String(value))
            const content = form ?? (place === "body" ? { ...body, ...member } : body)
            return call(operation.method.toUpperCase(), `${path}${query({ ...required, ...inQuery })}`, {
              token: person.token,
              ...(content !== undefined && { body: content }),
            })
          }
          const where = `${person.userType} ${operation.method} ${operation.path} ${place} ${name}`
          const everyone = person.userType === "owner"
          const records = async () => (await rowsOf(auditLogs)).length
          const before = await records()
          for (const value of [UNKNOWN, ...(everyone ? [] : [foreign[thing]])]) {
            const answer = await send(value)
            if (answer.status !== 404 || answer.body.message !== refusal)
              wrong.push(`${where} ${value}: ${answer.status} ${JSON.stringify(answer.body)}`)
            else if (cost(answer).roundTrips > 1) wrong.push(`${where} ${value}: ${cost(answer).roundTrips} trips`)
          }
          if ((await records()) !== before) wrong.push(`${where} changed something`)
          for (const value of [own[thing], ...(everyone ? [foreign[thing]] : [])]) {
            const { status, body: answered } = await send(value)
            if (status === 404 && answered.message === refusal) wrong.push(`${where} ${value}: ${refusal}`)
          }
        }
      }
    expect(wrong).toEqual([])
  })

  it("does not prevent a replayed response after it is deleted", async () => {
    const { token } = await signedIn("admin")
    const { id: portalId } = await portal()
    const { id: user_id } = await user()
    const send = () =>
      post("/api/email/resendNewAccountEmail", { user_id, portalId }, { token, headers: { "idempotency-key": "k" } })
    const first = await send()
    expect([first.status, cost(first).roundTrips]).toEqual([200, 2])
    await post("/api/portal/delete", { delete_ids: [portalId] }, { token })
    const again = await send()
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"])
    expect(again.body).toEqual(first.body)
  })
})
