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

// Vector markup (SVG) of shapes, gradients and text. Names keep the case that XML needs; links, styles, scripts, images
// and animations have no place in it.

const spelled = (names: string) => new Map(names.split(/\s+/).map((name) => [name.toLowerCase(), name]))
const SHAPES = spelled(
  "svg g defs title desc path circle ellipse rect line polyline polygon text tspan linearGradient radialGradient stop clipPath mask",
)
const SHAPE_ATTRIBUTES = spelled(
  "id xmlns version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry dx dy fx fy d points transform opacity fill fill-opacity fill-rule clip-rule clip-path mask stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset stroke-miterlimit offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits font-family font-size font-weight font-style text-anchor dominant-baseline alignment-baseline letter-spacing role",
)
const SVG_NAMESPACE = "http://www.w3.org/2000/svg"

/** Numbers, names, colours, and references inside the picture. */
const isPlain = (value: string) => /^[\w\s#%.,()+'-]*$/.test(value) && !/url\s*\((?!#)/i.test(value)

const SHAPES_ALONE: IFilterXSSOptions = {
  allowList: Object.fromEntries([...SHAPES.keys()].map((tag) => [tag, []])),
  onTagAttr: (_, attribute, value) => {
    const name = SHAPE_ATTRIBUTES.get(attribute)
    const fits = name === "xmlns" ? value === SVG_NAMESPACE : isPlain(value)
    return name !== undefined && fits ? `${name}="${value}"` : ""
  },
  stripIgnoreTag: true,
  stripIgnoreTagBody: ["script", "style", "foreignobject", "iframe", "object", "noscript", "template", "math"],
  css: false,
}

/** Vector markup with nothing in it but shapes; undefined: it is not an `<svg>`. */
export function sanitizeVector(markup: string): string | undefined {
  const shapes = xss(markup, SHAPES_ALONE).trim()
  if (!/^<svg[ >]/.test(shapes) || !shapes.endsWith("</svg>")) return undefined
  return shapes.replace(/(?<=<\/?)\w+/g, (tag) => SHAPES.get(tag) ?? tag)
}

/** HTML with nothing in it but the allowed tags and attributes; links and images only to http(s), mailto and paths. */
export const sanitize = (html: string): string => xss(html, OPTIONS).trim()
