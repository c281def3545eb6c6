import { store } from "./store.ts"

/** Milliseconds for which it is on the screen. */
const LASTS = 8_000

/** What was said last, while it is on the screen. */
export const said = store<{ id: number; text: string } | undefined>(undefined)
let last = 0

/** Says what has happened, on the screen and to screen readers. */
export function announce(text: string) {
  const id = ++last
  said.set({ id, text })
  setTimeout(() => {
    if (last === id) said.set(undefined)
  }, LASTS)
}
