import type { z } from "zod"
import { fieldErrors } from "../../http/validation.ts"
import { boolean } from "../../lib/input/input.ts"
import { scimError } from "../../lib/web/scim-error.ts"
import type { WantedPortals } from "../organizations/user-portal-changes.ts"
import type { NewUser, UserChanges } from "../users/users.schemas.ts"
import { attributePath, isObject, type Json, member } from "./scim-names.ts"
import { externalId, groupName, scimUserName, userNames } from "./scim-schemas.ts"

// Reads users and groups from requests: names in any case, and attributes that this service does not store are ignored
// (RFC 7643, section 2.1; RFC 7644, section 3.3).

/** Reads a value with the schema of a field. @throws 400 `invalidValue` */
function read<T extends z.ZodType>(schema: T, field: string, value: unknown): z.output<T> {
  const found = schema.safeParse(value)
  if (found.success) return found.data
  const { errors = {} } = fieldErrors(found.error)
  throw scimError("invalidValue", (Object.values(errors).flat()[0] ?? "is invalid.").replace(/^body/, field))
}

/** The attributes of a user that this service stores. undefined: not sent; null: none. */
export interface UserInput {
  userName?: string
  externalId?: string | null
  givenName?: string | undefined
  familyName?: string | null
  formatted?: string | null
  displayName?: string | null
  active?: boolean | undefined
  custom: Record<string, unknown>
  portals?: WantedPortals
}

const NAMES = { givenname: "givenName", familyname: "familyName", formatted: "formatted" } as const

/**
 * The value of an attribute. Entra sends `[{"value": …}]` for some attributes with one value.
 * @param isRemoved whether it is removed, so that `value` is ignored
 */
function assignName(user: UserInput, sub: string, value: unknown) {
  const key = NAMES[sub as keyof typeof NAMES]
  if (!key) return
  const found = read(userNames[key], `name.${key}`, value ?? undefined)
  if (key === "givenName") user.givenName = found ?? user.givenName
  else user[key] = found ?? null
}

export type PatchOp = "add" | "replace" | "remove"

/** Adds, replaces or removes portals, after the operations before. Without a value, all are removed. */
function assignPortals(user: UserInput, op: PatchOp, value: unknown): void {
  const { all, add = [], remove = [] } = user.portals ?? {}
  const ids = readIds(value, "portals")
  if (op === "replace" || (op === "remove" && ids.length === 0)) user.portals = { all: ids }
  else if (op === "add") user.portals = { all, add: union(add, ids), remove: without(remove, ids) }
  else user.portals = { all, add: without(add, ids), remove: union(remove, ids) }
}

/** Sets an attribute of a user by its path. Other attributes of the core and enterprise schemas are ignored. */
export function assign(user: UserInput, path: string, value: unknown, op: PatchOp = "replace"): void {
  const { schema, name, sub } = attributePath(path)
  if (schema === "enterprise") return
  if (schema === "lectern") {
    const portals = name === "" && isObject(value) ? member(value, "portals") : value
    if (name === "portals" || (name === "" && portals !== undefined)) assignPortals(user, op, portals)
    return
  }
  if (schema === "custom") {
    if (name !== "") user.custom[name] = value ?? ""
    else for (const [key, one] of Object.entries(isObject(value) ? value : {})) user.custom[key] = one ?? ""
    return
  }
  if (name === "name") {
    if (sub !== undefined) assignName(user, sub, value)
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) assignName(user, key.toLowerCase(), one)
    return
  }
  if (sub !== undefined) return
  if (name === "username") user.userName = read(scimUserName, "userName", value)
  else if (name === "externalid") user.externalId = read(externalId, "externalId", value ?? undefined) ?? null
  else if (name === "displayname")
    user.displayName = read(userNames.displayName, "displayName", value ?? undefined) ?? null
  else if (name === "active" && value !== null && value !== undefined) user.active = read(boolean(), "active", value)
}

/** A user as a POST or PUT sends it: what is missing is removed, except for values that every user has. */
export function readUser(body: Json): UserInput {
  const user: UserInput = { custom: {}, externalId: null, displayName: null }
  if (member(body, "userName") === undefined || member(body, "userName") === null)
    throw scimError("invalidValue", "userName is required.")
  for (const [key, value] of Object.entries(body)) if (key !== "schemas") assign(user, key, value)
  return user
}

