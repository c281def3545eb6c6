import type { CodePosition, TemplateField } from "../../../drizzle/schema/certificates.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { loadFontCatalog, loadFontFile } from "../../lib/pdf/font-files.ts"
import { loadWords } from "../../lib/texts/texts.ts"
import { siteName } from "../../lib/web/academy.ts"
import { readBackground } from "./certificate-backgrounds.ts"
import { codePositionOf } from "./certificate-code-place.ts"
import { type CertificateData, type CertificateWords, textOf } from "./certificate-text.ts"

interface Template {
  bgUrl: string
  width: number
  height: number
  fields: TemplateField[]
  qrCode: CodePosition | null
}

/** The public page that shows whether a certificate is valid. */
const verifyUrl = (origin: string, code: string) => `${origin}/certificate/${code}`

const pdfPages = onDemand(() => import("./pdf-pages.ts"))
const certificatePicture = onDemand(() => import("./certificate-picture.ts"))

/** Dates and fixed words in the learner's language. */
async function certificateWords({ language }: CertificateData): Promise<CertificateWords> {
  const { date, t } = await loadWords(language)
  return { date, never: t("never") }
}

/**
 * Draws a certificate with a template.
 * @returns the PDF, its file name, and the characters that no font has
 */
export async function renderCertificate(env: Bindings, origin: string, template: Template, data: CertificateData) {
  const issuer = siteName(env, data.site)
  const title = `Certificate: ${data.courseName}`
  const [{ drawPages }, words, catalog, background] = await Promise.all([
    pdfPages(),
    certificateWords(data),
    loadFontCatalog(env.ASSETS),
    readBackground(env.FILES, template.bgUrl),
  ])
  const { width, height, fields } = template
  const { bytes, missing } = await drawPages({
    title,
    author: issuer,
    at: new Date(now()),
    pages: [
      {
        width,
        height,
        background,
        texts: fields.map((field) => ({ field, text: textOf(field, data, issuer, words) })),
        code: { ...codePositionOf(template), link: verifyUrl(origin, data.code) },
      },
    ],
    catalog,
    loadFont: (file) => loadFontFile(env.ASSETS, file),
  })
  if (missing.length > 0) console.warn(JSON.stringify({ event: "characters without a font", code: data.code, missing }))
  return { bytes, filename: `Certificate ${data.courseName.replace(/[/\\:]/g, "-")}.pdf`, missing }
}

/** Draws a certificate as SVG without its background. */
export async function renderPicture(env: Bindings, origin: string, template: Template, data: CertificateData) {
  const issuer = siteName(env, data.site)
  const [{ drawPicture }, words, catalog] = await Promise.all([
    certificatePicture(),
    certificateWords(data),
    loadFontCatalog(env.ASSETS),
  ])
  const { width, height, fields, bgUrl } = template
  return drawPicture({
    width,
    height,
    texts: fields.map((field) => ({ field, text: textOf(field, data, issuer, words) })),
    hasBackground: bgUrl !== "",
    code: { ...codePositionOf(template), link: verifyUrl(origin, data.code) },
    catalog,
    loadFont: (file) => loadFontFile(env.ASSETS, file),
  })
}
