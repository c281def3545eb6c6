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
export type Purpose =
  | "bookmark"
  | "idempotency"
  | "key"
  | "link"
  | "name"
  | "recovery"
  | "refresh"
  | "sealing"
  | "session"
  | "token"

/** The Worker's secrets, as the bindings have them (docs/adr/0017). */
export interface Secrets {
  /** All that is made is made under this one. */
  APP_SECRET: string
  /** What was made under one of these holds still: those before, or the one that comes next; with commas. */
  APP_SECRET_PREVIOUS?: string | undefined
}

const derived = new Map<string, Buffer>()

function derive(secret: string, purpose: Purpose): Buffer {
  const name = `${purpose}:${secret}`
  const known = derived.get(name)
  if (known) return known
  if (!secret || secret.length < 32)
    throw new Error("A secret (APP_SECRET) is missing or has fewer than 32 characters.")
  const key = Buffer.from(hkdfSync("sha256", secret, "", `lectern ${purpose}`, 32))
  derived.set(name, key)
  return key
}

/** The secrets before, or after, the one that all is made under. */
const others = ({ APP_SECRET_PREVIOUS }: Secrets): string[] =>
  APP_SECRET_PREVIOUS ? APP_SECRET_PREVIOUS.split(",").flatMap((secret) => secret.trim() || []) : []

/**
 * The 32-byte key of a purpose under which all is made, derived from the Worker's secret.
 * @throws when the secret is missing or too short
 */
export const keyFor = (secrets: Secrets, purpose: Purpose): Buffer => derive(secrets.APP_SECRET, purpose)

/** The keys of a purpose under which things hold: first the one under which they are made. */
export const keysFor = (secrets: Secrets, purpose: Purpose): [Buffer, ...Buffer[]] => [
  keyFor(secrets, purpose),
  ...others(secrets).map((secret) => derive(secret, purpose)),
]

const nameOf = (secret: string) => derive(secret, "name").toString("base64url").slice(0, 8)

/** How sealed text says which secret it was sealed under, from which nothing of the secret can be told. */
export const secretName = (secrets: Secrets): string => nameOf(secrets.APP_SECRET)

/** The names of the secrets under which sealed text is read: first the one under which it is sealed. */
export const secretNames = (secrets: Secrets): string[] => [secrets.APP_SECRET, ...others(secrets)].map(nameOf)

/** Sealed text that no secret opens which this service has. */
class Unreadable extends Error {
  readonly code = "SEALED_UNDER_ANOTHER_SECRET"
  constructor() {
    super("Sealed under a secret that is not here.")
  }
}

/** Encrypts text with AES-256-GCM: the secret's name, a dot, and base64url of nonce, ciphertext and tag. */
export function encrypt(secrets: Secrets, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", keyFor(secrets, "sealing"), nonce)
  const bytes = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `${secretName(secrets)}.${bytes.toString("base64url")}`
}

/** The text that was sealed; undefined where no secret that is there opens it, or where it was changed. */
export function decrypted(secrets: Secrets, sealed: string): string | undefined {
  // Text of before secrets had names is tried under each.
  const [name, body] = sealed.includes(".") ? sealed.split(".", 2) : [undefined, sealed]
  const bytes = Buffer.from(body ?? "", "base64url")
  for (const secret of [secrets.APP_SECRET, ...others(secrets)]) {
    if (name !== undefined && name !== nameOf(secret)) continue
    try {
      const decipher = createDecipheriv("aes-256-gcm", derive(secret, "sealing"), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8")
    } catch {
      // Another secret may open it.
    }
  }
  return undefined
}

/** The text that was sealed. @throws Unreadable */
export function decrypt(secrets: Secrets, sealed: string): string {
  const text = decrypted(secrets, sealed)
  if (text === undefined) throw new Unreadable()
  return text
}

const hmacUnder = (key: Buffer, data: string | Uint8Array) => createHmac("sha256", key).update(data).digest("base64url")

export const hmac = (secrets: Secrets, purpose: Purpose, data: string | Uint8Array): string =>
  hmacUnder(keyFor(secrets, purpose), data)

/** The HMACs by which something is known that was made under any of the secrets: first the one as it is made now. */
export function hmacs(secrets: Secrets, purpose: Purpose, data: string | Uint8Array): [string, ...string[]] {
  const [current, ...others] = keysFor(secrets, purpose)
  return [hmacUnder(current, data), ...others.map((key) => hmacUnder(key, data))]
}

const digestOf = (text: string) => createHash("sha256").update(text).digest()

/** SHA-256 as base64url: for what is too random to be guessed, or no secret. */
export const hashed = (text: string): string => digestOf(text).toString("base64url")

/** Are two secrets the same? It takes as long whichever they are. */
export const sameSecret = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other))

/** Is a secret one of several? It takes as long whichever it is. */
export const oneOfSecrets = (one: string, others: string[]): boolean =>
  others.map((other) => sameSecret(one, other)).includes(true)

/** 53 random bits as an id: never the same twice, and known before it is written. */
export const randomId = (): number => Number(randomBytes(8).readBigUInt64BE() >> 11n) || 1

/** 256 random bits, base64url. */
export const randomToken = (): string => randomBytes(32).toString("base64url")

const READABLE = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** A random code that people read and type: digits and capitals without 0, 1, I and O; five bits a character. */
export const randomCode = (length: number): string =>
  [...randomBytes(length)].map((byte) => READABLE[byte % READABLE.length]).join("")

/** Compares two texts in constant time. */
export const sameText = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
