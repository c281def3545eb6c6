import { z } from "@hono/zod-openapi"

// Text from outside. `normalize` takes quadratic time in the number of marks on one character, so the number is
// limited first. Ten are more than any script uses (Tibetan uses up to eight).

const MAX_MARKS = 10
const TOO_MANY_MARKS_PATTERN = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, "u")

/** Whether a character has more combining marks than any script uses. */
export const hasTooManyMarks = (value: string): boolean => TOO_MANY_MARKS_PATTERN.test(value)

export const TOO_MANY_MARKS = `has a character with more than ${MAX_MARKS} combining marks. Remove the extra marks`

const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether text shows nothing: it is empty or has only spaces and invisible characters, such as U+200B. */
export const isBlank = (value: string): boolean => INVISIBLE.test(value)

/**
 * Text that is trimmed, well-formed, NFC, and without control characters (except line breaks and tabs); empty if it
 * shows nothing. Text with too many marks, which no field accepts, is not normalized.
 */
export function normalizeText(value: string): string {
  const wellFormed = value.toWellFormed()
  const text = (hasTooManyMarks(wellFormed) ? wellFormed : wellFormed.normalize("NFC")).replace(CONTROL, "").trim()
  return isBlank(text) ? "" : text
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed on purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

const LINE_BREAKS = /[\t\r\n\u0085\u2028\u2029]+/g
/** Like `normalizeText`, on one line. */
export const normalizeLine = (value: string): string => normalizeText(value.replace(LINE_BREAKS, " "))

/** The beginning of long text, at most `max` characters including an ellipsis. For messages. */
export const truncate = (value: string, max: number): string =>
  value.length > max ? `${value.slice(0, max - 1).toWellFormed()}…` : value

/** The maximum length before normalization: NFC shortens text to a quarter at most, and spaces are trimmed. */
const rawLength = (max: number) => 4 * max + 100

/**
 * A text field of `min` to `max` characters after normalization. The length is limited before normalization.
 * @param normalize takes linear time if no character has too many marks
 */
export const normalizedString = (normalize: (value: string) => string, max: number, min = 0) =>
  z
    .string()
    .transform((value, context) => {
      const isTooLong = value.length > rawLength(max)
      const issue = isTooLong
        ? `must have ${max} characters or fewer`
        : hasTooManyMarks(value)
          ? TOO_MANY_MARKS
          : undefined
      if (issue === undefined) return normalize(value)
      context.addIssue({ code: "custom", message: issue })
      return z.NEVER
    })
    .pipe(z.string().min(min).max(max))
