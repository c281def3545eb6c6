import type { EmailTemplate, Secret } from "../../db/outbox.ts"
import { SITE_PLACEHOLDER } from "../../db/outbox.ts"
import { withoutRemoteContent } from "../../lib/text/remote-content.ts"
import type { Brand } from "../../lib/web/brand.ts"
import { buttonStyle, type RenderedMail, renderFrame } from "../notifications/mail-frame.tsx"

const LINE_BREAKS = /[\r\n]+/g

/**
 * Renders an email as plain text and HTML with the same content. All texts are escaped.
 * @param brand of the portal or the academy
 */
export async function render(template: EmailTemplate, recipient: { name: string }, brand: Brand, secret: Secret = {}) {
  const site = brand.name
  const fill = (text: string) => text.replaceAll(SITE_PLACEHOLDER, () => site)
  const greeting = recipient.name ? `Hello ${recipient.name},` : "Hello,"
  const paragraphs = template.paragraphs.map(fill)
  const closing = (template.closing ?? []).map(fill)
  const url = template.action?.url ?? secret.link
  const action = template.action && url ? { label: fill(template.action.label), url } : undefined
  const subject = fill(template.subject).replace(LINE_BREAKS, " ")
  const body = template.body && { text: template.body.text, html: await withoutRemoteContent(template.body.html) }

  const text = [
    greeting,
    ...paragraphs,
    ...(body ? [body.text] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...closing,
    site,
  ].join("\n\n")
  const html = renderFrame({
    brand,
    subject,
    children: (
      <>
        <p>{greeting}</p>
        {paragraphs.map((paragraph) => (
          <p>{paragraph}</p>
        ))}
        {/* Sanitized when it was stored; remote content is removed here. */}
        {body && <div dangerouslySetInnerHTML={{ __html: body.html }} />}
        {action && (
          <p>
            <a href={action.url} style={buttonStyle(brand)}>
              {action.label}
            </a>
          </p>
        )}
        {closing.map((paragraph) => (
          <p>{paragraph}</p>
        ))}
      </>
    ),
  })
  return { subject, text: `${text}\n`, html } satisfies RenderedMail
}
