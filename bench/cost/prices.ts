// Cloudflare's prices of the Workers paid plan, in dollars. Read on 2026-11-22 from the pricing pages of Workers, D1,
// Durable Objects, Queues and R2 at https://developers.cloudflare.com. What the plan's five dollars a month include is
// left out.
const MILLION = 1e6

/** Dollars per unit. */
export const PRICES = {
  /** A request to the Worker. */
  request: 0.3 / MILLION,
  /** A millisecond of the Worker's CPU. */
  cpu: 0.02 / MILLION,
  /** A row written by D1: a table row or an index entry. */
  written: 1 / MILLION,
  /** A row that D1 read. */
  read: 0.001 / MILLION,
  /** A call of a Durable Object. */
  objectCall: 0.15 / MILLION,
  /** A second of a Durable Object at work, at 128 MB. */
  objectSecond: (12.5 / MILLION) * 0.128,
  /** A row that a Durable Object wrote. */
  objectWritten: 1 / MILLION,
  /** A message: written, read, deleted. */
  message: (3 * 0.4) / MILLION,
  /** R2: an operation that writes or lists, and one that reads. */
  r2a: 4.5 / MILLION,
  r2b: 0.36 / MILLION,
  /** A byte in D1 for a year. */
  byteYear: (0.75 * 12) / 1e9,
} as const

/** The maximum size of one D1 database in bytes. */
export const MAX_DATABASE_BYTES = 10e9

/** The assumed duration of a Durable Object call in seconds. */
export const OBJECT_SECONDS = 0.005
