// What a check expects. It goes on after what does not hold, and tells all of it at its end.
import { fail } from "./flags.ts"

/** What did not hold, a line each. */
export const failures: string[] = []

/** Expects a value, as JSON tells it. */
export function expectSame(what: string, actual: unknown, expected: unknown) {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    failures.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}

/** Ends the check: with what did not hold, or with a word about what did. */
export function conclude(held: string) {
  if (failures.length > 0) fail(failures.join("\n"))
  console.info(held)
}
