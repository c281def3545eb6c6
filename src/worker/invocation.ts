import { getMeter } from "../db/meter.ts"
import type { Bindings } from "../env.ts"
import { onDemand } from "../lib/on-demand.ts"
import { recordRequestMetrics } from "../lib/web/metrics.ts"

const faultInjection = onDemand(() => import("../db/fault-injection.ts"))

/** In development, a request can ask for the next batch or run to fail (docs/operations/reliability.md). */
export const withFault = async (env: Bindings, of: string) =>
  env.ENVIRONMENT === "development" ? (await faultInjection()).injectPendingFault(env, of) : env

/** Records the cost of a batch of messages or a cron run. */
export function recordInvocation(
  operation: string,
  env: Bindings,
  invocation: Parameters<typeof recordRequestMetrics>[1],
) {
  const meter = getMeter(env)
  if (meter) meter.operation = operation
  recordRequestMetrics(env, invocation)
}
