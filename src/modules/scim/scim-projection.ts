import { attributePath, CUSTOM_SCHEMA, isObject, type Json, LECTERN_SCHEMA } from "./scim-names.ts"

// `attributes` and `excludedAttributes` (RFC 7644, section 3.9).

/** The attributes of a request. */
export interface Projection {
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}

/** Always returned. */
const ALWAYS = new Set(["schemas", "id"])

interface Name {
  name: string
  sub: string | undefined
}

/** The names in a list. A filter of values (`emails[type eq "work"]`) selects the whole attribute. */
const namesOf = (list: string | undefined): Name[] =>
  (list ?? "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .split(",")
    .map((path) => path.trim())
    .filter(Boolean)
    .map((path) => {
      const { schema, name, sub } = attributePath(path)
      const extension = schema === "custom" ? CUSTOM_SCHEMA : schema === "lectern" ? LECTERN_SCHEMA : undefined
      return extension ? { name: extension.toLowerCase(), sub: name || undefined } : { name, sub }
    })

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Keeps the sub-attributes for which `keeps` is true, in an object or in each object of an array. */
function withSubs(value: unknown, keeps: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => withSubs(one, keeps))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([sub]) => keeps(sub)))
}

/** Whether a request asks for an attribute by name, or does not exclude it. */
export function includes({ attributes, excludedAttributes }: Projection, attribute: string): boolean {
  const wanted = namesOf(attributes)
  if (wanted.length > 0) return wanted.some(({ name }) => isSame(name, attribute))
  return !namesOf(excludedAttributes).some(({ name, sub }) => isSame(name, attribute) && sub === undefined)
}

/** A resource with the attributes that a request asks for. */
export function project<T extends Json>(resource: T, { attributes, excludedAttributes }: Projection): T {
  const wanted = namesOf(attributes)
  const excluded = namesOf(excludedAttributes)
  if (wanted.length + excluded.length === 0) return resource
  const kept = Object.entries(resource).flatMap(([key, value]): [string, unknown][] => {
    if (ALWAYS.has(key)) return [[key, value]]
    const named = (wanted.length > 0 ? wanted : excluded).filter(({ name }) => isSame(name, key))
    const isWhole = named.some(({ sub }) => sub === undefined)
    const isNamedSub = (sub: string) => named.some((one) => one.sub !== undefined && isSame(one.sub, sub))
    if (wanted.length > 0) return named.length === 0 ? [] : [[key, isWhole ? value : withSubs(value, isNamedSub)]]
    return isWhole ? [] : [[key, named.length === 0 ? value : withSubs(value, (sub) => !isNamedSub(sub))]]
  })
  return Object.fromEntries(kept) as T
}
