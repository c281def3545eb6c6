import type { EmailTemplate, Secret } from "../../db/outbox.ts"
import { SITE_PLACEHOLDER } from "../../db/outbox.ts"

/** A rendered email. */
interface RenderedParts {
  subject: string
  text: string
  html: string
}

const LINE_BREAKS = /[\r\n]+/g

/**
 * Renders an email as plain text and HTML with the same content. The HTML loads nothing from other servers, and all
 * texts are escaped.
 * @param site the name of the portal or the academy
 */
export async function render(template: EmailTemplate, recipient: { name: string }, site: string, secret: Secret = {}) {
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
    ...(secret.password ? [secret.password] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...closing,
    site,
  ].join("\n\n")
  const html = `<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 36rem">
        <p>{greeting}</p>
        {paragraphs.map((paragraph) => (
          <p>{paragraph}</p>
        ))}
        {/* Sanitized when it was stored; remote content is removed here. */}
        {body && <div dangerouslySetInnerHTML={{ __html: body.html }} />}
        {secret.password && (
          <p>
            <code>{secret.password}</code>
          </p>
        )}
        {action && (
          <p>
            <a href={action.url}>{action.label}</a>
          </p>
        )}
        {closing.map((paragraph) => (
          <p>{paragraph}</p>
        ))}
        <p>{site}</p>
      </body>
    </html>
  )}`
  return { subject, text: `${text}\n`, html } satisfies RenderedParts
}

/** Removes everything that a mail client would load: images and other media, styles, frames. */
async function withoutRemoteContent(html: string): Promise<string> {
  const selector = "img, picture, source, svg, video, audio, track, iframe, object, embed, link, style, script"
  const rewriter = new HTMLRewriter()
    .on(selector, { element: (element) => void element.remove() })
    .on("[style], [background]", {
      element: (element) => void element.removeAttribute("style").removeAttribute("background"),
    })
  return rewriter.transform(new Response(html)).text()
}
