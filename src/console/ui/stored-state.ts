import { useRef, useState } from "preact/hooks"

/**
 * State that follows a stored value until it is edited: after a conflict, a form refetches its record.
 * @param keyOf what distinguishes two values
 * @returns the value, its setter, and how often it followed
 */
export function useStoredState<T>(stored: T, keyOf: (value: T) => unknown) {
  const [value, setValue] = useState(stored)
  const known = useRef(stored)
  const revision = useRef(0)
  if (keyOf(stored) !== keyOf(known.current)) {
    if (keyOf(value) === keyOf(known.current)) {
      revision.current++
      setValue(stored)
    }
    known.current = stored
  }
  return [value, setValue, revision.current] as const
}
