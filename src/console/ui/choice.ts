/** A record that can be picked, as it is called on the screen. */
export interface Choice {
  id: number
  name: string
}

/** Milliseconds that a search waits for the next letter. */
export const TYPING_PAUSE = 250
