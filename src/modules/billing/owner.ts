import { invalid } from "../../lib/errors.ts"

/** Requires the owner of a new record to exist, as read by `selectVisibleUser`. @throws 422 */
export function requireOwner(owners: readonly { id: number }[]) {
  if (owners.length === 0) throw invalid("userId", "userId does not match any user.")
}
