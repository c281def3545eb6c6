import { describe, expect, it } from "vitest"
import { z } from "zod"
import { fieldsWithin, rowsField } from "../../src/http/fields.ts"
import { operations } from "../../src/http/operation.ts"
import { signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, get } from "../helpers/client.ts"

const list = "/api/users/tabularlist?page_size=20&page_number=1"

describe("fields=", () => {
  it("limits the rows of a list to the named fields, with the envelope complete", async () => {
    const staff = await signedIn("staff", { firstName: "Olive" })
    const answer = await get(`${list}&fields=id,first_name`, staff)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      recordsTotal: 1,
      recordsFiltered: 1,
      records: [{ id: staff.id, first_name: "Olive" }],
    })
    expect(answer.headers.get("link")).toContain("fields=id")
  })

  it("limits a record to the named fields, also within objects, and keeps its ETag for If-Match", async () => {
    const learner = await signedIn("general", { firstName: "Ada" })
    const all = await get(`/api/user/${learner.id}`, learner)
    const some = await get(`/api/user/${learner.id}?fields=firstName,membership.name`, learner)
    expect([all.body.firstName, some.body]).toEqual(["Ada", { firstName: "Ada", membership: null }])
    expect(some.headers.get("etag")?.split("-")[0]).toBe(all.headers.get("etag")?.split("-")[0])
  })

  it("limits the answer to whole objects and arrays of the home screen", async () => {
    const learner = await signedIn("general")
    const learning = await enrollment(learner, await course({ name: "Algebra" }))
    const answer = await get("/api/me/home?fields=points,courses.registrationId,courses.next.name", learner)
    expect(answer.body).toEqual({ points: 0, courses: [{ registrationId: learning.id, next: null }] })
    expect(cost(answer).roundTrips).toBe(1)
  })

  it("returns everything for an empty value, and a whole object if it is named beside a part of it", async () => {
    const staff = await signedIn("staff")
    expect((await get(`${list}&fields=`, staff)).body).toEqual((await get(list, staff)).body)
    const { user: shown } = (await get("/api/me/home", staff)).body
    for (const fields of ["user,user.id", "user.id,user"])
      expect((await get(`/api/me/home?fields=${fields}`, staff)).body, fields).toEqual({ user: shown })
  })

  it("returns 422 that names the unknown fields", async () => {
    const staff = await signedIn("staff")
    for (const [fields, unknown] of [
      ["id,nickname", "nickname"],
      ["id.value", "id.value"],
      ["records", "records"],
      ["__proto__,constructor", "__proto__, constructor"],
      ["id.,.id", "id., .id"],
    ] as const) {
      const answer = await get(`${list}&fields=${fields}`, staff)
      expect([answer.status, answer.body.errors], fields).toEqual([
        422,
        { fields: [`fields must name fields of the response, separated by commas; unknown: ${unknown}.`] },
      ])
    }
  })

  it("does not skip authorization, and leaves errors complete", async () => {
    const [learner, other] = [await signedIn("general"), await user()]
    const hidden = await get(`/api/user/${other.id}?fields=firstName`, learner)
    expect([hidden.status, hidden.body.code]).toEqual([404, "not_found"])
    const refused = await get(`${list}&fields=nickname`, learner)
    expect([refused.status, refused.body.code]).toEqual([403, "insufficient_role"])
  })

  it("is a parameter of every GET that returns JSON and changes nothing, and of no other operation", () => {
    const withFields = operations.filter(
      ({ inputs }) => inputs.query instanceof z.ZodObject && inputs.query.shape.fields,
    )
    const expected = operations.filter(
      ({ method, mutates, response: answer }) => method === "get" && !mutates && answer instanceof z.ZodType,
    )
    expect(withFields.map(({ operationId }) => operationId)).toEqual(expected.map(({ operationId }) => operationId))
    expect(expected.length).toBeGreaterThan(100)
  })

  it("knows the rows of every paged list", () => {
    const lists = operations.filter(
      ({ inputs, response: answer }) =>
        inputs.query instanceof z.ZodObject && inputs.query.shape.cursor && answer instanceof z.ZodObject,
    )
    for (const { path, response: answer } of lists) {
      const rows = rowsField(answer as z.ZodType)
      expect(rows, path).toBeDefined()
      expect(fieldsWithin(answer as z.ZodType).has(rows ?? ""), path).toBe(true)
    }
  })
})
