import xss, { type IFilterXSSOptions } from "xss"
import { ownUrls } from "../own-urls.ts"
import { isBlank, normalizedString, normalizeText } from "./text.ts"
import { callsApi } from "./urls.ts"

// HTML from outside is cut down on the way in to what a text needs: headings, lists, tables, links, images. The library
// takes everything from a "<" to the next ">" for a tag; to HTML "i < 5" is text, and so it is to whoever wrote
// `vector<int>`. So what is no tag of ours is marked as text first: nothing that a person wrote is cut.

const words = (text: string) => text.trim().split(/\s+/)
const BLOCKS = words(`
  p br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption colgroup col thead tbody tfoot tr th td
  div figure figcaption section article header footer main aside nav address details summary img
`)
const INLINE = words(`
  a strong em b i u s strike del ins mark small big sub sup code kbd samp var tt q cite abbr dfn time span font wbr
  bdi bdo ruby rt rp
`)
/** Attributes without a value that HTML has on these: any other word beside a tag's name makes the whole a text. */
const BARE = new Set(words("open reversed nowrap hidden contenteditable draggable ismap allowfullscreen"))

const allowList: Record<string, string[]> = {
  ...Object.fromEntries([...BLOCKS, ...INLINE].map((tag) => [tag, []])),
  ol: ["start"],
  th: ["colspan", "rowspan"],
  td: ["colspan", "rowspan"],
  a: ["href", "title"],
  abbr: ["title"],
  bdi: ["dir"],
  bdo: ["dir"],
  img: ["src", "alt", "title", "width", "height"],
}

/**
 * A URL that leads to the web, to a mailbox or a telephone, or to a path of where it stands: before that path's first
 * slash there is no colon, nor an entity that might be one.
 */
const LEADS_ON = /^(?:https?:\/\/|mailto:|tel:|[^:&/?#]*(?:[/?#]|$))/i
/** A picture within the text: no vector, which could hold a script. */
const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[a-z0-9+/=\s]*$/i

/** Where a relative URL counts from, wherever the text is shown: what leads to /api from there can lead there. */
const ANYWHERE = "https://page.invalid/"
/** An entity that only a browser knows, in a path: nobody can tell where it leads. */
const UNKNOWN_ENTITY = /^[^?#]*&(?:#|\w+;)/

function isSafe(tag: string, name: string, value: string): boolean {
  if (name === "src" && tag === "img" && PICTURE.test(value)) return true
  if (name !== "href" && name !== "src") return true
  const url = decoded(value)
  if (!LEADS_ON.test(url.replace(BLANKS, ""))) return false
  // A link waits for a click; a picture is loaded by whoever sees the text, with their cookie.
  return name === "href" || !(UNKNOWN_ENTITY.test(url) || callsApi(url, [ANYWHERE, ...ownUrls()]))
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers pass over them in a URL's scheme
const BLANKS = /[\u0000-\u0020\u007f-\u00a0]+/g

const quoted = (value: string) => value.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const OPTIONS: IFilterXSSOptions = {
  allowList,
  css: false,
  onTagAttr: (tag, name, value, isAllowed) =>
    isAllowed && isSafe(tag, name, value) ? `${name}="${quoted(value)}"` : "",
}

interface Tag {
  name: string
  isClosing: boolean
  attributes: Map<string, string>
  isClosed: boolean
  end: number
}

const NAME = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])/iy
const ATTRIBUTE = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/y
const END = /([\s/]*)>/y

function matchAt(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(html)
}

/**
 * The allowed tag that begins here; undefined: the "<" is text. Outside of quotes a tag holds no "<", so that of all
 * tags that seem to begin only three can go on beyond any place: the whole is read in one pass or so.
 */
function tagAt(html: string, start: number): Tag | undefined {
  const [head = "", slash, given = ""] = matchAt(NAME, html, start) ?? []
  const name = given.toLowerCase()
  const allowed = Object.hasOwn(allowList, name) ? allowList[name] : undefined
  if (!allowed) return undefined
  const attributes = new Map<string, string>()
  let at = start + head.length
  for (let found = matchAt(ATTRIBUTE, html, at); found; found = matchAt(ATTRIBUTE, html, at)) {
    const [whole, called = "", double, single, plain] = found
    const attribute = called.toLowerCase()
    const value = double ?? single ?? plain
    if (value === undefined && !allowed.includes(attribute) && !BARE.has(attribute)) return undefined
    if (allowed.includes(attribute) && !attributes.has(attribute)) attributes.set(attribute, value ?? "")
    at += whole.length
  }
  const end = matchAt(END, html, at)
  return end
    ? { name, isClosing: slash === "/", attributes, isClosed: end[1]?.includes("/") === true, end: at + end[0].length }
    : undefined
}

/** What HTML consists of: allowed tags, and the texts around them. */
function* partsOf(html: string): Generator<Tag | string> {
  let from = 0
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
    const tag = tagAt(html, at)
    if (tag) {
      yield html.slice(from, at)
      yield tag
      from = tag.end
    }
    at = tag ? tag.end : at + 1
  }
  yield html.slice(from)
}

/** The HTML with what is text marked as text, and its tags in one spelling. */
function marked(html: string): string {
  let text = ""
  for (const part of partsOf(html)) {
    if (typeof part === "string") text += part.replaceAll("<", "&lt;")
    else if (part.isClosing) text += `</${part.name}>`
    else {
      const attributes = [...part.attributes].map(([name, value]) => ` ${name}="${quoted(value)}"`).join("")
      text += `<${part.name}${attributes}${part.isClosed ? " /" : ""}>`
    }
  }
  return text
}

/**
 * HTML with no tags in it but the allowed ones; links and images only to http(s), mailto, tel and paths, and no image
 * that would call the API. Every other tag is text. What is sanitized stays as it is when it is sanitized again.
 */
export const sanitize = (html: string): string => xss(marked(html), OPTIONS).trim()

/** A field of HTML: at most `max` characters as it is stored, so that what is read can be sent back. */
export const html = (max: number) =>
  normalizedString((value) => sanitize(normalizeText(value)), max).openapi({
    type: "string",
    maxLength: max,
    description: "HTML. Tags beyond a small allow-list are kept as text",
  })

const ENTITY = /&(?:(lt|gt|quot|apos|nbsp|amp);|#(\d{1,7});?|#x([\da-f]{1,6});?)/gi
const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["amp", "&"],
])

