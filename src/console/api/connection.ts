import type { Fetch } from "../../client/index.ts"
import { remember } from "./response-log.ts"
import { store } from "./store.ts"

/** Whether calls go through, and what they wait for. */
export type Connection =
  | { state: "open" }
  /** No answer comes: calls are sent again. */
  | { state: "offline" }
  /** The service asked for patience until then (epoch milliseconds): calls are sent again by themselves. */
  | { state: "waiting"; until: number }

export const connection = store<Connection>({ state: navigator.onLine ? "open" : "offline" })

addEventListener("offline", () => connection.set({ state: "offline" }))
addEventListener("online", () => connection.set({ state: "open" }))

const DEFAULT_WAIT = 1

/** `fetch`, which tells of what keeps calls waiting and remembers what each answer cost. */
export const watchedFetch: Fetch = async (request, init) => {
  const began = performance.now()
  try {
    const response = await fetch(request, init)
    remember(request, response, performance.now() - began)
    if (response.status === 429 || response.status === 503) {
      const seconds = Number(response.headers.get("retry-after") ?? DEFAULT_WAIT)
      connection.set({ state: "waiting", until: Date.now() + seconds * 1000 })
    } else if (connection.get().state !== "open") connection.set({ state: "open" })
    return response
  } catch (error) {
    if (!init.signal.aborted) connection.set({ state: "offline" })
    throw error
  }
}
