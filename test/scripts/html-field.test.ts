// What people type into the console's HTML fields, as it is stored and as it is edited again.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { htmlOf, typedOf } from "../../src/console/ui/html.ts"
import { sanitize } from "../../src/lib/text/sanitize.ts"

describe("an HTML field of the console", () => {
  const lines: [typed: string, html: string][] = [
    ["One line", "One line"],
    ["First\nsecond", "<p>First<br>second</p>"],
    ["First\r\nsecond\r\n\r\n\r\nthird", "<p>First<br>second</p><p>third</p>"],
    ["With <b>bold</b>\nand R&amp;D", "<p>With <b>bold</b><br>and R&amp;D</p>"],
    ["<b>Bold\n\nacross</b> paragraphs", "<b>Bold<br><br>across</b> paragraphs"],
  ]
  for (const [typed, html] of lines)
    it(`keeps the line breaks of plain text: ${JSON.stringify(typed)}`, () => {
      assert.equal(htmlOf(typed), html)
      assert.equal(sanitize(html), html)
      assert.equal(htmlOf(typedOf(html)), html)
    })

  it("shows text with its lines for editing", () => {
    assert.equal(typedOf("<p>First<br>second</p><p>third</p>"), "First\nsecond\n\nthird")
  })

  const kept = [
    "<p>One paragraph</p>",
    "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
    "<h2>Title</h2>\nText",
    "<p>One</p>\n<p>two</p>",
    "<p>a</p><p></p><p>b</p>",
    "Text<br>\nwith breaks",
    "",
  ]
  for (const html of kept)
    it(`leaves HTML as it is: ${JSON.stringify(html)}`, () => {
      assert.equal(htmlOf(html), html)
      assert.equal(htmlOf(typedOf(html)), html)
    })
})
