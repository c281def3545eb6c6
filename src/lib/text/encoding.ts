// Decodes bytes from outside. Invalid bytes are refused, never replaced by U+FFFD.

/** The text of bytes without a byte order mark; undefined if the bytes or the encoding name are invalid. */
export function decodedText(bytes: Uint8Array, encoding = "utf-8"): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether the percent-encoded bytes of a query string or form are UTF-8. A single `%` is allowed. */
export function isUtf8Encoded(text: string): boolean {
  if (!text.includes("%")) return true
  try {
    for (const [run] of text.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(run)
    return true
  } catch {
    return false
  }
}
