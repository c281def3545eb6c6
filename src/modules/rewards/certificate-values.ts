import type { CodePlace, TemplateField } from "../../../drizzle/certificates.ts"
import type { Bindings } from "../../bindings.ts"
import { now } from "../../lib/clock.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { fontFile, loadCatalogue } from "../../lib/pdf/font-files.ts"
import { inGroups } from "../../lib/secrets/crypto.ts"
import { dateOrNever, displayDate } from "../../lib/text/dates.ts"
import { siteName } from "../../lib/web/academy.ts"
import { readBackground } from "./certificate-backgrounds.ts"
import { codePlaceOf } from "./certificate-code-place.ts"
import type { Key } from "./certificate-templates.schemas.ts"

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

interface Template {
  bgUrl: string
  width: number
  height: number
  fields: TemplateField[]
  qrCode: CodePlace | null
}

/** A code as people read it: 24 digits in groups of six. */
const shownCode = (code: string) => inGroups(code, 6)

/** The page that tells whether a certificate holds. */
const verifyUrl = (origin: string, code: string) => `${origin}/certificate/${code}`

function textOf({ key, value }: TemplateField, printed: Printed, issuer: string): string {
  const texts: Record<Key, string> = {
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
    custom_text: value,
  }
  const isBuiltIn = (name: string): name is Key => Object.hasOwn(texts, name)
  return isBuiltIn(key) ? texts[key] : (printed.custom.get(key.toLowerCase()) ?? "")
}

const certificatePdf = onDemand(() => import("./certificate-pdf.ts"))

/**
 * Draws a certificate with a template.
 * @returns the PDF, the name to save it under, and the letters that no font has
 */
export async function printed(env: Bindings, origin: string, template: Template, says: Printed) {
  const issuer = siteName(env, says.site)
  const title = `Certificate: ${says.courseName}`
  const [{ drawCertificate }, catalogue, background] = await Promise.all([
    certificatePdf(),
    loadCatalogue(env.ASSETS),
    readBackground(env.FILES, template.bgUrl),
  ])
  const { bytes, missing } = await drawCertificate({
    title,
    author: issuer,
    template,
    code: codePlaceOf(template),
    textOf: (field) => textOf(field, says, issuer),
    background,
    link: verifyUrl(origin, says.code),
    at: new Date(now()),
    catalogue,
    loadFont: (file) => fontFile(env.ASSETS, file),
  })
  if (missing.length > 0) console.warn(JSON.stringify({ event: "letters without a font", code: says.code, missing }))
  return { bytes, filename: `Certificate ${says.courseName.replace(/[/\\:]/g, "-")}.pdf`, missing }
}
