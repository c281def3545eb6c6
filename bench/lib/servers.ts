// Development servers that a measurement starts for itself, each with a port and a state folder of its own.
import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { fail } from "../../scripts/lib/flags.ts"
import { freePort } from "../../scripts/lib/ports.ts"
import { root } from "../../scripts/lib/state.ts"
import { CLI, quiet } from "../../scripts/lib/wrangler.ts"

export interface Server {
  url: string
  /** Resolves with the next line of its output that begins with this. */
  line: (beginning: string) => Promise<string>
  stop: () => Promise<void>
}

/** Runs a script of Node's until it is stopped. Ends this one, with what it said, when it ends before it is ready. */
async function started(
  args: (port: number) => string[],
  {
    env,
    ready,
    log,
    cwd = root,
  }: { env: (port: number) => Record<string, string>; ready: (line: string) => boolean; log?: string; cwd?: string },
): Promise<Server> {
  const port = await freePort()
  const child = spawn(process.execPath, args(port), {
    cwd,
    env: { ...process.env, ...env(port) },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const said: string[] = []
  let waiting: { beginning: string; found: (line: string) => void } | undefined
  const isReady = new Promise<boolean>((resolve) => {
    createInterface(child.stdout).on("line", (line) => {
      if (ready(line)) resolve(true)
      if (log) appendFileSync(log, `${line}\n`)
      said.push(line.slice(0, 500))
      if (said.length > 50) said.shift()
      if (waiting && line.startsWith(waiting.beginning)) waiting.found(line)
    })
    ended.then(() => resolve(false))
  })
  if (!(await isReady)) fail(`The server did not start:\n${said.join("\n")}`)
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
  }
}

/**
 * The service, as `npm start` runs it.
 * @param log a file for what it prints
 * @param checkout another version of it; this one unless given
 */
export const startService = (
  state: string,
  flags: string[],
  { log, checkout = root }: { log?: string; checkout?: string } = {},
): Promise<Server> =>
  started(() => ["--disable-warning=ExperimentalWarning", join(resolve(checkout), "scripts/start.ts"), ...flags], {
    env: (port) => ({ PORT: String(port), STATE_DIR: state }),
    ready: (line) => line.startsWith("Lectern is at"),
    cwd: checkout,
    ...(log && { log }),
  })

/** The Worker of a wrangler file, as `wrangler dev` runs it. */
export const startWorker = (config: string, state: string): Promise<Server> =>
  started(
    (port) => [
      ...["--no-warnings", CLI, "dev", "--config", config, "--persist-to", state, "--port", String(port)],
      "--show-interactive-dev-session=false",
      ...["--inspector-port", "0"],
    ],
    {
      env: () => ({ ...quiet, WRANGLER_REGISTRY_PATH: join(state, "registry"), X_LOCAL_OBSERVABILITY: "false" }),
      ready: (line) => line.includes("Ready on"),
    },
  )
