import type { CodePosition } from "../../../drizzle/schema/certificates.ts"
import { invalid } from "../../lib/errors.ts"

// The position of the QR code that links to the certificate's public page.

interface Page {
  width: number
  height: number
}

/** The bottom right corner, in a size that a phone reads at arm's length, at most a third of the page. */
export function defaultCodePosition({ width, height }: Page): CodePosition {
  const size = Math.round(Math.min(Math.max(Math.min(width, height) * 0.14, 96), Math.min(width, height) / 3))
  const margin = Math.round(size / 10)
  return { show: true, left: width - size - margin, top: height - size - margin, size }
}

export const codePositionOf = (template: Page & { qrCode: CodePosition | null }) =>
  template.qrCode ?? defaultCodePosition(template)

/** Returns the position to store; null for the default corner. @throws 422 when it is not on the page */
export function codePositionToStore(
  input: CodePosition | undefined,
  before: Page & { qrCode: CodePosition | null },
  page: Page,
) {
  const current = codePositionOf(before)
  const isSame =
    input === undefined || (["show", "left", "top", "size"] as const).every((key) => input[key] === current[key])
  const position = isSame ? before.qrCode : input
  if (position?.show && (position.left + position.size > page.width || position.top + position.size > page.height))
    throw invalid("qr_code", `qr_code must lie on the page of ${page.width} × ${page.height} pixels.`)
  return position
}
