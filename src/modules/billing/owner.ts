import { invalid } from "../../lib/errors.ts"

/** The owner of a card, cart, order or subscription, found by `selectVisibleUser`. @throws 422 if there is none */
export function requireOwner(owners: readonly { id: number }[]) {
  if (owners.length === 0) throw invalid("userId", "userId names no user.")
}
