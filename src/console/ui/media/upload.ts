import type { Upload } from "tus-js-client"
import { LecternError } from "../../../client/index.ts"
import { invalidatePaths } from "../../api/queries.ts"
import { type Store, store } from "../../api/store.ts"

/** A multiple of the size of R2's parts, and below the limit of a request to Cloudflare. */
const CHUNK_SIZE = 10 * 1024 * 1024
const RETRY_DELAYS_MS = [1000, 3000, 5000, 10_000, 20_000, 30_000, 60_000]

export interface UploadProgress {
  name: string
  sent: number
  total: number
  state: "running" | "waiting" | "paused" | "failed" | "done"
  error?: unknown
  /** The id of the file when it is complete. */
  mediaId?: number
}

export interface RunningUpload {
  progress: Store<UploadProgress>
  pause: () => void
  resume: () => void
  /** Deletes what was stored. */
  cancel: () => void
}

/** The error of the API in a response of tus-js-client; undefined if the connection failed. */
function toApiError(error: unknown): unknown {
  const response = error && typeof error === "object" && "originalResponse" in error ? error.originalResponse : null
  if (!response) return error
  const { getBody, getStatus } = response as { getBody: () => string; getStatus: () => number }
  try {
    const { code, message } = JSON.parse(getBody.call(response)) as { code: string; message: string }
    return new LecternError(message, { status: getStatus.call(response), code })
  } catch {
    return error
  }
}

/**
 * Uploads a file to the media library. A lost connection is retried; the same file continues where an earlier page left
 * off.
 */
export function uploadFile(file: File, onDone: (mediaId: number) => void = () => {}): RunningUpload {
  const progress = store<UploadProgress>({ name: file.name, sent: 0, total: file.size, state: "running" })
  const update = (changes: Partial<UploadProgress>) => progress.set({ ...progress.get(), ...changes })
  let upload: Upload | undefined
  let isCanceled = false
  const fail = (error: unknown) => update({ state: "failed", error: toApiError(error) })
  const start = async () => {
    const tus = await import("tus-js-client")
    if (isCanceled) return
    upload = new tus.Upload(file, {
      endpoint: "/api/media/uploads",
      metadata: { filename: file.name, filetype: file.type },
      chunkSize: CHUNK_SIZE,
      retryDelays: RETRY_DELAYS_MS,
      removeFingerprintOnSuccess: true,
      onProgress: (sent) => update({ sent, state: "running" }),
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0
        const isRetried = status === 0 || status === 409 || status === 429 || status >= 500
        if (isRetried) update({ state: "waiting" })
        return isRetried
      },
      onError: fail,
      onSuccess: () => {
        const mediaId = Number(upload?.url?.split("/").at(-1))
        update({ state: "done", sent: file.size, mediaId })
        invalidatePaths(["/api/media"])
        onDone(mediaId)
      },
    })
    const [earlier] = await upload.findPreviousUploads()
    if (earlier) upload.resumeFromPreviousUpload(earlier)
    if (!isCanceled) upload.start()
  }
  start().catch(fail)
  return {
    progress,
    pause: () => {
      upload?.abort().catch(fail)
      update({ state: "paused" })
    },
    resume: () => {
      update({ state: "running" })
      upload?.start()
    },
    cancel: () => {
      isCanceled = true
      // It may be complete, or not started.
      upload?.abort(true).catch(() => {})
    },
  }
}
