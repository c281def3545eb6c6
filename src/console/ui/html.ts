// Most people type plain text into an HTML field: its line breaks are kept as paragraphs and breaks.

/** A tag that divides a text by itself: such a text is HTML, in which a line break is a space. */
const BLOCK = new RegExp(
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
/** Does every tag end where it begins? Across paragraphs it could not. */
const isBalanced = (text: string) => count(text, /<[a-z]/gi) === count(text, /<\/[a-z]/gi)
const broken = (text: string) => text.trim().replace(/[ \t]*\n[ \t]*/g, "<br>")

/** A text of several lines as paragraphs: blank lines part them. */
export function paragraphsOf(text: string): string {
  const parts = text.replace(/\r\n?/g, "\n").trim().split(BLANK_LINES)
  if (!parts.every(isBalanced)) return broken(text.replace(/\r\n?/g, "\n"))
  return parts.map((part) => `<p>${broken(part)}</p>`).join("")
}

/** What was typed into an HTML field as HTML: what has block tags, or one line, is as it was typed. */
export const htmlOf = (typed: string): string =>
  BLOCK.test(typed) || !/[\r\n]/.test(typed.trim()) ? typed : paragraphsOf(typed)

/** HTML as it is edited: as text with line breaks where `htmlOf` makes the same HTML of it again. */
export function typedOf(html: string): string {
  const text = html
    .replace(/<\/p><p>/g, "\n\n")
    .replace(/^<p>|<\/p>$/g, "")
    .replaceAll("<br>", "\n")
  return htmlOf(text) === html ? text : html
}
