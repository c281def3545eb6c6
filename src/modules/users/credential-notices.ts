import { type EmailTemplate, type QueuedMail, queueMail, SITE_PLACEHOLDER } from "../../db/outbox.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

// Emails that notify users of changed credentials, so that they notice changes that they did not make.

interface Notified {
  id: number
  firstName: string
  /** The address before the change. */
  email: string
}

const notify = (
  work: UnitOfWork,
  kind: string,
  template: EmailTemplate,
  { id, firstName, email }: Notified,
): QueuedMail => queueMail(work, kind, template, [{ userId: id, email, name: firstName }])

const NOT_YOU = "If you didn't make this change, contact an administrator."

/** Notifies a user that their password was changed. @param base the origin of the link in the email */
export const passwordChangedNotice = (work: UnitOfWork, base: string, person: Notified): QueuedMail =>
  notify(
    work,
    "password changed",
    {
      subject: `Your password for ${SITE_PLACEHOLDER} was changed`,
      paragraphs: [`The password of your account at ${SITE_PLACEHOLDER} was changed. All devices were signed out.`],
      action: { label: "Reset password", url: `${base}/password/forgot` },
      closing: [
        "If you made this change, no action is needed. If you didn't, reset your password and " +
          "contact an administrator.",
      ],
    },
    person,
  )

/** Notifies a user, at their previous address, that their email address was changed. */
export const emailChangedNotice = (work: UnitOfWork, person: Notified): QueuedMail =>
  notify(
    work,
    "address changed",
    {
      subject: `Your email address for ${SITE_PLACEHOLDER} was changed`,
      paragraphs: [
        `The email address of your account at ${SITE_PLACEHOLDER} was changed. You can no longer ` +
          "sign in with this address.",
      ],
      closing: [`If you made this change, no action is needed. ${NOT_YOU}`],
    },
    person,
  )

/** Notifies a user that a provider now signs them in and that earlier credentials were revoked. */
export const accountLinkedNotice = (work: UnitOfWork, provider: string, person: Notified): QueuedMail =>
  notify(
    work,
    "account linked",
    {
      subject: `You now sign in to ${SITE_PLACEHOLDER} with ${provider}`,
      paragraphs: [
        `Your account at ${SITE_PLACEHOLDER} was linked to ${provider}. Its email address had not ` +
          "been verified before, so " +
          "its password, devices, API keys and two-factor authentication were revoked.",
      ],
      closing: [NOT_YOU],
    },
    person,
  )
