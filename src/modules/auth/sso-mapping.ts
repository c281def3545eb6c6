import { hasRole } from "../../lib/caller.ts"

// Maps the values of a person's claims to a role and to groups.

/** The roles that claims can assign. Supervisors are administrators of groups or portals, which claims do not know. */
export const CLAIMED_ROLES = ["general", "staff", "admin"] as const
export type ClaimedRole = (typeof CLAIMED_ROLES)[number]

interface Mapping {
  /** The claim with the person's roles; empty: none. */
  roleClaim: string
  roles: Record<string, ClaimedRole>
  /** The claim with the person's groups; empty: none. */
  groupClaim: string
  groups: Record<string, number>
}

type Claims = Record<string, unknown>

/** The texts of a claim, which may be one or several; undefined: the provider did not send it. */
function claimValues(claims: Claims, name: string): string[] | undefined {
  const claim = name === "" || !Object.hasOwn(claims, name) ? undefined : claims[name]
  if (claim === undefined || claim === null) return undefined
  return [claim].flat().filter((value): value is string => typeof value === "string")
}

const mapped = <T>(mapping: Record<string, T>, values: string[]): T[] =>
  values.flatMap((value) => (Object.hasOwn(mapping, value) ? (mapping[value] as T) : []))

/** The highest role of the claim's values; `general` if none is mapped; undefined: the claim says nothing. */
export function claimedRole({ roleClaim, roles }: Mapping, claims: Claims): ClaimedRole | undefined {
  const values = claimValues(claims, roleClaim)
  if (!values) return undefined
  const found = mapped(roles, values)
  return CLAIMED_ROLES.findLast((role) => found.includes(role)) ?? "general"
}

/** The mapped groups to which the person belongs, and the others; undefined: the claim says nothing. */
export function claimedGroups({ groupClaim, groups }: Mapping, claims: Claims) {
  const values = claimValues(claims, groupClaim)
  if (!values) return undefined
  const member = new Set(mapped(groups, values))
  return { member: [...member], other: Object.values(groups).filter((id) => !member.has(id)) }
}

/** The user type after a sign-in. Supervisors remain so unless the claim gives them more. */
export function nextUserType(current: string, role: ClaimedRole | undefined): string {
  if (role === undefined) return current
  const isSupervisor = hasRole({ kind: "user", userType: current }, "group_admin") && !isStaff(current)
  return isSupervisor && role === "general" ? current : role
}

const isStaff = (userType: string) => hasRole({ kind: "user", userType }, "staff")
