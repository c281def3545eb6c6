import { invalid } from "../../lib/errors.ts"

/** The user whose a card, cart, order or subscription is to be, as `selectVisibleUser` found them. @throws 422 for nobody */
export function requireOwner(owners: readonly { id: number }[]) {
  if (owners.length === 0) throw invalid("userId", "userId names no user.")
}