const decoded = (text: string) =>
  text.replace(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    if (name) return ENTITIES.get(name.toLowerCase()) ?? entity
    const code = Number.parseInt(decimal ?? hex ?? "", decimal ? 10 : 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })

const isInline = new Set(INLINE)

/** What sanitized HTML says, in lower case: for a search of it. Blocks stand apart, words do not. */
export function searchableText(html: string): string {
  let text = ""
  for (const part of partsOf(html)) text += typeof part === "string" ? part : isInline.has(part.name) ? "" : " "
  return decoded(text).replace(/\s+/g, " ").trim().toLowerCase()
}

/** Sanitized HTML as plain text: a line for each block, and where a link leads in parentheses after it. */
export function plainText(html: string): string {
  const lines = [""]
  const open: string[] = []
  const say = (text: string) => lines.push((lines.pop() ?? "") + text)
  for (const part of partsOf(html.replace(/\s+/g, " "))) {
    if (typeof part === "string") say(part)
    else if (part.name !== "a") {
      if (!isInline.has(part.name)) lines.push("")
    } else if (!part.isClosing) open.push(part.attributes.get("href") ?? "")
    else {
      const url = open.pop()
      if (url) say(` (${url})`)
    }
  }
  return lines
    .map((line) => decoded(line).trim())
    .filter(Boolean)
    .join("\n")
}

/** Is there nothing to be read in sanitized HTML, and nothing to be seen? */
export function isEmpty(html: string): boolean {
  const isPicture = (part: Tag | string) => typeof part !== "string" && !!part.attributes.get("src")
  return isBlank(plainText(html)) && ![...partsOf(html)].some(isPicture)
}

// Vector markup (SVG) of shapes, gradients and text. Names keep the case that XML needs; links, styles, scripts, images
// and animations have no place in it.

const spelled = (names: string) => new Map(words(names).map((name) => [name.toLowerCase(), name]))
const SHAPES = spelled(`
  svg g defs title desc path circle ellipse rect line polyline polygon text tspan linearGradient radialGradient stop
  clipPath mask
`)
const SHAPE_ATTRIBUTES = spelled(`
  id xmlns version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry dx dy fx fy d points
  transform opacity fill fill-opacity fill-rule clip-rule clip-path mask stroke stroke-width stroke-opacity
  stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset stroke-miterlimit offset stop-color stop-opacity
  gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits font-family font-size
  font-weight font-style text-anchor dominant-baseline alignment-baseline letter-spacing role
`)
const SVG_NAMESPACE = "http://www.w3.org/2000/svg"

/** Numbers, names, colors, and references inside the picture. */
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
