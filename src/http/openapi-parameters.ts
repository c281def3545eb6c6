export type ParameterSchema = Record<string, unknown> & {
  type?: string | string[]
  properties?: Record<string, ParameterSchema>
}
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  style?: string
  explode?: boolean
  schema: ParameterSchema
}

const header = (name: string, description: string): Parameter => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
})
const IDEMPOTENCY_KEY = header(
  "Idempotency-Key",
  "A repeated request with the same key returns the first response for 24 hours",
)
const IF_MATCH = header("If-Match", "The ETag of the record as read. Returns 412 if it has changed since")
const IF_NONE_MATCH = header("If-None-Match", "The ETag of a cached response. Returns 304 if it is still current")

/** The request headers of an operation. */
export const requestHeaders = (method: string, statuses: object) => [
  ...(method === "get" ? [] : [IDEMPOTENCY_KEY]),
  ...("412" in statuses ? [IF_MATCH] : []),
  ...("304" in statuses ? [IF_NONE_MATCH] : []),
]

/**
 * OpenAPI cannot describe lists within `search_param[status]=…`, so they are described as comma-separated text, which
 * is accepted too.
 */
function asCommaSeparated(schema: ParameterSchema): ParameterSchema {
  const { type, items, maxItems: _, example, ...rest } = schema
  if (type !== "array") return schema
  const { enum: known, type: of } = items as { enum?: string[]; type?: string }
  const what = known ? `Any of ${known.join(", ")}` : of === "integer" ? "IDs" : "Several"
  return {
    ...rest,
    type: "string",
    ...(Array.isArray(example) && { example: example.join(",") }),
    description: [rest.description, `${what}, separated by commas`].filter(Boolean).join(". "),
  }
}

/** A parameter without default values, and with its description once. */
export function simplifyParameter({ required, description, schema, ...parameter }: Parameter): Parameter {
  const { description: schemaDescription, required: members, ...shape } = schema
  const isDeep = parameter.style === "deepObject" && shape.properties
  const properties =
    isDeep && Object.entries(shape.properties ?? {}).map(([key, member]) => [key, asCommaSeparated(member)])
  const text = description ?? (schemaDescription as string | undefined)
  // Validators treat a deep object that is absent as empty, which would then lack its required members.
  const rest = members && !isDeep ? { ...shape, required: members } : shape
  return {
    ...parameter,
    ...(required && { required }),
    ...(text && { description: text }),
    ...(rest.type === "array" && parameter.in === "query" && { style: "form", explode: false }),
    schema: properties ? { ...rest, type: "object", properties: Object.fromEntries(properties) } : rest,
  }
}
