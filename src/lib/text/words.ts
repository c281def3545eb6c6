/** `1 user`, `3 users`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** `Ada Byron`; one name alone where the other is empty. */
export const fullName = (person: { firstName: string; lastName: string }): string =>
  `${person.firstName} ${person.lastName}`.trim()

interface Outcome {
  /** What was done: `3 enrollments made.` */
  done: string
  /** How many were so before. */
  already: number
  /** How many came to nothing, and why. */
  skipped: number
  because: string
}

/** What came of many records of one call, for the person who makes it: `3 enrollments made. 1 there already.` */
export const summarizeOutcome = ({ done, already, skipped, because }: Outcome): string =>
  [
    done,
    ...(already > 0 ? [`${already} there already.`] : []),
    ...(skipped > 0 ? [`${skipped} skipped: ${because}`] : []),
  ].join(" ")

/** What came of ending many: `3 enrollments ended. 1 not there.` */
export const summarizeEnded = (count: number, one: string, missing: number): string =>
  [`${pluralize(count, one)} ended.`, ...(missing > 0 ? [`${missing} not there.`] : [])].join(" ")

/** `ABCD-EFGH` for a code of eight in groups of four: easier to read and to type. */
export const groupCharacters = (code: string, size: number): string =>
  [...code].reduce((text, character, i) => text + (i > 0 && i % size === 0 ? "-" : "") + character, "")
