import type { Fault } from "../../src/db/fault-injection.ts"

// What each fault of D1's comes to, for each kind of act: the tests of faults.*.test.ts hold the service against these
// cells, and `npm run documents` writes them into docs/reliability.md.

/** - `once`: it was done, once. - `none`: nothing was changed. */
type Effect = "once" | "none"

/** What a call that meets a fault comes to. */
export interface Cell {
  status: 200 | 503
  code?: "unavailable" | "outcome_unknown"
  effect: Effect
  /** What there is to say beyond that. */
  note?: string
}

export interface Row {
  /** What happens. */
  what: string
  fault: Fault
  /** It goes on: every later trip of the call fails too. */
  on?: true
  read: Cell
  /** It comes to a mutation's first trip, which only reads. */
  reading: Cell
  /** It comes to a mutation's batch. */
  writing: Cell
  /** It comes to a trip of a consumer, or of a sweep of the cron. */
  job: string
}

const fine: Cell = { status: 200, effect: "once" }
const refused: Cell = { status: 503, code: "unavailable", effect: "none" }
const unknown: Cell = { status: 503, code: "outcome_unknown", effect: "none" }

export const ROWS: Row[] = [
  {
    what: "A replica lacks a table or a column that a migration has made",
    fault: "replica-behind",
    read: { ...fine, note: "asked of the primary" },
    reading: { ...fine, note: "asked of the primary" },
    writing: { ...fine, note: "writes go to the primary" },
    job: "Jobs ask the primary.",
  },
  {
    what: "The connection is lost before D1 has the batch",
    fault: "lost-before-landing",
    read: { ...fine, note: "asked again" },
    reading: { ...fine, note: "asked again" },
    writing: { ...fine, note: "sent again" },
    job: "Sent again, or tried again with the message.",
  },
  {
    what: "The connection is lost after the batch landed",
    fault: "lost-after-landing",
    read: { ...fine, note: "asked again" },
    reading: { ...fine, note: "asked again" },
    writing: { ...fine, note: "found to have landed" },
    job: "Found to have landed, or left to its lease: another attempt goes on when that is over.",
  },
  {
    what: "The connection is lost, and lost again",
    fault: "lost-before-landing",
    on: true,
    read: refused,
    reading: refused,
    writing: { ...unknown, note: "all of it or nothing" },
    job: "Tried again with the message, or a minute later.",
  },
  {
    what: "D1 is overloaded",
    fault: "overloaded",
    read: { ...refused, note: "at once, not asked again" },
    reading: { ...refused, note: "at once, not asked again" },
    writing: { ...refused, note: "at once, not sent again" },
    job: "Tried again with the message, or a minute later.",
  },
  {
    what: "D1 is reset for its memory or CPU time",
    fault: "exhausted",
    read: { ...refused, note: "not asked again" },
    reading: { ...refused, note: "not asked again" },
    writing: { ...refused, note: "not sent again; asked whether it landed, and 200 if it did" },
    job: "Tried again with the message, or a minute later.",
  },
  {
    what: "D1 is silent",
    fault: "silent",
    read: { ...refused, note: "after 15 seconds" },
    reading: { ...refused, note: "after 15 seconds" },
    writing: { ...unknown, note: "after 15 seconds; all of it or nothing, perhaps later" },
    job: "Given up after 15 seconds; tried again with the message, or a minute later.",
  },
]
