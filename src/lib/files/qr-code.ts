import QRCode from "qrcode-svg"

/** Width of one square of the image in the image's own units. */
const SQUARE = 4
/** The quiet zone around a code, in squares: what readers need. */
export const MARGIN = 4

const codeOf = (content: string) =>
  new QRCode({
    content,
    padding: MARGIN,
    join: true,
    // The library draws its rows as columns: swapped, the code stands as the standard has it and not mirrored.
    swap: true,
    pretty: false,
    xmlDeclaration: false,
    container: "svg-viewbox",
  })

/** A text as a QR code: rows of squares, true for the dark ones, without the quiet zone. */
export const qrSquares = (content: string): readonly boolean[][] => codeOf(content).qrcode.modules

/** A text as a QR code: SVG markup with its quiet zone. */
export function qrCodeOf(content: string): string {
  const code = codeOf(content)
  const width = (code.qrcode.modules.length + 2 * MARGIN) * SQUARE
  Object.assign(code.options, { width, height: width })
  return code.svg({ container: "svg-viewbox" })
}
