import { SaxesParser } from "saxes"

// XML from outside is read here and nowhere else, as a stream of bounded cost: nothing is expanded, fetched or kept but
// what the reader takes.

/** What a reader is told. Names come without their prefixes. */
export interface XmlHandlers {
  open?(name: string, attributes: Attributes): void
  close?(name: string): void
  text?(text: string): void
}

/** An element's attributes by their names without prefixes. */
export class Attributes {
  private readonly given: Record<string, string>

  /** @param given by their names as they stand, without inherited ones */
  constructor(given: Record<string, string>) {
    this.given = given
  }

  get(name: string): string | undefined {
    const own = this.given[name]
    if (own !== undefined) return own
    for (const key in this.given) if (plain(key) === name) return this.given[key]
    return undefined
  }

  values(): string[] {
    return Object.values(this.given)
  }
}

/** Why a text is no XML, or more than is read. */
export class XmlRefused extends Error {
  readonly reason: "malformed" | "too large"
  constructor(reason: XmlRefused["reason"]) {
    super(reason)
    this.reason = reason
  }
}

/** Elements within elements. */
const DEEPEST = 100
/** Characters of a tag, a text, a comment or anything else in one piece: a cell of a sheet has up to 32,767. */
const LONGEST = 500_000
/** Elements in all: more than 5,000 rows of 60 cells have. */
const MOST = 1_000_000
/** Characters that are read before it is asked whether a piece has become too long. */
const STEP = 16_384
/** Steps after which whoever else waits for the same thread has a turn. */
const TURN = 32

const plain = (name: string) => name.slice(name.indexOf(":") + 1)

/** @throws XmlRefused; what a handler throws */
export async function readXml(source: AsyncIterable<string> | Iterable<string>, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser()
  let [depth, count, done] = [0, 0, 0]
  const passed = () => {
    done = parser.position
  }
  parser.on("error", () => {
    throw new XmlRefused("malformed")
  })
  parser.on("opentag", ({ name, attributes }) => {
    passed()
    if (++depth > DEEPEST || ++count > MOST) throw new XmlRefused("too large")
    handlers.open?.(plain(name), new Attributes(attributes))
  })
  parser.on("closetag", ({ name }) => {
    passed()
    depth--
    handlers.close?.(plain(name))
  })
  const text = (piece: string) => {
    passed()
    handlers.text?.(piece)
  }
  parser.on("text", text)
  parser.on("cdata", text)
  for (const event of ["comment", "processinginstruction", "doctype", "xmldecl"] as const) parser.on(event, passed)
  let steps = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += STEP) {
      if (++steps % TURN === 0) await scheduler.wait(0)
      parser.write(chunk.slice(at, at + STEP))
      if (parser.position - done > LONGEST) throw new XmlRefused("too large")
    }
  }
  parser.close()
}

/** An element with what is in it. */
export interface XmlElement {
  name: string
  attributes: Attributes
  children: XmlElement[]
  /** Its own text, without that of its children. */
  text: string
}

/** What a document that is read whole may hold: elements, and characters of texts and attributes. */
const WHOLE = { elements: 50_000, characters: 4_000_000 }

/** Reads a small document whole. @throws XmlRefused */
export async function readXmlTree(source: AsyncIterable<string> | Iterable<string>): Promise<XmlElement> {
  const root: XmlElement = { name: "", attributes: new Attributes({}), children: [], text: "" }
  const open = [root]
  let [elements, characters] = [0, 0]
  const hold = (more: number) => {
    characters += more
    if (elements > WHOLE.elements || characters > WHOLE.characters) throw new XmlRefused("too large")
  }
  await readXml(source, {
    open(name, attributes) {
      elements++
      for (const value of attributes.values()) hold(value.length)
      hold(name.length)
      const element = { name, attributes, children: [], text: "" }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    close() {
      open.pop()
    },
    text(text) {
      hold(text.length)
      const element = open.at(-1)
      if (element) element.text += text
    },
  })
  const [top] = root.children
  if (!top) throw new XmlRefused("malformed")
  return top
}

/** The elements of a name within another: none, one or several. */
export const childrenOf = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  parent?.children.filter((child) => child.name === name) ?? []
