import type { CodePlace } from "../../../drizzle/schema/certificates.ts"
import { invalid } from "../../lib/errors.ts"

// Where a certificate carries the QR code of its public page.

interface Page {
  width: number
  height: number
}

/** In the bottom right corner: as large as a phone reads from an arm's length, on a small page a third of it. */
export function cornerOf({ width, height }: Page): CodePlace {
  const size = Math.round(Math.min(Math.max(Math.min(width, height) * 0.14, 96), Math.min(width, height) / 3))
  const gap = Math.round(size / 10)
  return { show: true, left: width - size - gap, top: height - size - gap, size }
}

export const codePlaceOf = (template: Page & { qrCode: CodePlace | null }) => template.qrCode ?? cornerOf(template)

/** The place that a template keeps: null where it is the corner. @throws 422 where it is not on the page */
export function keptPlace(given: CodePlace | undefined, before: Page & { qrCode: CodePlace | null }, page: Page) {
  const now = codePlaceOf(before)
  const same = given === undefined || (["show", "left", "top", "size"] as const).every((key) => given[key] === now[key])
  const place = same ? before.qrCode : given
  if (place?.show && (place.left + place.size > page.width || place.top + place.size > page.height))
    throw invalid("qr_code", `qr_code must lie on the page of ${page.width} × ${page.height} pixels.`)
  return place
}
