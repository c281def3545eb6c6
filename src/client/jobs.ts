import { LecternError } from "./errors.ts"
import { pause } from "./send.ts"

export interface JobOptions<State> {
  /** Called after every poll; `progress` is in percent and never decreases. */
  onProgress?: (state: State) => void
  signal?: AbortSignal
}

interface JobState {
  status: string
  progress: number
  message: string
}

const MIN_POLL_MS = 100
const MAX_POLL_MS = 3_000

/**
 * Polls a job with a growing interval until it has completed.
 * @throws LecternError `job_failed` if it failed or was canceled
 */
export async function waitForJob<State extends JobState>(
  readState: () => Promise<State>,
  { onProgress, signal }: JobOptions<State>,
): Promise<State> {
  for (let wait = MIN_POLL_MS; ; wait = Math.min(MAX_POLL_MS, wait * 1.5)) {
    const state = await readState()
    onProgress?.(state)
    if (state.status === "completed") return state
    if (state.status !== "processing")
      throw new LecternError(state.message, { status: 200, code: "job_failed", body: state })
    await pause(wait, signal)
  }
}
