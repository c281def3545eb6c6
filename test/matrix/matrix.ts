import { env } from "cloudflare:workers"

// `npm test` runs a fixed sample of the large matrices. TEST_MATRIX=all, as in `npm run test:all`, runs every
// combination.

export const everyCombination = env.TEST_MATRIX === "all"

/**
 * Every n-th combination, or all of them with TEST_MATRIX=all. Choose `every` without a common divisor with the length
 * of the inner dimensions, so that the sample contains each of their values.
 *
 * @param offset where the sample begins: tests that share a matrix pass consecutive offsets, and together run all of it
 */
export const sampled = <T>(all: Iterable<T>, every: number, offset = 0): T[] =>
  [...all].filter((_, at) => everyCombination || at % every === offset % every)
