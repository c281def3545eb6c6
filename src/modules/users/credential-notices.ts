import { type AccountMail, type QueuedMail, queueMail } from "../../db/outbox.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

// Emails that notify users of changed credentials, so that they notice changes that they did not make.

interface Notified {
  id: number
  firstName: string
  /** The address before the change. */
  email: string
}

const notify = (work: UnitOfWork, kind: string, mail: AccountMail, { id, firstName, email }: Notified): QueuedMail =>
  queueMail(work, kind, mail, [{ userId: id, email, name: firstName }])

/** Notifies a user that their password was changed. @param base the origin of the link in the email */
export const passwordChangedNotice = (work: UnitOfWork, base: string, person: Notified): QueuedMail =>
  notify(work, "password changed", { account: "password_changed", url: `${base}/password/forgot` }, person)

/** Notifies a user, at their previous address, that their email address was changed. */
export const emailChangedNotice = (work: UnitOfWork, person: Notified): QueuedMail =>
  notify(work, "address changed", { account: "email_changed" }, person)

/** Notifies a user that a provider now signs them in and that earlier credentials were revoked. */
export const accountLinkedNotice = (work: UnitOfWork, provider: string, person: Notified): QueuedMail =>
  notify(work, "account linked", { account: "provider_linked", provider }, person)
