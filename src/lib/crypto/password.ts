import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto"
import { z } from "@hono/zod-openapi"
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./password-length.ts"
import { inHashQueue } from "./password-queue.ts"
import { type Assets, isWellKnown } from "./well-known-passwords.ts"

/** The scrypt parameters of new hashes. Tests use lower ones, except in tests of hashing itself. */
export const passwordCost = { N: 2 ** 14, r: 8, p: 5 }
const KEY_BYTES = 32
const SALT_BYTES = 16

const derive = (password: string, salt: Buffer, bytes: number, options: ScryptOptions) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** Formats a hash with the current parameters. */
function formatHash(salt: string, key: string) {
  const { N, r, p } = passwordCost
  return ["scrypt", N, r, p, salt, key].join("$")
}

/**
 * Hashes a password with scrypt and a fresh 16-byte salt.
 * @param background for a queue consumer, which waits regardless of the length of the queue
 * @returns `scrypt$N$r$p$salt$key`, base64url
 * @throws 503 if too many hashes are waiting
 */
export async function hashPassword(password: string, { background = false } = {}): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await inHashQueue(() => derive(password, salt, KEY_BYTES, passwordCost), { background })
  return formatHash(salt.toString("base64url"), key.toString("base64url"))
}

/** A hash that no password matches, so that unknown users take as long as known ones. */
const dummyHash = () => formatHash("A".repeat(22), "A".repeat(43))

/**
 * Verifies a password in constant time. Without a hash it takes as long and returns false.
 * @throws 503 if too many hashes are waiting
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, N, r, p, salt = "", key = ""] = (hash ?? dummyHash()).split("$")
  const expected = Buffer.from(key, "base64url")
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await inHashQueue(() => derive(password, Buffer.from(salt, "base64url"), expected.length, options))
  return timingSafeEqual(actual, expected) && hash !== null
}

/** A password of 8 to 128 characters of any script. `weakness` checks what it may not be. */
export const password = () =>
  z
    .string()
    .refine((value) => [...value].length >= MIN_PASSWORD_LENGTH, `must have ${MIN_PASSWORD_LENGTH} characters or more`)
    .refine((value) => [...value].length <= MAX_PASSWORD_LENGTH, `must have ${MAX_PASSWORD_LENGTH} characters or fewer`)
    .openapi({ type: "string", format: "password", minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH })

/** Why a password is too weak for this person; undefined: it is not. */
export async function weakness(
  password: string,
  person: { email: string; firstName: string; lastName: string },
  assets: Assets,
) {
  const chosen = password.toLowerCase()
  if (await isWellKnown(chosen, assets)) return "password is too common. Choose another one."
  const personal = [person.email, person.email.split("@")[0], person.firstName, person.lastName]
  personal.push(`${person.firstName} ${person.lastName}`, `${person.firstName}${person.lastName}`)
  if (personal.some((part) => part && part.toLowerCase() === chosen))
    return "password must not be the user's own name or email address."
  return undefined
}
