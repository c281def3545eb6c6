import { redirectToSignIn } from "../client.ts"
import { connection } from "../connection.ts"
import { queryClient } from "../queries.ts"
import { publishWaiting, sendWaiting } from "./progress-queue.ts"
import { registerServiceWorker } from "./register.ts"
import { isStoredPath } from "./through-store.ts"
import { waitingReports } from "./waiting.ts"

/** How often an unreachable API is called again, and waiting reports are sent. */
const RETRY_INTERVAL_MS = 20_000

/**
 * Prepares this device for offline use, and sends the progress that waits when the connection is back.
 * @param onRefused called with the messages of reports that the API refused
 */
export async function startSync(onRefused: (messages: readonly string[]) => void) {
  const sync = async () => {
    if (waitingReports.get().length === 0) return
    const refused = await sendWaiting()
    if (refused.length > 0) onRefused(refused.map(({ message }) => message))
    await queryClient.invalidateQueries()
  }
  const trySync = () => sync().catch(redirectToSignIn)
  const refetchStored = () =>
    queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => isStoredPath(String(path)) })

  registerServiceWorker()
  try {
    await publishWaiting()
  } catch {
    // The browser blocks the storage: nothing is stored, and nothing waits.
    return
  }
  let wasOffline = connection.get().state === "offline"
  connection.subscribe(() => {
    const isOffline = connection.get().state === "offline"
    if (wasOffline && !isOffline) trySync().then(refetchStored)
    wasOffline = isOffline
  })
  setInterval(() => {
    if (connection.get().state === "offline" && navigator.onLine) refetchStored()
    else if (navigator.onLine) trySync()
  }, RETRY_INTERVAL_MS)
  await trySync()
}
