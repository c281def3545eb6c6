import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { signedIn, tokenOf } from "../factories/index.ts"
import { type Answer, call, query } from "../helpers/client.ts"
import { inputFields, mayBeLeftOut } from "../helpers/schemas.ts"
import { callsOf, type Document, openApiDocument } from "./inputs.ts"
import { sampled } from "./matrix.ts"

// Clients send null, empty text, or 0 for an optional field without a value: it has the same effect as omitting the
// field, and no error is about it. Generated from the OpenAPI document for every operation.

type Property = Document["components"]["schemas"][string]

const NONE = [null, "", 0, "0", []] as const

/** The values that mean "none" for a field of this schema. */
function meansNone(schema: Property, value: (typeof NONE)[number], changes: boolean): boolean {
  const types = [schema.type ?? []].flat()
  const isText = types.includes("string") && !schema.enum && !schema.format?.startsWith("date")
  const isKnown = types.length > 0 || schema.enum !== undefined
  if (!isKnown) return false
  // In an update, an empty array empties a list.
  if (types.includes("array")) return value === null || value === "" || (Array.isArray(value) && !changes)
  if (types.includes("boolean") || types.includes("object")) return value === null || value === ""
  // Empty text for a required text is a mistake, and refused.
  if (isText) return value === null || (value === "" && !(changes && hasLeast(schema)))
  return !Array.isArray(value)
}
const hasLeast = ({ minLength = 0, pattern, format }: Property & { minLength?: number; pattern?: string }) =>
  minLength > 0 || pattern !== undefined || format !== undefined

/** In a query, null is the text "null". */
const asQuery = (parameters: Field[], value: (typeof NONE)[number]) =>
  value === null ? parameters.filter(({ schema }) => meansNone(schema, "0", false)) : parameters

