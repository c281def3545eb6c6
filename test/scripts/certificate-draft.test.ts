// Initial positions of new texts in the certificate designer.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { findFreeTop, NEW_TEXT_HEIGHT } from "../../src/console/views/certificates/free-position.ts"

/** The top positions of texts that are added one after the other. */
function topPositions(count: number, page: { width: number; height: number }): number[] {
  const fields: { left: number; top: number; width: number; height: number }[] = []
  for (let index = 0; index < count; index++)
    fields.push({
      left: page.width / 4,
      width: page.width / 2,
      height: NEW_TEXT_HEIGHT,
      top: findFreeTop({ ...page, fields }),
    })
  return fields.map(({ top }) => top)
}

describe("a new text on a certificate", () => {
  it("starts in the middle of the page, and covers no other text", () => {
    const tops = topPositions(15, { width: 1123, height: 794 })
    assert.equal(tops[0], 382)
    const sorted = tops.toSorted((a, b) => a - b)
    for (const [index, top] of sorted.entries()) {
      assert.ok(top >= 0 && top + NEW_TEXT_HEIGHT <= 794, `${top}`)
      assert.ok(index === 0 || top >= (sorted[index - 1] ?? 0) + NEW_TEXT_HEIGHT, `${sorted}`)
    }
  })

  it("is in the middle of a page that has no free line", () => {
    assert.deepEqual(topPositions(3, { width: 100, height: 40 }), [5, 5, 5])
  })
})
