import type { AccountMail, Secret } from "../../db/outbox.ts"
import { displayAmount } from "../../lib/input/money.ts"
import { scriptDirectionOf } from "../../lib/text/languages.ts"
import type { Brand } from "../../lib/web/brand.ts"
import { buttonStyle, type RenderedMail, renderFrame } from "../notifications/mail-frame.tsx"
import { fillLine, renderText } from "../notifications/template-text.tsx"
import { builtInTexts } from "../notifications/texts/built-in-texts.ts"

interface AccountMailContent {
  mail: AccountMail
  /** The name in the greeting; empty: no name. */
  name: string
  /** The recipient's language, or the academy's. */
  language: string
  brand: Brand
  secret: Secret
}

/** The content of a cart as a Markdown list of variables, so that names are escaped like other values. */
function cartLines({ items, total, currency }: NonNullable<AccountMail["cart"]>, language: string) {
  const amount = (minor: number) => displayAmount(minor, currency, language)
  const lines = items.map(({ name, quantity, price }, at) => [`item_${at}`, `${name}: ${quantity} × ${amount(price)}`])
  return {
    list: lines.map(([variable]) => `- {{${variable}}}`).join("\n"),
    values: { ...Object.fromEntries(lines), total: amount(total) },
  }
}

/** Renders the built-in text of a mail about an account as plain text and HTML. */
export function renderAccountMail(content: AccountMailContent): RenderedMail {
  const { mail, name, brand, secret } = content
  const { language, texts } = builtInTexts(content.language)
  const { greeting, greetingWithoutName, kinds } = texts.account
  const { subject, body } = kinds[mail.account]
  const cart = mail.cart && cartLines(mail.cart, language)
  const values = {
    academy: brand.name,
    first_name: name,
    url: mail.url ?? secret.link ?? "",
    provider: mail.provider ?? "",
    password: secret.password ?? "",
    host: mail.host ?? "",
    ...cart?.values,
  }
  const text = `${name ? greeting : greetingWithoutName}\n\n${cart ? body.replace("{{items}}", cart.list) : body}`
  const rendered = renderText(text, values, buttonStyle(brand))
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
