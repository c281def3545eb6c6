// The process that runs the Worker, and its resource usage. Linux, for /proc.
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join, resolve } from "node:path"

const attempt = <T>(read: () => T, otherwise: T): T => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** The workerd process that has files of a state folder open. @throws when there is none, or no /proc */
export function findWorkerd(state: string): number {
  const folder = `${resolve(state)}/`
  const opens = (pid: string) =>
    attempt(() => readFileSync(`/proc/${pid}/comm`, "utf8"), "").startsWith("workerd") &&
    attempt(() => readdirSync(`/proc/${pid}/fd`), []).some((fd) =>
      attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`), "").startsWith(folder),
    )
  const found = attempt(() => readdirSync("/proc"), []).find((name) => /^\d+$/.test(name) && opens(name))
  if (!found) throw new Error(`No running workerd has ${folder} open: name the service's state folder with --state.`)
  return Number(found)
}

/** Milliseconds of CPU that all threads of a process have used. */
export function cpuMilliseconds(pid: number): number {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`), [])
  if (threads.length === 0) throw new Error(`The process ${pid} has ended.`)
  const nanoseconds = threads.map((thread) =>
    attempt(() => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]), 0),
  )
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1e6
}

/** The one D1 database in a state folder. @throws when there is none */
export function requireDatabaseFile(state: string): string {
  const folder = join(resolve(state), "v3/d1/miniflare-D1DatabaseObject")
  const name = attempt(() => readdirSync(folder), []).find((entry) => /^[0-9a-f]{64}\.sqlite$/.test(entry))
  if (!name) throw new Error(`${folder} has no database.`)
  return join(folder, name)
}
