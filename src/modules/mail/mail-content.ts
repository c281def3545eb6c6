import type { NotificationVariables } from "../../../drizzle/schema/notifications.ts"
import { isBulkPriority, type NotificationMail, type Secret } from "../../db/outbox.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { decrypt } from "../../lib/crypto/crypto.ts"
import { appUrl, CONSOLE, startPage } from "../../lib/web/academy.ts"
import { type Brand, brandOf } from "../../lib/web/brand.ts"
import { KINDS } from "../notifications/kinds.ts"
import { type DigestItem, renderNotification } from "../notifications/notification-mail.tsx"
import { quietUntil } from "../notifications/quiet-hours.ts"
import { unsubscribeToken } from "../notifications/unsubscribe-token.ts"
import { academyLanguage, academyTimeZone } from "../settings/settings.ts"
import { renderAccountMail } from "./account-mail.tsx"
import type { ClaimedMail } from "./claimed-mail.ts"
import type { Mail } from "./mail-outcome.ts"
import { isUncertain } from "./mail-settling.ts"

/** The id of an email in logs, and its idempotency key. */
export const mailKeyOf = ({ mailingId, number }: Pick<ClaimedMail, "mailingId" | "number">) => `${mailingId}/${number}`

const zoneOf = (env: Bindings, { person, academy }: ClaimedMail) =>
  person?.timeZone ?? academyTimeZone(academy ?? undefined, env)

/** Why a mail is not sent now: until when it waits, or why it is withdrawn. */
export function holdOf(env: Bindings, claimed: ClaimedMail): { until: number } | "disabled" | "outdated" | undefined {
  const { template, person, userId } = claimed
  const isNotification = "notification" in template
  // Other mails can also go to people without an account, such as those who sign up.
  if ((isNotification || userId !== null) && person?.disabled !== 0) return "disabled"
  if (!isNotification) return undefined
  const kind = template.notification
  if (claimed.isOutdated) return "outdated"
  if (kind === "digest" || !KINDS[kind].isQuiet || template.text) return undefined
  const until = quietUntil(now(), zoneOf(env, claimed))
  return until === undefined ? undefined : { until }
}

/** @throws if the secret of the email was encrypted with a missing key */
export async function toMail(env: Bindings, claimed: ClaimedMail): Promise<Mail> {
  const secret: Secret = claimed.secret ? JSON.parse(decrypt(env, claimed.secret)) : {}
  const brand = brandOf(env, env.BASE_URL, claimed.academy, claimed.portal)
  const content = await toContent(env, claimed, { brand, secret })
  return {
    key: mailKeyOf(claimed),
    from: { name: brand.senderName ?? brand.name, email: env.MAIL_FROM },
    replyTo: brand.replyTo,
    to: claimed.recipient,
    isBulk: isBulkPriority(claimed.priority),
    isUncertain: isUncertain(claimed),
    ...content,
  }
}

async function toContent(env: Bindings, claimed: ClaimedMail, { brand, secret }: { brand: Brand; secret: Secret }) {
  const { template, name, person, academy } = claimed
  if ("notification" in template) return toNotification(env, claimed, template, secret)
  const language = person?.language ?? academyLanguage(academy ?? undefined)
  return { ...renderAccountMail({ mail: template, name, language, brand, secret }), headers: {} }
}

/** A digest stores its items in the variables of the recipient. */
interface DigestVariables {
  items?: DigestItem[]
  more?: number
}

async function toNotification(env: Bindings, claimed: ClaimedMail, mail: NotificationMail, secret: Secret) {
  const { person, academy } = claimed
  const kind = mail.notification
  const base = mail.base || env.BASE_URL
  const { items, more = 0, ...own } = (claimed.variables ?? {}) as NotificationVariables & DigestVariables
  const canUnsubscribe = base !== "" && claimed.userId !== null && (kind === "digest" || !KINDS[kind].isRequired)
  const unsubscribeUrl = canUnsubscribe
    ? `${base}/unsubscribe?token=${unsubscribeToken(env, { userId: claimed.userId ?? 0, kind })}`
    : undefined
  const content = await renderNotification({
    mail,
    variables: {
      ...mail.variables,
      ...own,
      first_name: person?.firstName ?? claimed.name,
      last_name: person?.lastName ?? "",
      path: destination(env, person?.userType, own.path ?? mail.variables?.path),
    },
    template: mail.text ?? claimed.text ?? undefined,
    locale: {
      language: person?.language ?? academyLanguage(academy ?? undefined),
      timeZone: zoneOf(env, claimed),
      base,
    },
    brand: brandOf(env, base, academy, claimed.portal),
    digest: items && { items, more },
    unsubscribeUrl,
    secret,
  })
  return {
    ...content,
    // One click ends mails of the kind (RFC 8058).
    headers: unsubscribeUrl
      ? { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
      : {},
  }
}

/** Where the mail leads: learners of an academy with its own application go there. */
function destination(env: Bindings, userType: string | undefined, path: unknown): string {
  const asText = typeof path === "string" ? path : ""
  const isInConsole = asText.startsWith(CONSOLE)
  if (!isInConsole || !userType || startPage(env, userType) === CONSOLE) return asText
  return appUrl(env) ?? asText
}
