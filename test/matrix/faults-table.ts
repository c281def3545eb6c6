import type { Fault } from "../../src/db/fault-injection.ts"

// The expected outcome of each D1 fault. docs/operations/reliability.md shows the same table to operators.

/** - `runOnce`: the change was made once. - `noUsage`: nothing was changed. */
type Effect = "once" | "none"

/** The outcome of a request. */
export interface Cell {
  status: 200 | 503
  code?: "unavailable" | "outcome_unknown"
  effect: Effect
}

interface Row {
  /** Describes the fault. */
  what: string
  fault: Fault
  /** Every later round trip of the request fails, too. */
  on?: true
  read: Cell
  /** The fault occurs in the first round trip of a change, which only reads. */
  reading: Cell
  /** The fault occurs in the batch of a change. */
  writing: Cell
}

const fine: Cell = { status: 200, effect: "once" }
const refused: Cell = { status: 503, code: "unavailable", effect: "none" }
const unknown: Cell = { status: 503, code: "outcome_unknown", effect: "none" }

export const ROWS: Row[] = [
  {
    what: "A replica lacks a table or a column that a migration has made",
    fault: "replica-behind",
    read: fine,
    reading: fine,
    writing: fine,
  },
  {
    what: "The connection is lost before D1 has the batch",
    fault: "lost-before-landing",
    read: fine,
    reading: fine,
    writing: fine,
  },
  {
    what: "The connection is lost after the batch landed",
    fault: "lost-after-landing",
    read: fine,
    reading: fine,
    writing: fine,
  },
  {
    what: "The connection is lost, and lost again",
    fault: "lost-before-landing",
    on: true,
    read: refused,
    reading: refused,
    writing: unknown,
  },
  {
    what: "D1 is overloaded",
    fault: "overloaded",
    read: refused,
    reading: refused,
    writing: refused,
  },
  {
    what: "D1 is reset for its memory or CPU time",
    fault: "exhausted",
    read: refused,
    reading: refused,
    writing: refused,
  },
  {
    what: "D1 is silent",
    fault: "silent",
    read: refused,
    reading: refused,
    writing: unknown,
  },
]
