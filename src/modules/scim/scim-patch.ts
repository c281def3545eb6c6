import { parse } from "scim2-parse-filter"
import { ApiError } from "../../lib/errors.ts"
import { scimError } from "../../lib/web/scim-error.ts"
import type { GroupChanges } from "../organizations/groups.schemas.ts"
import {
  assign,
  type PatchOp,
  readExternalId,
  readGroupName,
  readMembers,
  requireSchema,
  type UserInput,
} from "./scim-input.ts"
import { attributePath, isObject, type Json, member } from "./scim-names.ts"

// PATCH (RFC 7644, section 3.5.2): with a path, with a path of values (`members[value eq "47"]`), and without a path.

const PATCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
const MAX_OPERATIONS = 1000

interface Operation {
  op: PatchOp
  path: string | undefined
  value: unknown
}

/** @throws 400 `invalidSyntax` or `noTarget` */
export function readOperations(body: Json): Operation[] {
  requireSchema(body, PATCH_SCHEMA)
  const operations = member(body, "Operations")
  if (!Array.isArray(operations) || operations.length === 0)
    throw scimError("invalidSyntax", "Operations must be an array with at least one operation.")
  if (operations.length > MAX_OPERATIONS)
    throw scimError("tooMany", `A request can have at most ${MAX_OPERATIONS} operations.`)
  return operations.map((one: unknown) => {
    if (!isObject(one)) throw scimError("invalidSyntax", "An operation must be an object.")
    const op = String(member(one, "op")).toLowerCase()
    const path = member(one, "path")
    if (op !== "add" && op !== "replace" && op !== "remove")
      throw scimError("invalidSyntax", "op must be add, replace or remove.")
    if (path !== undefined && path !== null && typeof path !== "string")
      throw scimError("invalidPath", "path must be text.")
    if (op === "remove" && !path) throw scimError("noTarget", "A remove operation must have a path.")
    const value = member(one, "value")
    if (op !== "remove" && value === undefined) throw scimError("invalidValue", `An ${op} operation must have a value.`)
    return { op, path: path || undefined, value }
  })
}

/** The parts of a path: `emails[type eq "work"].value` is of `emails`, with a filter and `value`. */
function partsOf(path: string): { attribute: string; filter: string | undefined; sub: string | undefined } {
  const found = /^((?:urn:[\w.:-]+:)?[\w$.-]+)(?:\[(.*)\](?:\.([\w$-]+))?)?$/i.exec(path.trim())
  const [, attribute = "", filter, sub] = found ?? []
  if (!found || (attribute.startsWith("urn:") && attribute.endsWith(":")))
    throw scimError("invalidPath", `The path ${path.slice(0, 200)} is invalid.`)
  return { attribute, filter, sub }
}

/** ScimAttributes of RFC 7643 that this service does not store. Providers send them by default. */
const IGNORED = new Set([
  ...["nickname", "profileurl", "title", "usertype", "preferredlanguage", "locale", "timezone", "password", "emails"],
  ...["phonenumbers", "ims", "photos", "addresses", "entitlements", "roles", "x509certificates", "groups"],
])
const STORED = new Set(["username", "externalid", "name", "displayname", "active"])
const READ_ONLY = new Set(["id", "meta", "schemas"])

/** @throws 400 `invalidPath` or `mutability` */
function requireUserAttribute(path: string) {
  const { schema, name } = attributePath(path)
  if (schema) return
  if (READ_ONLY.has(name)) throw scimError("mutability", `${name} is read-only.`)
  if (!STORED.has(name) && !IGNORED.has(name))
    throw scimError("invalidPath", `${path.slice(0, 200)} is not an attribute of a user.`)
}

