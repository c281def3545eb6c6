import { generateSecret, generateURI, verifySync } from "otplib"
import { now, SECOND } from "../../lib/clock.ts"

// Time-based one-time passwords (RFC 6238) with SHA-1, six digits and 30 seconds, which every authenticator app
// supports.

const STEP_SECONDS = 30

/** A new secret: 160 random bits in Base32. */
export const newSecret = (): string => generateSecret()

/** The URI for authenticator apps: `otpauth://totp/Lectern:ada%40example.com?secret=…&issuer=Lectern`. */
export const otpauthUri = (secret: string, email: string, issuer: string): string =>
  generateURI({ issuer, label: email, secret })

/** @returns the time step of a code that is valid now or was one step before or after; otherwise undefined. */
export function verifyTotp(secret: string, code: string): number | undefined {
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
