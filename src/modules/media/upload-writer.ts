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
  /** Whether the client's connection was lost, or R2 did not take all bytes. */
  isInterrupted: boolean
  multipartId: string | null
  parts: UploadedPart[]
  /** The complete file; undefined while bytes are missing. */
  file?: DetectedMedia
}

/** The key of the bytes after the last part. It has the offset: a request that fails changes nothing that is stored. */
const restKey = (key: string, offset: number) => `${key}/rest-${offset}`

const EMPTY = new Uint8Array()

/** Appends to the start of a file until it is long enough to detect what the file is, and then writes parts to R2. */
class UploadWriter {
  private readonly bucket: R2Bucket
  private readonly upload: StoredUpload
  private sample: Uint8Array
  private writer: ObjectWriter | undefined
  file: DetectedMedia | undefined

  constructor(bucket: R2Bucket, upload: StoredUpload, rest: Uint8Array) {
    this.bucket = bucket
    this.upload = upload
    this.sample = rest
  }

  /** Starts to write if what is there is enough. @throws 413, 415 */
  async open(isEnd: boolean) {
    const { bucket, upload, sample } = this
    const isStarted = upload.multipartId !== null
    if (this.writer || !(isStarted || isEnd || sample.length >= SAMPLE_BYTES)) return
    if (!isStarted) this.file = await detectMedia(sample.subarray(0, SAMPLE_BYTES), upload)
    const options = this.file && { httpMetadata: { contentType: this.file.mime } }
    const from = {
      uploadId: upload.multipartId ?? undefined,
      parts: upload.parts,
      rest: isStarted ? new Uint8Array(sample) : EMPTY,
    }
    this.writer = new ObjectWriter(bucket, upload.key, options ?? {}, from)
    if (!isStarted) await this.writer.write(sample)
    this.sample = EMPTY
  }

  async write(chunk: Uint8Array) {
    await this.open(false)
    if (this.writer) return this.writer.write(chunk)
    const joined = new Uint8Array(this.sample.length + chunk.length)
    joined.set(this.sample)
    joined.set(chunk, this.sample.length)
    this.sample = joined
    await this.open(false)
  }

  async finish() {
    await this.open(true)
    await this.writer?.finish()
  }

  /** The parts that R2 has, and the bytes after them. */
  suspend() {
    const { uploadId, parts, rest } = this.writer?.suspend() ?? { uploadId: undefined, parts: [], rest: this.sample }
    return { multipartId: uploadId ?? null, parts, rest }
  }
}

async function readRest(bucket: R2Bucket, { key, offset }: StoredUpload): Promise<Uint8Array> {
  const object = offset > 0 ? await bucket.get(restKey(key, offset)) : null
  return object ? new Uint8Array(await object.arrayBuffer()) : EMPTY
}

/** What follows for a complete file, whose kind its first bytes show. @throws 503 if it is not there */
async function completeUpload(bucket: R2Bucket, upload: StoredUpload): Promise<AppendedUpload> {
  const object = await bucket.get(upload.key, { range: { offset: 0, length: SAMPLE_BYTES } })
  if (object?.size !== upload.bytes) throw storageFailed()
  const file = await detectMedia(new Uint8Array(await object.arrayBuffer()), upload)
  return { offset: upload.bytes, isInterrupted: false, multipartId: null, parts: [], file }
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
  const writer = new UploadWriter(bucket, upload, await readRest(bucket, upload))
  const left = upload.bytes - upload.offset
  let received = 0
  let isInterrupted = false
  const reader = body.getReader()
  const next = () =>
    reader.read().catch(() => {
      isInterrupted = true
      return { done: true, value: undefined } as const
    })
  while (received < left) {
    const { value } = await next()
    if (!value) break
    const bytes = value.subarray(0, left - received)
    await writer.write(bytes)
    received += bytes.length
  }
  const offset = upload.offset + received
  if (offset === upload.bytes) {
    await writer.finish()
    return completeUpload(bucket, upload)
  }
  const { multipartId, parts, rest } = writer.suspend()
  if (received > 0 && rest.length > 0) await bucket.put(restKey(upload.key, offset), rest)
  return { offset, isInterrupted, multipartId, parts }
}

/** Deletes the bytes that are in no part. */
export async function deleteRests(bucket: R2Bucket, key: string): Promise<void> {
  const { objects } = await bucket.list({ prefix: `${key}/` })
  if (objects.length > 0) await bucket.delete(objects.map((object) => object.key))
}

/** Deletes the bytes after the last part as of an earlier offset. */
export const deleteRest = (bucket: R2Bucket, key: string, offset: number) => bucket.delete(restKey(key, offset))
