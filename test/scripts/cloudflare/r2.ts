// R2: buckets, and their objects by the API. A bucket is found within its jurisdiction alone.
import { createHash } from "node:crypto"
import { type Call, Failure, type Reply, type Route } from "./http.ts"

const MAX_UPLOAD_BYTES = 300_000_000

interface StoredObject {
  key: string
  size: number
  etag: string
  http_metadata: Record<string, string>
  custom_metadata: Record<string, string>
}

/** Where a bucket keeps its objects. */
export interface Store {
  /** The objects after a key, in the order of their keys' bytes. */
  list(after: string, limit: number): Promise<StoredObject[]>
  get(key: string): Promise<Buffer | undefined>
  /** @returns the etag */
  put(key: string, content: Buffer, metadata: Record<string, string>): Promise<string>
  /** @returns whether there was one */
  remove(key: string): Promise<boolean>
}

function inMemory(): Store {
  const objects = new Map<string, StoredObject & { content: Buffer }>()
  const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
  return {
    list: async (after, limit) =>
      [...objects.values()]
        .filter(({ key }) => compare(key, after) > 0)
        .sort((one, other) => compare(one.key, other.key))
        .slice(0, limit)
        .map(({ content: _, ...object }) => object),
    get: async (key) => objects.get(key)?.content,
    put: async (key, content, http_metadata) => {
      const etag = createHash("md5").update(content).digest("hex")
      objects.set(key, { key, size: content.length, etag, http_metadata, custom_metadata: {}, content })
      return etag
    },
    remove: async (key) => objects.delete(key),
  }
}

interface Bucket {
  name: string
  location: string | undefined
  jurisdiction: string
  store: Store
}

const METADATA = {
  "content-type": "contentType",
  "content-disposition": "contentDisposition",
  "content-encoding": "contentEncoding",
  "content-language": "contentLanguage",
  "cache-control": "cacheControl",
} as const

export class R2 {
  private readonly buckets = new Map<string, Bucket>()
  private readonly storeOf: (name: string) => Store

  /** @param storeOf where the objects of a bucket are; in memory unless given */
  constructor(storeOf: (name: string) => Store = inMemory) {
    this.storeOf = storeOf
  }

  add(name: string, jurisdiction = "default", location?: string) {
    this.buckets.set(`${jurisdiction} ${name}`, { name, location, jurisdiction, store: this.storeOf(name) })
  }

  delete = (name: string, jurisdiction = "default") => this.buckets.delete(`${jurisdiction} ${name}`)

  has = (name: string, jurisdiction = "default") => this.buckets.has(`${jurisdiction} ${name}`)

  routes(): Route[] {
    return [
      ["POST", "/r2/buckets", (call) => this.create(call)],
      ["GET", "/r2/buckets/:name", (call) => this.describe(call)],
      ["GET", "/r2/buckets/:name/objects", (call) => this.list(call)],
      ["PUT", "/r2/buckets/:name/objects/*", (call) => this.put(call)],
      ["GET", "/r2/buckets/:name/objects/*", (call) => this.get(call)],
      ["DELETE", "/r2/buckets/:name/objects/*", (call) => this.remove(call)],
    ]
  }

  private of(call: Call): Bucket {
    const found = this.buckets.get(`${jurisdictionOf(call)} ${call.params[0]}`)
    if (!found) throw new Failure(404, 10006, "The specified bucket does not exist.")
    return found
  }

  private describe(call: Call) {
    const { name, jurisdiction, location } = this.of(call)
    return { name, jurisdiction, location, creation_date: "2026-11-24T00:00:00Z" }
  }

  private create(call: Call) {
    const { name, locationHint } = call.json() as { name: string; locationHint?: string }
    const jurisdiction = jurisdictionOf(call)
    if (this.has(name, jurisdiction)) throw new Failure(409, 10004, "The bucket exists.")
    this.add(name, jurisdiction, locationHint)
    return { name, location: locationHint, jurisdiction, creation_date: "2026-11-24T00:00:00Z" }
  }

  private async list(call: Call): Promise<Reply> {
    const { query } = call
    // Small pages, so that there are several.
    const limit = Math.min(2, Number(query.get("per_page")))
    const found = await this.of(call).store.list(query.get("cursor") ?? query.get("start_after") ?? "", limit + 1)
    const result = found.slice(0, limit)
    const isTruncated = found.length > limit
    return {
      result,
      info: { per_page: limit, is_truncated: isTruncated, ...(isTruncated && { cursor: result.at(-1)?.key }) },
    }
  }

  private async put(call: Call) {
    const [, key = ""] = call.params
    if (call.body.length > MAX_UPLOAD_BYTES) throw new Failure(413, 10014, "The object is too large.")
    const metadata = Object.fromEntries(
      Object.entries(METADATA).flatMap(([header, name]) => {
        const value = call.headers[header]
        return value === undefined ? [] : [[name, String(value)]]
      }),
    )
    const etag = await this.of(call).store.put(key, call.body, metadata)
    return { key, etag, size: String(call.body.length) }
  }

  private async get(call: Call): Promise<Reply> {
    const content = await this.of(call).store.get(call.params[1] ?? "")
    if (!content) throw new Failure(404, 10007, "The specified key does not exist.")
    return { content }
  }

  private async remove(call: Call) {
    return { deleted: await this.of(call).store.remove(call.params[1] ?? "") }
  }
}

const jurisdictionOf = ({ headers }: Call) => String(headers["cf-r2-jurisdiction"] ?? "default")
