/** Prices of Cloudflare's paid plan in US dollars per million, as of `asOf`. */
export const PRICES = { asOf: "2026-11-22", rowsRead: 0.001, rowsWritten: 1, requests: 0.3 } as const

const MILLION = 1_000_000

/** Cost in US dollars. */
export const costOf = ({ calls, rowsRead, rowsWritten }: { calls: number; rowsRead: number; rowsWritten: number }) =>
  (calls * PRICES.requests + rowsRead * PRICES.rowsRead + rowsWritten * PRICES.rowsWritten) / MILLION
