import { SECOND } from "../lib/clock.ts"

/** How long a trip may take, in ms: then nobody waits for it any more. D1 itself ends a query after 30 seconds. */
export const QUERY_TIMEOUT_MS = 15 * SECOND

/** Thrown by a trip that nothing came of within its time. */
export class TimeoutError extends Error {
  override readonly name = "Silence"
}

/** What `work` answers, unless it takes too long, in ms. @throws Silence */
export async function withTimeout<T>(work: Promise<T>, patience = QUERY_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`Nothing came for ${patience} ms.`)), patience)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}
