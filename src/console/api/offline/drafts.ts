/** What a form had when it was last edited. */
export interface Draft<Body> {
  body: Body
  /** Epoch milliseconds. */
  at: number
  /** The version of the record that was edited. */
  version: string
}

const prefixOf = (userId: number) => `lectern.draft.${userId}.`

/** The key of a person's draft of a record, such as `text/5`, in this browser's storage. */
export const draftKey = (userId: number, name: string) => `${prefixOf(userId)}${name}`

let isSigningOut = false

export function readDraft<Body>(key: string): Draft<Body> | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined
  } catch {
    return undefined
  }
}

/** @param draft undefined: there is none any more */
export function storeDraft(key: string, draft: Draft<unknown> | undefined) {
  // A form stores its last words when the page closes.
  if (isSigningOut) return
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft))
    else localStorage.removeItem(key)
  } catch {
    // The storage is full or blocked: the form still asks before changes are lost.
  }
}

/** Deletes the drafts of a person who signs out from this browser. */
export function clearDrafts(userId: number) {
  isSigningOut = true
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefixOf(userId))) localStorage.removeItem(key)
}
