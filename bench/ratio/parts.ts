// What makes the service more expensive than the bare Worker, apart from its own JavaScript: the second round trip of a
// change, and the headers of its responses. The bare Worker does each of them too, beside itself without.
import { median } from "../lib/numbers.ts"
import type { Operation } from "./hot-operations.ts"
import { perRequest, run, type Side } from "./run.ts"

/** What the bare Worker can do in addition. */
export const PARTS = ["trips", "headers"] as const

/** Milliseconds of CPU per request that each part adds to the bare Worker. */
export async function measureParts(
  bare: Side,
  operation: Operation,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<(typeof PARTS)[number], number>> {
  const added = { trips: [] as number[], headers: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const cpuOf = async (side: Side) => perRequest(await run(side, operation, 1, seconds))
    const plain = await cpuOf(bare)
    for (const part of PARTS) added[part].push((await cpuOf(withPart(bare, part))) - plain)
  }
  return { trips: median(added.trips), headers: median(added.headers) }
}

const withPart = (bare: Side, part: string): Side => ({
  ...bare,
  ask: (operation, n) => {
    const request = bare.ask(operation, n)
    return request && { ...request, path: `${request.path}/${part}` }
  },
})