/** The first and the last name of a text with both. */
function splitName(text: string): [string, string] {
  const words = text.trim().split(/\s+/)
  return [words.slice(0, -1).join(" ") || (words[0] ?? ""), words.length > 1 ? (words.at(-1) ?? "") : ""]
}

/** The names of a new user: as sent, or taken from the whole name or the address. @throws 400 `invalidValue` */
export function namesOf(user: UserInput): { firstName: string; lastName: string } {
  if (user.givenName !== undefined) return { firstName: user.givenName, lastName: user.familyName ?? "" }
  const [first, last] = splitName(user.formatted || user.displayName || user.userName?.split("@")[0] || "")
  return {
    firstName: read(userNames.givenName, "name.givenName", first) ?? "",
    lastName: read(userNames.familyName, "name.familyName", user.familyName ?? last) ?? "",
  }
}

const customOf = ({ custom }: UserInput) => (Object.keys(custom).length > 0 ? { customUserMetas: custom } : {})

/** The names of a request that changes a user. */
export const sentNames = ({ givenName, familyName }: UserInput) => ({
  firstName: givenName ?? "",
  lastName: familyName ?? "",
})

/** The display name to store: none if it is the full name. */
export const displayNameOf = (user: UserInput, { firstName, lastName }: { firstName: string; lastName: string }) =>
  user.displayName === undefined || user.displayName === `${firstName} ${lastName}`.trim() ? null : user.displayName

/** The user in the form of `createUser`. Nobody gets a mail: people sign in with their provider. */
export const toNewUser = (user: UserInput): NewUser => ({
  ...namesOf(user),
  email: user.userName ?? "",
  notify: false,
  ...(user.externalId && { externalId: user.externalId }),
  ...customOf(user),
})

/** The changes in the form of `updateUser`. */
export const toUserChanges = (user: UserInput): UserChanges => ({
  ...(user.userName !== undefined && { email: user.userName }),
  ...(user.givenName !== undefined && { firstName: user.givenName }),
  ...(user.familyName !== undefined && { lastName: user.familyName ?? "" }),
  ...(user.externalId !== undefined && { externalId: user.externalId }),
  ...(user.active !== undefined && { disabled: !user.active }),
  ...customOf(user),
})

const union = (a: number[], b: number[]) => [...new Set([...a, ...b])]
const without = (a: number[], b: number[]) => a.filter((id) => !b.includes(id))

/** The id of a value of a multi-valued attribute; undefined: of no record, or of a group, which cannot be a member. */
function idIn(value: unknown): number | undefined {
  const given = isObject(value) ? member(value, "value") : value
  return typeof given === "string" && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined
}

const MAX_VALUES = 5000

/** The values of a multi-valued attribute. @throws 400 `tooMany` */
function valuesOf(value: unknown, attribute: string): unknown[] {
  const all = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  if (all.length > MAX_VALUES) throw scimError("tooMany", `A request can have at most ${MAX_VALUES} ${attribute}.`)
  return all
}

/** The ids of members. Values that are no user's id are skipped, as unknown ids are. */
export const readMembers = (value: unknown): number[] => [
  ...new Set(valuesOf(value, "members").flatMap((one) => idIn(one) ?? [])),
]

/** The ids of records. @throws 400 `invalidValue` for another value */
function readIds(value: unknown, attribute: string): number[] {
  const ids = valuesOf(value, attribute).map((one) => {
    const id = idIn(one)
    if (id === undefined) throw scimError("invalidValue", `${attribute} must have ids as values: [{"value": "3"}].`)
    return id
  })
  return [...new Set(ids)]
}

export const readGroupName = (value: unknown) => read(groupName, "displayName", value ?? undefined)
export const readExternalId = (value: unknown) => read(externalId, "externalId", value ?? undefined) ?? null

/** The schemas that a body must name. @throws 400 */
export function requireSchema(body: Json, schema: string) {
  const schemas = member(body, "schemas")
  const isNamed = Array.isArray(schemas) && schemas.some((one) => String(one).toLowerCase() === schema.toLowerCase())
  if (!isNamed) throw scimError("invalidSyntax", `schemas must contain ${schema}.`)
}
