import type { Bindings } from "../env.ts"
import { onDemand } from "../lib/on-demand.ts"
import { addRoundTrip, type Meter, setMeter } from "./meter.ts"

/** Used in development only. */
const meterAll = onDemand(() => import("./meter-of-all.ts"))

/** Bindings with a meter (`getMeter`): of all bindings in development, of D1 elsewhere. */
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
    forwarded: false,
    nearTrips: 0,
  }
  let metered: Bindings
  if (env.ENVIRONMENT === "development") {
    metered = (await meterAll()).meterBindings(env, meter)
  } else {
    // Copying two dozen members would cost more than everything that is counted.
    metered = Object.create(env, { DB: { value: countRoundTrips(env.DB, meter) } }) as Bindings
  }
  setMeter(metered, meter)
  return metered
}

/** The methods of the database that `openDatabase` uses, with a counter. */
function countRoundTrips(binding: D1Database, meter: Meter) {
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