const resolve = (schema: Property, document: Document): Property =>
  schema.$ref ? (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema

interface Field {
  name: string
  schema: Property
}

/** The optional fields of an operation. */
function optionalFields(document: Document, method: string, path: string) {
  const entry = document.paths[path]?.[method] ?? {}
  const body = entry.requestBody?.content["application/json"]?.schema
  const { properties = {}, required = [] } = body ? resolve(body, document) : {}
  return {
    isJson: body !== undefined,
    body: Object.entries(properties)
      .filter(([name]) => !required.includes(name))
      .map(([name, schema]): Field => ({ name, schema: resolve(schema, document) })),
    query: (entry.parameters ?? [])
      .filter((parameter) => parameter.in === "query" && !parameter.required)
      .map(({ name, schema }): Field => ({ name, schema: resolve(schema, document) })),
  }
}

/** The members of a `search_param`, each without a value. */
const searchOf = ({ schema }: Field, value: unknown) =>
  Object.fromEntries(Object.keys(schema.properties ?? {}).map((name) => [name, value]))

/** An empty list of operations must not allow all operations. */
const REFUSED = new Set(["post /api/api-key/create families"])

const faults = ({ body }: Answer): string[] => Object.keys(body?.errors ?? {})

describe("none, in an optional field", () => {
  it("has the same effect as omitting the field, in every operation", { timeout: 240_000 }, async () => {
    const owner = await signedIn("owner", { id: 900_001 })
    let token = owner.token
    const document = await openApiDocument()
    const wrong: string[] = []
    for (const [at, operation] of sampled(operations.entries(), 4)) {
      const { method, path } = operation
      const changes = method === "put" || /update/i.test(path)
      const fields = optionalFields(document, method, path)
      if (fields.body.length + fields.query.length === 0) continue
      const [plain] = fc.sample(callsOf(operation, document, { plainly: true }), { numRuns: 1, seed: at })
      if (!plain) throw new Error("No call")
      const bare = new URL(plain.path.replace(/9{9}/g, "1"), "https://a.example")
      const base = { ...(plain.body as object) }
      for (const { name } of fields.body) delete (base as Record<string, unknown>)[name]
      for (const { name } of fields.query) bare.searchParams.delete(name)
      const asked = Object.fromEntries(bare.searchParams)

      const send = async (body: object, parameters: Record<string, unknown>) => {
        const content = fields.isJson ? { body } : method === "get" ? {} : { body: {} }
        const ask = () => call(method.toUpperCase(), `${bare.pathname}${query(parameters)}`, { token, ...content })
        const answer = await ask()
        if (answer.status !== 401) return answer
        token = await tokenOf(owner)
        return ask()
      }
      // Errors use the caller's spelling: starttime may be startTime.
      const leftOut = faults(await send(base, asked)).map((fault) => fault.toLowerCase())
      for (const value of NONE) {
        const none = fields.body.filter(
          ({ name, schema }) =>
            meansNone(schema, value, changes) && !(Array.isArray(value) && REFUSED.has(`${method} ${path} ${name}`)),
        )
        const inQuery = Array.isArray(value) || value === 0 ? [] : asQuery(fields.query, value)
        const parameters = inQuery.filter(({ schema }) => meansNone(schema, value, false))
        const search = value === "0" ? undefined : fields.query.find(({ name }) => name === "search_param")
        if (none.length + parameters.length === 0 && !search) continue
        const answer = await send(
          { ...base, ...Object.fromEntries(none.map(({ name }) => [name, value])) },
          {
            ...asked,
            ...Object.fromEntries(parameters.map(({ name }) => [name, value ?? "null"])),
            ...(search && { search_param: searchOf(search, value) }),
          },
        )
        const named = [...none, ...parameters, ...(search ? [search] : [])].map(({ name }) => name)
        const about = faults(answer).filter(
          (fault) =>
            !leftOut.includes(fault.toLowerCase()) &&
            named.includes(fault.split(".")[0] ?? "") &&
            // The OpenAPI document has only the names of searches. A text may be 0.
            !(value === 0 && fault.startsWith("search_param.") && !/id$/i.test(fault)),
        )
        if (about.length > 0)
          wrong.push(`${method} ${path} with ${JSON.stringify(value)}: ${JSON.stringify(answer.body.errors)}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

/** Fields that refuse 0. */
const ZERO_REFUSED = /\bitems\[\]\.quantity$/

describe("every optional field of every input schema at any depth", () => {
  it("accepts null and empty text, and 0 unless it is text, a list or an object", () => {
    const all = operations.flatMap((operation) => inputFields(operation).map((found) => ({ operation, ...found })))
    const optional = all.filter(({ field }) => mayBeLeftOut(field))
    expect(optional.filter(({ path }) => path.split(".").length > 2).length).toBeGreaterThan(200)
    const wrong = optional.flatMap(({ operation: { method, path: of }, path, field }) => {
      const takes = (value: unknown) => field.safeParse(value).success
      const isText = ["abc", "ada@example.com", "https://example.com"].some(takes) || (takes("1234") && !takes(7))
      const { data: list } = field.safeParse("[]")
      const isMany = Array.isArray(list) || takes({}) || takes("{}") || (takes([]) && !takes(7) && takes(["abc"]))
      const changes = method === "put" || /update/i.test(of)
      const isNested = path.split(".").length > 2
      const refused = NONE.filter((value) => {
        if (Array.isArray(value) || takes(value)) return false
        if (value === 0 || value === "0") return !isText && !isMany && !ZERO_REFUSED.test(path)
        // An update does not empty a required text.
        return !(value === "" && changes && isText && !isNested)
      })
      return refused.map((value) => `${method} ${of} ${path}: ${JSON.stringify(value)}`)
    })
    expect(wrong).toEqual([])
  })

  it("can be omitted or none in a nested object", () => {
    const nested = operations
      .filter(({ method, path }) => method !== "put" && !/update/i.test(path))
      .flatMap((operation) => inputFields(operation).map((found) => ({ of: operation.path, ...found })))
      .filter(({ path, field }) => path.split(".").length > 2 && mayBeLeftOut(field))
    const wrong = nested.filter(({ field }) => {
      const read = (value: unknown) => field.safeParse(value).data
      return ["", null].some((value) => (read(value) || undefined) !== (read(undefined) || undefined))
    })
    expect(wrong.map(({ of, path }) => `${of} ${path}`)).toEqual([])
  })
})
