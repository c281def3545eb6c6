import { createClient, LecternError } from "../../client/index.ts"
import { trackedFetch } from "./connection.ts"
import { unsavedGuards } from "./unsaved-guards.ts"

/** Authenticates with the session cookie that the sign-in page sets; the console stores no token. */
export const api = createClient({
  baseUrl: location.origin,
  fetch: trackedFetch,
  // The connection bar shows that a call is being retried, for up to ten minutes.
  retry: { attempts: 30, totalMs: 600_000 },
})

const SIGNED_OUT_CODES = new Set(["not_signed_in", "invalid_token", "session_ended"])

/** Whether a call failed because the session has ended. */
export const isSignedOut = (error: unknown) => error instanceof LecternError && SIGNED_OUT_CODES.has(error.code)

/** Opens the sign-in page if the session has ended, unless changes would be lost. @returns whether it does */
export function redirectToSignIn(error: unknown): boolean {
  if (!isSignedOut(error) || unsavedGuards().length > 0) return false
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
  return true
}
