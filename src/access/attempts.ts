import { waitUntil } from "cloudflare:workers"
import type { Bindings } from "../env.ts"
import type { AttemptResult } from "../lib/caller.ts"
import { tooMany } from "../lib/errors.ts"
import { crossingOf } from "../lib/web/crossing.ts"
import { callObject, clientObject } from "./clients.ts"

/** How many failures in 15 minutes block further attempts: per account and per network address. */
const MAX_FAILURES_PER_ACCOUNT = 10
const MAX_FAILURES_PER_ADDRESS = 100

/** How each result ends the attempt of the account and the attempt of the address. */
const ATTEMPT_ENDINGS = {
  correct: ["forgiveAll", "giveBack"],
  wrong: ["fail", "fail"],
  "wrong code": ["fail", "giveBack"],
  undecided: ["giveBack", "giveBack"],
} as const satisfies Record<AttemptResult, [AttemptEnding, AttemptEnding]>
type AttemptEnding = "fail" | "giveBack" | "forgiveAll"

/** Takes one of a client's attempts. `wait` is the number of seconds until the next attempt is allowed; 0: now. */
async function takeAttempt(env: Bindings, client: string, limit: number) {
  const attempt = await clientObject(env, client).attempt(limit)
  return {
    wait: attempt.wait,
    settle: async (ending: AttemptEnding) => {
      if (attempt.wait > 0) return
      try {
        await clientObject(env, client)[ending](attempt)
      } catch (error) {
        // The attempt then counts as a failure until the object is evicted, which is the safe side.
        console.error(JSON.stringify({ event: "attempt not settled", error: String(error) }))
      }
    },
  }
}

/**
 * Runs `check` as one of ten attempts of an account, and of a hundred of a network address, in 15 minutes. An error
 * thrown by `check` does not count as a failure. If the edge entry counts the attempt, `check` runs alone.
 * @param account the client of the account; omitted for a secret that cannot be guessed
 * @param address the client of the network address; omitted if the caller is signed in
 * @throws 429 with Retry-After if no attempt is left; 503 if the object is unreachable
 */
export async function limitAttempts<T>(
  env: Bindings,
  { account, address }: { account?: string; address?: string },
  check: () => Promise<{ verdict: AttemptResult; result: T }>,
): Promise<T> {
  const crossing = crossingOf(env)
  if (crossing?.isAttempt) {
    const { verdict, result } = await check()
    crossing.verdict = verdict
    return result
  }
  const [accountAttempt, addressAttempt] = await callObject("Signing in", () =>
    Promise.all([
      account === undefined ? undefined : takeAttempt(env, account, MAX_FAILURES_PER_ACCOUNT),
      address === undefined ? undefined : takeAttempt(env, address, MAX_FAILURES_PER_ADDRESS),
    ]),
  )
  const settle = (verdict: AttemptResult) => {
    const [forAccount, forAddress] = ATTEMPT_ENDINGS[verdict]
    return Promise.all([accountAttempt?.settle(forAccount), addressAttempt?.settle(forAddress)])
  }
  const wait = Math.max(accountAttempt?.wait ?? 0, addressAttempt?.wait ?? 0)
  if (wait > 0) {
    await settle("undecided")
    throw tooMany("too_many_attempts", "Too many failed attempts. Try again later.", wait)
  }
  const { verdict, result } = await check().catch(async (error: unknown) => {
    await settle("undecided")
    throw error
  })
  const settled = settle(verdict)
  // The object is near the client, and counts the attempt until it is settled.
  if (crossing) waitUntil(settled)
  else await settled
  return result
}

/**
 * Takes one of the calls in 15 minutes of a network address, then one of an account, whether or not the account exists:
 * for calls that anyone can make in another person's name.
 * @param purpose counts these calls separately from others
 * @throws 429 with Retry-After if no call is left; 503 if the object is unreachable
 */
export async function limitCalls(
  env: Bindings,
  purpose: string,
  { account, address }: { account: string; address: string },
  limits: { ofAccount: number; ofAddress: number },
): Promise<void> {
  for (const [client, limit] of [
    [address, limits.ofAddress],
    [account, limits.ofAccount],
  ] as const) {
    const wait = await callObject("This", () => clientObject(env, `${purpose}:${client}`).spend(limit))
    if (wait > 0) throw tooMany("too_many_attempts", "Too many calls of this kind. Try again later.", wait)
  }
}
