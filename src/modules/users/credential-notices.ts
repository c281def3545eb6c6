import { type EmailTemplate, type QueuedMail, queueMail, SITE_PLACEHOLDER } from "../../db/outbox.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

// Tells people that what they sign in with has changed, so that they notice what they did not do themselves.

interface Notified {
  id: number
  firstName: string
  /** As it was before the change. */
  email: string
}

const notify = (
  work: UnitOfWork,
  kind: string,
  letter: EmailTemplate,
  { id, firstName, email }: Notified,
): QueuedMail => queueMail(work, kind, letter, [{ userId: id, email, name: firstName }])

const NOT_YOU = "If it was not you, tell whoever runs the academy."

/** Tells a person that their password was changed. @param base the origin that the mail leads to */
export const passwordChangedNotice = (work: UnitOfWork, base: string, person: Notified): QueuedMail =>
  notify(
    work,
    "password changed",
    {
      subject: `Your password for ${SITE_PLACEHOLDER} was changed`,
      paragraphs: [
        `The password of your account at ${SITE_PLACEHOLDER} was changed. Everybody was signed out of the account.`,
      ],
      action: { label: "Choose a new password", url: `${base}/password/forgot` },
      closing: [`If it was you, there is nothing to do. ${NOT_YOU} Choose a new password first.`],
    },
    person,
  )

/** Tells a person, at the address that they had, that their account has another one. */
export const emailChangedNotice = (work: UnitOfWork, person: Notified): QueuedMail =>
  notify(
    work,
    "address changed",
    {
      subject: `Your email address for ${SITE_PLACEHOLDER} was changed`,
      paragraphs: [
        `Your account at ${SITE_PLACEHOLDER} has another email address now. You no longer sign in with this one.`,
      ],
      closing: [`If it was you, there is nothing to do. ${NOT_YOU}`],
    },
    person,
  )

/** Tells a person that a provider signs them in now, and that what others may have set up no longer holds. */
export const accountLinkedNotice = (work: UnitOfWork, provider: string, person: Notified): QueuedMail =>
  notify(
    work,
    "account linked",
    {
      subject: `You sign in to ${SITE_PLACEHOLDER} with ${provider} now`,
      paragraphs: [
        `Your account at ${SITE_PLACEHOLDER} was linked to ${provider}. ` +
          "Nobody had proven before that its email address is " +
          "theirs. So its password, devices, API keys and two-factor authentication no longer work.",
      ],
      closing: [NOT_YOU],
    },
    person,
  )
