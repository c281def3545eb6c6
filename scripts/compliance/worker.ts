// The service with a clock that npm run verify -- compliance moves. The address in CLOCK_URL returns how far the clock
// is from the real one, in milliseconds. It is an entry of its own, so the deployed Worker does not contain it.
import { WorkerEntrypoint } from "cloudflare:workers"
import { serve, serveCrossing } from "../../src/app.ts"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"

export { RateLimiter, WebhookQueue } from "../../src/index.ts"

interface ClockBindings extends Bindings {
  CLOCK_URL: string
}

let offset = 0
const realNow = Date.now.bind(Date)
const movedNow = () => realNow() + offset

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length > 0 ? given : [movedNow()], newTarget),
  get: (target, key) => (key === "now" ? movedNow : Reflect.get(target, key)),
})

/** Reads the clock. @returns the bindings with a queue that delivers at once, because a simulated day takes less. */
async function atClock(env: Bindings): Promise<Bindings> {
  const answer = await fetch((env as ClockBindings).CLOCK_URL)
  offset = Number(await answer.text())
  return { ...env, JOBS: { ...env.JOBS, send: (body) => env.JOBS.send(body) } }
}

export class Primary extends WorkerEntrypoint<Bindings> {
  override fetch(request: Request): Promise<Response> {
    return serveCrossing(request, this.env, this.ctx)
  }
}

export default {
  fetch: async (request, env, ctx) => serve(request, await atClock(env), ctx),
  queue: async (batch, env) => worker.queue(batch, await atClock(env)),
  scheduled: async (event, env) => worker.scheduled(event, await atClock(env)),
} satisfies ExportedHandler<Bindings>
