// Examples of requests and answers, derived from their schemas in the OpenAPI document.

export type Schema = Record<string, unknown>
type Components = Record<string, Schema>

/** Values of strings, by format. */
const BY_FORMAT: Record<string, string> = {
  "date-time": "2026-01-05T12:00:00.000Z",
  date: "2026-01-05",
  email: "ada.byron@example.com",
  uri: "https://academy.example/welcome",
  uuid: "00000000-0000-4000-8000-000000000001",
  password: "seven-green-lanterns",
  binary: "file",
  ipv4: "203.0.113.7",
}

/** Values of strings, by the name of the field. */
const BY_NAME: Record<string, string> = {
  addressLine1: "Rua das Flores 12",
  author: "Ada Byron",
  city: "Porto",
  content: "<p>Read this first.</p>",
  country: "Portugal",
  course: "Working with data",
  courseName: "Working with data",
  course_name: "Working with data",
  email: "ada.byron@example.com",
  firstName: "Ada",
  first_name: "Ada",
  fullName: "Ada Byron",
  lastName: "Byron",
  last_name: "Byron",
  location: "Porto",
  message: "Done.",
  name: "Working with data",
  nameOrEmail: "byron",
  password: "seven-green-lanterns",
  password_confirmation: "seven-green-lanterns",
  slug: "working-with-data",
  title: "Working with data",
  userName: "Ada Byron",
  videoUrl: "https://videos.example.com/introduction.mp4",
  zipcode: "4050-262",
}

const resolve = (schema: Schema, components: Components): Schema =>
  typeof schema.$ref === "string" ? (components[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema

const isNull = ({ type }: Schema) => type === "null"

function stringExample({ format, pattern, minLength, maxLength }: Schema, name: string): string {
  const known = BY_FORMAT[String(format)] ?? BY_NAME[name]
  const value = known ?? (/url$/i.test(name) ? BY_FORMAT.uri : undefined) ?? "text"
  const padded = value.padEnd(Number(minLength ?? 0), "x").slice(0, Number(maxLength ?? 1000))
  return pattern && !new RegExp(String(pattern)).test(padded) ? "1" : padded
}

function numberExample({ minimum, exclusiveMinimum, maximum }: Schema): number {
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + 1))
  return Math.min(Math.max(least, 1), Number(maximum ?? Number.MAX_SAFE_INTEGER))
}

function objectExample(schema: Schema, components: Components): Record<string, unknown> {
  // Tools resolve a $ref in an example, too.
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).filter(
    ([name]) => name !== "$ref",
  )
  return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property, components, name)]))
}

/** A minimal request: the required fields, or the first one. More of them may exclude each other. */
export function requestExampleOf(input: Schema, components: Components): unknown {
  const schema = resolve(input, components)
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  if (properties.length === 0 || schema.example !== undefined) return exampleOf(schema, components)
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const shown = required.size > 0 ? properties.filter(([name]) => required.has(name)) : properties.slice(0, 1)
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, components, name)]))
}

/** An example of a schema. @param name of the field that has the schema */
export function exampleOf(input: Schema, components: Components, name = ""): unknown {
  const schema = resolve(input, components)
  if (schema.example !== undefined) return schema.example
  if (schema.default !== undefined) return schema.default
  if ("const" in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (options) return exampleOf(options.find((option) => !isNull(resolve(option, components))) ?? {}, components, name)
  const parts = (schema.allOf as Schema[] | undefined)?.map((part) => exampleOf(part, components, name))
  if (parts) return Object.assign(objectExample(schema, components), ...parts)
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type
  if (type === "string") return stringExample(schema, name)
  if (type === "integer" || type === "number") return numberExample(schema)
  if (type === "boolean") return true
  if (type === "array") return [exampleOf((schema.items ?? {}) as Schema, components, name)]
  if (type === "null") return null
  return objectExample(schema, components)
}
