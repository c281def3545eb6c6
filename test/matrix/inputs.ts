import fc, { type Arbitrary } from "fast-check"
import type { Operation } from "../../src/http/operation.ts"
import { get } from "../helpers/client.ts"

// Generates calls of an operation from its entry in the OpenAPI document: valid ones and hostile ones. Their ids are
// those of the first records, so that some calls succeed.

interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  minItems?: number
  description?: string
  example?: unknown
  additionalProperties?: Schema | boolean
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Entry {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface Document {
  paths: Record<string, Record<string, Entry>>
  components: { schemas: Record<string, Schema> }
}

/** The OpenAPI document with resolved references to parameters. */
export async function openApiDocument(): Promise<Document> {
  const { body } = await get("/openapi.json")
  const shared: Record<string, Parameter> = body.components.parameters
  const document: Document = body
  for (const entry of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    entry.parameters = (entry.parameters ?? []).map((given: Parameter & { $ref?: string }) => {
      const found = given.$ref ? shared[given.$ref.split("/").at(-1) ?? ""] : given
      if (!found) throw new Error(`No parameter ${given.$ref}`)
      return found
    })
  return document
}

const NOBODY = 999_999_999
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

const JUNK_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b\u0001\u007f\u0085",
  "\ud800",
  "x\udc00y",
  "\u202e\u2028\ufeff\u200b",
  "👩‍👩‍👧‍👦 é é 漢字 ﷽",
  "NaN",
  "Infinity",
  "-0",
  "1e400",
  "0x10",
  "9007199254740993",
  "-1",
  "1.5",
  "null",
  "undefined",
  "true",
  "'; drop table users; --",
  '" or 1=1 --',
  "%' or '1'='1",
  "_%\\",
  `"*" OR NEAR(a b) AND -c ^d {e}:f`,
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "{{site}} $1 $& $`",
  "=cmd|' /C calc'!A0",
  "../../etc/passwd",
  "javascript:alert(1)",
  "//evil.example",
  "\r\nset-cookie: session=x",
  "__proto__",
  "constructor",
  "toString",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31T23:59:59.999-23:59",
  "+275760-09-13",
  "[1,2",
  "{}",
  "[]",
  '{"__proto__":{"a":1}}',
  deep(40),
  deep(3000),
  "a".repeat(70_000),
  "漢".repeat(300),
]
const JUNK_NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 31 - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  8.64e15,
  NOBODY,
]
const junkText = fc.oneof(fc.constantFrom(...JUNK_TEXTS), fc.string({ unit: "binary", maxLength: 40 }))
const junkNumber = fc.constantFrom(...JUNK_NUMBERS)
const junk: Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: junkText },
  { weight: 4, arbitrary: junkNumber },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], { a: { b: [1, "x"] } }),
  },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 5001 }, (_, i) => i + 1)) },
  { weight: 1, arbitrary: fc.constant(JSON.parse(deep(500))) },
  { weight: 1, arbitrary: fc.array(fc.oneof(junkText, junkNumber), { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

const plainId = fc.integer({ min: 1, max: 5 })
const plainText = fc.constantFrom("a", "Ada", "course", "Name 1", "publish", "2")
const ids = fc.oneof({ weight: 6, arbitrary: plainId }, { weight: 1, arbitrary: junkNumber })
const texts = fc.oneof({ weight: 2, arbitrary: plainText }, { weight: 1, arbitrary: junkText })

/** Values for members with these names whose schema is plain text. */
const MEANINGS: [RegExp, Arbitrary<unknown>][] = [
  [/^userType$/, fc.constantFrom("general", "group_admin", "portal_admin")],
  [/^context$/, fc.constantFrom("user", "student")],
  [/^currency$/, fc.constant("USD")],
  [/^country$/, fc.constant("PE")],
  [/^ipAddress$/, fc.constant("203.0.113.9")],
  [/color$/i, fc.constant("#1a2b3c")],
  [/url$/i, fc.constant("https://example.com/a.png")],
  [/^(blocked|allowed)$/, fc.constant(["spam.example", "me@spam.example"])],
  [/^status$/, fc.constantFrom("publish", "Completed", "active", "pending", "Active", ["In Progress"])],
  [/^type$/, fc.constantFrom("billing", "shipping", "billing_address", "course")],
  [/ids$/i, fc.array(plainId, { maxLength: 3 })],
  [/id$/i, plainId],
  [/^cursor$/, fc.constant("")],
]

/** Generates values of a schema; with `noise`, any part may be junk. */
class Inputs {
  private readonly schemas: Record<string, Schema>
  private readonly noise: boolean
  private readonly id: Arbitrary<number>
  private readonly text: Arbitrary<string>
  constructor(schemas: Record<string, Schema>, noise: boolean) {
    this.schemas = schemas
    this.noise = noise
    this.id = noise ? ids : plainId
    this.text = noise ? texts : plainText
  }

  private orJunk(value: Arbitrary<unknown>): Arbitrary<unknown> {
    return this.noise ? fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: junk }) : value
  }

  wild(schema: Schema): Arbitrary<unknown> {
    return this.orJunk(this.fitting(schema))
  }

  private member(name: string, schema: Schema): Arbitrary<unknown> {
    const [, meant] = MEANINGS.find(([pattern]) => pattern.test(name)) ?? []
    return meant && schema.type === "string" && !schema.enum ? this.orJunk(meant) : this.wild(schema)
  }

  fitting(given: Schema): Arbitrary<unknown> {
    const schema = given.$ref ? (this.schemas[given.$ref.split("/").at(-1) ?? ""] ?? {}) : given
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return fc.oneof(...choices.map((choice) => this.fitting(choice)))
    if (schema.allOf)
      return fc.tuple(...schema.allOf.map((part) => this.fitting(part))).map((all) => Object.assign({}, ...all))
    if ("const" in schema) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
    switch (type) {
      case "integer":
      case "number": {
        const { minimum = -10, maximum = 60 } = schema
        if (maximum > 1000 || schema.maximum === undefined) return this.id
        return fc.oneof(
          fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }),
          fc.constantFrom(minimum, maximum),
        )
      }
      case "boolean":
        return fc.constantFrom<unknown>(true, false, "true", 0, "1")
      case "array":
        return fc.array(this.wild(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3 })
      case "object": {
        const { properties = {} } = schema
        const shape = Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, this.member(key, part)]))
        return fc.record(shape, { requiredKeys: this.noise ? [] : (schema.required ?? []) })
      }
      case "string":
        if (schema.format === "date-time")
          return fc.constantFrom("2026-01-05", "2027-03-01 10:00", "1970-01-01", "9999-12-31")
        if (schema.format === "email")
          return fc.constantFrom("user1@example.com", "new@example.com", `${"a".repeat(64)}@example.com`)
        if (schema.format === "password") return fc.constant("pässwörd with ümlauts")
        if (schema.example !== undefined) return fc.oneof(fc.constant(schema.example), this.text)
        return this.text
      default:
        return fc.oneof(this.text, this.id, fc.constantFrom(null, {}, []))
    }
  }
}

