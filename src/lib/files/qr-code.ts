import QRCode from "qrcode-svg"

/** Width of a module in units of the image. */
const MODULE_WIDTH = 4
/** The quiet zone around a code, in modules, that readers need. */
export const MARGIN = 4

const codeOf = (content: string) =>
  new QRCode({
    content,
    padding: MARGIN,
    join: true,
    // The library draws rows as columns; unswapped, the code would be mirrored.
    swap: true,
    pretty: false,
    xmlDeclaration: false,
    container: "svg-viewbox",
  })

/** Returns the rows of modules of a QR code, true for dark ones, without the quiet zone. */
export const qrModules = (content: string): readonly boolean[][] => codeOf(content).qrcode.modules

/** Returns a QR code as SVG markup with its quiet zone. */
export function qrCodeSvg(content: string): string {
  const code = codeOf(content)
  const width = (code.qrcode.modules.length + 2 * MARGIN) * MODULE_WIDTH
  Object.assign(code.options, { width, height: width })
  return code.svg({ container: "svg-viewbox" })
}
