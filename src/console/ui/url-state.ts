import { useLocation } from "preact-iso"
import { navigated } from "./page.tsx"

/** The query string, which stores the state of a view: filters, order, open tab. */
export function useUrlState() {
  const { path, query, route } = useLocation()
  /**
   * Sets query parameters; undefined or "" removes one.
   * @param replace replaces the current history entry instead of adding one
   */
  const change = (params: Record<string, string | number | undefined>, { replace = false } = {}) => {
    // A delayed change must not navigate back after the user left this view.
    if (location.pathname.replace(/\/+$/, "") !== path) return
    // Not `query`: another change may have happened since this one was scheduled.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(params)) {
      if (value === undefined || value === "") next.delete(name)
      else next.set(name, String(value))
    }
    const text = next.toString()
    route(text ? `${path}?${text}` : path, replace)
  }
  return { path, query, change }
}

/** Navigates like a link: `go("/users/7")`. */
export function useNavigate() {
  const { route } = useLocation()
  return (path: string) => {
    navigated.set(true)
    route(`/console${path}`)
  }
}
