import { malformed } from "../errors.ts"

// JSON from outside. The nesting depth is checked first in one pass, because parsers recurse. No input needs more
// than ten levels.

const MAX_DEPTH = 32

const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`

/** Whether JSON text is nested too deep. */
export function isTooDeep(text: string): boolean {
  let level = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === "[" || character === "{") level++
    else if (character === "]" || character === "}") level--
    if (level > MAX_DEPTH) return true
  }
  return false
}

/** The end of the string that starts at `start`; the end of the text if it is not terminated. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === '"') return at
  }
  return text.length
}

const ESCAPE = /\\(?:u([\da-f]{4})|.)/gis

/** Whether JSON text escapes half of a surrogate pair, such as `\\ud800`, which UTF-8 cannot represent. */
function hasLoneSurrogate(json: string): boolean {
  if (!/\\ud[89a-f]/i.test(json)) return false
  // The position of the second half of a pair.
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

/** @throws 400 for a body with half a surrogate pair, which would be stored as U+FFFD */
export function requirePairs(text: string) {
  if (hasLoneSurrogate(text))
    throw malformed("The body contains an unpaired surrogate escape, such as \\ud800. Send complete characters.")
}

/** Parses JSON; undefined if it is invalid or too deep. */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws 400 for a body that is nested too deep */
export function requireShallow(text: string) {
  if (isTooDeep(text)) throw malformed(`The body ${TOO_DEEP}. Reduce the nesting.`)
}

/** The context of `z.preprocess`. */
export interface Issues {
  addIssue(issue: { code: "custom"; message: string }): void
}

/**
 * For `z.preprocess`: parses a field that may be JSON text, as in forms and query strings. Other values are
 * unchanged.
 */
export function fromJson(value: unknown, context: Issues): unknown {
  if (typeof value !== "string") return value
  if (isTooDeep(value)) context.addIssue({ code: "custom", message: TOO_DEEP })
  const read = readJson(value)
  return read === undefined ? value : read
}
