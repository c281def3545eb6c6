import { SaxesParser } from "saxes"

// Parses XML from outside as a stream with limits. Entities are not expanded and nothing is fetched.

/** Callbacks of the parser. Names have no prefixes. */
export interface XmlHandlers {
  open?(name: string, attributes: Attributes): void
  close?(name: string): void
  text?(text: string): void
}

/** The attributes of an element, by name without prefix. */
export class Attributes {
  private readonly byName: Record<string, string>

  /** @param byName with prefixes, without inherited members */
  constructor(byName: Record<string, string>) {
    this.byName = byName
  }

  get(name: string): string | undefined {
    const exact = this.byName[name]
    if (exact !== undefined) return exact
    for (const key in this.byName) if (withoutPrefix(key) === name) return this.byName[key]
    return undefined
  }

  values(): string[] {
    return Object.values(this.byName)
  }
}

/** Thrown for text that is not XML or exceeds a limit. */
export class XmlRefused extends Error {
  readonly reason: "malformed" | "too large"
  constructor(reason: XmlRefused["reason"]) {
    super(reason)
    this.reason = reason
  }
}

/** Nested elements. */
const MAX_DEPTH = 100
/** Characters of one tag, text, comment or other token: a spreadsheet cell has up to 32,767. */
const MAX_TOKEN_LENGTH = 500_000
/** Elements in total: more than 5,000 rows of 60 cells. */
const MAX_ELEMENTS = 1_000_000
/** Characters parsed between checks of the limits. */
const STEP_LENGTH = 16_384
/** Steps after which the parser yields to other work. */
const STEPS_BEFORE_YIELD = 32

const withoutPrefix = (name: string) => name.slice(name.indexOf(":") + 1)

/** @throws XmlRefused; what a handler throws */
export async function readXml(source: AsyncIterable<string> | Iterable<string>, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser()
  let [depth, count, done] = [0, 0, 0]
  const tokenEnded = () => {
    done = parser.position
  }
  parser.on("error", () => {
    throw new XmlRefused("malformed")
  })
  parser.on("opentag", ({ name, attributes }) => {
    tokenEnded()
    if (++depth > MAX_DEPTH || ++count > MAX_ELEMENTS) throw new XmlRefused("too large")
    handlers.open?.(withoutPrefix(name), new Attributes(attributes))
  })
  parser.on("closetag", ({ name }) => {
    tokenEnded()
    depth--
    handlers.close?.(withoutPrefix(name))
  })
  const text = (piece: string) => {
    tokenEnded()
    handlers.text?.(piece)
  }
  parser.on("text", text)
  parser.on("cdata", text)
  for (const event of ["comment", "processinginstruction", "doctype", "xmldecl"] as const) parser.on(event, tokenEnded)
  let steps = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += STEP_LENGTH) {
      if (++steps % STEPS_BEFORE_YIELD === 0) await scheduler.wait(0)
      parser.write(chunk.slice(at, at + STEP_LENGTH))
      if (parser.position - done > MAX_TOKEN_LENGTH) throw new XmlRefused("too large")
    }
  }
  parser.close()
}

/** An element with its content. */
export interface XmlElement {
  name: string
  attributes: Attributes
  children: XmlElement[]
  /** Its own text, without its children's. */
  text: string
}

/** The limits of a document that is read as a tree: elements, and characters of text and attributes. */
const TREE_LIMITS = { elements: 50_000, characters: 4_000_000 }

/** Reads a small document as a tree. @throws XmlRefused */
export async function readXmlTree(source: AsyncIterable<string> | Iterable<string>): Promise<XmlElement> {
  const root: XmlElement = { name: "", attributes: new Attributes({}), children: [], text: "" }
  const open = [root]
  let [elements, characters] = [0, 0]
  const addCharacters = (more: number) => {
    characters += more
    if (elements > TREE_LIMITS.elements || characters > TREE_LIMITS.characters) throw new XmlRefused("too large")
  }
  await readXml(source, {
    open(name, attributes) {
      elements++
      for (const value of attributes.values()) addCharacters(value.length)
      addCharacters(name.length)
      const element = { name, attributes, children: [], text: "" }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    close() {
      open.pop()
    },
    text(text) {
      addCharacters(text.length)
      const element = open.at(-1)
      if (element) element.text += text
    },
  })
  const [top] = root.children
  if (!top) throw new XmlRefused("malformed")
  return top
}

/** The child elements with a name. */
export const childrenOf = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  parent?.children.filter((child) => child.name === name) ?? []
