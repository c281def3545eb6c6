// The part of the OpenAPI document that describes the operations of some tags, with the components that it needs.

interface Entry {
  tags?: string[]
}
interface OpenApiDocument {
  paths: Record<string, Record<string, Entry>>
  webhooks?: Record<string, Record<string, Entry>>
  tags: { name: string }[]
  components: Record<string, Record<string, unknown>>
}

const REFERENCE = /"#\/components\/(\w+)\/([\w.-]+)"/g

/** The entries with one of the tags. */
const tagged = (paths: Record<string, Record<string, Entry>>, tags: ReadonlySet<string>) =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(([, entry]) => entry.tags?.some((tag) => tags.has(tag)))
      return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : []
    }),
  )

/** The components that a part of the document refers to, directly or through others. */
function referenced(part: object, components: OpenApiDocument["components"]): OpenApiDocument["components"] {
  const found: OpenApiDocument["components"] = {}
  const waiting: unknown[] = [part]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [, kind = "", name = ""] of JSON.stringify(next).matchAll(REFERENCE)) {
      const component = components[kind]?.[name]
      if (component === undefined || found[kind]?.[name] !== undefined) continue
      found[kind] = { ...found[kind], [name]: component }
      waiting.push(component)
    }
  return found
}

/** Limits the document to the operations of the tags. */
export function filterDocument(document: OpenApiDocument, names: readonly string[]): object {
  const tags = new Set(names)
  const paths = tagged(document.paths, tags)
  const webhooks = tagged(document.webhooks ?? {}, tags)
  const { securitySchemes = {} } = document.components
  return {
    ...document,
    paths,
    webhooks,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    components: { ...referenced({ paths, webhooks }, document.components), securitySchemes },
  }
}
