import { discardChanges } from "../../ui/unsaved-changes.ts"

/** Opens the sign-in page after the session ended, and returns to this page afterward. */
export const signInAgain = () => {
  discardChanges()
  location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)
}
