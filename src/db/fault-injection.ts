import type { Bindings } from "../env.ts"
import { SECOND } from "../lib/clock.ts"

// Injects D1 faults in development: the binding fails as D1 does.
// docs/operations/reliability.md describes how to request one.

/** The faults and their effect on a round trip. */
export const FAULTS = {
  "replica-behind": "a replica, not the primary, lacks a column",
  "lost-before-landing": "the connection is lost, and D1 never had the batch",
  "lost-after-landing": "the connection is lost, and D1 ran the batch",
  overloaded: "D1 refuses the batch",
  exhausted: "D1 is reset while it runs the batch, which it does not keep",
  silent: "D1 never answers, and never had the batch",
} as const
export type Fault = keyof typeof FAULTS

/** Which round trips of a request fail. */
interface Plan {
  fault: Fault
  /** From 1. */
  trip: number
  /** Whether all later round trips fail too. */
  on: boolean
}

/**
 * Parses `lost-after-landing@2` (the second round trip) or `overloaded@1+` (every round trip).
 * @throws with the list of faults
 */
export function parseFault(text: string): Plan {
  const [, fault = "", trip = "1", on] = /^([a-z-]+)(?:@(\d+)(\+)?)?$/.exec(text.trim()) ?? []
  if (!(fault in FAULTS)) throw new Error(`Unknown fault: ${text}. Use one of ${Object.keys(FAULTS).join(", ")}.`)
  return { fault: fault as Fault, trip: Number(trip), on: on === "+" }
}

/** Longer than the query timeout. */
const SILENCE_MS = 60 * SECOND

/** Bindings whose database fails as planned. @param onFault called for each failing round trip */
export function injectFault(env: Bindings, { fault, trip, on }: Plan, onFault: () => void = () => {}): Bindings {
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
      onFault()
      if (fault === "replica-behind") throw new Error("D1_ERROR: no such column: users.born: SQLITE_ERROR")
      if (fault === "overloaded") throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.")
      if (fault === "exhausted") throw new Error("D1_ERROR: D1 DB exceeded its CPU time limit and was reset.")
      if (fault === "silent") await new Promise((resolve) => setTimeout(resolve, SILENCE_MS))
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
  // openDatabase uses nothing else of the binding.
  return { ...env, DB: { withSession } as unknown as D1Database }
}

/** The pending faults by target: a queue's name, or `cron`. */
const pending = new Map<string, Plan>()

/**
 * The bindings for a request that asks for a fault: `x-fault: silent@2`. With a target (`overloaded;
 * of=lectern-mail`) the fault applies to the next batch of that queue, or the next `cron` run.
 */
export function injectRequestedFault(env: Bindings, asked: string): Bindings {
  const [plan = "", of] = asked.split(/;\s*of=/)
  if (of === undefined) return injectFault(env, parseFault(plan))
  pending.set(of, parseFault(plan))
  return env
}

/** The bindings for a queue batch or a cron run, with the fault that a request asked for. */
export function injectPendingFault(env: Bindings, of: string): Bindings {
  const plan = pending.get(of)
  pending.delete(of)
  return plan ? injectFault(env, plan) : env
}
