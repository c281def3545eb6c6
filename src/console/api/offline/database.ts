import { type DBSchema, openDB } from "idb"
import type { Schemas } from "../../../client/index.ts"

/** A response of the API that the device shows while there is no connection. */
interface StoredResponse {
  /** The user and the query. */
  key: string
  userId: number
  /** Epoch milliseconds. */
  at: number
  data: unknown
}

/** Progress that waits to be sent. */
export interface Report {
  /** The order in which reports are sent. */
  id?: number
  userId: number
  /** The idempotency key: the same for every attempt, so that the report counts once. */
  key: string
  /** Set before the first attempt. From then on the report must not change. */
  sent: boolean
  body: Schemas["Progress"]
}

interface Tables extends DBSchema {
  responses: { key: string; value: StoredResponse; indexes: { user: number; at: number } }
  reports: { key: number; value: Report; indexes: { user: number } }
}

type Opened = ReturnType<typeof openDB<Tables>>
let opened: Opened | undefined

/** The database of this device. @throws if the browser blocks it, such as in a private window */
export function database(): Opened {
  opened ??= openDB<Tables>("lectern", 1, {
    upgrade(db) {
      const responses = db.createObjectStore("responses", { keyPath: "key" })
      responses.createIndex("user", "userId")
      responses.createIndex("at", "at")
      db.createObjectStore("reports", { keyPath: "id", autoIncrement: true }).createIndex("user", "userId")
    },
  })
  return opened
}
