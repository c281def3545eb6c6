// Development servers for tests and measurements, each with its own port and state folder.
import { spawn } from "node:child_process"
import { appendFileSync, openSync } from "node:fs"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "./ports.ts"
import { killLeftovers, processesOf } from "./processes.ts"
import { root } from "./state.ts"
import { findWorkerd } from "./workerd.ts"
import { CLI, WRANGLER_ENV } from "./wrangler.ts"

export interface Server {
  url: string
  /** Resolves with the next line of its output that begins with this. */
  line: (beginning: string) => Promise<string>
  stop: () => Promise<void>
  /** Kills it without a signal that it could handle. */
  kill: () => Promise<void>
}

export interface Service extends Server {
  /** Kills the process of the Worker, and waits for the next one, which `wrangler dev` starts. */
  killWorkerd: () => Promise<void>
  /** Runs the cron, as `npm start` does once a minute. */
  cron: () => Promise<void>
}

/** Runs a Node program until it is stopped. @throws with its output when it ends before it is ready */
async function started(
  args: (port: number) => string[],
  {
    env,
    ready,
    log,
    errors = "inherit",
    cwd = root,
    port: wanted,
  }: {
    env: (port: number) => Record<string, string>
    ready: (line: string) => boolean
    log?: string
    /** Where its errors go; by default to those of this process. */
    errors?: "inherit" | number
    cwd?: string
    port?: number
  },
): Promise<Server> {
  const port = wanted || (await freePort())
  const child = spawn(process.execPath, args(port), {
    cwd,
    env: { ...process.env, ...env(port) },
    stdio: ["ignore", "pipe", errors],
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const output: string[] = []
  let waiting: { beginning: string; found: (line: string) => void } | undefined
  const isReady = new Promise<boolean>((resolve) => {
    if (child.stdout)
      createInterface(child.stdout).on("line", (line) => {
        if (ready(line)) resolve(true)
        if (log) appendFileSync(log, `${line}\n`)
        output.push(line.slice(0, 500))
        if (output.length > 50) output.shift()
        if (waiting && line.startsWith(waiting.beginning)) waiting.found(line)
      })
    ended.then(() => resolve(false))
  })
  if (!(await isReady)) throw new Error(`The server did not start:\n${output.join("\n")}`)
  return {
    url: `http://localhost:${port}`,
    line: (beginning) =>
      new Promise((found) => {
        waiting = { beginning, found }
      }),
    stop: async () => {
      child.kill("SIGTERM")
      await ended
    },
    kill: async () => {
      child.kill("SIGKILL")
      await ended
    },
  }
}

/** State folders of running services, which must not outlive this process. */
const running = new Set<string>()
process.on("exit", () => {
  for (const folder of running) killLeftovers(folder)
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

/** Variables as the flags that give them to a service. */
export const toVarFlags = (vars: Record<string, string>): string[] =>
  Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`])

/**
 * The service, as `npm start` runs it.
 * @param log a file for what it prints
 * @param checkout another version of it; this one unless given
 * @param port where it listens; any that is free unless given
 * @param inspectorPort where wrangler's inspector of the Worker listens; any that is free unless given
 */
export async function startService(
  state: string,
  flags: string[],
  {
    log,
    checkout = root,
    port,
    inspectorPort = 0,
  }: { log?: string; checkout?: string; port?: number; inspectorPort?: number } = {},
): Promise<Service> {
  const folder = resolve(state)
  running.add(folder)
  const script = join(resolve(checkout), "scripts/start.ts")
  // By default, wrangler picks a free port from 9229 on and binds it later: services that start at the same time would
  // pick the same one.
  const args = ["--disable-warning=ExperimentalWarning", script, ...flags, "--inspector-port", String(inspectorPort)]
  const server = await started(() => args, {
    env: (at) => ({ PORT: String(at), STATE_DIR: folder }),
    ready: (line) => line.startsWith("Lectern is at"),
    cwd: checkout,
    ...(log && { log }),
    ...(port && { port }),
  })
  return {
    ...server,
    kill: async () => {
      const ended = server.kill()
      killLeftovers(folder)
      await ended
      while (processesOf(folder).length > 0) await sleep(20)
    },
    killWorkerd: async () => {
      process.kill(findWorkerd(folder), "SIGKILL")
      const lives = () =>
        fetch(`${server.url}/health`, { signal: AbortSignal.timeout(1000) }).then(
          ({ ok }) => ok,
          () => false,
        )
      while (!(await lives())) await sleep(100)
    },
    cron: async () => {
      const answer = await fetch(`${server.url}/cdn-cgi/local/scheduled`).catch(() => undefined)
      await answer?.body?.cancel()
    },
  }
}

/**
 * The Worker of another wrangler file, as `wrangler dev` runs it.
 * @param configs its file; with several, the first one's Worker is served, and it can call the others
 * @param log a file for what it prints, errors included
 */
export const startWorker = (
  configs: string | string[],
  state: string,
  { log }: { log?: string } = {},
): Promise<Server> =>
  started(
    (port) => [
      ...["--no-warnings", CLI, "dev", "--persist-to", state, "--port", String(port)],
      ...[configs].flat().flatMap((config) => ["--config", config]),
      "--show-interactive-dev-session=false",
      ...["--inspector-port", "0"],
    ],
    {
      env: () => ({
        ...WRANGLER_ENV,
        WRANGLER_REGISTRY_PATH: join(state, "registry"),
        X_LOCAL_OBSERVABILITY: "false",
      }),
      ready: (line) => line.includes("Ready on"),
      ...(log && { log, errors: openSync(log, "a") }),
    },
  )
