const keyOf = (userId: number) => `lectern.draft.${userId}.`

/** The key of a person's draft of a record, such as `text/5`, in this browser's storage. */
export const draftKey = (userId: number, name: string) => `${keyOf(userId)}${name}`

/** Deletes the drafts of a person from this browser. */
export function clearDrafts(userId: number) {
  for (const key of Object.keys(localStorage)) if (key.startsWith(keyOf(userId))) localStorage.removeItem(key)
}
