import { type ComponentChild, createElement, Fragment } from "preact"
import { htmlOf } from "./html.ts"
import { isOwn, loadable } from "./safe-url.ts"

/** What of an academy's HTML is shown; other elements give way to what is in them. */
const SHOWN = new Set(
  [
    "a b blockquote br code dd div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img li ol p pre s span strong",
    "sub sup table tbody td th thead tr u ul",
  ]
    .join(" ")
    .split(" "),
)
/** Elements that go with all that is in them. */
const LEFT_OUT = new Set(["script", "style", "template", "iframe", "object", "form"])

const safeUrl = (text: string | null) =>
  text !== null &&
  URL.canParse(text, location.origin) &&
  /^(https?|mailto):$/.test(new URL(text, location.origin).protocol)
    ? text
    : undefined

/** A picture of this site or within the text: one of another site would tell it who reads. */
const picture = (src: string | null) =>
  src !== null && (isOwn(src) || src.startsWith("data:image/")) ? loadable(src) : undefined

function shown(node: Node): ComponentChild {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (LEFT_OUT.has(name)) return null
  const children = [...node.childNodes].map(shown)
  if (name === "a")
    return (
      <a href={safeUrl(node.getAttribute("href"))} rel="noreferrer">
        {children}
      </a>
    )
  if (name === "img") return <img src={picture(node.getAttribute("src"))} alt={node.getAttribute("alt") ?? ""} />
  // The page has its own first heading.
  if (name === "h1") return <h2>{children}</h2>
  return SHOWN.has(name) ? createElement(name, {}, ...children) : <Fragment>{children}</Fragment>
}

/**
 * What an author wrote as HTML, without anything that runs or is styled from within. The lines of a plain text stay
 * lines.
 */
export const RichText = ({ html }: { html: string }) => (
  <div class="rich-text" dir="auto">
    {[...new DOMParser().parseFromString(htmlOf(html), "text/html").body.childNodes].map(shown)}
  </div>
)
