import { connection } from "../connection.ts"

const ME = "/api/me"

/** What a learner reads without a connection, if it was read with one. */
const STORED_PATHS: ReadonlySet<string> = new Set([
  ME,
  "/api/me/home",
  "/api/course/{id}",
  "/api/course/modules",
  "/api/modules/text/{id}",
  "/api/modules/video/{id}",
  "/api/user-certificates/{id}",
  "/api/users/enrolled-courses",
])

export const isStoredPath = (path: string) => STORED_PATHS.has(path)

/** Loaded after the first view. */
const storage = () => import("./stored-responses.ts")

async function store(path: string, query: unknown, data: unknown) {
  const { claimDevice, storeResponse } = await storage()
  // The only path that names the signed-in user; every view reads it first.
  if (path === ME) await claimDevice((data as { id: number }).id)
  await storeResponse(query, data)
}

/** Resolves when a request fails. */
function failure(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = connection.subscribe(() => connection.get().state === "offline" && resolve())
    signal.addEventListener("abort", unsubscribe, { once: true })
  })
}

/**
 * Fetches data and stores it on the device. If the API can't be reached, returns what is stored; otherwise it waits.
 * @param query identifies the data
 */
export async function throughStore<T>(
  path: string,
  query: unknown,
  signal: AbortSignal,
  fetchData: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!isStoredPath(path)) return fetchData(signal)
  const done = new AbortController()
  const fresh = fetchData(AbortSignal.any([signal, done.signal])).then((data) => {
    store(path, query, data).catch(() => undefined)
    return data
  })
  const stored = failure(done.signal)
    .then(storage)
    .then(({ readResponse }) => readResponse(query))
    .catch(() => undefined)
    .then((data) => (data === undefined ? fresh : (data as T)))
  try {
    return await Promise.race([fresh, stored])
  } finally {
    done.abort()
  }
}
