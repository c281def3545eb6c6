// The cost of an act: from Server-Timing, the process's CPU, the growth of the database, and the log of
// background work.
import { closeSync, openSync, readSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { cpuMilliseconds, requireDatabaseFile } from "../../scripts/lib/workerd.ts"

/** What is metered of an act; the figures are for one. */
export const METERS = [
  "requests",
  "trips",
  "read",
  "written",
  "objectCalls",
  "objectWritten",
  "messages",
  "r2a",
  "r2b",
  "d1",
  "cpu",
  "bytes",
] as const
export type Meter = (typeof METERS)[number]
export type Usage = Record<Meter, number>

export const noUsage = (): Usage => Object.fromEntries(METERS.map((meter) => [meter, 0])) as Usage

/** Sums `b`, `times` over, into a copy of `a`. */
export const addUsage = (a: Usage, b: Usage, times = 1): Usage =>
  Object.fromEntries(METERS.map((meter) => [meter, a[meter] + b[meter] * times])) as Usage

/** The names of counters in Server-Timing and in log lines. */
const NAMES: Record<"d1" | "do" | "queue" | "r2", Partial<Record<string, Meter>>> = {
  d1: { trips: "trips", read: "read", written: "written", milliseconds: "d1" },
  do: { calls: "objectCalls", written: "objectWritten" },
  queue: { messages: "messages" },
  r2: { a: "r2a", b: "r2b" },
}

/** Adds the Server-Timing of an answer, and records which meters were reported. */
export function addTiming(to: Usage, reported: Set<Meter>, header: string | null) {
  to.requests++
  for (const [, part = "", desc = "", rest = ""] of (header ?? "").matchAll(/(\w+);desc="([^"]*)"([^,]*)/g)) {
    const duration = /dur=([\d.]+)/.exec(rest)?.[1]
    const pairs = [...desc.matchAll(/(\w+)=(\d+)/g)].map(([, name = "", value = ""]) => [name, value] as const)
    for (const [name, value] of [...pairs, ...(duration ? [["milliseconds", duration] as const] : [])])
      add(to, reported, part, name, Number(value))
  }
}

function add(to: Usage, reported: Set<Meter>, part: string, name: string, value: number) {
  const meter = part in NAMES ? NAMES[part as keyof typeof NAMES][name] : undefined
  if (!meter) return
  to[meter] += value
  reported.add(meter)
}

type Counts = Record<string, number>
interface LoggedEvent {
  event: string
  d1?: Counts
  do?: Counts
  queue?: Counts
  r2?: Counts
  statements?: { sql: string }[][]
}

/** The log of a service, which reads only new lines. */
export class Log {
  private offset: number
  readonly file: string
  constructor(file: string) {
    this.file = file
    this.offset = statSync(file).size
  }

  /** The events that were logged since the last call. */
  private events(): LoggedEvent[] {
    const size = statSync(this.file).size
    const bytes = Buffer.alloc(size - this.offset)
    const file = openSync(this.file, "r")
    readSync(file, bytes, 0, bytes.length, this.offset)
    closeSync(file)
    this.offset = size
    const lines: string[] = bytes.toString().split("\n")
    return lines.filter((line) => line.startsWith('{"event":')).map((line) => JSON.parse(line) as LoggedEvent)
  }

  /** What the batches of messages, or the runs of the cron, have cost since the last call. */
  since(event: "consumed" | "swept"): Usage {
    const sum = noUsage()
    for (const reported of this.events().filter((logged) => logged.event === event))
      for (const part of Object.keys(NAMES) as (keyof typeof NAMES)[])
        for (const [name, value] of Object.entries(reported[part] ?? {})) add(sum, new Set(), part, name, value)
    return sum
  }

  /** The SQL statements since the last call (`METER:statements`), and the rows that they wrote. */
  statements(): { sql: string[]; written: number } {
    const events = this.events()
    return {
      sql: events.flatMap(({ statements = [] }) => statements.flat().map(({ sql }) => sql)),
      written: events.reduce((sum, { d1 }) => sum + (d1?.written ?? 0), 0),
    }
  }
}

/** Bytes that the database's entries take; its pages, which are never full, take more. */
export function databaseBytes(state: string): number {
  const db = new DatabaseSync(requireDatabaseFile(state), { readOnly: true, timeout: 5000 })
  const sum = db.prepare("select sum(pgsize - unused) as used from dbstat").get()
  db.close()
  return Number(sum?.used)
}

/** Waits until the process is idle, so that background work has ended. */
export async function waitUntilIdle(pid: number, most = 15_000) {
  for (let waited = 0, calm = 0; waited < most && calm < 2; waited += 150) {
    const before = cpuMilliseconds(pid)
    await sleep(150)
    calm = cpuMilliseconds(pid) - before < 3 ? calm + 1 : 0
  }
}
