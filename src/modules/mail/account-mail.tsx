import type { AccountMail, Secret } from "../../db/outbox.ts"
import type { Brand } from "../../lib/web/brand.ts"
import { buttonStyle, type RenderedMail, renderFrame } from "../notifications/mail-frame.tsx"
import { fillLine, renderText } from "../notifications/template-text.tsx"
import { builtInTexts, scriptDirectionOf } from "../notifications/texts/built-in-texts.ts"

interface AccountMailContent {
  mail: AccountMail
  /** The name in the greeting; empty: no name. */
  name: string
  /** The recipient's language, or the academy's. */
  language: string
  brand: Brand
  secret: Secret
}

/** Renders the built-in text of a mail about an account as plain text and HTML. */
export function renderAccountMail(content: AccountMailContent): RenderedMail {
  const { mail, name, brand, secret } = content
  const { language, texts } = builtInTexts(content.language)
  const { greeting, greetingWithoutName, kinds } = texts.account
  const { subject, body } = kinds[mail.account]
  const values = {
    academy: brand.name,
    first_name: name,
    url: mail.url ?? secret.link ?? "",
    provider: mail.provider ?? "",
    password: secret.password ?? "",
  }
  const rendered = renderText(`${name ? greeting : greetingWithoutName}\n\n${body}`, values, buttonStyle(brand))
  const filledSubject = fillLine(subject, values)
  return {
    subject: filledSubject,
    text: `${rendered.text}\n\n${brand.name}\n`,
    html: renderFrame({
      brand,
      subject: filledSubject,
      language,
      direction: scriptDirectionOf(language),
      children: rendered.html,
    }),
  }
}
