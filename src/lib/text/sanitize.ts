import xss, { type IFilterXSSOptions } from "xss"
import { ownUrls } from "../own-urls.ts"
import { isBlank, normalizedString, normalizeText } from "./text.ts"
import { isApiUrl } from "./urls.ts"

// HTML from outside is reduced to headings, lists, tables, links and images. The xss library treats everything from
// "<" to the next ">" as a tag, even in "i < 5" or `vector<int>`. Therefore everything that is not an allowed tag is
// escaped first, and nothing that a person wrote is lost.

const words = (text: string) => text.trim().split(/\s+/)
const BLOCKS = words(`
  p br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption colgroup col thead tbody tfoot tr th td
  div figure figcaption section article header footer main aside nav address details summary img
`)
const INLINE = words(`
  a strong em b i u s strike del ins mark small big sub sup code kbd samp var tt q cite abbr dfn time span font wbr
  bdi bdo ruby rt rp
`)
/** Valueless attributes that are dropped. Any other word after a tag name makes the whole thing text. */
const IGNORED_ATTRIBUTES = new Set(words("open reversed nowrap hidden contenteditable draggable ismap allowfullscreen"))

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
 * A URL with http(s), mailto or tel, or a relative path: no colon, nor an entity that could be one, before the first
 * slash.
 */
