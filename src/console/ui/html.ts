// Authors often type plain text into HTML fields: line breaks become paragraphs and <br>.

/** Block tags: a text with one of them is HTML already. */
const BLOCK_TAG = new RegExp(
  `</?(?:${[
    "p br hr h[1-6] ul ol li dl dt dd blockquote pre table caption colgroup col thead tbody tfoot tr th td div figure",
    "figcaption section article header footer main aside nav address details summary",
  ]
    .join(" ")
    .replaceAll(" ", "|")})(?=[\\s/>])`,
  "i",
)

const BLANK_LINES = /\n[ \t]*(?:\n[ \t]*)+/
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
/** Whether all tags are closed: a tag must not span paragraphs. */
const isBalanced = (text: string) => count(text, /<[a-z]/gi) === count(text, /<\/[a-z]/gi)
const withLineBreaks = (text: string) => text.trim().replace(/[ \t]*\n[ \t]*/g, "<br>")

/** Converts text to paragraphs, which blank lines separate. */
export function toParagraphs(text: string): string {
  const parts = text.replace(/\r\n?/g, "\n").trim().split(BLANK_LINES)
  if (!parts.every(isBalanced)) return withLineBreaks(text.replace(/\r\n?/g, "\n"))
  return parts.map((part) => `<p>${withLineBreaks(part)}</p>`).join("")
}

/** Converts the input of an HTML field to HTML. Text with block tags or of one line stays unchanged. */
export const toHtml = (input: string): string =>
  BLOCK_TAG.test(input) || !/[\r\n]/.test(input.trim()) ? input : toParagraphs(input)

/** Converts HTML to plain text for editing if `toHtml` restores the same HTML; otherwise returns the HTML. */
export function toEditableText(html: string): string {
  const text = html
    .replace(/<\/p><p>/g, "\n\n")
    .replace(/^<p>|<\/p>$/g, "")
    .replaceAll("<br>", "\n")
  return toHtml(text) === html ? text : html
}
