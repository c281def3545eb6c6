import type { UploadedPart } from "../../../drizzle/schema/media.ts"
import { ApiError, unavailable } from "../../lib/errors.ts"
import { ObjectWriter } from "../../lib/files/multipart.ts"
import { type DetectedMedia, detectMedia, SAMPLE_BYTES } from "./media-kinds.ts"

/** An upload as stored. */
export interface StoredUpload {
  name: string
  bytes: number
  offset: number
  key: string
  multipartId: string | null
  parts: UploadedPart[]
}

/** What an upload is after some bytes more. */
export interface AppendedUpload {
  offset: number
  multipartId: string | null
  parts: UploadedPart[]
  /** The complete file; undefined while bytes are missing. */
  file?: DetectedMedia
}

/** The key of the bytes after the last part. It has the offset: a request that fails changes nothing that is stored. */
const restKey = (key: string, offset: number) => `${key}/rest-${offset}`

const EMPTY = new Uint8Array()
/** How many bytes are read at once. */
const READ_BYTES = 256 * 1024

/** Collects the start of a file until it is long enough to detect what the file is, and then writes parts to R2. */
class UploadWriter {
  private readonly bucket: R2Bucket
  private readonly upload: StoredUpload
  private sample = EMPTY
  private writer: ObjectWriter | undefined

  constructor(bucket: R2Bucket, upload: StoredUpload) {
    this.bucket = bucket
    this.upload = upload
    const { key, multipartId, parts } = upload
    if (multipartId) this.writer = new ObjectWriter(bucket, key, {}, { uploadId: multipartId, parts, rest: EMPTY })
  }

  /** Starts to write. @throws 413, 415 */
  private async open() {
    const { mime } = await detectMedia(this.sample.subarray(0, SAMPLE_BYTES), this.upload)
    this.writer = new ObjectWriter(this.bucket, this.upload.key, { httpMetadata: { contentType: mime } })
    await this.writer.write(this.sample)
    this.sample = EMPTY
  }

  async write(chunk: Uint8Array) {
    if (this.writer) return this.writer.write(chunk)
    const joined = new Uint8Array(this.sample.length + chunk.length)
    joined.set(this.sample)
    joined.set(chunk, this.sample.length)
    this.sample = joined
    if (joined.length >= SAMPLE_BYTES) await this.open()
  }

  async finish() {
    if (!this.writer) await this.open()
    await this.writer?.finish()
  }

  /** The parts that R2 has, and the bytes after them. */
  suspend() {
    const { uploadId, parts, rest } = this.writer?.suspend() ?? { uploadId: undefined, parts: [], rest: this.sample }
    return { multipartId: uploadId ?? null, parts, rest }
  }
}

/** Reads a stream until it ends, has `max` bytes, or fails. One buffer is used for all reads. */
async function readInto(writer: UploadWriter, stream: ReadableStream, max: number) {
  const reader = stream.getReader({ mode: "byob" })
  let buffer = new Uint8Array(READ_BYTES)
  let received = 0
  while (received < max) {
    const { value } = await reader.read(buffer).catch(() => ({ value: undefined }))
    if (!value || value.length === 0) break
    const bytes = value.subarray(0, max - received)
    await writer.write(bytes)
    received += bytes.length
    buffer = new Uint8Array(value.buffer)
  }
  return received
}

/** What follows for a complete file, whose kind its first bytes show. @throws 503 if it is not there */
async function completeUpload(bucket: R2Bucket, upload: StoredUpload): Promise<AppendedUpload> {
  const object = await bucket.get(upload.key, { range: { offset: 0, length: SAMPLE_BYTES } })
  if (object?.size !== upload.bytes) throw storageFailed()
  const file = await detectMedia(new Uint8Array(await object.arrayBuffer()), upload)
  return { offset: upload.bytes, multipartId: null, parts: [], file }
}

const storageFailed = () => unavailable("The bytes could not be stored. Continue the upload.")

/**
 * Stores what a request sends. Nothing but its last bytes, fewer than a part, is held in memory. If the connection is
 * lost, what had arrived is kept.
 * @throws 413, 415; 503 if R2 fails
 */
export async function appendBytes(
  bucket: R2Bucket,
  upload: StoredUpload,
  body: ReadableStream<Uint8Array>,
): Promise<AppendedUpload> {
  try {
    return await writeBytes(bucket, upload, body)
  } catch (error) {
    if (error instanceof ApiError) throw error
    console.error(JSON.stringify({ event: "media part not stored", key: upload.key, error: String(error) }))
    // An earlier request completed the file, and its change of the database was lost.
    const stored = await bucket.head(upload.key)
    if (stored?.size === upload.bytes) return completeUpload(bucket, upload)
    throw storageFailed()
  }
}

async function writeBytes(
  bucket: R2Bucket,
  upload: StoredUpload,
  body: ReadableStream<Uint8Array>,
): Promise<AppendedUpload> {
  const writer = new UploadWriter(bucket, upload)
  const { key } = upload
  const stored = upload.offset > 0 ? await bucket.get(restKey(key, upload.offset)) : null
  if (stored && (await readInto(writer, stored.body, stored.size)) !== stored.size) throw storageFailed()
  const offset = upload.offset + (await readInto(writer, body, upload.bytes - upload.offset))
  if (offset === upload.bytes) {
    await writer.finish()
    return completeUpload(bucket, upload)
  }
  const { multipartId, parts, rest } = writer.suspend()
  if (offset > upload.offset && rest.length > 0) await bucket.put(restKey(key, offset), rest)
  return { offset, multipartId, parts }
}

/** Deletes the bytes that are in no part. */
export async function deleteRests(bucket: R2Bucket, key: string): Promise<void> {
  const { objects } = await bucket.list({ prefix: `${key}/` })
  if (objects.length > 0) await bucket.delete(objects.map((object) => object.key))
}

/** Deletes the bytes after the last part as of an earlier offset. */
export const deleteRest = (bucket: R2Bucket, key: string, offset: number) => bucket.delete(restKey(key, offset))
