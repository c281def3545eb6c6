// Where the certificate designer puts new texts.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { freeTop, NEW_HEIGHT } from "../../src/console/views/certificates/free-position.ts"

/** Where texts come that are added one after the other. */
function topsOf(count: number, page: { width: number; height: number }): number[] {
  const fields: { left: number; top: number; width: number; height: number }[] = []
  for (let at = 0; at < count; at++)
    fields.push({ left: page.width / 4, width: page.width / 2, height: NEW_HEIGHT, top: freeTop({ ...page, fields }) })
  return fields.map(({ top }) => top)
}

describe("a new text on a certificate", () => {
  it("begins in the middle of the page, and covers no other", () => {
    const tops = topsOf(15, { width: 1123, height: 794 })
    assert.equal(tops[0], 382)
    const sorted = tops.toSorted((a, b) => a - b)
    for (const [at, top] of sorted.entries()) {
      assert.ok(top >= 0 && top + NEW_HEIGHT <= 794, `${top}`)
      assert.ok(at === 0 || top >= (sorted[at - 1] ?? 0) + NEW_HEIGHT, `${sorted}`)
    }
  })

  it("is in the middle of a page without room", () => {
    assert.deepEqual(topsOf(3, { width: 100, height: 40 }), [5, 5, 5])
  })
})
