import { useLocation } from "preact-iso"
import { moved } from "./page.tsx"

/** The query of the address, which holds the view: what is searched, sorted, opened. */
export function useAddress() {
  const { path, query, route } = useLocation()
  /**
   * Changes members of the query; undefined or "" takes one away.
   * @param replace true: the step back in the browser's history passes over the address as it was
   */
  const change = (members: Record<string, string | number | undefined>, { replace = false } = {}) => {
    // Whoever has gone on to another view is not called back by what they typed in this one.
    if (location.pathname.replace(/\/+$/, "") !== path) return
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(members)) {
      if (value === undefined || value === "") next.delete(name)
      else next.set(name, String(value))
    }
    const text = next.toString()
    route(text ? `${path}?${text}` : path, replace)
  }
  return { path, query, change }
}

/** Goes to another view, as a link to it would: `go("/users/7")`. */
export function useGo() {
  const { route } = useLocation()
  return (path: string) => {
    moved.set(true)
    route(`/console${path}`)
  }
}
