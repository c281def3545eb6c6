// What makes the service more expensive than the bare Worker, apart from its own code: the headers and the body of its
// requests, and the headers of its responses. The bare Worker does each of them too, beside itself without.
import { median } from "../lib/numbers.ts"
import type { Operation } from "./hot-operations.ts"
import { perRequest, run, type Side } from "./run.ts"

/** What the bare Worker can do in addition. */
const PARTS = ["request", "headers"] as const

/** Milliseconds of CPU per request that each part adds to the bare Worker. @param service whose requests are sent */
export async function measureParts(
  bare: Side,
  service: Side,
  operation: Operation,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<(typeof PARTS)[number], number>> {
  const added = { request: [] as number[], headers: [] as number[] }
  const sides = { request: withRequestOf(service, bare), headers: withPart(bare, "headers") }
  for (let round = 0; round < rounds; round++) {
    const cpuOf = async (side: Side) => perRequest(await run(side, operation, 1, seconds))
    const plain = await cpuOf(bare)
    for (const part of PARTS) added[part].push((await cpuOf(sides[part])) - plain)
  }
  return { request: median(added.request), headers: median(added.headers) }
}

/** The bare Worker with something in addition (bare/worker.ts). */
export const withPart = (bare: Side, part: string): Side => ({
  ...bare,
  ask: (operation, n) => {
    const request = bare.ask(operation, n)
    return request && { ...request, path: `${request.path}/${part}` }
  },
})

/** The bare Worker, which gets the token and the body that the service gets. */
function withRequestOf({ token, ask }: Side, bare: Side): Side {
  const side = withPart(bare, "request")
  return {
    ...side,
    token,
    ask: (operation, n) => {
      const request = side.ask(operation, n)
      const body = ask(operation, n)?.body
      return request && { ...request, ...(body && { body }) }
    },
  }
}
