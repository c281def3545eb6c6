/** A generator of random numbers that repeats its sequence for the same seed (mulberry32). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from 0 to `limit`, without it. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** One of the values; undefined if there is none. */
  pick<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)]
  }
}
