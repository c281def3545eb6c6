// What people read when a call fails. The API's messages are English and part of its contract. Pages and the console
// translate the code, and the rule that a field breaks; without a translation they show the English message.

/** An error as the API returns it. */
export interface Problem {
  code: string
  message: string
  errors?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The rules of fields by how their English messages go on after the name of the field. */
const RULES: readonly [name: string, pattern: RegExp][] = [
  ["required", /^is required/],
  ["not-empty", /^must not be empty/],
  ["choose-one", /^must have 1 element or more/],
  ["min-items", /^must have (?<limit>\d+) elements? or more/],
  ["max-items", /^must have (?<limit>\d+) elements? or fewer/],
  ["min-length", /^must have (?<limit>\d+) characters? or more/],
  ["max-length", /^must have (?<limit>\d+) characters? or fewer/],
  ["max-bytes", /^must have (?<limit>\d+) bytes? or fewer/],
  ["positive", /^must be greater than 0/],
  ["min", /^must be (?<limit>-?[\d.]+) or more/],
  ["max", /^must be (?<limit>-?[\d.]+) or less/],
  ["whole-number", /^must be a whole number/],
  ["number", /^must be a number/],
  ["email", /^must be an email address/],
  ["url", /^must be (a URL|an https|an (image's )?http\(s\) URL)/],
  ["date", /^must be a date/],
  ["time", /^must be a time/],
  ["amount", /^must be an amount/],
  ["color", /^must be a (hex )?color/],
  ["month", /^must be a month/],
  ["time-zone", /^must be an IANA time zone/],
  ["language", /^must be a language tag/],
  ["one-of", /^must be one of (?<values>.+?)\.?$/],
  ["not-before", /^must not be before /],
  ["not-after", /^must not be after /],
  ["taken", /^(is already (taken|used|in use)|is used by another|belongs to another|already exists)/],
  ["too-common", /^is too common/],
  ["own-name", /^must not be the user's own name/],
  ["mismatch", /^must match password/],
  ["incorrect", /^(is incorrect|does not match)/],
  ["unsupported", /^has an unsupported value/],
]

export const RULE_NAMES: readonly string[] = RULES.map(([name]) => name)

/** The key of a message of success: `done.course-created` for "Course created." */
export const messageKey = (message: string): string =>
  `done.${message
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")}`

/** The rule that a message of a field names, with its parameters; undefined: another one. */
function ruleOf(field: string, message: string): { rule: string; params: Record<string, string> } | undefined {
  const predicate = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  for (const [rule, pattern] of RULES) {
    const match = pattern.exec(predicate)
    if (match) return { rule, params: { ...match.groups } }
  }
  return undefined
}

/** Finds a translation; undefined: there is none. */
export type FindText = (key: string, params?: Record<string, string>) => string | undefined

/** The translation of a field's message; undefined: its rule is unknown. */
export function fieldProblemText(field: string, message: string, find: FindText): string | undefined {
  const found = ruleOf(field, message)
  return found && find(`rule.${found.rule}`, found.params)
}

/**
 * What a problem says in the language of `find`.
 * @param labelOf the label of a field
 * @returns the text, and whether it leaves out what the English message says
 */
export function problemText(
  { code, message, errors = {} }: Problem,
  find: FindText,
  labelOf: (field: string) => string,
): { text: string; isGeneral: boolean } {
  const [first, ...others] = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((each) => ({ field, text: fieldProblemText(field, each, find) })),
  )
  const general = find(`code.${code}`)
  if (first?.text !== undefined && code === "validation_failed") {
    const more = others.length > 0 ? ` (+${others.length})` : ""
    return { text: `${labelOf(first.field)}: ${first.text}${more}`, isGeneral: false }
  }
  if (general === undefined) return { text: message, isGeneral: false }
  return { text: general, isGeneral: GENERAL_CODES.has(code) }
}

/** Codes whose English messages say more than the code. */
const GENERAL_CODES: ReadonlySet<string> = new Set([
  ...["validation_failed", "conflict", "not_found", "malformed_body", "unsupported_type", "too_large"],
  ...["no_seats_left", "seats_in_use", "too_many_files", "media_in_use"],
  ...["provider_failed", "unavailable", "internal_error", "export_failed", "insufficient_role"],
])
