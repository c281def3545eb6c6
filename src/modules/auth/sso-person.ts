import { email as emailField, line, name, text } from "../../lib/input/input.ts"
import { avatarToStore } from "../../lib/input/person.ts"
import { type FieldDefinition, type FieldValue, readValue } from "../users/custom-field-values.ts"
import type { Claims } from "./sso-openid.ts"

// Maps a provider's claims to a person.

/** The standard claims and their fields; a provider's custom claims take precedence. */
const STANDARD: Readonly<Record<string, string>> = {
  given_name: "firstName",
  family_name: "lastName",
  picture: "avatar",
  email_verified: "emailVerified",
}

/** A person as described by the provider. */
export interface ClaimedPerson {
  /** The provider's permanent id of the person. */
  subject: string
  /** undefined if missing or invalid. */
  email: string | undefined
  claims: Claims
}

/** The claims for which UserInfo is requested if the ID token lacks them. */
export const wantedClaims = ({
  claims,
  roleClaim,
  groupClaim,
}: {
  claims: Record<string, string>
  roleClaim: string
  groupClaim: string
}): string[] => [
  "email",
  ...(Object.values(claims).includes("emailVerified") ? [] : ["email_verified"]),
  "given_name",
  ...Object.keys(claims),
  ...[roleClaim, groupClaim].filter((name) => name !== ""),
]

/** Whether a claim is true, in JSON or in the spellings of some providers. */
const isTrue = (claim: unknown) => claim === true || claim === "true" || claim === 1 || claim === "1"

const isText = (claim: unknown): claim is string => typeof claim === "string"

/** A claim parsed by a field's schema; undefined if missing or invalid. */
function parseClaim<T>(
  schema: { safeParse(value: unknown): { success: boolean; data?: T } },
  claim: unknown,
): T | undefined {
  return isText(claim) ? schema.safeParse(claim).data : undefined
}

export const toPerson = (claims: Claims & { sub: string }): ClaimedPerson => ({
  subject: claims.sub,
  email: parseClaim(emailField(), claims.email),
  claims,
})

/**
 * Whether the provider verified the person's address. An explicit denial overrides all other claims.
 * @param mapping maps the provider's custom claims to fields
 */
export function isEmailVerified({ claims }: ClaimedPerson, mapping: Record<string, string>): boolean {
  const customClaims = Object.keys(mapping).filter((claim) => mapping[claim] === "emailVerified")
  const denied = claims.email_verified !== undefined && !isTrue(claims.email_verified)
  return !denied && ["email_verified", ...customClaims].some((claim) => isTrue(claims[claim]))
}

interface Names {
  firstName: string
  lastName: string
}

/** What the claims say about a person. Invalid and missing values are omitted. */
export function claimedProfile(
  mapping: Record<string, string>,
  { claims }: ClaimedPerson,
  fields: readonly FieldDefinition[],
) {
  const sources = [...Object.entries(mapping), ...Object.entries(STANDARD)]
  const claimedValues = (field: string) =>
    sources.filter(([claim, target]) => target === field && claims[claim] !== undefined).map(([claim]) => claims[claim])
  const firstValid = <T>(field: string, schema: Parameters<typeof parseClaim<T>>[0]) =>
    claimedValues(field)
      .map((claim) => parseClaim(schema, claim))
      .find((value) => value !== undefined)
  const lastName = firstValid("lastName", line(100))
  const fullNameClaim = lastName ? undefined : parseClaim(name(), claims.name)
  const firstName = firstValid("firstName", name()) ?? fullNameClaim
  const avatarClaim = firstValid("avatar", text(2000))
  const metas = fields.flatMap((field): FieldValue[] => {
    for (const [claim, target] of Object.entries(mapping)) {
      if (target.toLowerCase() !== field.userMetaKey.toLowerCase() || claims[claim] === undefined) continue
      const parsed = readValue(field, claims[claim])
      if ("value" in parsed && parsed.value !== "") return [{ field, value: parsed.value }]
    }
    return []
  })
  return {
    firstName,
    lastName,
    avatar: avatarClaim === undefined ? undefined : (names: Names) => avatarIn(avatarClaim, names),
    metas,
  }
}

/** The profile of a new user from the claims. */
export function toProfile(
  mapping: Record<string, string>,
  person: ClaimedPerson,
  email: string,
  fields: readonly FieldDefinition[],
) {
  const { firstName, lastName = "", avatar, metas } = claimedProfile(mapping, person, fields)
  const names = { firstName: firstName ?? email.slice(0, email.indexOf("@")).slice(0, 100), lastName }
  return { ...names, avatar: avatar?.(names) ?? null, metas }
}

/** The image URL of a claim if it can be stored, else null. */
function avatarIn(claim: string, names: Names): string | null {
  if (!/^https?:\/\//i.test(claim)) return null
  try {
    return avatarToStore(claim, { ...names, avatar: null }, names)
  } catch {
    return null
  }
}
