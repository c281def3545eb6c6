/** Quotes a value where needed, and escapes formulas. */
function toCell(value: string | number): string {
  if (typeof value === "number") return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV (RFC 4180), with a byte order mark so that spreadsheet programs detect UTF-8. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(toCell).join(",")).join("\r\n")}\r\n`

/** Saves a file through the browser. */
export function download(content: Blob, filename: string) {
  const url = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = url
  link.download = filename
  link.click()
  // Some browsers read the URL only after the click handler returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
