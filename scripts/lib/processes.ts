// Which processes belong to a server's state folder: they carry its name in their environment (Linux; elsewhere none
// are found, and a process left behind by a killed start is the user's to end).
import { readdirSync, readFileSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** What a server's processes are marked with. `start` is the process that answers for them. */
export const processMarkers = (stateDir: string) => ({ LECTERN_STATE: stateDir, LECTERN_START: String(process.pid) })

/** The marked processes of a state folder, and whether the start that answers for them still runs. */
export function processesOf(stateDir: string): { pid: number; attended: boolean }[] {
  let pids: string[]
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
  return pids.flatMap((pid) => {
    const environment = read(`/proc/${pid}/environ`).split("\0")
    if (!environment.includes(`LECTERN_STATE=${stateDir}`)) return []
    const start = environment.find((entry) => entry.startsWith("LECTERN_START="))?.split("=")[1]
    return [{ pid: Number(pid), attended: read(`/proc/${start}/cmdline`).includes("scripts/start.ts") }]
  })
}

/** Kills the remaining processes of a state folder. */
export function killLeftovers(stateDir: string) {
  for (const { pid } of processesOf(stateDir)) {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It ended by itself in between.
    }
  }
}

/** The processes that this one was started by, two generations up: npm starts a shell, and the shell starts this. */
export function ancestorIds(): string {
  const parent = process.ppid
  const grandparent = /\) \w (\d+)/.exec(read(`/proc/${parent}/stat`))?.[1] ?? ""
  return `${parent} ${grandparent}`
}
