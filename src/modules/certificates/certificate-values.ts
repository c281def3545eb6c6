import type { CodePlace, TemplateField } from "../../../drizzle/schema/certificates.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { fontFile, loadCatalog } from "../../lib/pdf/font-files.ts"
import { siteName } from "../../lib/web/academy.ts"
import { readBackground } from "./certificate-backgrounds.ts"
import { codePlaceOf } from "./certificate-code-place.ts"
import { type Printed, textOf } from "./certificate-labels.ts"

interface Template {
  bgUrl: string
  width: number
  height: number
  fields: TemplateField[]
  qrCode: CodePlace | null
}

/** The page that tells whether a certificate holds. */
const verifyUrl = (origin: string, code: string) => `${origin}/certificate/${code}`

const certificatePdf = onDemand(() => import("./certificate-pdf.ts"))

/**
 * Draws a certificate with a template.
 * @returns the PDF, the name to save it under, and the letters that no font has
 */
export async function printed(env: Bindings, origin: string, template: Template, says: Printed) {
  const issuer = siteName(env, says.site)
  const title = `Certificate: ${says.courseName}`
  const [{ drawCertificate }, catalog, background] = await Promise.all([
    certificatePdf(),
    loadCatalog(env.ASSETS),
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
    catalog,
    loadFont: (file) => fontFile(env.ASSETS, file),
  })
  if (missing.length > 0) console.warn(JSON.stringify({ event: "letters without a font", code: says.code, missing }))
  return { bytes, filename: `Certificate ${says.courseName.replace(/[/\\:]/g, "-")}.pdf`, missing }
}
