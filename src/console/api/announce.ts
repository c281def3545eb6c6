import { store } from "./store.ts"

const DISPLAY_MS = 8_000

/** The notification that is shown; undefined: none. */
export const notification = store<{ id: number; text: string; isFromApi: boolean } | undefined>(undefined)
let lastId = 0

/** Shows a notification, and announces it to screen readers. `isFromApi`: the text is a message of the API. */
export function announce(text: string, { isFromApi = false } = {}) {
  const id = ++lastId
  notification.set({ id, text, isFromApi })
  setTimeout(() => {
    if (lastId === id) notification.set(undefined)
  }, DISPLAY_MS)
}