/** The changes that operations make to a user. @throws 400 */
export function patchUser(operations: Operation[]): UserInput {
  const user: UserInput = { custom: {} }
  for (const { op, path, value } of operations) {
    if (path === undefined) {
      if (!isObject(value)) throw scimError("invalidValue", "Without a path, value must be an object.")
      for (const [key, one] of Object.entries(value))
        if (!READ_ONLY.has(key.toLowerCase())) {
          requireUserAttribute(key)
          assign(user, key, one, op)
        }
      continue
    }
    // The URN of custom fields is not split: their keys can have any character.
    const { attribute, filter } = attributePath(path).schema === "custom" ? { attribute: path } : partsOf(path)
    requireUserAttribute(attribute)
    const { schema, name } = attributePath(attribute)
    if (op === "remove" && !schema && (name === "username" || name === "active"))
      throw scimError("mutability", `${name} cannot be removed.`)
    if (schema === "lectern") assignOfLectern(user, { op, path: attribute, value }, filter)
    else assign(user, attribute, op === "remove" ? null : value)
  }
  return user
}

/** @throws 400 */
function assignOfLectern(user: UserInput, { op, path, value }: Operation & { path: string }, filter?: string) {
  if (filter === undefined) return assign(user, path, op === "remove" && value === undefined ? null : value, op)
  if (op !== "remove") throw scimError("mutability", "The values of a portal are read-only.")
  const ids = idsInFilter(filter, "portals")
  if (ids.length > 0) assign(user, path, ids.map(String), op)
}

/** The ids in `members[value eq "47" or value eq "48"]`. @throws 400 `invalidFilter` */
function idsInFilter(filter: string, attribute: string): number[] {
  const read = (expression: ReturnType<typeof parse>): unknown[] => {
    if (expression.op === "or") return expression.filters.flatMap(read)
    if (expression.op === "eq" && expression.attrPath.toLowerCase() === "value") return [String(expression.compValue)]
    throw scimError("invalidFilter", `${attribute} are selected by id: ${attribute}[value eq "47"].`)
  }
  try {
    return readMembers(read(parse(filter)))
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw scimError("invalidFilter", "The filter in the path is invalid.")
  }
}

/** The changes that operations make to a group, in their order. @throws 400 */
export function patchGroup(operations: Operation[]): GroupChanges {
  const changes: GroupChanges = {}
  let all: Set<number> | undefined
  const added = new Set<number>()
  const removed = new Set<number>()
  const add = (ids: number[]) => {
    for (const id of ids) {
      removed.delete(id)
      ;(all ?? added).add(id)
    }
  }
  const remove = (ids: number[]) => {
    for (const id of ids) {
      all?.delete(id)
      added.delete(id)
      if (!all) removed.add(id)
    }
  }
  const replace = (ids: number[]) => {
    all = new Set(ids)
    added.clear()
    removed.clear()
  }
  const change = (op: Operation["op"], path: string, value: unknown) => {
    const { attribute, filter } = partsOf(path)
    const { name } = attributePath(attribute)
    if (name === "members") {
      if (filter !== undefined) {
        if (op !== "remove") throw scimError("mutability", "The values of a member are read-only.")
        return remove(idsInFilter(filter, "members"))
      }
      // Entra removes members with a list as the value.
      if (op === "remove") return value === undefined || value === null ? replace([]) : remove(readMembers(value))
      return op === "add" ? add(readMembers(value)) : replace(readMembers(value))
    }
    if (name === "externalid") changes.externalId = op === "remove" ? null : readExternalId(value)
    else if (name === "displayname") {
      if (op === "remove") throw scimError("mutability", "displayName cannot be removed.")
      changes.name = readGroupName(value)
    } else if (READ_ONLY.has(name)) throw scimError("mutability", `${name} is read-only.`)
    else throw scimError("invalidPath", `${path.slice(0, 200)} is not an attribute of a group.`)
  }
  for (const { op, path, value } of operations) {
    if (path !== undefined) change(op, path, value)
    else if (!isObject(value)) throw scimError("invalidValue", "Without a path, value must be an object.")
    else for (const [key, one] of Object.entries(value)) if (!READ_ONLY.has(key.toLowerCase())) change(op, key, one)
  }
  if (all) changes.user_ids = [...all]
  else {
    if (added.size > 0) changes.add_user_ids = [...added]
    if (removed.size > 0) changes.remove_user_ids = [...removed]
  }
  return changes
}
