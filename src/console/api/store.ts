import { useEffect, useState } from "preact/hooks"

/** A value that components follow. */
export interface Store<T> {
  get(): T
  set(value: T): void
  subscribe(listener: () => void): () => void
}

export function store<T>(value: T): Store<T> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The store's value, as it is at each time. */
export function useStore<T>(of: Store<T>): T {
  const [value, setValue] = useState(of.get)
  useEffect(() => {
    const follow = () => setValue(of.get)
    follow()
    return of.subscribe(follow)
  }, [of])
  return value
}
