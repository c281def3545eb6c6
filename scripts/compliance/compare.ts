// The ledger beside what was seen.
import type { Occurrence } from "./ledger.ts"
import type { Seen } from "./observations.ts"
import { tickTime } from "./ticks.ts"

export interface Row {
  kind: string
  expected: number
  seen: number
  missing: number
  doubled: number
  unexpected: number
  mistimed: number
  /** Mails that were no longer true when they could be sent. */
  withdrawn: number
  /** Mails that the service reports as interrupted: it does not risk sending them twice. */
  interrupted: number
}

/** Access begins and ends some minutes after a tick, when the service can still be working. */
const TICKS_EARLY = 1
const isEndOfAccess = (kind: string) => /expir/.test(kind)

const show = (tick: number) => new Date(tickTime(tick)).toISOString().slice(0, 16)

/**
 * @param excuseOf why a mail may be missing; undefined: it may not
 * @returns a row for each kind, and a line for each difference
 */
export function compare(
  expected: Map<string, Occurrence>,
  seen: Seen[],
  excuseOf: (occurrence: Occurrence) => "withdrawn" | "interrupted" | undefined,
) {
  const rows = new Map<string, Row>()
  const differences: string[] = []
  const rowOf = (kind: string): Row => {
    const row = rows.get(kind) ?? {
      ...{ kind, expected: 0, seen: 0, missing: 0, doubled: 0, unexpected: 0, mistimed: 0, withdrawn: 0 },
      interrupted: 0,
    }
    rows.set(kind, row)
    return row
  }
  const found = Map.groupBy(seen, ({ kind, key }) => `${kind}: ${key}`)
  for (const [key, occurrence] of expected) {
    const row = rowOf(occurrence.kind)
    const all = found.get(key) ?? []
    if (occurrence.isOptional && all.length === 0) continue
    row.expected++
    const [first] = all
    if (!first) {
      const excuse = excuseOf(occurrence)
      if (excuse) {
        row[excuse]++
        continue
      }
      row.missing++
      differences.push(`missing at ${show(occurrence.tick)}: ${key}`)
      continue
    }
    if (all.length > 1) {
      row.doubled += all.length - 1
      differences.push(`${all.length} times: ${key}`)
    }
    const early = occurrence.tick - first.tick
    if (early < 0 || early > (isEndOfAccess(occurrence.kind) ? TICKS_EARLY : 0)) {
      row.mistimed++
      differences.push(`at ${show(first.tick)} instead of ${show(occurrence.tick)}: ${key}`)
    }
  }
  for (const [key, all] of found) {
    const [first] = all
    if (!first) continue
    rowOf(first.kind).seen += all.length
    if (expected.has(key)) continue
    rowOf(first.kind).unexpected += all.length
    differences.push(`not expected at ${show(first.tick)}: ${key}`)
  }
  return { rows: [...rows.values()], differences }
}
