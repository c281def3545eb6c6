import { isSameOrigin } from "../safe-url.ts"

// Pasted HTML is reduced to what the schema of the editor knows. Before, lists of Word become lists, styles of Google
// Docs become elements, and images that would be loaded from other sites or files are removed.

/** The attribute that has the pasted styles: the policy of the page refuses real ones, and reports each of them. */
const STYLE = "data-pasted-style"

const withoutStyles = (html: string) =>
  html.replace(/<style\b[\s\S]*?<\/style>/gi, "").replace(/(<[a-z][^<>]*?\s)style(?=\s*=)/gi, `$1${STYLE}`)

const LEVEL = /mso-list:\s*\S+\s+level(\d+)/i
const NUMBERED = /^\s*(?:\d+|[a-z]|[ivxlc]+)[.)]/i

interface WordItem {
  paragraph: HTMLElement
  level: number
  isNumbered: boolean
}

/** An item of a list of Word: a paragraph with its marker as text. */
function wordItem(element: Element | null): WordItem | undefined {
  if (!(element instanceof HTMLElement) || element.localName !== "p") return undefined
  const level = LEVEL.exec(element.getAttribute(STYLE) ?? "")?.[1]
  if (level === undefined) return undefined
  const marker = [...element.querySelectorAll("span")].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute(STYLE) ?? ""),
  )
  return { paragraph: element, level: Number(level), isNumbered: NUMBERED.test(marker?.textContent ?? "") }
}

/** Replaces the paragraphs of a list of Word, which follow each other, by a list. */
function toList(items: readonly WordItem[]) {
  const stack: { level: number; list: HTMLElement }[] = []
  const [first] = items
  for (const { paragraph, level, isNumbered } of items) {
    while ((stack.at(-1)?.level ?? 0) > level) stack.pop()
    if (stack.length === 0 || (stack.at(-1)?.level ?? 0) < level) {
      const list = paragraph.ownerDocument.createElement(isNumbered ? "ol" : "ul")
      const parent = stack.at(-1)?.list.lastElementChild
      if (parent) parent.append(list)
      else first?.paragraph.before(list)
      stack.push({ level, list })
    }
    const item = paragraph.ownerDocument.createElement("li")
    stack.at(-1)?.list.append(item)
    for (const span of paragraph.querySelectorAll("span"))
      if (/mso-list:\s*ignore/i.test(span.getAttribute(STYLE) ?? "")) span.remove()
    item.append(...paragraph.childNodes)
  }
  for (const { paragraph } of items) paragraph.remove()
}

/** A property of the pasted styles of an element. */
const property = (element: Element, name: string) =>
  new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, "i").exec(element.getAttribute(STYLE) ?? "")?.[1]?.trim() ?? ""

/** Replaces the styles that Google Docs uses instead of elements. */
function replaceStyles(element: Element) {
  const weight = property(element, "font-weight")
  if (/^(b|strong)$/.test(element.localName) && /^(normal|[1-4]00)$/.test(weight))
    return element.replaceWith(...element.childNodes)
  if (element.localName !== "span") return
  const decoration = property(element, "text-decoration")
  const names = [
    ...(/^(bold|[6-9]00)$/.test(weight) ? ["strong"] : []),
    ...(property(element, "font-style") === "italic" ? ["em"] : []),
    ...(/line-through/.test(decoration) ? ["s"] : []),
    ...(/underline/.test(decoration) && !element.closest("a") ? ["u"] : []),
  ]
  for (const name of names) {
    const wrapper = element.ownerDocument.createElement(name)
    wrapper.append(...element.childNodes)
    element.append(wrapper)
  }
}

/** Cleans pasted HTML of Word, Google Docs and web pages. */
export function cleanPastedHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), "text/html")
  for (const element of body.querySelectorAll("script, meta, link, title, o\\:p, xml")) element.remove()
  const comments = document.createNodeIterator(body, NodeFilter.SHOW_COMMENT)
  for (let node = comments.nextNode(); node; node = comments.nextNode()) node.parentNode?.removeChild(node)
  for (const image of body.querySelectorAll("img")) {
    const src = image.getAttribute("src") ?? ""
    if (!/^(https?:|\/)/i.test(src) || !isSameOrigin(src)) image.remove()
  }
  for (const paragraph of body.querySelectorAll("p")) {
    if (!paragraph.isConnected) continue
    const items: WordItem[] = []
    for (let item = wordItem(paragraph); item; item = wordItem(item.paragraph.nextElementSibling)) items.push(item)
    if (items.length > 0) toList(items)
  }
  for (const element of body.querySelectorAll(`[${STYLE}]`)) {
    replaceStyles(element)
    element.removeAttribute(STYLE)
  }
  const serializer = new XMLSerializer()
  return [...body.childNodes].map((node) => serializer.serializeToString(node)).join("")
}
