import type { Context } from "hono"
import { ApiError, gone } from "../errors.ts"
import { XLSX_TYPE } from "../spreadsheet/workbook.ts"
import type { AppEnv } from "./app-env.ts"

/** Parses a Range header; undefined for the whole file (no range, several, or an invalid one). */
function rangeOf(header: string | undefined, size: number): { offset: number; length: number } | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.replace(/\s+/g, "") ?? "") ?? []
  if (!first && !last) return undefined
  const offset = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  if (first && last && Number(last) < Number(first)) return undefined
  if (offset >= size || offset > end)
    throw new ApiError("range_not_satisfiable", `The requested range is outside the file, which has ${size} bytes.`, {
      headers: { "content-range": `bytes */${size}`, "accept-ranges": "bytes" },
    })
  return { offset, length: end - offset + 1 }
}

/** Whether If-None-Match contains the tag, weak or strong. */
const matchesEtag = (header: string | undefined, etag: string) =>
  header?.split(",").some((part) => ["*", etag].includes(part.trim().replace(/^W\//, ""))) ?? false

/** RFC 6266: an ASCII name for old clients, and the exact name for all others. */
export function contentDisposition(filename: string, disposition: "attachment" | "inline" = "attachment"): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const exact = encodeURIComponent(filename).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${disposition}; filename="${ascii}"${exact === filename ? "" : `; filename*=UTF-8''${exact}`}`
}

/** Streams a spreadsheet while it is generated. */
export const serveWorkbook = (c: Context<AppEnv>, filename: string, bytes: ReadableStream<Uint8Array>): Response =>
  c.body(bytes, 200, { "content-type": XLSX_TYPE, "content-disposition": contentDisposition(filename) })

/**
 * Streams a file from R2: the whole file, a range (206), nothing for HEAD, or 304 if the client has it.
 * @param inline to display rather than download
 * @throws `missing` (default: 410) if the file no longer exists; 416
 */
export async function serveFile(
  c: Context<AppEnv>,
  {
    key,
    filename,
    type,
    inline = false,
    missing = gone("file_gone", "The file no longer exists."),
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
  if (matchesEtag(c.req.header("if-none-match"), etag)) return c.newResponse(null, 304, headers)
  const condition = c.req.header("if-range")?.trim()
  const isCurrent = condition === undefined || condition === etag || condition === modified
  const range = isCurrent && c.req.method === "GET" ? rangeOf(c.req.header("range"), size) : undefined
  const length = range?.length ?? size
  headers["content-length"] = String(length)
  if (range) headers["content-range"] = `bytes ${range.offset}-${range.offset + length - 1}/${size}`
  if (c.req.method === "HEAD") return c.newResponse(null, 200, headers)
  // Only the version that `head` returned, in case the file is replaced in between.
  const object = await bucket.get(key, { onlyIf: { etagMatches: head.etag }, ...(range && { range }) })
  if (!object || !("body" in object)) throw missing
  // A stream with a known length sends Content-Length.
  const body = object.body.pipeThrough(new FixedLengthStream(length))
  return c.newResponse(body, range ? 206 : 200, headers)
}

/** Pages of this origin may frame a PDF: its viewer runs none of its scripts. */
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"

/** Allows this origin to show a PDF in a frame. */
export function allowPdfFrame(c: Context<AppEnv>, type: string): void {
  if (type === "application/pdf") c.header("content-security-policy", PDF_POLICY)
}
