import { describe, expect, it } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { learnerWithAssignment } from "../factories/assignments.ts"
import { user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { get, post } from "../helpers/client.ts"
import { inputFields } from "../helpers/schemas.ts"

const JUNK = [{}, "\u0001abc", "x y", -1, 1.5, 1e300, true, ["x"], [{}], { a: 1 }, "{", "[1", "2026-13-01"]

describe("an error message of a field", () => {
  it("says what to change, for every field of every operation", async () => {
    await get("/openapi.json")
    const all = operations.flatMap((operation) =>
      inputFields(operation).map((found) => ({ of: operation.path, ...found })),
    )
    const vague = all.flatMap(({ of, path, field }) =>
      JUNK.flatMap((junk) => field.safeParse(junk).error?.issues ?? [])
        .filter(({ message }) => !/^(must|is required|has|have|may|names|needs|is) /.test(`${message} `))
        .map(({ message }) => `${of} ${path}: ${message}`),
    )
    expect([...new Set(vague)]).toEqual([])
    const issues = all.flatMap(({ field }) => JUNK.flatMap((junk) => field.safeParse(junk).error?.issues ?? []))
    expect(issues.filter(({ message }) => /invalid| record$/i.test(message))).toEqual([])
  })

  it("has the caller's spelling of the field", async () => {
    const { id: courseId } = await course()
    const { id: instructor } = await user()
    const body = {
      courseId,
      instructor,
      allowDownload: true,
      disabled: false,
      starttime: "soon",
      endTime: "2027-01-01",
    }
    const { errors } = (await post("/api/class/create", body)).body
    expect(Object.keys(errors)).toEqual(["starttime"])
    expect(errors.starttime[0]).toMatch(/^starttime must be a date such as/)
  })

  it("lists the accepted types of a field, and the names of uploads", async () => {
    const order = {
      userId: 1,
      items: [{ type: "course", id: 1, name: "A", price: {} }],
      currency: "USD",
      status: "pending",
    }
    expect((await post("/api/order/create", order)).body.errors).toEqual({
      "items.0.price": ["items.0.price must be a number or text."],
    })
    const { ref, mine } = await learnerWithAssignment({ submissionType: "file" })
    expect(
      (await post("/api/module/assignment/submit", { ...ref, submissions: ["essay.pdf"] }, mine)).body.errors,
    ).toEqual({
      "submissions.0": ["submissions.0 must be the storage_url of an upload, such as /api/module/assignment/upload/7."],
    })
  })
})
