import { malformed } from "../errors.ts"

// JSON from outside. Whatever reads it goes down level by level, so the levels are counted first, in one pass over the
// text: nothing that the service takes has more than ten.

const MOST_LEVELS = 32

const TOO_DEEP = `is nested more than ${MOST_LEVELS} levels deep`

/** Are there more levels of `[` and `{` in a JSON text than are taken? */
export function isTooDeep(text: string): boolean {
  let level = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === "[" || character === "{") level++
    else if (character === "]" || character === "}") level--
    if (level > MOST_LEVELS) return true
  }
  return false
}

/** Where the string ends that begins at `start`; the end of the text for one that never does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === '"') return at
  }
  return text.length
}

/** What a JSON text holds; undefined for what is no JSON, or too deep. */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws 400 for a body that is nested too deep. */
export function requireShallow(text: string) {
  if (isTooDeep(text)) throw malformed(`The body ${TOO_DEEP}. Send it flatter.`)
}

/** Where `z.preprocess` puts what is wrong. */
export interface Issues {
  addIssue(issue: { code: "custom"; message: string }): void
}

/**
 * For `z.preprocess`: a field that may come as JSON text, as forms and query strings have it. All else is left as it
 * is.
 */
export function fromJson(value: unknown, context: Issues): unknown {
  if (typeof value !== "string") return value
  if (isTooDeep(value)) context.addIssue({ code: "custom", message: TOO_DEEP })
  const read = readJson(value)
  return read === undefined ? value : read
}
