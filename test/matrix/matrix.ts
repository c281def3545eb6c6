import { env } from "cloudflare:workers"

// `npm test` plays a fixed part of the large matrices. With TEST_MATRIX=all, as `npm run test:all` has it, every
// combination is played.

export const everyCombination = env.TEST_MATRIX === "all"

/**
 * Every n-th of the combinations, or all of them where TEST_MATRIX says so.
 *
 * @param offset where the part begins. Tests that share a matrix give each other's next, and so cover all of it.
 */
export const sampled = <T>(all: Iterable<T>, every: number, offset = 0): T[] =>
  [...all].filter((_, at) => everyCombination || at % every === offset % every)
