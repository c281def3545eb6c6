import { createClient, LecternError } from "../../client/index.ts"
import { watchedFetch } from "./connection.ts"

/** Who is signed in is told by the cookie that the sign-in page set: the console holds no token. */
export const api = createClient({
  baseUrl: location.origin,
  fetch: watchedFetch,
  // Whoever waits at a screen sees that a call waits, and why: it goes on by itself for ten minutes.
  retry: { attempts: 30, totalMs: 600_000 },
})

const SIGNED_OUT = new Set(["not_signed_in", "invalid_token", "session_ended"])

/** Goes to the sign-in page, and back here from there, where the session has ended. @returns whether it does */
export function toSignIn(error: unknown): boolean {
  if (!(error instanceof LecternError) || !SIGNED_OUT.has(error.code)) return false
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
  return true
}
