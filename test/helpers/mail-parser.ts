import { createMimeMessage } from "mimetext/browser"
import PostalMime from "postal-mime"
import type { Sent } from "./mailbox.ts"

/** A mail as a mail program reads it. */
export async function parsed({ from, to, subject, text, html, headers = {} }: Sent) {
  const message = createMimeMessage()
  message.setSender({ name: from.name, addr: from.email })
  message.setRecipient(to)
  message.setSubject(subject)
  message.setHeaders(headers)
  message.addMessage({ contentType: "text/plain", data: text })
  message.addMessage({ contentType: "text/html", data: html })
  return PostalMime.parse(message.asRaw())
}