export interface Call {
  path: string
  body: unknown
}

const asText = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value))

/** An object with one junk member. */
const oneWrong = (objects: Arbitrary<unknown>) =>
  fc.tuple(objects, fc.nat(), junk).map(([object, at, wrong]) => {
    const members = Object.entries(object ?? {})
    if (members.length > 0) members[at % members.length] = [members[at % members.length]?.[0] ?? "", wrong]
    return Object.fromEntries(members)
  })

/** Generates calls of an operation from its entry in the OpenAPI document. */
export function callsOf(operation: Operation, document: Document, { plainly = false } = {}): Arbitrary<Call> {
  const plain = new Inputs(document.components.schemas, false)
  const noisy = new Inputs(document.components.schemas, true)
  const entry = document.paths[operation.path]?.[operation.method] ?? {}
  const parameters = entry.parameters ?? []
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  const path = fc
    .tuple(
      ...ids.map((name) =>
        name === "exportId"
          ? fc.constantFrom("00000000-0000-4000-8000-000000000000", "x", "%00", "'")
          : fc.oneof(
              { weight: 6, arbitrary: fc.integer({ min: 1, max: 5 }).map(String) },
              {
                weight: 1,
                arbitrary: fc.constantFrom(
                  "0",
                  "-1",
                  "x",
                  "9007199254740993",
                  "9".repeat(400),
                  "%00",
                  "1%20",
                  `${NOBODY}`,
                ),
              },
            ),
      ),
    )
    .map((values) => values.reduce((filled, value, i) => filled.replace(`{${ids[i]}}`, value), operation.path))

  const queried = parameters.filter((parameter) => parameter.in === "query")
  const asked: Schema = {
    type: "object",
    properties: Object.fromEntries(queried.map(({ name, schema }) => [name, schema])),
    required: queried.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  }
  const anyName = fc.constantFrom(...queried.map(({ name }) => name), "a[b]", "a[]", "__proto__[x]", "a[constructor][]")
  const query = plainly
    ? plain.fitting(asked)
    : fc.oneof(
        { weight: 5, arbitrary: plain.fitting(asked) },
        { weight: 4, arbitrary: oneWrong(plain.fitting(asked)) },
        { weight: 1, arbitrary: noisy.fitting(asked) },
        { weight: 1, arbitrary: fc.dictionary(anyName, junk, { maxKeys: 4 }) },
      )

  const [[type, content] = []] = Object.entries(entry.requestBody?.content ?? {})
  const body: Arbitrary<unknown> =
    content === undefined
      ? fc.constant(operation.method === "get" ? undefined : {})
      : type === "multipart/form-data"
        ? formOf(content.schema, plainly ? plain : noisy)
        : plainly
          ? plain.fitting(content.schema)
          : fc.oneof(
              { weight: 6, arbitrary: plain.fitting(content.schema) },
              { weight: 5, arbitrary: oneWrong(plain.fitting(content.schema)) },
              { weight: 3, arbitrary: noisy.fitting(content.schema) },
              { weight: 1, arbitrary: junk },
              { weight: 1, arbitrary: fc.constantFrom("{", "", '{"a":1}{', deep(100_000), "\u0000") },
            )

  return fc.record({ path, query, body }).map(({ path, query, body }) => {
    const text = new URLSearchParams(
      Object.entries(query as object).map(([name, value]) => [name, asText(value).slice(0, 12_000)]),
    )
    return { path: text.size > 0 ? `${path}?${text}` : path, body }
  })
}

