import { DAY } from "../../lib/clock.ts"
import { dateOrNever, displayDate } from "../../lib/text/dates.ts"
import { groupCharacters } from "../../lib/text/words.ts"

// What a certificate's fields say. The console draws templates with it as well: it needs nothing of the service.

/** What a certificate says of its learner and its course. Times in epoch ms. */
export interface Printed {
  firstName: string
  lastName: string
  courseName: string
  instructorName: string
  /** 0: nothing is said */
  courseCredit: number
  code: string
  issuedAt: number
  /** 0: never */
  expiresAt: number
  /** The name of the portal that the learner belongs to; null: of none. */
  site: string | null
  /** Of custom fields, by meta key in lower case. */
  custom: ReadonlyMap<string, string>
}

/** Who and what a preview is of. */
export const demoAt = (at: number) => ({
  firstName: "Jane",
  lastName: "Doe",
  courseName: "Sample course",
  instructorName: "John Smith",
  courseCredit: 10,
  site: null,
  code: "SAMPLE".repeat(4),
  issuedAt: at,
  expiresAt: at + 365 * DAY,
})

/** A code as people read it: 24 digits in groups of six. */
const shownCode = (code: string) => groupCharacters(code, 6)

const textsOf = (printed: Printed, issuer: string) => ({
  student_first_name: printed.firstName,
  student_last_name: printed.lastName,
  student_full_name: `${printed.firstName} ${printed.lastName}`,
  course_name: printed.courseName,
  issue_date: displayDate(printed.issuedAt),
  expiry_date: dateOrNever(printed.expiresAt),
  instructor_name: printed.instructorName,
  certificate_code: shownCode(printed.code),
  course_credit: printed.courseCredit ? String(printed.courseCredit) : "",
  academy_name: issuer,
})

/** What a certificate can say, beside an academy's custom fields. */
export type Key = keyof ReturnType<typeof textsOf> | "custom_text"

/** What a field prints; empty: nothing. */
export function textOf({ key, value }: { key: string; value: string }, printed: Printed, issuer: string): string {
  if (key === "custom_text") return value
  const texts: Record<string, string> = textsOf(printed, issuer)
  return (Object.hasOwn(texts, key) ? texts[key] : printed.custom.get(key.toLowerCase())) ?? ""
}
