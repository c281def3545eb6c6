import { NOTIFICATION_KINDS, type NotificationKind } from "../../../drizzle/schema/notifications.ts"
import { hmac, hmacs, type Secrets, sameText } from "../../lib/crypto/crypto.ts"

/** What an unsubscribe link ends: mails of one kind, or of all optional kinds, to one person. */
export interface Unsubscription {
  userId: number
  kind: NotificationKind | "digest"
}

const signed = ({ userId, kind }: Unsubscription) => `unsubscribe ${userId} ${kind}`

/** The token of an unsubscribe link. It does not expire: old mails have the link too. */
export const unsubscribeToken = (secrets: Secrets, unsubscription: Unsubscription): string =>
  `${unsubscription.userId}.${unsubscription.kind}.${hmac(secrets, "link", signed(unsubscription))}`

/** Reads a token; undefined if it is invalid. */
export function readUnsubscribeToken(secrets: Secrets, token: string): Unsubscription | undefined {
  const [, id = "", name = "", signature = ""] = /^([1-9]\d{0,15})\.([a-z_]+)\.([\w-]+)$/.exec(token) ?? []
  const kind = name === "digest" ? ("digest" as const) : NOTIFICATION_KINDS.find((known) => known === name)
  if (!kind) return undefined
  const unsubscription = { userId: Number(id), kind }
  const isValid = hmacs(secrets, "link", signed(unsubscription)).some((valid) => sameText(valid, signature))
  return isValid ? unsubscription : undefined
}
