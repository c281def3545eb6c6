import { describe, expect, it } from "vitest"
import { ApiError } from "../../src/lib/errors.ts"
import { sampled } from "./matrix.ts"
import { AROUND, everyField, HARDEST, KINDS, type Kind, LONG, taken, textOf, UNITS } from "./text-kinds.ts"

// A long text is accepted or refused. Quadratic work would exceed a test's time limit; `npm run verify -- growth`
// measures how the work grows.

/** Errors that are not responses to a client. */
async function faultsOf(kind: Kind, units: string[], length: number): Promise<string[]> {
  const faults: string[] = []
  for (const unit of units)
    for (const around of AROUND)
      try {
        await kind(textOf(unit, around, length))
      } catch (error) {
        if (!(error instanceof ApiError)) faults.push(`${JSON.stringify(unit)} in ${JSON.stringify(around)}: ${error}`)
      }
  return faults
}

describe("a long text", () => {
  for (const [at, [name, kind]] of Object.entries(KINDS).entries())
    it(`is accepted or refused in bounded time: ${name}`, async () => {
      expect(await faultsOf(kind, sampled(UNITS, 3, at), LONG)).toEqual([])
    })

  it("is accepted or refused by every field of every operation", async () => {
    const fields = await everyField()
    expect(fields.size).toBeGreaterThan(500)
    const faults: string[] = []
    for (const [at, [schema, where]] of [...fields].entries())
      for (const fault of await faultsOf(taken(schema), sampled(HARDEST, 3, at), LONG / 2))
        faults.push(`${where}: ${fault}`)
    expect(faults).toEqual([])
  })
})
