import { describe, expect, it } from "vitest"
import {
  AROUND,
  everyField,
  HARDEST,
  KINDS,
  type Kind,
  LONG,
  taken,
  textOf,
  UNITS,
} from "../../test/matrix/text-kinds.ts"

// The work for an input grows linearly with its length: text of any kind that is twice as long costs at most two and a
// half times as much. An input that is cheap at 40,000 characters passes, because quadratic work would be slow. For the
// others, the growth is measured as the minimum of several runs, and measured again before it counts as a failure.

/** Milliseconds up to which 40,000 characters pass without a measurement of growth. */
const CHEAP = 40
const MAX_GROWTH = 2.5

async function once(kind: Kind, text: string): Promise<number> {
  const began = performance.now()
  try {
    await kind(text)
  } catch {
    // Refused: that was the work.
  }
  return performance.now() - began
}

async function least(kind: Kind, text: string, runs: number): Promise<number> {
  let found = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) found = Math.min(found, await once(kind, text))
  return found
}

/** The number of measurements that confirm a growth: a clear excess needs fewer. */
const proofs = (growth: number) => (growth > 3.4 ? 2 : 10)

/** The cost of a text relative to half of it; 0 if the half is too cheap to measure. */
async function growthAt(length: number, kind: Kind, textOfLength: (length: number) => string): Promise<number> {
  const [half, whole] = [textOfLength(length / 2), textOfLength(length)]
  let found = Number.POSITIVE_INFINITY
  for (let proof = 1; found > MAX_GROWTH && proof <= proofs(found); proof++) {
    const base = await least(kind, half, 1 + proof)
    if (base < CHEAP / 8) return 0
    found = (await least(kind, whole, 1 + proof)) / base
  }
  return found
}

/** The excessive growth at the first measurable length; 0 if there is none. */
async function growth(kind: Kind, unit: string, around: [string, string], longest = LONG): Promise<number> {
  const textOfLength = (length: number) => textOf(unit, around, length)
  for (const length of [longest / 16, longest / 4, longest]) {
    if ((await once(kind, textOfLength(length))) < CHEAP) continue
    const found = await growthAt(length, kind, textOfLength)
    if (found > MAX_GROWTH) return found
  }
  return 0
}

describe("the cost of a text of twice the length", () => {
  for (const [name, kind] of Object.entries(KINDS))
    it(`is at most two and a half times as much: ${name}`, { timeout: 180_000 }, async () => {
      const faults: string[] = []
      for (const unit of UNITS)
        for (const around of AROUND) {
          const found = await growth(kind, unit, around)
          if (found > 0) faults.push(`${JSON.stringify(unit)} in ${JSON.stringify(around)}: ${found.toFixed(1)} times`)
        }
      expect(faults).toEqual([])
    })

  it("is at most two and a half times as much: every field of every operation", { timeout: 180_000 }, async () => {
    const fields = await everyField()
    expect(fields.size).toBeGreaterThan(500)
    const faults: string[] = []
    for (const [schema, where] of fields)
      for (const unit of HARDEST)
        for (const around of [
          ["", ""],
          ["1", "!"],
        ] as [string, string][]) {
          const found = await growth(taken(schema), unit, around, LONG / 2)
          if (found > 0) faults.push(`${where}: ${JSON.stringify(unit)}: ${found.toFixed(1)} times`)
        }
    expect(faults).toEqual([])
  })

  it("is seen where it is the square", async () => {
    const square: Kind = (text) => {
      let sum = 0
      for (let i = 0; i < text.length; i++) for (let j = 0; j < text.length; j++) sum += i ^ j
      return sum
    }
    expect(await growth(square, "a", ["", ""])).toBeGreaterThan(MAX_GROWTH)
    expect(await growth((text: string) => text.normalize("NFC"), "\u0301\u0316", ["a", ""])).toBeGreaterThan(MAX_GROWTH)
  })
})
