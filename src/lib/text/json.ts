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

const ESCAPE = /\\(?:u([\da-f]{4})|.)/gis

/** Whether a JSON text escapes half of a surrogate pair, such as `\ud800`, which no text in UTF-8 can hold. */
function hasLoneSurrogate(json: string): boolean {
  if (!/\\ud[89a-f]/i.test(json)) return false
  // Where the second half of a pair must be.
  let expected = -1
  for (const { index, 1: digits = "" } of json.matchAll(ESCAPE)) {
    const code = Number.parseInt(digits, 16)
    const isSecond = code >= 0xdc00 && code <= 0xdfff
    const isPaired = isSecond && index === expected
    if ((isSecond || expected >= 0) && !isPaired) return true
    expected = code >= 0xd800 && code < 0xdc00 ? index + 6 : -1
  }
  return expected >= 0
}

/** @throws 400 for a body with half of a surrogate pair: it would be stored as U+FFFD */
export function requirePairs(text: string) {
  if (hasLoneSurrogate(text))
    throw malformed(
      "The body escapes half of a character, such as \\ud800 without its second half. Send whole characters.",
    )
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
