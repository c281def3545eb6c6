import { type ComponentChild, createElement, Fragment } from "preact"
import { toHtml } from "./html.ts"
import { isSameOrigin, safeUrl } from "./safe-url.ts"

/** Allowed elements; others are replaced by their content. */
const ALLOWED_ELEMENTS = new Set(
  [
    "a b blockquote br code dd div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img li ol p pre s span strong",
    "sub sup table tbody td th thead tr u ul",
  ]
    .join(" ")
    .split(" "),
)
/** Elements that are removed with their content. */
const REMOVED_ELEMENTS = new Set(["script", "style", "template", "iframe", "object", "form"])

const safeHref = (text: string | null) =>
  text !== null &&
  URL.canParse(text, location.origin) &&
  /^(https?|mailto):$/.test(new URL(text, location.origin).protocol)
    ? text
    : undefined

/** Images of this site or data URLs only: another site would learn who reads the text. */
const safeImageUrl = (src: string | null) =>
  src !== null && (isSameOrigin(src) || src.startsWith("data:image/")) ? safeUrl(src) : undefined

function render(node: Node): ComponentChild {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (REMOVED_ELEMENTS.has(name)) return null
  const children = [...node.childNodes].map(render)
  if (name === "a")
    return (
      <a href={safeHref(node.getAttribute("href"))} rel="noreferrer">
        {children}
      </a>
    )
  if (name === "img")
    return (
      <img
        src={safeImageUrl(node.getAttribute("src"))}
        alt={node.getAttribute("alt") ?? ""}
        width={node.getAttribute("width") ?? undefined}
        height={node.getAttribute("height") ?? undefined}
        loading="lazy"
      />
    )
  // The page already has an h1.
  if (name === "h1") return <h2>{children}</h2>
  return ALLOWED_ELEMENTS.has(name) ? createElement(name, {}, ...children) : <Fragment>{children}</Fragment>
}

/**
 * Renders HTML of authors without scripts and inline styles. Plain text keeps its line breaks.
 */
export const RichText = ({ html }: { html: string }) => (
  <div class="rich-text" dir="auto">
    {[...new DOMParser().parseFromString(toHtml(html), "text/html").body.childNodes].map(render)}
  </div>
)
