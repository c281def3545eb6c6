/** R2 requires parts of equal size, at least 5 MiB, except the last. */
const PART_SIZE = 5 * 1024 * 1024

/** The state from which another invocation continues an object. */
export interface SuspendedObject {
  uploadId: string | undefined
  parts: R2UploadedPart[]
  /** Bytes that are not in a part yet. */
  rest: Uint8Array<ArrayBuffer>
}

/**
 * Writes an object of unknown length to R2 and buffers one part. An object smaller than a part is put at the end, so R2
 * stores nothing of it before.
 */
export class ObjectWriter {
  readonly key: string
  private readonly bucket: R2Bucket
  private readonly options: R2MultipartOptions
  private readonly buffer = new Uint8Array(PART_SIZE)
  private filled = 0
  private upload: R2MultipartUpload | undefined
  private parts: R2UploadedPart[] = []
  private sending: Promise<void> = Promise.resolve()

  /** @param from the state of a suspended writer */
  constructor(bucket: R2Bucket, key: string, options: R2MultipartOptions, from?: SuspendedObject) {
    this.bucket = bucket
    this.key = key
    this.options = options
    if (!from) return
    if (from.uploadId !== undefined) this.upload = bucket.resumeMultipartUpload(key, from.uploadId)
    this.parts = [...from.parts]
    this.buffer.set(from.rest)
    this.filled = from.rest.length
  }

  /** The id of the multipart upload, with which another invocation can abort it. */
  get uploadId(): string | undefined {
    return this.upload?.uploadId
  }

  /** Resolves when the next bytes can be written. @throws errors of R2 */
  async write(chunk: Uint8Array): Promise<void> {
    for (let offset = 0; offset < chunk.length; ) {
      const piece = chunk.subarray(offset, offset + PART_SIZE - this.filled)
      this.buffer.set(piece, this.filled)
      this.filled += piece.length
      offset += piece.length
      if (this.filled === PART_SIZE) {
        this.sending = this.send()
        await this.sending
      }
    }
  }

  /** How many parts were uploaded. */
  get partCount(): number {
    return this.parts.length
  }

  /** Stops writing so that another invocation can continue. */
  suspend(): SuspendedObject {
    return { uploadId: this.uploadId, parts: this.parts, rest: this.buffer.subarray(0, this.filled) }
  }

  /** Completes the object. @returns its size in bytes */
  async finish(): Promise<number> {
    const rest = this.buffer.subarray(0, this.filled)
    if (!this.upload) return (await this.bucket.put(this.key, rest, this.options)).size
    if (this.filled > 0) await this.send()
    return (await this.upload.complete(this.parts)).size
  }

  /** Removes everything that was written. */
  async discard(): Promise<void> {
    await this.sending.catch(() => {})
    await discardObject(this.bucket, this.key, this.uploadId)
  }

  private async send(): Promise<void> {
    this.upload ??= await this.bucket.createMultipartUpload(this.key, this.options)
    this.parts.push(await this.upload.uploadPart(this.parts.length + 1, this.buffer.subarray(0, this.filled)))
    this.filled = 0
  }
}

/** Removes an object and aborts its upload, if they exist. */
export async function discardObject(bucket: R2Bucket, key: string, uploadId: string | null | undefined): Promise<void> {
  // Aborting fails for an upload that is complete or already aborted.
  if (uploadId)
    await bucket
      .resumeMultipartUpload(key, uploadId)
      .abort()
      .catch(() => {})
  await bucket.delete(key)
}
