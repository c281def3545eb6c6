/** R2 takes parts of equal size, of 5 MiB or more, save the last. */
const PART = 5 * 1024 * 1024

/** What another invocation needs to go on with an object. */
export interface SuspendedObject {
  uploadId: string | undefined
  parts: R2UploadedPart[]
  /** The bytes that no part has yet. */
  rest: Uint8Array<ArrayBuffer>
}

/**
 * Writes an object of unknown length to R2, a part at a time: one part's bytes are held and no more. An object smaller
 * than a part is put at once when it is finished, so that until then R2 holds nothing of it.
 */
export class ObjectWriter {
  readonly key: string
  private readonly bucket: R2Bucket
  private readonly options: R2MultipartOptions
  private readonly buffer = new Uint8Array(PART)
  private filled = 0
  private upload: R2MultipartUpload | undefined
  private parts: R2UploadedPart[] = []
  private sending: Promise<void> = Promise.resolve()

  /** @param from what the writer before was suspended with */
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

  /** The multipart upload, once there is one: with it, another invocation can abort what this one began. */
  get uploadId(): string | undefined {
    return this.upload?.uploadId
  }

  /** Takes bytes; resolves when the next may come. @throws what R2 throws */
  async write(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.length; ) {
      const piece = chunk.subarray(taken, taken + PART - this.filled)
      this.buffer.set(piece, this.filled)
      this.filled += piece.length
      taken += piece.length
      if (this.filled === PART) {
        this.sending = this.send()
        await this.sending
      }
    }
  }

  /** How many parts R2 has. */
  get partCount(): number {
    return this.parts.length
  }

  /** Stops writing, for another invocation to go on. */
  suspend(): SuspendedObject {
    return { uploadId: this.uploadId, parts: this.parts, rest: this.buffer.slice(0, this.filled) }
  }

  /** Puts the object in place. @returns its size in bytes */
  async finish(): Promise<number> {
    const rest = this.buffer.subarray(0, this.filled)
    if (!this.upload) return (await this.bucket.put(this.key, rest, this.options)).size
    if (this.filled > 0) await this.send()
    return (await this.upload.complete(this.parts)).size
  }

  /** Leaves nothing behind, however far the writing had come. */
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

/** Removes an object and aborts its upload; harmless when there is neither. */
export async function discardObject(bucket: R2Bucket, key: string, uploadId: string | null | undefined): Promise<void> {
  // An upload that is complete or aborted already cannot be aborted; either way nothing of it is left.
  if (uploadId)
    await bucket
      .resumeMultipartUpload(key, uploadId)
      .abort()
      .catch(() => {})
  await bucket.delete(key)
}
