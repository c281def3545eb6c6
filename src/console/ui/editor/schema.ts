import type { Extensions } from "@tiptap/core"
import { Image } from "@tiptap/extension-image"
import { Table, TableCell, TableHeader, TableRow } from "@tiptap/extension-table"
import { StarterKit } from "@tiptap/starter-kit"

// The editor writes only what the service stores unchanged (src/lib/text/sanitize.ts): no style, no class.

/** A number of columns or rows, written only if a cell spans several. */
const span = (name: "colspan" | "rowspan") => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Number(element.getAttribute(name)) || 1,
  renderHTML: (attributes: Record<string, unknown>) =>
    Number(attributes[name]) > 1 ? { [name]: attributes[name] } : {},
})
const SPANS = { colspan: span("colspan"), rowspan: span("rowspan"), colwidth: { default: null, rendered: false } }

export const extensions = (): Extensions => [
  StarterKit.configure({
    heading: { levels: [1, 2, 3, 4, 5, 6] },
    link: {
      openOnClick: false,
      defaultProtocol: "https",
      protocols: ["mailto", "tel"],
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  Image.configure({ allowBase64: true }),
  Table.extend({ renderHTML: () => ["table", ["tbody", 0]] }),
  TableRow,
  TableHeader.extend({ addAttributes: () => SPANS }),
  TableCell.extend({ addAttributes: () => SPANS }),
]

/** The elements that the editor keeps, and wrappers without a meaning of their own. */
const KNOWN = new Set(
  [
    "p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong b em i u s del strike a img",
    "table thead tbody tfoot tr th td div span",
  ]
    .join(" ")
    .split(" "),
)

const parsed = (html: string) => new DOMParser().parseFromString(html, "text/html").body
const textOf = (body: HTMLElement) => (body.textContent ?? "").replace(/\s+/g, "")

/**
 * Whether the editor can show HTML without losing any of it.
 * @param edited the same HTML as the editor writes it
 */
export function isEditable(html: string, edited: string): boolean {
  const [before, after] = [parsed(html), parsed(edited)]
  if ([...before.querySelectorAll("*")].some(({ localName }) => !KNOWN.has(localName))) return false
  const count = (body: HTMLElement, selector: string) => body.querySelectorAll(selector).length
  return (
    textOf(before) === textOf(after) &&
    ["img", "a[href]", "td, th", "li"].every((selector) => count(before, selector) === count(after, selector))
  )
}

/** What the editor writes, without the empty paragraph that it keeps after an image or a table. */
export const toStoredHtml = (html: string): string => html.replace(/(?:<p><\/p>)+$/, "")
