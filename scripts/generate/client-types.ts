// The part of the OpenAPI document that the client's types depend on, and its hash.
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../lib/state.ts"

export const TYPES = join(root, "src/client/api.generated.d.ts")

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type Bag = Record<string, Json>
const isBag = (value: Json | undefined): value is Bag =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The keys of these members are names: `properties.description` is a field. */
const NAMED = new Set(["properties", "schemas", "paths", "content", "responses", "parameters", "patternProperties"])
const WORDS = new Set(["description", "summary", "title"])
const EXAMPLES = new Set(["example", "examples"])

/** Removes members by their names at every depth, but not fields that have such a name. */
function without(names: ReadonlySet<string>, value: Json, named = false): Json {
  if (Array.isArray(value)) return value.map((item) => without(names, item))
  if (!isBag(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => named || !names.has(key))
      .map(([key, member]) => [key, without(names, member, !named && NAMED.has(key))]),
  )
}

/** An operation without the errors, which the client throws, and without the headers, which it sends by itself. */
function pruned({ operationId, summary, description, parameters, requestBody, responses }: Bag, find: Find): Bag {
  const asked = (Array.isArray(parameters) ? parameters : []).map(find).filter((one) => one.in !== "header")
  const answers = Object.entries(isBag(responses) ? responses : {})
    .filter(([status]) => status.startsWith("2"))
    .map(([status, answer]): [string, Json] => {
      const { description = "", content = {} } = find(answer)
      return [status, { description, content }]
    })
  return Object.fromEntries(
    Object.entries({
      operationId,
      summary,
      description,
      ...(asked.length > 0 && { parameters: asked }),
      requestBody,
      responses: Object.fromEntries(answers),
    }).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}

/** Resolves a reference. */
type Find = (value: Json) => Bag

/** The part of the document that determines the types. */
export function typedPart(document: object): Bag {
  const { openapi, info, paths, components } = document as Record<string, Bag>
  const find: Find = (value) => {
    if (!isBag(value)) return {}
    if (typeof value.$ref !== "string") return value
    const [, , kind = "", name = ""] = value.$ref.split("/")
    const found = components?.[kind]
    return isBag(found) && isBag(found[name]) ? found[name] : {}
  }
  const operations = Object.entries(paths ?? {}).map(([path, methods]): [string, Json] => [
    path,
    Object.fromEntries(Object.entries(find(methods)).map(([method, entry]) => [method, pruned(find(entry), find)])),
  ])
  const { schemas = {} } = components ?? {}
  const part = { openapi, info, paths: Object.fromEntries(operations), components: { schemas } }
  return without(EXAMPLES, part as Bag) as Bag
}

/** Equal for documents with equal types; descriptions do not count. */
export function typesHash(document: object): string {
  const { paths = {}, components = {} } = typedPart(document)
  const text = JSON.stringify(without(WORDS, { paths, components }))
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}

/** The hash of the document from which the present types were generated. */
export const currentHash = (): string | undefined =>
  existsSync(TYPES) ? / ([0-9a-f]{16})$/.exec(readFileSync(TYPES, "utf8").split("\n", 1)[0] ?? "")?.[1] : undefined
