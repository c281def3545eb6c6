import { generateSecret, generateURI, verifySync } from "otplib"
import { now, SECOND } from "../../lib/clock.ts"

// Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds, which is what every authenticator app knows.

const STEP_SECONDS = 30

/** A new secret: 160 random bits in Base32. */
export const newSecret = (): string => generateSecret()

/** What the authenticator app reads: `otpauth://totp/Lectern:ada%40example.com?secret=…&issuer=Lectern`. */
export const otpauthUri = (secret: string, email: string, issuer: string): string =>
  generateURI({ issuer, label: email, secret })

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
