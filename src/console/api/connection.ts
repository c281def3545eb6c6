import type { Fetch } from "../../client/index.ts"
import { logResponse } from "./response-log.ts"
import { store } from "./store.ts"

/** Whether API calls succeed, or what they wait for. */
export type Connection =
  | { state: "open" }
  /** No response: calls are retried. */
  | { state: "offline" }
  /** The API asked to retry later. `until` is epoch milliseconds. */
  | { state: "waiting"; until: number }

export const connection = store<Connection>({ state: navigator.onLine ? "open" : "offline" })

addEventListener("offline", () => connection.set({ state: "offline" }))
addEventListener("online", () => connection.set({ state: "open" }))

const DEFAULT_RETRY_AFTER_SECONDS = 1

/** `fetch` that updates `connection` and logs each response. */
export const trackedFetch: Fetch = async (request, init) => {
  const startedAt = performance.now()
  try {
    const response = await fetch(request, init)
    logResponse(request, response, performance.now() - startedAt)
    if (response.status === 429 || response.status === 503) {
      const seconds = Number(response.headers.get("retry-after") ?? DEFAULT_RETRY_AFTER_SECONDS)
      connection.set({ state: "waiting", until: Date.now() + seconds * 1000 })
    } else if (connection.get().state !== "open") connection.set({ state: "open" })
    return response
  } catch (error) {
    if (!init.signal.aborted) connection.set({ state: "offline" })
    throw error
  }
}
