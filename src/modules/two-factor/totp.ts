import { generateSecret, generateURI, verifySync } from "otplib"
import QRCode from "qrcode-svg"
import { now, SECOND } from "../../lib/clock.ts"

// Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds, which is what every authenticator app knows.

const ISSUER = "Lectern"
const STEP_SECONDS = 30
/** Width of one square of the QR code in the image's own units. */
const SQUARE = 4
/** The quiet zone around the code, in squares: what readers need. */
const MARGIN = 4

/** A new secret: 160 random bits in Base32. */
export const newSecret = (): string => generateSecret()

/** What the authenticator app reads: `otpauth://totp/Lectern:ada%40example.com?secret=…&issuer=Lectern`. */
export const uriOf = (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret })

/** The URI as a QR code: SVG markup. */
export function qrCodeOf(uri: string): string {
  const code = new QRCode({
    content: uri,
    padding: MARGIN,
    join: true,
    // The library draws its rows as columns: swapped, the code stands as the standard has it and not mirrored.
    swap: true,
    pretty: false,
    xmlDeclaration: false,
    container: "svg-viewbox",
  })
  const width = (code.qrcode.modules.length + 2 * MARGIN) * SQUARE
  Object.assign(code.options, { width, height: width })
  return code.svg({ container: "svg-viewbox" })
}

/** @returns the time step of a code that holds now, or one step before or after; undefined when it does not. */
export function stepOf(secret: string, code: string): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now() / SECOND),
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
  })
  return result.valid && "timeStep" in result ? result.timeStep : undefined
}