const SAFE_URL = /^(?:https?:\/\/|mailto:|tel:|[^:&/?#]*(?:[/?#]|$))/i
/** An inline image. SVG is excluded, because it could contain a script. */
const INLINE_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[a-z0-9+/=\s]*$/i

/** A base for relative URLs: the text may be shown anywhere. */
const ANY_ORIGIN = "https://page.invalid/"
/** An entity in a path that only browsers decode, so the target is unknown. */
const UNKNOWN_ENTITY = /^[^?#]*&(?:#|\w+;)/

function isSafe(tag: string, name: string, value: string): boolean {
  if (name === "src" && tag === "img" && INLINE_IMAGE.test(value)) return true
  if (name !== "href" && name !== "src") return true
  const url = decoded(value)
  if (!SAFE_URL.test(url.replace(IGNORED_CHARACTERS, ""))) return false
  // A link needs a click; an image is loaded by everyone who sees the text, with their cookie.
  return name === "href" || !(UNKNOWN_ENTITY.test(url) || isApiUrl(url, [ANY_ORIGIN, ...ownUrls()]))
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them in a URL's scheme
const IGNORED_CHARACTERS = /[\u0000-\u0020\u007f-\u00a0]+/g

const escapeAttribute = (value: string) =>
  value.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const OPTIONS: IFilterXSSOptions = {
  allowList,
  css: false,
  onTagAttr: (tag, name, value, isAllowed) =>
    isAllowed && isSafe(tag, name, value) ? `${name}="${escapeAttribute(value)}"` : "",
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
 * The allowed tag that starts here; undefined: the "<" is text. Outside quotes a tag contains no "<", so parsing
 * takes linear time.
 */
function tagAt(html: string, start: number): Tag | undefined {
  const [head = "", slash, rawName = ""] = matchAt(NAME, html, start) ?? []
  const name = rawName.toLowerCase()
  const allowed = Object.hasOwn(allowList, name) ? allowList[name] : undefined
  if (!allowed) return undefined
  const attributes = new Map<string, string>()
  let at = start + head.length
  for (let found = matchAt(ATTRIBUTE, html, at); found; found = matchAt(ATTRIBUTE, html, at)) {
    const [match, rawAttribute = "", double, single, plain] = found
    const attribute = rawAttribute.toLowerCase()
    const value = double ?? single ?? plain
    if (value === undefined && !allowed.includes(attribute) && !IGNORED_ATTRIBUTES.has(attribute)) return undefined
    if (allowed.includes(attribute) && !attributes.has(attribute)) attributes.set(attribute, value ?? "")
    at += match.length
  }
  const end = matchAt(END, html, at)
  return end
    ? { name, isClosing: slash === "/", attributes, isClosed: end[1]?.includes("/") === true, end: at + end[0].length }
    : undefined
}

/** The parts of HTML: allowed tags and the text between them. */
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

/** The HTML with text escaped and tags in one spelling. */
function escapeText(html: string): string {
  let text = ""
  for (const part of partsOf(html)) {
    if (typeof part === "string") text += part.replaceAll("<", "&lt;")
    else if (part.isClosing) text += `</${part.name}>`
    else {
      const attributes = [...part.attributes].map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("")
      text += `<${part.name}${attributes}${part.isClosed ? " /" : ""}>`
    }
  }
  return text
}

/**
 * HTML with only the allowed tags; links and images only to http(s), mailto, tel and paths, and no image that calls
 * the API. Everything else becomes text. Sanitizing twice changes nothing.
 */
export const sanitize = (html: string): string => xss(escapeText(html), OPTIONS).trim()

/** An HTML field of at most `max` characters after sanitizing, so that stored values are accepted again. */
export const html = (max: number) =>
  normalizedString((value) => sanitize(normalizeText(value)), max).openapi({
    type: "string",
    maxLength: max,
    description: "HTML. Tags that are not allowed are converted to text",
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

/** The text of sanitized HTML in lower case, for search. Blocks are separated by spaces. */
export function searchableText(html: string): string {
  let text = ""
  for (const part of partsOf(html)) text += typeof part === "string" ? part : isInline.has(part.name) ? "" : " "
  return decoded(text).replace(/\s+/g, " ").trim().toLowerCase()
}

/** Sanitized HTML as plain text: one line per block, with link targets in parentheses. */
export function plainText(html: string): string {
  const lines = [""]
  const open: string[] = []
  const append = (text: string) => lines.push((lines.pop() ?? "") + text)
  for (const part of partsOf(html.replace(/\s+/g, " "))) {
    if (typeof part === "string") append(part)
    else if (part.name !== "a") {
      if (!isInline.has(part.name)) lines.push("")
    } else if (!part.isClosing) open.push(part.attributes.get("href") ?? "")
    else {
      const url = open.pop()
      if (url) append(` (${url})`)
    }
  }
  return lines
    .map((line) => decoded(line).trim())
    .filter(Boolean)
    .join("\n")
}

/** Whether sanitized HTML shows neither text nor images. */
export function isEmpty(html: string): boolean {
  const isImage = (part: Tag | string) => typeof part !== "string" && !!part.attributes.get("src")
  return isBlank(plainText(html)) && ![...partsOf(html)].some(isImage)
}

// SVG of shapes, gradients and text. Names keep the case that XML needs. Links, styles, scripts, images and
// animations are removed.

const byLowerCase = (names: string) => new Map(words(names).map((name) => [name.toLowerCase(), name]))
const SHAPES = byLowerCase(`
  svg g defs title desc path circle ellipse rect line polyline polygon text tspan linearGradient radialGradient stop
  clipPath mask
`)
const SHAPE_ATTRIBUTES = byLowerCase(`
  id xmlns version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry dx dy fx fy d points
  transform opacity fill fill-opacity fill-rule clip-rule clip-path mask stroke stroke-width stroke-opacity
  stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset stroke-miterlimit offset stop-color stop-opacity
  gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits font-family font-size
  font-weight font-style text-anchor dominant-baseline alignment-baseline letter-spacing role
`)
const SVG_NAMESPACE = "http://www.w3.org/2000/svg"

/** Numbers, names, colors and references within the image. */
const isPlain = (value: string) => /^[\w\s#%.,()+'-]*$/.test(value) && !/url\s*\((?!#)/i.test(value)

const SVG_OPTIONS: IFilterXSSOptions = {
  allowList: Object.fromEntries([...SHAPES.keys()].map((tag) => [tag, []])),
  onTagAttr: (_, attribute, value) => {
    const name = SHAPE_ATTRIBUTES.get(attribute)
    const isAllowed = name === "xmlns" ? value === SVG_NAMESPACE : isPlain(value)
    return name !== undefined && isAllowed ? `${name}="${value}"` : ""
  },
  stripIgnoreTag: true,
  stripIgnoreTagBody: ["script", "style", "foreignobject", "iframe", "object", "noscript", "template", "math"],
  css: false,
}

/** SVG with only shapes; undefined: it is not an `<svg>`. */
export function sanitizeVector(markup: string): string | undefined {
  const shapes = xss(markup, SVG_OPTIONS).trim()
  if (!/^<svg[ >]/.test(shapes) || !shapes.endsWith("</svg>")) return undefined
  return shapes.replace(/(?<=<\/?)\w+/g, (tag) => SHAPES.get(tag) ?? tag)
}
