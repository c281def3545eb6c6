import { z } from "@hono/zod-openapi"

// Text as it comes from outside. `normalize` puts the marks of one character in order at a cost that grows with the
// square of their number, so that number is looked at first: ten are more than any script sets on one letter (Tibetan
// goes to eight), and what decorated text piles up is refused.

const MOST_MARKS = 10
const PILED = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, "u")

/** Does one character carry more marks than any script has? */
export const hasTooManyMarks = (value: string): boolean => PILED.test(value)

export const TOO_MANY_MARKS = `has a character with more than ${MOST_MARKS} marks; leave the piled-up ones out`

const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a text shows nothing: it is empty, or only blanks and characters without a shape, such as U+200B. */
export const isBlank = (value: string): boolean => INVISIBLE.test(value)

/**
 * Trimmed, well-formed, NFC, without control characters (line breaks and tabs stay in multi-line text); empty where it
 * shows nothing. Text with piled-up marks, which no field takes, is not normalized.
 */
export function normalizeText(value: string): string {
  const whole = value.toWellFormed()
  const text = (hasTooManyMarks(whole) ? whole : whole.normalize("NFC")).replace(CONTROL, "").trim()
  return isBlank(text) ? "" : text
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is its purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

const LINE_BREAKS = /[\t\r\n\u0085\u2028\u2029]+/g
/** As `normalizeText`, on one line. */
export const normalizeLine = (value: string): string => normalizeText(value.replace(LINE_BREAKS, " "))

/** The beginning of a long text, at most `max` characters, with a sign that there is more: for messages about it. */
export const truncate = (value: string, max: number): string =>
  value.length > max ? `${value.slice(0, max - 1).toWellFormed()}…` : value

/** Composed, a text is at most four times as short; and there may be blanks around it. */
const rawLength = (max: number) => 4 * max + 100

/**
 * Text of `min` to `max` characters once it is in `form`. Its length is known before any work is done on it.
 * @param form linear in the length of text whose marks are not piled up
 */
export const normalizedString = (form: (value: string) => string, max: number, min = 0) =>
  z
    .string()
    .transform((value, context) => {
      const isTooLong = value.length > rawLength(max)
      const fault = isTooLong
        ? `must have ${max} characters or fewer`
        : hasTooManyMarks(value)
          ? TOO_MANY_MARKS
          : undefined
      if (fault === undefined) return form(value)
      context.addIssue({ code: "custom", message: fault })
      return z.NEVER
    })
    .pipe(z.string().min(min).max(max))