const FILES = [
  "first name,last name,email\nAda,Lovelace,ada@example.com\n",
  "\u0000\u0001",
  "PK\u0003\u0004not a zip",
  "<html></html>",
  "a,b\n=1+1,@x\n",
  "",
]

function formOf(schema: Schema, inputs: Inputs): Arbitrary<FormData> {
  const parts = Object.entries(schema.properties ?? {}).map(([name, part]) =>
    fc.tuple(
      fc.constant(name),
      part.format === "binary"
        ? fc
            .tuple(fc.constantFrom(...FILES), fc.constantFrom("people.csv", 'a"\r\nb.xlsx', ""))
            .map(([text, name]) => new File([text], name))
        : fc.oneof({ weight: 4, arbitrary: inputs.fitting(part) }, { weight: 1, arbitrary: junk }).map(asText),
    ),
  )
  return fc.subarray(parts, { minLength: Math.max(0, parts.length - 2) }).chain((kept) =>
    fc.tuple(...kept).map((fields) => {
      const form = new FormData()
      for (const [name, value] of fields)
        form.append(name, value instanceof File ? value : String(value).toWellFormed())
      return form
    }),
  )
}

/** A call as text for failures. */
export const shown = ({ path, body }: Call) =>
  `${path.slice(0, 300)} ` +
  (body instanceof FormData ? `form ${JSON.stringify([...body])}` : JSON.stringify(body)?.slice(0, 1500))
