import xss, { type IFilterXSSOptions } from "xss"

// HTML from outside is cut down on the way in to what a text needs: headings, lists, tables, links, images.

const PLAIN =
  "p br hr h1 h2 h3 h4 h5 h6 ul li strong em b i u s sub sup blockquote pre code table thead tbody tfoot tr span div figure figcaption"

const OPTIONS: IFilterXSSOptions = {
  allowList: {
    ...Object.fromEntries(PLAIN.split(" ").map((tag) => [tag, []])),
    ol: ["start"],
    th: ["colspan", "rowspan"],
    td: ["colspan", "rowspan"],
    a: ["href", "title"],
    img: ["src", "alt", "title", "width", "height"],
  },
  stripIgnoreTag: true,
  stripIgnoreTagBody: ["script", "style", "iframe", "object", "noscript", "template", "svg", "math"],
  css: false,
}

const INLINE = new Set("strong em b i u s sub sup code span a".split(" "))
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " ", amp: "&" }

const unescaped = (text: string) =>
  text.replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity)

/** What sanitised HTML says, in lower case: for a search of it. Blocks stand apart, words do not. */
export const spokenText = (html: string): string =>
  unescaped(xss(html, { allowList: {}, onIgnoreTag: (tag) => (INLINE.has(tag) ? "" : " ") }))
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()

/** Sanitised HTML as plain text: a line for each block, and where a link leads in parentheses after it. */
export function plainText(html: string): string {
  const open: string[] = []
  const onIgnoreTag = (tag: string, markup: string, { isClosing }: { isClosing?: boolean }) => {
    if (tag !== "a") return INLINE.has(tag) ? "" : "\n"
    if (!isClosing) {
      open.push(/href="([^"]+)"/.exec(markup)?.[1] ?? "")
      return ""
    }
    const url = open.pop()
    return url ? ` (${url})` : ""
  }
  return unescaped(xss(html.replace(/\s+/g, " "), { allowList: {}, onIgnoreTag }))
    .replace(/ *\n[ \n]*/g, "\n")
    .trim()
}

/** HTML with nothing in it but the allowed tags and attributes; links and images only to http(s), mailto and paths. */
export const sanitize = (html: string): string => xss(html, OPTIONS).trim()
