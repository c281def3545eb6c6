// Names and types that the SCIM files share (RFC 7643, RFC 7644).

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User"
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group"
/** The extension with the custom user fields, by their keys. */
export const CUSTOM_SCHEMA = "urn:lectern:params:scim:schemas:extension:custom:2.0:User"
/** The extension with what else Lectern stores of a user: the portals. */
export const LECTERN_SCHEMA = "urn:lectern:params:scim:schemas:extension:lectern:2.0:User"
const ENTERPRISE_SCHEMA = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
export const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse"

/** A JSON object of a request or a response. */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A member of an object by its name in any case: SCIM attribute names are case-insensitive. */
export function member(object: Json, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name]
  const key = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : object[key]
}

/** An attribute path: the schema's URN if it has one, the attribute, and the sub-attribute. */
export interface AttributePath {
  /** An extension; undefined: the core schema. Enterprise attributes are not stored. */
  schema: "custom" | "lectern" | "enterprise" | undefined
  /** In lower case, except for custom fields. */
  name: string
  sub: string | undefined
}

const inSchema = (path: string, schema: string) =>
  path.toLowerCase() === schema.toLowerCase() || path.toLowerCase().startsWith(`${schema.toLowerCase()}:`)

/** Reads `userName`, `name.givenName`, `urn:…:User:userName` or the URN of an extension with an attribute. */
export function attributePath(path: string): AttributePath {
  if (inSchema(path, CUSTOM_SCHEMA))
    return { schema: "custom", name: path.slice(CUSTOM_SCHEMA.length + 1), sub: undefined }
  if (inSchema(path, ENTERPRISE_SCHEMA)) return { schema: "enterprise", name: "", sub: undefined }
  const known = [USER_SCHEMA, GROUP_SCHEMA, LECTERN_SCHEMA].find((schema) => inSchema(path, schema))
  const [name = "", ...rest] = path
    .slice(known ? known.length + 1 : 0)
    .toLowerCase()
    .split(".")
  const schema = known === LECTERN_SCHEMA ? "lectern" : undefined
  return { schema, name, sub: rest.length > 0 ? rest.join(".") : undefined }
}
