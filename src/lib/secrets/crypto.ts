import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"

/** What a key is for: a value made for one purpose is worth nothing for another. */
export type Purpose = "session" | "sealing" | "idempotency" | "link" | "recovery" | "refresh" | "key" | "token"

/** Where the Worker's secret is: the bindings. */
export interface Secrets {
  APP_SECRET: string
}

const derived = new Map<string, Buffer>()

/** The 32-byte key of a purpose, derived from the Worker's secret. @throws when the secret is missing or too short. */
export function keyFor({ APP_SECRET: secret }: Secrets, purpose: Purpose): Buffer {
  const name = `${purpose}:${secret}`
  const known = derived.get(name)
  if (known) return known
  if (!secret || secret.length < 32) throw new Error("APP_SECRET is missing or shorter than 32 characters.")
  const key = Buffer.from(hkdfSync("sha256", secret, "", `lectern ${purpose}`, 32))
  derived.set(name, key)
  return key
}

/** Encrypts text with AES-256-GCM under the Worker's secret: base64url of nonce, ciphertext and tag. */
export function seal(secrets: Secrets, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", keyFor(secrets, "sealing"), nonce)
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64url")
}

/** @throws when the sealed text was not made under this secret or was changed. */
export function unseal(secrets: Secrets, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64url")
  const decipher = createDecipheriv("aes-256-gcm", keyFor(secrets, "sealing"), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8")
}

export const hmac = (secrets: Secrets, purpose: Purpose, data: string | Uint8Array): string =>
  createHmac("sha256", keyFor(secrets, purpose)).update(data).digest("base64url")

const digestOf = (text: string) => createHash("sha256").update(text).digest()

/** Are two secrets the same? It takes as long whichever they are. */
export const sameSecret = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other))

/** 53 random bits as an id: never the same twice, and known before it is written. */
export const randomId = (): number => Number(randomBytes(8).readBigUInt64BE() >> 11n) || 1

/** 256 random bits, base64url. */
export const randomToken = (): string => randomBytes(32).toString("base64url")

const READABLE = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** A random code that people read and type: digits and capitals without 0, 1, I and O; five bits a character. */
export const randomCode = (length: number): string =>
  [...randomBytes(length)].map((byte) => READABLE[byte % READABLE.length]).join("")

/** `ABCD-EFGH` for a code of eight in groups of four: easier to read and to type. */
export const inGroups = (code: string, size: number): string =>
  [...code].reduce((text, character, i) => text + (i > 0 && i % size === 0 ? "-" : "") + character, "")
