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

/** The HTML of each guide, without the page layout. */
export const guidePages = (): { name: string; html: string }[] =>
  GUIDES.map(({ name, file }) => {
    const marked = new Marked(gfmHeadingId(), {
      renderer: {
        link({ href, tokens }) {
          const text = this.parser.parseInline(tokens)
          const target = servedLink(href, file)
          return target ? `<a href="${target}">${text}</a>` : text
        },
      },
    })
    const html = marked.parse(readFileSync(join(root, file), "utf8"), { async: false })
    return { name, html: scrollable(html) }
  })
