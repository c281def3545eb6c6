import type { NotificationKind, NotificationVariables } from "../../../drizzle/schema/notifications.ts"
import type { NotificationMail, Secret } from "../../db/outbox.ts"
import { scriptDirectionOf } from "../../lib/text/languages.ts"
import { withoutRemoteContent } from "../../lib/text/remote-content.ts"
import type { Brand } from "../../lib/web/brand.ts"
import { buttonStyle, type RenderedMail, renderFrame } from "./mail-frame.tsx"
import { type Locale, shownValues, titleOf } from "./shown-values.ts"
import { fillLine, renderText } from "./template-text.tsx"
import { builtInTexts } from "./texts/built-in-texts.ts"
import type { NotificationText } from "./texts/text-catalog.ts"

/** A notification in a daily digest. */
export interface DigestItem {
  kind: NotificationKind
  variables: NotificationVariables
  path: string
}

/** What a mail about a notification is rendered from. */
interface NotificationContent {
  mail: Pick<NotificationMail, "notification" | "body">
  /** The variables of the recipient, their name and `path` included. */
  variables: NotificationVariables
  /** The academy's text, and the language that it is in; undefined: the built-in text. */
  template?: (NotificationText & { language: string }) | undefined
  locale: Locale
  brand: Brand
  /** The items of a digest, and how many more there are. */
  digest?: { items: DigestItem[]; more: number } | undefined
  /** The page that ends mails of the kind; undefined: the kind is required. */
  unsubscribeUrl?: string | undefined
  secret?: Secret | undefined
}

/** Renders the text of a notification in the recipient's language as plain text and HTML. */
export async function renderNotification(content: NotificationContent): Promise<RenderedMail> {
  const { mail, template, brand, unsubscribeUrl, secret } = content
  const kind = mail.notification
  const builtIn = builtInTexts(content.locale.language)
  const language = template?.language ?? builtIn.language
  const locale = { ...content.locale, language }
  const { subject, body } = template ?? (kind === "digest" ? builtIn.texts.digest : builtIn.texts.kinds[kind])
  const url = secret?.link ?? content.variables.path ?? ""
  const values = shownValues(kind, { ...content.variables, academy: brand.name, url }, locale)
  const style = buttonStyle(brand)
  const filledSubject = fillLine(subject, values)
  const rendered = renderText(body, values, style)
  const digest = content.digest && renderDigest(content.digest, locale, builtIn.texts.more)
  const html = mail.body && (await withoutRemoteContent(mail.body.html))
  const footer = builtIn.texts.footer

  const text = [
    rendered.text,
    ...(digest ? [digest.text] : []),
    ...(mail.body ? [mail.body.text] : []),
    brand.name,
    ...(unsubscribeUrl ? [`${footer.reason}\n${footer.unsubscribe}: ${unsubscribeUrl}`] : []),
  ].join("\n\n")
  const document = renderFrame({
    brand,
    subject: filledSubject,
    language,
    direction: scriptDirectionOf(language),
    footer: unsubscribeUrl && (
      <>
        {footer.reason} <a href={unsubscribeUrl}>{footer.unsubscribe}</a>
      </>
    ),
    children: (
      <>
        {rendered.html}
        {digest?.html}
        {/* Sanitized when it was stored; remote content is removed here. */}
        {html !== undefined && <div dangerouslySetInnerHTML={{ __html: html }} />}
      </>
    ),
  })
  return { subject: filledSubject, text: `${text}\n`, html: document }
}

function renderDigest({ items, more }: { items: DigestItem[]; more: number }, locale: Locale, moreText: string) {
  const lines = items.map(({ kind, variables, path }) => ({
    title: titleOf(kind, variables, locale),
    url: path.startsWith("/") ? `${locale.base}${path}` : path,
  }))
  if (more > 0)
    lines.push({ title: fillLine(moreText, { count: String(more) }), url: `${locale.base}/console/notifications` })
  const html = (
    <ul>
      {lines.map(({ title, url }) => (
        <li>
          <a href={url}>{title}</a>
        </li>
      ))}
    </ul>
  )
  return { html, text: lines.map(({ title, url }) => `- ${title}: ${url}`).join("\n") }
}
