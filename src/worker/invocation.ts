import { meterOf } from "../db/meter.ts"
import type { Bindings } from "../env.ts"
import { onDemand } from "../lib/on-demand.ts"
import { tellCost } from "../lib/web/metrics.ts"

const faultInjection = onDemand(() => import("../db/fault-injection.ts"))

/** On a developer's machine a request may have asked for the next batch, or run, to fail (docs/reliability.md). */
export const withFault = async (env: Bindings, of: string) =>
  env.ENVIRONMENT === "development" ? (await faultInjection()).faultyOnce(env, of) : env

/** Tells what a batch or a run of the cron cost, under its name. */
export function tellAs(operation: string, env: Bindings, act: Parameters<typeof tellCost>[1]) {
  const meter = meterOf(env)
  if (meter) meter.operation = operation
  tellCost(env, act)
}
