import type { Bindings } from "../env.ts"
import { onDemand } from "../lib/on-demand.ts"
import { addRoundTrip, type Meter, setMeter } from "./meter.ts"

/** Of a development server alone. */
const meterOfAll = onDemand(() => import("./meter-of-all.ts"))

/** Bindings that count what is asked of them (`getMeter`): all of it in development, elsewhere D1. */
export async function withMeter(env: Bindings): Promise<Bindings> {
  const meter: Meter = {
    d1: { trips: 0, read: 0, written: 0, milliseconds: 0, mostWritten: 0 },
    do: { calls: 0, written: 0 },
    queue: { messages: 0 },
    r2: { a: 0, b: 0 },
    statements: env.METER === "statements" ? [] : undefined,
    operation: "",
    caller: "",
    role: "",
  }
  let counted: Bindings
  if (env.ENVIRONMENT === "development") {
    counted = (await meterOfAll()).meterBindings(env, meter)
  } else {
    // A copy of two dozen members would cost more than all that is counted.
    counted = Object.create(env, { DB: { value: countingTrips(env.DB, meter) } }) as Bindings
  }
  setMeter(counted, meter)
  return counted
}

/** The database with no more than `openDatabase` asks of it. */
function countingTrips(binding: D1Database, meter: Meter) {
  const withSession = (constraint?: D1SessionBookmark | D1SessionConstraint) => {
    const session = binding.withSession(constraint)
    return {
      prepare: session.prepare.bind(session),
      getBookmark: () => session.getBookmark(),
      batch: async <T>(statements: D1PreparedStatement[]) => {
        const results = await session.batch<T>(statements)
        addRoundTrip(meter, results)
        return results
      },
    }
  }
  return { withSession } as unknown as D1Database
}
