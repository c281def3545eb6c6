// Whether a database holds together: what scripts look at after a service was killed, loaded, copied or erased from.
import type { DatabaseSync } from "node:sqlite"
import { COUNTED } from "../../drizzle/ground.ts"
import { keptTallies } from "../../drizzle/triggers/index.ts"
import { keptFigures, misfigured } from "../../drizzle/triggers/reports.ts"
import { miscounted } from "../../drizzle/triggers/tallies.ts"

/**
 * What does not hold in a database, a line each: pages, references, counters, tallies and figures that are not what
 * counting their rows anew gives, audit rows whose numbers have gaps, rows that follow from others and are there twice.
 */
export function unsound(db: DatabaseSync): string[] {
  const all = (sql: string) => db.prepare(sql).all()
  const told = (what: string, rows: Record<string, unknown>[]) =>
    rows.slice(0, 10).map((row) => `${what}: ${JSON.stringify(row)}`)
  const [integrity] = all("pragma integrity_check")
  const counters = COUNTED.flatMap((name) =>
    all(
      `select '${name}' as name, coalesce((select value from counters where key = '${name}'), 0) as kept,
        (select count(*) from ${name}) as counted
      where kept <> counted`,
    ),
  )
  const verbs = all(
    `select verb, count(*) as counted, (select value from counters where key = 'activities:verb:' || verb) as kept
    from activities group by verb having kept is not counted`,
  )
  const audit = all("select count(*) as numbered, max(id) as last from audit_logs having numbered <> last")
  return [
    ...(integrity?.integrity_check === "ok" ? [] : told("integrity", [integrity ?? {}])),
    ...told("a reference that leads nowhere", all("pragma foreign_key_check")),
    ...told("a counter", counters),
    ...told("a counter of activities", verbs),
    ...keptTallies.flatMap((tally) => told("a tally", all(miscounted(tally)))),
    ...keptFigures.flatMap((figure) => told("a figure", all(misfigured(figure)))),
    ...told("numbers of the audit log", audit),
  ]
}
