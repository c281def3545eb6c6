import type { SQL } from "drizzle-orm"
import type { BatchItem } from "drizzle-orm/batch"

export type Statement = BatchItem<"sqlite">
/** The ID of a new record, or the expression of the one that its batch draws. */
export type NewId = number | SQL<number>
type StatementReturning<Row> = Statement & { _: { result: Row[] } }
type Observer = (rows: unknown[]) => void

const runFirst = new WeakSet<object>()
const observers = new WeakMap<object, Observer>()

/**
 * Runs a statement before all others of its batch, so that it sees the database without their changes.
 * @param observe called with the returned rows once the batch is committed; not if the response was lost
 */
export function runFirstInBatch<Row>(statement: StatementReturning<Row>, observe: (rows: Row[]) => void): Statement {
  runFirst.add(statement)
  return onCommitted(statement, observe)
}

/** Calls `observe` with the returned rows of a statement once its batch is committed; not if the response was lost. */
export function onCommitted<Row>(statement: StatementReturning<Row>, observe: (rows: Row[]) => void): Statement {
  observers.set(statement, observe as Observer)
  return statement
}

/** The statements in the order in which they run. */
export const inRunOrder = (statements: readonly Statement[]): Statement[] => [
  ...statements.filter((statement) => runFirst.has(statement)),
  ...statements.filter((statement) => !runFirst.has(statement)),
]

/** Calls the observers of a committed batch. */
export function callObservers(batch: readonly Statement[], results: readonly unknown[]): void {
  for (const [at, statement] of batch.entries()) observers.get(statement)?.(results[at] as unknown[])
}
