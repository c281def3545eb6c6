import { LecternError } from "./errors.ts"
import { pause } from "./send.ts"

/** How a job is waited for. */
export interface JobOptions<State> {
  /** Told whenever the job was asked how far it is; `progress` is in percent and never falls. */
  onProgress?: (state: State) => void
  signal?: AbortSignal
}

interface JobState {
  status: string
  progress: number
  message: string
}

const FIRST_PAUSE = 100
const LONGEST_PAUSE = 3_000

/**
 * Asks how far a job is until it has ended, less and less often.
 * @throws LecternError `job_failed` when it ended otherwise than completed
 */
export async function finished<State extends JobState>(
  ask: () => Promise<State>,
  { onProgress, signal }: JobOptions<State>,
): Promise<State> {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(LONGEST_PAUSE, wait * 1.5)) {
    const state = await ask()
    onProgress?.(state)
    if (state.status === "completed") return state
    if (state.status !== "processing")
      throw new LecternError(state.message, { status: 200, code: "job_failed", body: state })
    await pause(wait, signal)
  }
}
