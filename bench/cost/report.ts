// Sums the costs of acts to a learner-year, and prints them.
import { addUsage, type Meter, noUsage, type Usage } from "./meters.ts"
import type { Facts } from "./mix.ts"
import { ASSUMED } from "./mix.ts"
import { MAX_DATABASE_BYTES, OBJECT_SECONDS, PRICES } from "./prices.ts"

/** What is paid for. */
const RESOURCES = [
  "D1 rows written",
  "D1 rows read",
  "D1 storage",
  "Durable Objects, rows written",
  "Durable Objects, calls and time",
  "requests",
  "CPU",
  "queues",
  "R2",
] as const
export type Resource = (typeof RESOURCES)[number]
export type Dollars = Record<Resource, number>

interface Measurement {
  /** When, ISO 8601. */
  at: string
  facts: Facts
  acts: {
    name: string
    /** How often it happens in a learner-year, and why. */
    count: number
    from: string
    /** How often it was done. */
    times: number
    /** The cost of one act with its background work, and of the background work alone. */
    one: Usage
    includesBackgroundWork: Usage
  }[]
  /** Heartbeats a second at 16 connections. */
  heartbeats: number
  /** The meters that the service did not report. */
  notMetered: Meter[]
  assumed: Meter[]
  /** Was the work behind the answers metered? */
  behind: boolean
}

export interface Cost extends Measurement {
  /** A learner-year: figures, and dollars by resource. */
  year: Usage
  dollars: Dollars
}

export const toDollars = (of: Usage): Dollars => ({
  "D1 rows written": of.written * PRICES.written,
  "D1 rows read": of.read * PRICES.read,
  "D1 storage": of.bytes * PRICES.byteYear,
  "Durable Objects, rows written": of.objectWritten * PRICES.objectWritten,
  "Durable Objects, calls and time": of.objectCalls * (PRICES.objectCall + OBJECT_SECONDS * PRICES.objectSecond),
  requests: of.requests * PRICES.request,
  CPU: of.cpu * PRICES.cpu,
  queues: of.messages * PRICES.message,
  R2: of.r2a * PRICES.r2a + of.r2b * PRICES.r2b,
})

export const sumDollars = (dollars: Dollars) => Object.values(dollars).reduce((sum, part) => sum + part, 0)

export function toCost(measured: Measurement): Cost {
  const year = measured.acts.reduce((sum, { one, count }) => addUsage(sum, one, count), noUsage())
  return { ...measured, year, dollars: toDollars(year) }
}

/** How many learners one database bears for a year. */
export function toCapacity({ acts, year, heartbeats }: Cost) {
  /** Calls that write, in a learner-year. */
  const writing = acts.filter(({ one }) => one.requests > 0 && one.written > 0)
  const calls = writing.reduce((sum, { count, one }) => sum + count * one.requests, 0)
  /** The busiest second of the year over its mean. */
  const peak = ASSUMED.busiestDay * ASSUMED.busiestHour * 24
  const yearSeconds = 365 * 24 * 3600
  return {
    bytes: Math.floor(MAX_DATABASE_BYTES / year.bytes),
    calls,
    peak,
    writes: Math.floor((heartbeats * yearSeconds) / (calls * peak)),
  }
}

const shown = (figure: number) =>
  figure === 0 ? "·" : figure >= 100 ? figure.toFixed(0) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2)
const dollars = (sum: number) => (sum >= 0.01 ? sum.toFixed(4) : sum.toFixed(6))

const COLUMNS: [string, (of: Usage) => number][] = [
  ["requests", (of) => of.requests],
  ["trips", (of) => of.trips],
  ["read", (of) => of.read],
  ["written", (of) => of.written],
  ["DO calls", (of) => of.objectCalls],
  ["DO wr.", (of) => of.objectWritten],
  ["msgs", (of) => of.messages],
  ["R2 a", (of) => of.r2a],
  ["R2 b", (of) => of.r2b],
  ["CPU ms", (of) => of.cpu],
  ["bytes", (of) => of.bytes],
]

export function printCost(cost: Cost, other?: Cost) {
  const line = (name: string, count: string, cells: string[], rest: string) =>
    console.info(name.padEnd(26) + count.padStart(8) + cells.map((cell) => cell.padStart(9)).join("") + rest)
  const heads = COLUMNS.map(([head]) => head)
  const versus = other ? "  written then  $ then/now" : ""
  line("act", "a year", heads, `${"$ a year".padStart(11)}${versus}`)
  for (const { name, count, one } of cost.acts) {
    const sum = sumDollars(toDollars(one)) * count
    const then = other?.acts.find((act) => act.name === name)
    const times = then
      ? `${shown(then.one.written)}`.padStart(14) + ratio(sumDollars(toDollars(then.one)) * count, sum)
      : ""
    const cells = COLUMNS.map(([, of]) => shown(of(one)))
    line(name, count.toFixed(2), cells, `${dollars(sum).padStart(11)}${times}`)
  }
  const all = sumDollars(cost.dollars)
  const last = other ? `${shown(other.year.written)}`.padStart(14) + ratio(sumDollars(other.dollars), all) : ""
  line(
    "Total",
    "",
    COLUMNS.map(([, of]) => shown(of(cost.year))),
    `${dollars(all).padStart(11)}${last}`,
  )
  console.info("\nDollars a learner-year, by what is paid for:")
  for (const [resource, part] of Object.entries(cost.dollars)) {
    const then = other?.dollars[resource as Resource]
    const rest = then === undefined ? "" : `  then ${dollars(then)}${ratio(then, part)}`
    const share = ((100 * part) / all).toFixed(1)
    console.info(`  ${resource.padEnd(34)}${dollars(part).padStart(10)}${share.padStart(7)} %${rest}`)
  }
  const then = other ? `, then ${(sumDollars(other.dollars) * 10_000).toFixed(2)}` : ""
  console.info(`  10,000 learners: ${(all * 10_000).toFixed(2)} dollars a year${then}`)
  const { bytes, writes, calls, peak } = toCapacity(cost)
  const whole = (figure: number) => Math.round(figure).toLocaleString("en")
  console.info(`\nOne database bears, of learners who each learn for a year:
  by its 10 GB: ${whole(bytes)}, at ${whole(cost.year.bytes)} bytes each
  by its one writer: ${whole(writes)}, who each make ${whole(calls)} calls that write,
    at ${whole(cost.heartbeats)} a second (heartbeats, 16 connections, this machine),
    where the busiest second has ${peak.toFixed(1)} times the mean`)
  if (other) {
    const of = toCapacity(other)
    console.info(
      `  then: ${whole(of.bytes)} and ${whole(of.writes)}, at ${whole(other.heartbeats)} heartbeats a second`,
    )
  }
  for (const meter of cost.notMetered) console.info(`not measured: ${meter}, which this service does not report`)
  for (const meter of cost.assumed) console.info(`assumed: ${meter}`)
  if (!cost.behind) console.info("not metered: the work behind the answers (queues, cron); --log names the log")
}

const ratio = (then: number, now: number) => `  ${now > 0 ? (then / now).toFixed(1) : "–"} ×`
