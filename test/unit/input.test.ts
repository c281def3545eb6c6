import { describe, expect, it } from "vitest"
import type { z } from "zod"
import {
  boolean,
  choice,
  clearable,
  id,
  ids,
  integer,
  keepIfNone,
  keepIfNull,
  list,
  moment,
  name,
  optional,
  text,
  time,
} from "../../src/lib/input/input.ts"

const read = (field: z.ZodType, value: unknown) => {
  const result = field.safeParse(value)
  return result.success ? result.data : "refused"
}
const NONE = [null, "", " ", 0, "0", "null"]
const JAN_5 = Date.UTC(2026, 0, 5)

describe('"none" in all spellings of clients', () => {
  it("counts as absent for an id, a number, a date or a choice in a create and a filter", () => {
    for (const field of [id(), integer(1, 5), time(), choice(["a", "b"]), ids(), list(choice(["a"]))])
      for (const none of [...NONE, [], "[]", [""]]) expect(read(optional(field), none)).toBeUndefined()
  })

  it("clears an optional value", () => {
    for (const field of [id(), integer(1, 5), time(), choice(["a", "b"])])
      for (const none of NONE) {
        expect(read(clearable(field), none)).toBeNull()
        expect(read(clearable(field, 7), none)).toBe(7)
      }
    expect(read(clearable(id()), undefined)).toBeUndefined()
    expect([null, "", " a "].map((given) => read(clearable(text(9), ""), given))).toEqual(["", "", "a"])
  })

  it("leaves a required value unchanged", () => {
    for (const field of [id(), integer(1, 5), time(), choice(["a", "b"])])
      for (const none of NONE) expect(read(keepIfNone(field), none)).toBeUndefined()
    expect([null, "", "Ada"].map((given) => read(keepIfNull(name()), given))).toEqual([undefined, "refused", "Ada"])
  })

  it("never empties a list: only an empty list does", () => {
    for (const none of NONE) expect(read(keepIfNone(ids()), none)).toBeUndefined()
    for (const empty of [[], "[]"]) expect(read(keepIfNone(ids()), empty)).toEqual([])
  })

  it("is a value if the field accepts it", () => {
    expect([0, "0"].map((zero) => read(optional(integer(0, 5)), zero))).toEqual([0, 0])
    expect([0, "0"].map((zero) => read(optional(boolean()), zero))).toEqual([false, false])
    expect(["0", "null", "Never"].map((word) => read(optional(text()), word))).toEqual(["0", "null", "Never"])
    expect(read(optional(text()), 0)).toBe("refused")
    expect(read(optional(choice(["0", "null"])), "null")).toBe("null")
  })
})

describe("a choice field", () => {
  const status = choice(["In Progress", "publish"])
  it("accepts any case and an array with one element", () => {
    for (const given of ["publish", "Publish", " PUBLISH ", ["publish"], '["Publish"]'])
      expect(read(status, given)).toBe("publish")
    for (const given of ["In Progress", "in_progress", "IN-PROGRESS", "inprogress"])
      expect(read(status, given)).toBe("In Progress")
  })

  it("refuses other values and several values", () => {
    for (const given of ["published", ["publish", "publish"], [], 1, true, [["publish"]], "[", null])
      expect(read(status, given)).toBe("refused")
  })
})

describe("a date field", () => {
  it("accepts dates as responses show them", () => {
    expect(read(time(), "Jan 05, 2026")).toBe(JAN_5)
    expect(read(time(), "jan 5, 2026 12:05 am")).toBe(JAN_5 + 5 * 60_000)
    expect(read(time(), "Jan 05, 2026 12:00 PM")).toBe(JAN_5 + 12 * 3_600_000)
    expect(read(time(), "Jan 05, 2026 03:04 PM")).toBe(JAN_5 + (15 * 60 + 4) * 60_000)
    for (const wrong of ["Feb 30, 2026", "Jan 05, 2026 13:00 PM", "Jan 05, 2026 00:10 AM", "Foo 05, 2026", "Jan 2026"])
      expect(read(time(), wrong)).toBe("refused")
  })

  it("treats Never as none", () => {
    expect(["Never", " never "].map((word) => read(clearable(moment()), word))).toEqual([null, null])
    expect(read(optional(time()), "Never")).toBeUndefined()
    for (const field of [id(), choice(["a"]), integer(1, 5)]) expect(read(optional(field), "Never")).toBe("refused")
  })
})
