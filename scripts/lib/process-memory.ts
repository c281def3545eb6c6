// The memory of a running workerd, and of each isolate in it, read from its inspector. Linux, for /proc.
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

const BYTES_PER_MIB = 1024 * 1024
/** How long an isolate may take to collect its garbage. */
const INSPECTOR_TIMEOUT_MS = 60_000

/** The heap of one isolate in MiB. */
export interface Heap {
  isolate: string
  used: number
  total: number
  /** Buffers outside of the JavaScript heap. */
  external: number
}

/** The resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

/** The TCP ports that a process listens on. */
function listeningPorts(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        return []
      }
    }),
  )
  const LISTEN = "0A"
  return ["tcp", "tcp6"].flatMap((protocol) =>
    readFileSync(`/proc/${pid}/net/${protocol}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = ""]) => state === LISTEN && inodes.has(inode))
      .map(([, address = ""]) => Number.parseInt(address.split(":")[1] ?? "", 16)),
  )
}

interface Target {
  id: string
  title: string
  webSocketDebuggerUrl: string
}

async function targetsAt(port: number): Promise<Target[]> {
  const list = await fetch(`http://127.0.0.1:${port}/json`, { signal: AbortSignal.timeout(2000) })
    .then((answer) => answer.json())
    .catch(() => undefined)
  return Array.isArray(list) ? list : []
}

/** The other isolates of a workerd: wrangler's inspector has taken the only connection to the service's. */
async function localRuntime(pid: number): Promise<Target[]> {
  for (const port of listeningPorts(pid)) {
    const targets = await targetsAt(port)
    if (targets.length > 0) return targets.filter(({ id }) => !id.startsWith("core:user:lectern"))
  }
  throw new Error(`The process ${pid} has no inspector.`)
}

interface HeapUsage {
  usedSize: number
  totalSize: number
  backingStorageSize: number
}

/** A heap snapshot collects all garbage, including objects outside of the JavaScript heap. Its content is ignored. */
const COLLECT = { id: 1, method: "HeapProfiler.takeHeapSnapshot" }
const READ = { id: 2, method: "Runtime.getHeapUsage" }

/** Reads the heap usage of one isolate. @param collect whether garbage is collected first */
async function heapUsage(url: string, collect: boolean): Promise<HeapUsage> {
  // wrangler's inspector refuses a connection without an origin.
  const options = { headers: { origin: "http://localhost" } }
  const socket = new WebSocket(url, options as unknown as string[])
  const timeout = setTimeout(() => socket.close(), INSPECTOR_TIMEOUT_MS)
  try {
    return await new Promise((resolve, reject) => {
      socket.addEventListener("open", () => {
        if (collect) socket.send(JSON.stringify(COLLECT))
        socket.send(JSON.stringify(READ))
      })
      socket.addEventListener("close", ({ code, reason }) =>
        reject(new Error(`The inspector at ${url} closed: ${code} ${reason}`)),
      )
      socket.addEventListener("message", ({ data }) => {
        const { id, result } = JSON.parse(String(data)) as { id?: number; result: HeapUsage }
        if (id === READ.id) resolve(result)
      })
    })
  } finally {
    clearTimeout(timeout)
    socket.close()
  }
}

async function heapOf({ id, webSocketDebuggerUrl }: Target, collect: boolean): Promise<Heap> {
  const { usedSize, totalSize, backingStorageSize } = await heapUsage(webSocketDebuggerUrl, collect)
  const [used = 0, total = 0, external = 0] = [usedSize, totalSize, backingStorageSize].map((n) => n / BYTES_PER_MIB)
  return { isolate: id, used, total, external }
}

/**
 * The heap of the service's isolate, and of the isolates of the local runtime (D1, queues, wrangler), largest first.
 * @param inspectorPort of wrangler
 * @param collect whether the service's garbage is collected first
 */
export async function heapsOf(pid: number, inspectorPort: number, collect: boolean) {
  const [service] = await targetsAt(inspectorPort)
  if (!service) throw new Error(`wrangler's inspector does not answer at port ${inspectorPort}.`)
  const runtime: Heap[] = []
  for (const target of await localRuntime(pid)) runtime.push(await heapOf(target, false))
  return { service: await heapOf(service, collect), runtime: runtime.sort((a, b) => b.total - a.total) }
}
