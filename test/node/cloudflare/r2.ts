// R2: buckets, and their objects by the API. A bucket is found within its jurisdiction alone.
import { createHash } from "node:crypto"
import { type Call, Failure, type Reply, type Route } from "./http.ts"

const MAX_UPLOAD_BYTES = 300_000_000

interface StoredObject {
  key: string
  content: Buffer
  etag: string
  http_metadata: Record<string, string>
  custom_metadata: Record<string, string>
}

interface Bucket {
  name: string
  location: string | undefined
  jurisdiction: string
  objects: Map<string, StoredObject>
}

const METADATA = {
  "content-type": "contentType",
  "content-disposition": "contentDisposition",
  "content-encoding": "contentEncoding",
  "content-language": "contentLanguage",
  "cache-control": "cacheControl",
} as const

export function r2Routes(): Route[] {
  const buckets = new Map<string, Bucket>()
  const jurisdictionOf = ({ headers }: Call) => String(headers["cf-r2-jurisdiction"] ?? "default")
  const at = (call: Call) => `${jurisdictionOf(call)} ${call.params[0]}`
  const of = (call: Call) => {
    const found = buckets.get(at(call))
    if (!found) throw new Failure(404, 10006, "The specified bucket does not exist.")
    return found
  }
  const create = (call: Call) => {
    const { name, locationHint } = call.json() as { name: string; locationHint?: string }
    const jurisdiction = jurisdictionOf(call)
    if (buckets.has(`${jurisdiction} ${name}`)) throw new Failure(409, 10004, "The bucket exists.")
    const bucket = { name, location: locationHint, jurisdiction, objects: new Map() }
    buckets.set(`${jurisdiction} ${name}`, bucket)
    return { name, location: locationHint, jurisdiction, creation_date: "2026-11-24T00:00:00Z" }
  }
  const list = (call: Call): Reply => {
    const { query } = call
    const after = query.get("cursor") ?? query.get("start_after") ?? ""
    // Small pages, so that there are several.
    const limit = Math.min(2, Number(query.get("per_page")))
    const bytes = (key: string) => Buffer.from(key)
    const all = [...of(call).objects.values()]
      .filter(({ key }) => Buffer.compare(bytes(key), bytes(after)) > 0)
      .sort((one, other) => Buffer.compare(bytes(one.key), bytes(other.key)))
    const result = all.slice(0, limit).map(({ content, ...object }) => ({ ...object, size: content.length }))
    const isTruncated = all.length > limit
    const cursor = isTruncated ? { cursor: result.at(-1)?.key } : {}
    return { result, info: { per_page: limit, is_truncated: isTruncated, ...cursor } }
  }
  const put = (call: Call) => {
    const [, key = ""] = call.params
    if (call.body.length > MAX_UPLOAD_BYTES) throw new Failure(413, 10014, "The object is too large.")
    const etag = createHash("md5").update(call.body).digest("hex")
    const http_metadata = Object.fromEntries(
      Object.entries(METADATA).flatMap(([header, name]) => {
        const value = call.headers[header]
        return value === undefined ? [] : [[name, String(value)]]
      }),
    )
    of(call).objects.set(key, { key, content: call.body, etag, http_metadata, custom_metadata: {} })
    return { key, etag, size: String(call.body.length) }
  }
  const get = (call: Call): Reply => {
    const object = of(call).objects.get(call.params[1] ?? "")
    if (!object) throw new Failure(404, 10007, "The specified key does not exist.")
    return { content: object.content }
  }
  const remove = (call: Call) => ({ deleted: of(call).objects.delete(call.params[1] ?? "") })
  return [
    ["POST", "/r2/buckets", create],
    ["GET", "/r2/buckets/:name", (call) => ({ name: of(call).name, jurisdiction: of(call).jurisdiction })],
    ["GET", "/r2/buckets/:name/objects", list],
    ["PUT", "/r2/buckets/:name/objects/*", put],
    ["GET", "/r2/buckets/:name/objects/*", get],
    ["DELETE", "/r2/buckets/:name/objects/*", remove],
  ]
}
