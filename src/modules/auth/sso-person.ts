import { email as emailField, line, name, text } from "../../lib/input/input.ts"
import { avatarToStore } from "../../lib/input/person.ts"
import { type FieldDefinition, type FieldValue, readValue } from "../users/custom-field-values.ts"
import type { Claims } from "./sso-openid.ts"

// What a provider's claims say of a person.

/** The standard claims, and what each fills; a provider's own claims come before them. */
const STANDARD: Readonly<Record<string, string>> = {
  given_name: "firstName",
  family_name: "lastName",
  picture: "avatar",
  email_verified: "emailVerified",
}

/** A person as their provider knows them. */
export interface ClaimedPerson {
  /** The provider's own name for them, which never changes. */
  subject: string
  /** undefined: not told, or not an address. */
  email: string | undefined
  claims: Claims
}

/** The claims without which it pays to ask UserInfo. */
export const wantedClaims = (claims: Record<string, string>): string[] => [
  "email",
  ...(Object.values(claims).includes("emailVerified") ? [] : ["email_verified"]),
  "given_name",
  ...Object.keys(claims),
]

/** A claim that says yes: as JSON has it, or as some providers write it. */
const isYes = (claim: unknown) => claim === true || claim === "true" || claim === 1 || claim === "1"

const isText = (claim: unknown): claim is string => typeof claim === "string"

/** A claim as a field's schema reads it; undefined: it is not told, or not fit. */
function fitting<T>(
  schema: { safeParse(value: unknown): { success: boolean; data?: T } },
  claim: unknown,
): T | undefined {
  return isText(claim) ? schema.safeParse(claim).data : undefined
}

/** Who the claims are of. */
export const toPerson = (claims: Claims & { sub: string }): ClaimedPerson => ({
  subject: claims.sub,
  email: fitting(emailField(), claims.email),
  claims,
})

/**
 * Whether a provider vouches for a person's address. What it says to be unverified is so, whatever else it says.
 * @param mapping which field each of the provider's own claims fills
 */
export function isEmailVerified({ claims }: ClaimedPerson, mapping: Record<string, string>): boolean {
  const own = Object.keys(mapping).filter((claim) => mapping[claim] === "emailVerified")
  const denied = claims.email_verified !== undefined && !isYes(claims.email_verified)
  return !denied && ["email_verified", ...own].some((claim) => isYes(claims[claim]))
}

/** What a new user has of a person's claims. What does not fit its field is left out. */
export function toProfile(
  mapping: Record<string, string>,
  { claims }: ClaimedPerson,
  email: string,
  fields: readonly FieldDefinition[],
) {
  const told = [...Object.entries(mapping), ...Object.entries(STANDARD)]
  const filled = (field: string) =>
    told.filter(([claim, of]) => of === field && claims[claim] !== undefined).map(([claim]) => claims[claim])
  const first = <T>(field: string, schema: Parameters<typeof fitting<T>>[0]) =>
    filled(field)
      .map((claim) => fitting(schema, claim))
      .find((value) => value !== undefined)
  const lastName = first("lastName", line(100)) ?? ""
  const whole = lastName === "" ? fitting(name(), claims.name) : undefined
  const firstName = first("firstName", name()) ?? whole ?? email.slice(0, email.indexOf("@")).slice(0, 100)
  const names = { firstName, lastName }
  const metas = fields.flatMap((field): FieldValue[] => {
    for (const [claim, of] of Object.entries(mapping)) {
      if (of.toLowerCase() !== field.userMetaKey.toLowerCase() || claims[claim] === undefined) continue
      const read = readValue(field, claims[claim])
      if ("value" in read && read.value !== "") return [{ field, value: read.value }]
    }
    return []
  })
  return { ...names, avatar: avatarIn(first("avatar", text(2000)), names), metas }
}

/** An image's address that may be kept; null: there is none. */
function avatarIn(claim: string | undefined, names: { firstName: string; lastName: string }): string | null {
  if (claim === undefined || !/^https?:\/\//i.test(claim)) return null
  try {
    return avatarToStore(claim, { ...names, avatar: null }, names)
  } catch {
    return null
  }
}
