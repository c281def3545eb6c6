import { database } from "./database.ts"
import { deviceUserId, setDeviceUserId } from "./device-user.ts"
import { clearDrafts } from "./drafts.ts"

const MAX_AGE_MS = 30 * 86_400_000
/** The cache of the service worker with the images of lessons. */
const IMAGE_CACHE = "lectern-images"

const keyOf = (userId: number, query: unknown) => `${userId} ${JSON.stringify(query)}`

/** Stores a response of the signed-in user. A device without storage stores nothing. */
export async function storeResponse(query: unknown, data: unknown) {
  const userId = deviceUserId()
  if (userId === undefined) return
  try {
    await (await database()).put("responses", { key: keyOf(userId, query), userId, at: Date.now(), data })
  } catch {
    // The storage is full or blocked: the response is not readable offline.
  }
}

/** The newest stored response to a query of the signed-in user. */
export async function readResponse(query: unknown): Promise<unknown> {
  const userId = deviceUserId()
  if (userId === undefined) return undefined
  try {
    const stored = await (await database()).get("responses", keyOf(userId, query))
    return stored && stored.at > Date.now() - MAX_AGE_MS ? stored.data : undefined
  } catch {
    return undefined
  }
}

/** Makes the device store for this user: what was stored for others is deleted, and what is old. */
export async function claimDevice(userId: number) {
  const isOther = deviceUserId() !== userId
  // First, so that no response of this user is stored for another one.
  setDeviceUserId(userId)
  if (isOther) await globalThis.caches?.delete(IMAGE_CACHE)
  const db = await database()
  const transaction = db.transaction("responses", "readwrite")
  for (let cursor = await transaction.store.openCursor(); cursor; cursor = await cursor.continue())
    if (cursor.value.userId !== userId || cursor.value.at < Date.now() - MAX_AGE_MS) await cursor.delete()
  await transaction.done
}

/** Deletes everything that was stored for the user who signs out. */
export async function clearDevice() {
  const userId = deviceUserId()
  if (userId !== undefined) clearDrafts(userId)
  setDeviceUserId(undefined)
  await globalThis.caches?.delete(IMAGE_CACHE)
  const db = await database()
  await Promise.all([db.clear("responses"), db.clear("reports")])
}
