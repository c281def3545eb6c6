import fc from "fast-check"
import { expect, it, vi } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { smallAcademy } from "../factories/academy.ts"
import { added, alike, stateNow, within } from "../factories/faults.ts"
import { signedIn, tokenOf } from "../factories/index.ts"
import { type Answer, call } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"
import { REPEATABLE_MUTATIONS } from "./acts.ts"
import { callsOf, openApiDocument, shown } from "./inputs.ts"
import { everyCombination, sampled } from "./matrix.ts"

// A client sends the same call several times at once: it takes effect once, and every response is the same.

/** The number of parallel calls. */
const STORM = everyCombination ? 50 : 8

const isReplayed = ({ headers }: Answer) => headers.get("idempotency-replayed") === "true"
const sentMessages = () => Object.values(messages).flat().length

const ACTS = Object.entries(REPEATABLE_MUTATIONS).filter(([, { keyless }]) => !keyless)

it.each(ACTS)("only one of many equal parallel calls has an effect: %s", async (_, { make, timed }) => {
  const run = await make(3)
  const once = async (n: number, calls: number) => {
    const before = await stateNow()
    const sentBefore = sentMessages()
    const headers = { "idempotency-key": `call-${n}` }
    const answers = await Promise.all(Array.from({ length: calls }, () => run(n, headers)))
    return { answers, change: added(before, await stateNow()), messages: sentMessages() - sentBefore }
  }
  const [first, second] = [await once(0, 1), await once(1, 1)]
  const same = alike(first.change, second.change)
  if (timed) for (const name of [...same.keys()]) if (/\.time_/.test(name)) same.delete(name)
  const storm = await once(2, STORM)
  expect(storm.answers.map(({ status }) => status)).toEqual(Array(STORM).fill(200))
  expect(new Set(storm.answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(storm.answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
  expect(within(storm.change, same)).toEqual(within(second.change, same))
  expect(storm.messages).toBe(second.messages)
})

/** The number of parallel calls of each operation, and of the inputs from which the first accepted one is chosen. */
const WALK = { calls: 4, inputs: 4, seed: 20_261_122 }

it("only one of several equal parallel calls has an effect, in every operation", { timeout: 180_000 }, async () => {
  vi.spyOn(console, "error").mockImplementation(() => {})
  await smallAcademy()
  const { token: first, ...owner } = await signedIn("owner", { id: 700_001 })
  let token = first
  const document = await openApiDocument()
  const faults: string[] = []
  const acted = new Set<string>()
  for (const [at, operation] of sampled(operations.entries(), 7)) {
    if (operation.method === "get") continue
    const calls = fc.sample(callsOf(operation, document, { plainly: true }), {
      numRuns: WALK.inputs,
      seed: WALK.seed + at,
    })
    for (const [n, sent] of calls.entries()) {
      const where = `${operation.method} ${shown(sent)}`
      const headers = { "idempotency-key": `walk-${at}-${n}` }
      const body = sent.body === undefined ? {} : { body: sent.body }
      const send = () => call(operation.method.toUpperCase(), sent.path, { token, headers, ...body })
      const answers = await Promise.all(Array.from({ length: WALK.calls }, send))
      const [one] = answers
      const done = answers.filter(({ status }) => status < 300)
      if (done.filter((answer) => !isReplayed(answer)).length > 1) faults.push(`${where}: done more than once`)
      // Concurrent calls may fail because of the one that acted, but must not succeed with another response.
      if (new Set(done.map((answer) => JSON.stringify(answer.body))).size > 1) faults.push(`${where}: answers differ`)
      if (one?.status === 401) token = await tokenOf({ ...owner })
      if (done.length === 0) continue
      if (done.length < answers.length)
        faults.push(`${where}: ${answers.map(({ status, body }) => `${status} ${body.code ?? ""}`).join(", ")}`)
      acted.add(operation.operationId)
      break
    }
  }
  expect(faults).toEqual([])
  expect(acted.size).toBeGreaterThan(everyCombination ? 60 : 8)
})
