/** A record that can be selected. */
export interface Choice {
  id: number
  name: string
}

/** Milliseconds without typing before a search starts. */
export const SEARCH_DELAY_MS = 250
