// One operation, called over several connections for a while, and what it cost the server's process.
import { toRequest } from "../../scripts/lib/request.ts"
import { cpuMilliseconds } from "../../scripts/lib/workerd.ts"
import { median, quantile } from "../lib/numbers.ts"
import type { BenchRequest, Operation } from "./hot-operations.ts"

export interface Side {
  url: string
  token: string
  pid: number | undefined
  ask: (operation: Operation, n: number) => BenchRequest | undefined
}

export interface Run {
  requests: number
  failed: number
  milliseconds: number[]
  seconds: number
  cpu: number
}

let asked = 3

/** The number of the next request. */
export const nextNumber = () => ++asked

/** Calls an operation repeatedly over several connections, for a time or at most a number of times. */
export async function run(
  side: Side,
  operation: Operation,
  connections: number,
  during: number,
  most = Number.POSITIVE_INFINITY,
): Promise<Run> {
  let left = most
  const result: Run = { requests: 0, failed: 0, milliseconds: [], seconds: 0, cpu: 0 }
  const cpu = side.pid ? cpuMilliseconds(side.pid) : 0
  const began = performance.now()
  const until = began + during * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until && left-- > 0) {
        const what = side.ask(operation, nextNumber())
        if (!what) return
        const started = performance.now()
        const { token } = side
        const request = toRequest(what.method, {
          token,
          body: what.body,
          ...(what.headers && { headers: what.headers }),
        })
        const answer = await fetch(side.url + what.path, request)
        await answer.arrayBuffer()
        result.milliseconds.push(performance.now() - started)
        if (answer.ok) result.requests++
        else result.failed++
      }
    }),
  )
  result.seconds = (performance.now() - began) / 1000
  result.cpu = side.pid ? cpuMilliseconds(side.pid) - cpu : 0
  return result
}

export const perRequest = ({ cpu, requests }: Run) => cpu / Math.max(1, requests)

export const summed = (runs: Run[]) => {
  const times = runs.flatMap(({ milliseconds }) => milliseconds)
  const requests = runs.reduce((sum, run) => sum + run.requests, 0)
  return {
    cpu: median(runs.map(perRequest)),
    aSecond: requests / runs.reduce((sum, run) => sum + run.seconds, 0),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failed: runs.reduce((sum, run) => sum + run.failed, 0),
  }
}
