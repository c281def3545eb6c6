import { expect } from "vitest"
import { call } from "../helpers/client.ts"

// Files of the media library, uploaded with the tus protocol.

const bytesOf = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))))

/** The first bytes of files, by kind. */
export const SIGNATURES = {
  png: bytesOf(
    ...([[0x89], "PNG\r\n", [0x1a], "\n", [0, 0, 0, 13], "IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]] as const),
    ...([[0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0], "IDAT"] as const),
  ),
  pdf: bytesOf("%PDF-1.7\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF"),
  mp3: bytesOf("ID3", [4, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0x64]),
  mp4: bytesOf([0, 0, 0, 24], "ftypisom", [0, 0, 2, 0], "isomiso2", [0, 0, 0, 8], "free"),
  zip: bytesOf("PK", [3, 4, 20, 0, 0, 0, 0, 0]),
}

/** A file that begins like one of its kind. The other bytes depend on their position: no two parts are equal. */
export function fileOf(kind: keyof typeof SIGNATURES, size = SIGNATURES[kind].length): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let i = 0; i < size; i += 4) bytes.fill((i * 2654435761) >>> 24, i, i + 4)
  bytes.set(SIGNATURES[kind].subarray(0, size))
  return bytes
}

export const TUS = { "tus-resumable": "1.0.0" }
const base64 = (text: string) => Buffer.from(text).toString("base64")
export const OFFSET_TYPE = "application/offset+octet-stream"

/** Starts an upload. */
export const startUpload = (token: string, name: string, size: number, body?: Uint8Array) =>
  call("POST", "/api/media/uploads", {
    token,
    headers: {
      ...TUS,
      "upload-length": String(size),
      "upload-metadata": `filename ${base64(name)}`,
      ...(body && { "content-type": OFFSET_TYPE }),
    },
    ...(body && { body }),
  })

/** Appends bytes to an upload. */
export const continueUpload = (token: string, id: number, offset: number, body: Uint8Array) =>
  call("PATCH", `/api/media/uploads/${id}`, {
    token,
    headers: { ...TUS, "upload-offset": String(offset), "content-type": OFFSET_TYPE },
    body,
  })

/** Reads how much of an upload is stored. */
export async function offsetOf(token: string, id: number) {
  const { status, headers } = await call("HEAD", `/api/media/uploads/${id}`, { token, headers: TUS })
  return status === 200 ? Number(headers.get("upload-offset")) : status
}

/** The id in the URL of a new upload. */
export const uploadIdOf = ({ headers }: { headers: Headers }) => Number(headers.get("location")?.split("/").at(-1))

/** Uploads a file in one request. @returns its id */
export async function mediaFile(token: string, kind: keyof typeof SIGNATURES, name = `file.${kind}`): Promise<number> {
  const bytes = fileOf(kind, Math.max(64, SIGNATURES[kind].length))
  const created = await startUpload(token, name, bytes.length, bytes)
  expect(created.status).toBe(201)
  return uploadIdOf(created)
}
