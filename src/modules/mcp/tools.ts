// Makes MCP tools from the OpenAPI document, which the operations' declarations generate. Runs at build time.

type JsonSchema = Record<string, unknown>

interface Parameter {
  name: string
  in: "path" | "query" | "header"
  required?: boolean
  description?: string
  schema: JsonSchema
}

interface Entry {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  deprecated?: boolean
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { $ref: string } | { content?: Record<string, unknown> }>
  "x-role": string
  "x-keys"?: "every" | "none"
  "x-changes"?: boolean
  "x-protocol"?: string
}

/** The parts of the OpenAPI document that tools are made from. */
interface ToolSource {
  paths: Record<string, Record<string, Entry>>
  components: Record<string, Record<string, unknown>>
}

/** One operation as an MCP tool, and how its arguments become a request. */
export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: { type: "object"; properties: Record<string, JsonSchema>; required?: string[] }
  method: "get" | "post" | "put"
  path: string
  tag: string
  /** The minimum role. */
  role: string
  /** Every API key may call it, whatever its scope. */
  everyKey: boolean
  /** Whether it changes something. */
  changes: boolean
  /** Whether it may change or delete what exists, rather than only add. */
  destructive: boolean
  /** The path's parameters by argument. */
  inPath: Record<string, string>
  /** The arguments in the query; the others are the body. */
  inQuery: string[]
}

/** The argument that becomes the `Idempotency-Key` of a change. */
export const IDEMPOTENCY_ARGUMENT = "idempotencyKey"

const idempotencyArgument: JsonSchema = {
  type: "string",
  description: "A unique value for this change. A repeated call with the same value returns the first result.",
  minLength: 1,
  maxLength: 255,
}

/** The first words of operations that only add something. */
const ADDING = /^(add|award|begin|create|enroll|export|issue|launch|send|start|submit|test|upload)(?=[A-Z])/

/** Examples, and how a URL contains a value: a tool's arguments are JSON. */
const OMITTED = new Set(["example", "examples", "style", "explode"])

/** A page has no Link header in a tool's result, so nothing returns a cursor. */
const OMITTED_PARAMETERS = new Set(["cursor"])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function resolve<T>(source: ToolSource, value: T | { $ref: string }): T {
  const ref = isObject(value) && typeof value.$ref === "string" ? value.$ref : undefined
  if (ref === undefined) return value as T
  const [, , kind = "", name = ""] = ref.split("/")
  return source.components[kind]?.[name] as T
}

/**
 * A schema without references. A schema within itself, such as a condition of conditions, is any object there.
 * @param isNamed the keys are names of fields
 * @param within the references around it
 */
function inlined(source: ToolSource, value: unknown, isNamed = false, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(source, item, false, within))
  if (!isObject(value)) return value
  const ref = typeof value.$ref === "string" ? value.$ref : undefined
  if (ref && within.includes(ref)) return { type: "object" }
  const resolved = resolve<Record<string, unknown>>(source, value)
  const inner = ref ? [...within, ref] : within
  return Object.fromEntries(
    Object.entries(resolved)
      .filter(([key]) => isNamed || !OMITTED.has(key))
      .map(([key, member]) => [key, inlined(source, member, !isNamed && key === "properties", inner)]),
  )
}

/** The length of a schema that a model reads well. */
const MAX_LENGTH = 3500

const withoutDescriptions = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member) => (key === "description" && !isObject(member) ? undefined : member)))

/** Long schemas have descriptions of their own fields only: those of fields within them are in the guides. */
function shortened(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  if (JSON.stringify(properties).length <= MAX_LENGTH) return properties
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const { description } = schema
      const short = withoutDescriptions(schema) as JsonSchema
      return [name, { ...short, ...(description !== undefined && { description }) }]
    }),
  )
}

/** The fields of a JSON body; undefined if the operation has another body. */
function bodyFields(source: ToolSource, { requestBody }: Entry) {
  if (!requestBody) return { properties: {}, required: [] }
  const content = requestBody.content["application/json"]
  if (!content) return undefined
  const schema = inlined(source, content.schema) as JsonSchema
  if (!isObject(schema.properties)) return undefined
  return {
    properties: schema.properties as Record<string, JsonSchema>,
    required: (schema.required ?? []) as string[],
  }
}

/** The name of what a path parameter identifies: `user` for `{id}` in `/api/user/{id}/delete`. */
const segmentBefore = (path: string, name: string) => path.split(`/{${name}}`, 1)[0]?.split("/").at(-1) ?? ""

const answersJson = (source: ToolSource, { responses }: Entry) => {
  const answer = resolve<{ content?: Record<string, unknown> }>(source, responses["200"] ?? responses["201"] ?? {})
  return answer.content?.["application/json"] !== undefined
}

function toTool(source: ToolSource, method: Tool["method"], path: string, entry: Entry): Tool | undefined {
  const isCallable =
    path.startsWith("/api/") && !entry.deprecated && entry["x-keys"] !== "none" && entry["x-protocol"] === undefined
  const body = bodyFields(source, entry)
  if (!isCallable || !body || !answersJson(source, entry)) return undefined
  const changes = method !== "get" || entry["x-changes"] === true
  const parameters = (entry.parameters ?? []).map((parameter) => resolve<Parameter>(source, parameter))
  const ofPath = parameters.filter((parameter) => parameter.in === "path")
  const ofQuery = parameters.filter(
    ({ name, in: place }) => place === "query" && !OMITTED_PARAMETERS.has(name) && !(name in body.properties),
  )
  // A body may have the ID of another record under the name that the path uses.
  const argumentOf = ({ name, in: place }: Parameter) =>
    place === "path" && name in body.properties ? `${segmentBefore(path, name)}Id` : name
  const taken = [...ofPath, ...ofQuery]
  const described = taken.map((parameter): [string, JsonSchema] => {
    const { description, schema } = parameter
    return [argumentOf(parameter), { ...(inlined(source, schema) as JsonSchema), ...(description && { description }) }]
  })
  const required = [
    ...taken.filter((parameter) => parameter.required || parameter.in === "path").map(argumentOf),
    ...body.required,
  ]
  return {
    name: entry.operationId,
    title: entry.summary,
    description: [entry.summary, entry.description].filter(Boolean).join(". ").replace("..", "."),
    inputSchema: {
      type: "object",
      properties: shortened({
        ...Object.fromEntries(described),
        ...body.properties,
        ...(method !== "get" && { [IDEMPOTENCY_ARGUMENT]: idempotencyArgument }),
      }),
      ...(required.length > 0 && { required }),
    },
    method,
    path,
    tag: entry.tags[0] ?? "",
    role: entry["x-role"],
    everyKey: entry["x-keys"] === "every",
    changes,
    destructive: changes && !ADDING.test(entry.operationId),
    inPath: Object.fromEntries(ofPath.map((parameter) => [argumentOf(parameter), parameter.name])),
    inQuery: ofQuery.map(({ name }) => name),
  }
}

/** The operations that an API key can call with JSON and that answer JSON, in the order of the API reference. */
export function toolsOf(document: object): Tool[] {
  const source = document as ToolSource
  const found = Object.entries(source.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, entry]) => toTool(source, method as Tool["method"], path, entry) ?? []),
  )
  const tags = (document as { tags: { name: string }[] }).tags.map(({ name }) => name)
  return found.sort((one, other) => tags.indexOf(one.tag) - tags.indexOf(other.tag))
}
