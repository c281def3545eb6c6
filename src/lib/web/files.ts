import type { Context } from "hono"
import { ApiError, gone } from "../errors.ts"
import { XLSX_TYPE } from "../spreadsheet/workbook.ts"
import type { AppEnv } from "./app-env.ts"

/**
 * What a Range header asks of `size` bytes: undefined for the whole (no range, several, or one that cannot be read).
 */
function rangeOf(header: string | undefined, size: number): { offset: number; length: number } | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.replace(/\s+/g, "") ?? "") ?? []
  if (!first && !last) return undefined
  const offset = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  if (first && last && Number(last) < Number(first)) return undefined
  if (offset >= size || offset > end)
    throw new ApiError("range_not_satisfiable", `The file has ${size} bytes; ask for a range within them.`, {
      headers: { "content-range": `bytes */${size}`, "accept-ranges": "bytes" },
    })
  return { offset, length: end - offset + 1 }
}

/** Does If-None-Match name this tag? Weak and strong spellings alike. */
const names = (header: string | undefined, etag: string) =>
  header?.split(",").some((part) => ["*", etag].includes(part.trim().replace(/^W\//, ""))) ?? false

/** RFC 6266: the name in ASCII for old clients, and as it is for all others. */
export function contentDisposition(filename: string, how: "attachment" | "inline" = "attachment"): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const exact = encodeURIComponent(filename).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${how}; filename="${ascii}"${exact === filename ? "" : `; filename*=UTF-8''${exact}`}`
}

/** Answers with a spreadsheet that is made while it is sent. */
export const serveWorkbook = (c: Context<AppEnv>, filename: string, bytes: ReadableStream<Uint8Array>): Response =>
  c.body(bytes, 200, { "content-type": XLSX_TYPE, "content-disposition": contentDisposition(filename) })

/**
 * Answers with a file from R2, streamed: the whole, a range of it (206), nothing for HEAD, 304 when the client has it.
 * @param inline to be shown, not saved
 * @throws `missing`, 410 unless told, when it is not there any more; 416
 */
export async function serveFile(
  c: Context<AppEnv>,
  {
    key,
    filename,
    type,
    inline = false,
    missing = gone("file_gone", "The file is gone."),
  }: { key: string; filename: string; type: string; inline?: boolean; missing?: ApiError },
): Promise<Response> {
  const bucket = c.env.FILES
  const head = await bucket.head(key)
  if (!head) throw missing
  const { size, httpEtag: etag } = head
  const modified = head.uploaded.toUTCString()
  const headers: Record<string, string> = {
    "content-type": type,
    "content-disposition": contentDisposition(filename, inline ? "inline" : "attachment"),
    "accept-ranges": "bytes",
    etag,
    "last-modified": modified,
  }
  if (names(c.req.header("if-none-match"), etag)) return c.newResponse(null, 304, headers)
  const condition = c.req.header("if-range")?.trim()
  const current = condition === undefined || condition === etag || condition === modified
  const range = current && c.req.method === "GET" ? rangeOf(c.req.header("range"), size) : undefined
  const length = range?.length ?? size
  headers["content-length"] = String(length)
  if (range) headers["content-range"] = `bytes ${range.offset}-${range.offset + length - 1}/${size}`
  if (c.req.method === "HEAD") return c.newResponse(null, 200, headers)
  // Only what `head` described: a file that was replaced in between is not mixed with it.
  const object = await bucket.get(key, { onlyIf: { etagMatches: head.etag }, ...(range && { range }) })
  if (!object || !("body" in object)) throw missing
  // A stream of a known length, so that the client is told it.
  const body = object.body.pipeThrough(new FixedLengthStream(length))
  return c.newResponse(body, range ? 206 : 200, headers)
}
