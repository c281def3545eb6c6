import type { Child } from "hono/jsx"
import { Lexer, type Token, type Tokens } from "marked"

// Texts are a small Markdown: paragraphs, headings, lists, quotes, bold, italics and links, with {{variables}}. A
// paragraph that is only a link becomes a button. A paragraph or list item with an empty variable is left out.

/** `{{name}}`, with spaces or without. */
const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The values of variables as they are shown, by name. Empty: none. */
export type ShownValues = Readonly<Record<string, string>>

/** The names of the variables in a text. */
export const variablesIn = (text: string): string[] => [...text.matchAll(VARIABLE)].map(([, name = ""]) => name)

/** Replaces the variables of one line, such as a subject. */
export const fillLine = (text: string, values: ShownValues): string =>
  text
    .replaceAll(VARIABLE, (_, name: string) => values[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The tokens of a text. Spaces within braces would end the target of a link. */
export const parseText = (text: string): Token[] =>
  Lexer.lex(
    text.replaceAll(VARIABLE, (_, name: string) => `{{${name}}}`),
    { gfm: true, breaks: true },
  )

export const tokensOf = (token: Token): Token[] =>
  "items" in token && Array.isArray(token.items) ? token.items : ((token as { tokens?: Token[] }).tokens ?? [])

/** Whether a paragraph or list item has a variable without a value. */
const hasEmpty = ({ raw }: Token, values: ShownValues) => variablesIn(raw).some((name) => !values[name])

/** The same content as HTML and as plain text. */
interface RenderedText {
  html: Child
  text: string
}

const join = (parts: RenderedText[], separator = ""): RenderedText => ({
  html: parts.map(({ html }) => html),
  text: parts.map(({ text }) => text).join(separator),
})

/** Fills a piece of text. Values are isolated: a name may be in the other direction. */
function fillInline(text: string, values: ShownValues): RenderedText {
  return join(
    text.split(VARIABLE).map((part, at) => {
      if (at % 2 === 0) return { html: part, text: part }
      const value = values[part] ?? ""
      return { html: <bdi>{value}</bdi>, text: value }
    }),
  )
}

/** Renders the inside of a paragraph. */
const renderInline = (tokens: Token[], values: ShownValues): RenderedText =>
  join(tokens.map((token) => renderToken(token, values)))

function renderToken(token: Token, values: ShownValues): RenderedText {
  const children = tokensOf(token)
  switch (token.type) {
    case "strong": {
      const { html, text } = renderInline(children, values)
      return { html: <strong>{html}</strong>, text }
    }
    case "em": {
      const { html, text } = renderInline(children, values)
      return { html: <em>{html}</em>, text }
    }
    case "br":
      return { html: <br />, text: "\n" }
    case "list": {
      const { html, text } = join(renderList(token, values))
      return { html, text: text.replaceAll(/^/gm, "   ").replace(/^/, "\n") }
    }
    case "link": {
      const { html, text } = renderInline(children, values)
      const url = targetOf(token, values)
      return { html: <a href={url}>{html}</a>, text: text === url ? url : `${text}: ${url}` }
    }
  }
  return children.length > 0
    ? renderInline(children, values)
    : fillInline("text" in token ? String(token.text) : token.raw, values)
}

const targetOf = (link: Token, values: ShownValues) =>
  String((link as { href?: string }).href ?? "").replaceAll(VARIABLE, (_, name: string) => values[name] ?? "")

/**
 * Renders a text as HTML and as plain text. Everything is escaped.
 * @param buttonStyle the inline style of buttons
 */
export const renderText = (text: string, values: ShownValues, buttonStyle: string): RenderedText =>
  renderBlocks(parseText(text), values, buttonStyle)

const renderBlocks = (tokens: Token[], values: ShownValues, buttonStyle: string): RenderedText =>
  join(
    tokens.flatMap((token) => renderBlock(token, values, buttonStyle)),
    "\n\n",
  )

function renderBlock(token: Token, values: ShownValues, buttonStyle: string): RenderedText[] {
  const children = tokensOf(token)
  switch (token.type) {
    case "space":
    case "def":
      return []
    case "list":
      return renderList(token, values)
    case "blockquote": {
      const { html, text } = renderBlocks(children, values, buttonStyle)
      return [{ html: <blockquote>{html}</blockquote>, text }]
    }
  }
  if (hasEmpty(token, values)) return []
  const [only, ...others] = children
  if (token.type === "paragraph" && only?.type === "link" && others.length === 0) {
    const label = renderInline(tokensOf(only), values)
    const url = targetOf(only, values)
    const button = (
      <p>
        <a href={url} style={buttonStyle}>
          {label.html}
        </a>
      </p>
    )
    return [{ html: button, text: `${label.text}:\n${url}` }]
  }
  const { html, text } = renderInline(children.length > 0 ? children : [token], values)
  return [{ html: token.type === "heading" ? <h2>{html}</h2> : <p>{html}</p>, text }]
}

function renderList(list: Token, values: ShownValues): RenderedText[] {
  const { ordered, start } = list as Tokens.List
  const first = Number(start || 1)
  const items = tokensOf(list)
    .filter((item) => !hasEmpty(item, values))
    .map((item) => renderInline(tokensOf(item), values))
  if (items.length === 0) return []
  const lines = items.map(({ html }) => <li>{html}</li>)
  return [
    {
      html: ordered ? <ol start={first}>{lines}</ol> : <ul>{lines}</ul>,
      text: items.map(({ text }, at) => `${ordered ? `${first + at}.` : "-"} ${text}`).join("\n"),
    },
  ]
}
