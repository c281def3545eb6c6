import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"

/** The purpose of a key. A value created for one purpose is invalid for all others. */
export type Purpose =
  | "bookmark"
  | "crossing"
  | "idempotency"
  | "key"
  | "link"
  | "name"
  | "recovery"
  | "refresh"
  | "sealing"
  | "session"
  | "token"

/** The Worker's secrets (docs/adr/0017). */
export interface Secrets {
  /** The current secret. */
  APP_SECRET: string
  /** Previous secrets or the next one, separated by commas. Values created with them remain valid. */
  APP_SECRET_PREVIOUS?: string | undefined
}

const derived = new Map<string, Buffer>()

function derive(secret: string, purpose: Purpose): Buffer {
  const name = `${purpose}:${secret}`
  const cached = derived.get(name)
  if (cached) return cached
  if (!secret || secret.length < 32) throw new Error("APP_SECRET is missing or has fewer than 32 characters.")
  const key = Buffer.from(hkdfSync("sha256", secret, "", `lectern ${purpose}`, 32))
  derived.set(name, key)
  return key
}

/** All secrets except the current one. */
const otherSecrets = ({ APP_SECRET_PREVIOUS }: Secrets): string[] =>
  APP_SECRET_PREVIOUS ? APP_SECRET_PREVIOUS.split(",").flatMap((secret) => secret.trim() || []) : []

/** The 32-byte key of a purpose, derived from the current secret. @throws if the secret is missing or too short */
export const keyFor = (secrets: Secrets, purpose: Purpose): Buffer => derive(secrets.APP_SECRET, purpose)

/** The keys of a purpose for all secrets, the current one first. */
export const keysFor = (secrets: Secrets, purpose: Purpose): [Buffer, ...Buffer[]] => [
  keyFor(secrets, purpose),
  ...otherSecrets(secrets).map((secret) => derive(secret, purpose)),
]

const secretNameOf = (secret: string) => derive(secret, "name").toString("base64url").slice(0, 8)

/** The name of the current secret in encrypted text. It reveals nothing about the secret. */
export const secretName = (secrets: Secrets): string => secretNameOf(secrets.APP_SECRET)

/** The names of all secrets, the current one first. */
export const secretNames = (secrets: Secrets): string[] =>
  [secrets.APP_SECRET, ...otherSecrets(secrets)].map(secretNameOf)

/** Thrown if no secret can decrypt a text. */
class DecryptionError extends Error {
  readonly code = "SEALED_UNDER_ANOTHER_SECRET"
  constructor() {
    super("Encrypted with an unknown secret.")
  }
}

/** Encrypts text with AES-256-GCM. @returns the secret's name, a dot, and base64url of nonce, ciphertext and tag */
export function encrypt(secrets: Secrets, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", keyFor(secrets, "sealing"), nonce)
  const bytes = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `${secretName(secrets)}.${bytes.toString("base64url")}`
}

/** Decrypts text; undefined if no secret can decrypt it or it was modified. */
export function decrypted(secrets: Secrets, encrypted: string): string | undefined {
  // Text from before secrets had names is tried with each secret.
  const [name, body] = encrypted.includes(".") ? encrypted.split(".", 2) : [undefined, encrypted]
  const bytes = Buffer.from(body ?? "", "base64url")
  for (const secret of [secrets.APP_SECRET, ...otherSecrets(secrets)]) {
    if (name !== undefined && name !== secretNameOf(secret)) continue
    try {
      const decipher = createDecipheriv("aes-256-gcm", derive(secret, "sealing"), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8")
    } catch {
      // Another secret may be able to decrypt it.
    }
  }
  return undefined
}

/** Decrypts text. @throws DecryptionError */
export function decrypt(secrets: Secrets, encrypted: string): string {
  const text = decrypted(secrets, encrypted)
  if (text === undefined) throw new DecryptionError()
  return text
}

const hmacWithKey = (key: Buffer, data: string | Uint8Array) =>
  createHmac("sha256", key).update(data).digest("base64url")

export const hmac = (secrets: Secrets, purpose: Purpose, data: string | Uint8Array): string =>
  hmacWithKey(keyFor(secrets, purpose), data)

/** The HMACs of data with each secret, the current one first. */
export function hmacs(secrets: Secrets, purpose: Purpose, data: string | Uint8Array): [string, ...string[]] {
  const [current, ...others] = keysFor(secrets, purpose)
  return [hmacWithKey(current, data), ...others.map((key) => hmacWithKey(key, data))]
}

const sha256 = (text: string) => createHash("sha256").update(text).digest()

/** SHA-256 as base64url, for values that cannot be guessed or are not secret. */
export const sha256Text = (text: string): string => sha256(text).toString("base64url")

/** Compares two secrets in constant time. */
export const sameSecret = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other))

/** Whether a secret is in a list, in constant time. */
export const matchesAnySecret = (one: string, others: string[]): boolean =>
  others.map((other) => sameSecret(one, other)).includes(true)

/** A random id of 53 bits, known before it is stored. */
export const randomId = (): number => Number(randomBytes(8).readBigUInt64BE() >> 11n) || 1

/** A random number that a database stores in four bytes. */
export const shortRandomId = (): number => randomBytes(4).readUInt32BE() >>> 1 || 1

/** 256 random bits as base64url. */
export const randomToken = (): string => randomBytes(32).toString("base64url")

const CODE_CHARACTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** A random code for people to type: digits and capitals without 0, 1, I and O; 5 bits per character. */
export const randomCode = (length: number): string =>
  [...randomBytes(length)].map((byte) => CODE_CHARACTERS[byte % CODE_CHARACTERS.length]).join("")

/** Compares two texts in constant time. */
export const sameText = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
