/** A value as a spreadsheet reads it: quoted where it must be, and never as a formula. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as comma-separated values (RFC 4180), with the mark by which spreadsheet programs know UTF-8. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`

/** Gives the browser a file to keep. */
export function download(content: Blob, filename: string) {
  const address = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = address
  link.download = filename
  link.click()
  // Some browsers read it only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
