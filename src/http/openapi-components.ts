import type { Parameter, ParameterSchema } from "./openapi-parameters.ts"

export interface Response {
  $ref?: string
  headers?: object
  content?: Record<string, { schema: ParameterSchema; example?: unknown }>
}

/**
 * Component names: `page_size` is PageSize; if it is required in some operations only, OptionalPageSize or
 * RequiredPageSize too.
 */
export function parameterName({ name, required }: Parameter, taken: Record<string, Parameter>) {
  const plain = name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (!(plain in taken)) return plain
  return taken[plain]?.required !== required ? `${required ? "Required" : "Optional"}${plain}` : ""
}

/** A component name for a response: its schema's name, or the kind of file. */
export function answerName({ content = {} }: Response, taken: Record<string, Response>) {
  const [[type, { schema }] = ["", { schema: {} }], ...others] = Object.entries(content)
  const file = type.includes("spreadsheetml") ? "Spreadsheet" : others.length > 0 ? "UploadedFile" : ""
  const plain = String(schema.$ref ?? file).replace(/.*\//, "")
  return plain in taken ? "" : plain
}

/**
 * Moves values that occur at least `times` times into named components.
 * @param nameOf the component name; empty: keep the value inline
 */
export function shareComponents<T>(times: number, all: T[], nameOf: (item: T, taken: Record<string, T>) => string) {
  const components: Record<string, T> = {}
  const names = new Map<string, string>()
  const groups = [...Map.groupBy(all, (item) => JSON.stringify(item))].sort(([, a], [, b]) => b.length - a.length)
  for (const [text, [item, ...others]] of groups) {
    if (item === undefined || others.length + 1 < times) continue
    const name = nameOf(item, components)
    if (name === "" || name in components) continue
    components[name] = item
    names.set(text, name)
  }
  return { components, nameOf: (item: T) => names.get(JSON.stringify(item)) }
}
