import { store } from "./store.ts"

const DISPLAY_MS = 8_000

/** The notification that is shown; undefined: none. */
export const notification = store<{ id: number; text: string } | undefined>(undefined)
let lastId = 0

/** Shows a notification, and announces it to screen readers. */
export function announce(text: string) {
  const id = ++lastId
  notification.set({ id, text })
  setTimeout(() => {
    if (lastId === id) notification.set(undefined)
  }, DISPLAY_MS)
}
