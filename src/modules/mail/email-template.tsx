import type { EmailTemplate, Secret } from "../../db/outbox.ts"
import { SITE_PLACEHOLDER } from "../../db/outbox.ts"

/** A mail as it goes out. */
interface Rendered {
  subject: string
  text: string
  html: string
}

const LINE_BREAKS = /[\r\n]+/g

/**
 * Makes both parts of a mail: plain text and HTML, the same words. The HTML carries no image and nothing else that a
 * mail program would fetch from elsewhere; every text in it is escaped.
 * @param site the portal's name, or the academy's
 */
export async function render(letter: EmailTemplate, addressee: { name: string }, site: string, secret: Secret = {}) {
  const fill = (text: string) => text.replaceAll(SITE_PLACEHOLDER, () => site)
  const greeting = addressee.name ? `Hello ${addressee.name},` : "Hello,"
  const paragraphs = letter.paragraphs.map(fill)
  const closing = (letter.closing ?? []).map(fill)
  const url = letter.action?.url ?? secret.link
  const action = letter.action && url ? { label: fill(letter.action.label), url } : undefined
  const subject = fill(letter.subject).replace(LINE_BREAKS, " ")
  const body = letter.body && { text: letter.body.text, html: await withoutRemote(letter.body.html) }

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
        {/* Sanitized on its way in, and stripped here of all that is fetched. */}
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
  return { subject, text: `${text}\n`, html } satisfies Rendered
}

/** Removes what a mail program would fetch: images and other media, styles, frames. */
async function withoutRemote(html: string): Promise<string> {
  const gone = "img, picture, source, svg, video, audio, track, iframe, object, embed, link, style, script"
  const rewriter = new HTMLRewriter()
    .on(gone, { element: (element) => void element.remove() })
    .on("[style], [background]", {
      element: (element) => void element.removeAttribute("style").removeAttribute("background"),
    })
  return rewriter.transform(new Response(html)).text()
}
