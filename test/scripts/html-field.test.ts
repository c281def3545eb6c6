// Conversion between the input of an HTML field and the stored HTML.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { toEditableText, toHtml } from "../../src/console/ui/html.ts"
import { sanitize } from "../../src/lib/text/sanitize.ts"

describe("an HTML field of the console", () => {
  const lines: [input: string, html: string][] = [
    ["One line", "One line"],
    ["First\nsecond", "<p>First<br>second</p>"],
    ["First\r\nsecond\r\n\r\n\r\nthird", "<p>First<br>second</p><p>third</p>"],
    ["With <b>bold</b>\nand R&amp;D", "<p>With <b>bold</b><br>and R&amp;D</p>"],
    ["<b>Bold\n\nacross</b> paragraphs", "<b>Bold<br><br>across</b> paragraphs"],
  ]
  for (const [input, html] of lines)
    it(`converts line breaks of plain text: ${JSON.stringify(input)}`, () => {
      assert.equal(toHtml(input), html)
      assert.equal(sanitize(html), html)
      assert.equal(toHtml(toEditableText(html)), html)
    })

  it("converts paragraphs back to lines for editing", () => {
    assert.equal(toEditableText("<p>First<br>second</p><p>third</p>"), "First\nsecond\n\nthird")
  })

  const unchanged = [
    "<p>One paragraph</p>",
    "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
    "<h2>Title</h2>\nText",
    "<p>One</p>\n<p>two</p>",
    "<p>a</p><p></p><p>b</p>",
    "Text<br>\nwith breaks",
    "",
  ]
  for (const html of unchanged)
    it(`does not change HTML: ${JSON.stringify(html)}`, () => {
      assert.equal(toHtml(html), html)
      assert.equal(toHtml(toEditableText(html)), html)
    })
})
