import { DAY } from "../../lib/clock.ts"
import { displayDate } from "../../lib/text/dates.ts"
import { groupCharacters } from "../../lib/text/words.ts"

// The texts of a certificate's fields. The console's preview uses this file too, so it imports nothing of the Worker.

/** The data that a certificate shows. Times in epoch ms. */
export interface CertificateData {
  firstName: string
  lastName: string
  courseName: string
  instructorName: string
  /** 0: not shown */
  courseCredit: number
  code: string
  issuedAt: number
  /** 0: never */
  expiresAt: number
  /** The name of the learner's portal, if any. */
  site: string | null
  /** The language of the learner; undefined: English. */
  language?: string | null
  /** Values of custom fields by meta key in lower case. */
  custom: ReadonlyMap<string, string>
}

/** The sample data of a preview. */
export const sampleData = (at: number) => ({
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

/** Formats a code in groups of six digits. */
const formatCode = (code: string) => groupCharacters(code, 6)

/** The words of a certificate that its template does not have. */
export interface CertificateWords {
  date: (at: number) => string
  never: string
}
const ENGLISH_WORDS: CertificateWords = { date: displayDate, never: "Never" }

const fieldTexts = (data: CertificateData, issuer: string, { date, never }: CertificateWords) => ({
  student_first_name: data.firstName,
  student_last_name: data.lastName,
  student_full_name: `${data.firstName} ${data.lastName}`,
  course_name: data.courseName,
  issue_date: date(data.issuedAt),
  expiry_date: data.expiresAt ? date(data.expiresAt) : never,
  instructor_name: data.instructorName,
  certificate_code: formatCode(data.code),
  course_credit: data.courseCredit ? String(data.courseCredit) : "",
  academy_name: issuer,
})

/** The keys of fields other than custom fields. */
export type FieldKey = keyof ReturnType<typeof fieldTexts> | "custom_text"

/** Returns the text of a field; empty when it shows nothing. */
export function textOf(
  { key, value }: { key: string; value: string },
  data: CertificateData,
  issuer: string,
  words = ENGLISH_WORDS,
): string {
  if (key === "custom_text") return value
  const texts: Record<string, string> = fieldTexts(data, issuer, words)
  return (Object.hasOwn(texts, key) ? texts[key] : data.custom.get(key.toLowerCase())) ?? ""
}
