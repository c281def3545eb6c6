import { it } from "node:test"

/** `npm test` runs a fixed sample of the long tests. TEST_MATRIX=all, as in `npm run test:all`, runs all of them. */
export const everyCombination = process.env.TEST_MATRIX === "all"

/** A test of a program that few changes touch: only TEST_MATRIX=all runs it. */
export function itInAll(title: string, run: () => void | Promise<void>) {
  if (everyCombination) it(title, run)
}
