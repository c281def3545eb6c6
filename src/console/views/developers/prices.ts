/** US dollars that Cloudflare's paid plan asks for a million of each, as it was read on `readOn`. */
export const PRICES = { readOn: "2026-11-22", rowsRead: 0.001, rowsWritten: 1, requests: 0.3 } as const

const MILLION = 1_000_000

/** What calls cost, in US dollars. */
export const costOf = ({ calls, read, written }: { calls: number; read: number; written: number }) =>
  (calls * PRICES.requests + read * PRICES.rowsRead + written * PRICES.rowsWritten) / MILLION
