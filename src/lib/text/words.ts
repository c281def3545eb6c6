/** `1 user`, `3 users`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** `Ada Byron`; only one name if the other is empty. */
export const fullName = (person: { firstName: string; lastName: string }): string =>
  `${person.firstName} ${person.lastName}`.trim()

interface Outcome {
  /** What was done: `3 users enrolled.` */
  done: string
  /** How many were already done. */
  already: number
  /** How many were skipped, and why. */
  skipped: number
  because: string
}

/** A message about many records: `3 enrollments created. 1 already existed. 2 skipped: the users do not exist.` */
export const summarizeOutcome = ({ done, already, skipped, because }: Outcome): string =>
  [
    done,
    ...(already > 0 ? [`${already} already existed.`] : []),
    ...(skipped > 0 ? [`${skipped} skipped: ${because}`] : []),
  ].join(" ")

/** A message about ending many records: `3 enrollments ended. 1 not found.` */
export const summarizeEnded = (count: number, one: string, missing: number): string =>
  [`${pluralize(count, one)} ended.`, ...(missing > 0 ? [`${missing} not found.`] : [])].join(" ")

/** `ABCD-EFGH`: a code in groups, easier to read and type. */
export const groupCharacters = (code: string, size: number): string =>
  [...code].reduce((text, character, i) => text + (i > 0 && i % size === 0 ? "-" : "") + character, "")
