// Renders the guides as HTML, which the Worker serves at /docs/guides.
import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { Marked } from "marked"
import { gfmHeadingId } from "marked-gfm-heading-id"
import { GUIDES } from "../src/pages/guides.ts"

const root = join(import.meta.dirname, "..")

/** The URL of a link on the served page, or undefined if its file is not served. */
function servedLink(href: string, from: string): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [path = "", fragment] = href.split("#", 2)
  const file = relative(root, join(root, dirname(from), path))
  const guide = GUIDES.find((one) => one.file === file)
  return guide && `/docs/guides/${guide.name}${fragment ? `#${fragment}` : ""}`
}

/** Makes wide tables and code blocks scrollable, also by keyboard. */
const scrollable = (html: string) =>
  html
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">')

/** Links of Markdown, except images. */
const MARKDOWN_LINK = /(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g

/** The Markdown of a guide with the links of the served pages. Links to other files become text. */
const servedMarkdown = (text: string, file: string) =>
  text.replace(MARKDOWN_LINK, (_, label: string, href: string) => {
    const target = servedLink(href, file)
    if (!target) return label
    return `[${label}](${target.replace(/^(\/docs\/guides\/[\w-]+)/, "$1.md")})`
  })

/** Each guide as HTML without the page layout, and as Markdown. */
export const guidePages = (): { name: string; html: string; markdown: string }[] =>
  GUIDES.map(({ name, file }) => {
    const text = readFileSync(join(root, file), "utf8")
    const marked = new Marked(gfmHeadingId(), {
      renderer: {
        link({ href, tokens }) {
          const text = this.parser.parseInline(tokens)
          const target = servedLink(href, file)
          return target ? `<a href="${target}">${text}</a>` : text
        },
      },
    })
    const html = marked.parse(text, { async: false })
    return { name, html: scrollable(html), markdown: servedMarkdown(text, file) }
  })
