// Soft assertions for programs: they continue after a failure, and print all failures at the end.
import { fail } from "./cli.ts"

/** One line per failure. */
export const failures: string[] = []

/** Compares values by their JSON. */
export function expectSame(what: string, actual: unknown, expected: unknown) {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    failures.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}

/** Ends the program: with all failures, or with a summary. */
export function finish(summary: string) {
  if (failures.length > 0) fail(failures.join("\n"))
  console.info(summary)
}
