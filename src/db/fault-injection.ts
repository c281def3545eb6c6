import type { Bindings } from "../env.ts"
import { SECOND } from "../lib/clock.ts"

// Faults of D1's made on purpose, on a developer's machine alone: what stands around the binding fails as D1 does.
// docs/operations/reliability.md tells how to ask for one.

/** What each fault does to a trip. */
export const FAULTS = {
  "replica-behind": "a replica, not the primary, lacks a column",
  "lost-before-landing": "the connection is lost, and D1 never had the batch",
  "lost-after-landing": "the connection is lost, and D1 ran the batch",
  overloaded: "D1 refuses the batch",
  exhausted: "D1 is reset while it runs the batch, which it does not keep",
  silent: "D1 never answers, and never had the batch",
} as const
export type Fault = keyof typeof FAULTS

/** Which trips of a call fail. */
interface Plan {
  fault: Fault
  /** From 1. */
  trip: number
  /** Every later one too. */
  on: boolean
}

/**
 * Reads `lost-after-landing@2` (the second trip) or `overloaded@1+` (every trip).
 * @throws with the sorts of fault that there are
 */
export function parseFault(text: string): Plan {
  const [, fault = "", trip = "1", on] = /^([a-z-]+)(?:@(\d+)(\+)?)?$/.exec(text.trim()) ?? []
  if (!(fault in FAULTS)) throw new Error(`No such fault: ${text}. There are ${Object.keys(FAULTS).join(", ")}.`)
  return { fault: fault as Fault, trip: Number(trip), on: on === "+" }
}

/** Longer than anybody waits. */
const SILENCE = 60 * SECOND

/** The bindings, the database of which fails as planned. @param told of each trip that does */
export function injectFault(env: Bindings, { fault, trip, on }: Plan, told: () => void = () => {}): Bindings {
  let trips = 0
  const withSession = (constraint?: string) => {
    const session = env.DB.withSession(constraint)
    const atReplica = constraint !== "first-primary"
    let writes = false
    const batch = async (statements: D1PreparedStatement[]) => {
      trips++
      const due = on ? trips >= trip : trips === trip
      const toPrimary = !atReplica || writes
      writes = false
      if (!due || (fault === "replica-behind" && toPrimary)) return session.batch(statements)
      told()
      if (fault === "replica-behind") throw new Error("D1_ERROR: no such column: users.born: SQLITE_ERROR")
      if (fault === "overloaded") throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.")
      if (fault === "exhausted") throw new Error("D1_ERROR: D1 DB exceeded its CPU time limit and was reset.")
      if (fault === "silent") await new Promise((resolve) => setTimeout(resolve, SILENCE))
      if (fault === "lost-after-landing") await session.batch(statements)
      throw new Error("D1_ERROR: Network connection lost.")
    }
    return {
      prepare: (query: string) => {
        writes ||= /^\s*(insert|update|delete)/i.test(query)
        return session.prepare(query)
      },
      batch,
      getBookmark: () => session.getBookmark(),
    }
  }
  // openDatabase asks no more of it.
  return { ...env, DB: { withSession } as unknown as D1Database }
}

/** What is to fail next, by what it is asked for: a queue's name, or `cron`. */
const armed = new Map<string, Plan>()

/**
 * The bindings of a request that asks for a fault: `x-fault: silent@2`. One `of` something else (`overloaded;
 * of=lectern-mail`) is kept for the next batch of that queue, or the next run of the `cron`.
 */
export function injectRequestedFault(env: Bindings, asked: string): Bindings {
  const [plan = "", of] = asked.split(/;\s*of=/)
  if (of === undefined) return injectFault(env, parseFault(plan))
  armed.set(of, parseFault(plan))
  return env
}

/** The bindings of a queue's batch or of the cron's run, where a request has asked for a fault of it. */
export function injectPendingFault(env: Bindings, of: string): Bindings {
  const plan = armed.get(of)
  armed.delete(of)
  return plan ? injectFault(env, plan) : env
}
