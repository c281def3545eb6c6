// Runs the project's own wrangler: quiet, without telemetry, and without asking the network for anything by itself.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "./state.ts"

export const CLI = join(root, "node_modules/wrangler/wrangler-dist/cli.js")

/** The environment that keeps wrangler from fetching `cf.json`, sending metrics and looking for a newer version. */
export const quiet = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
}

interface Run {
  status: number
  stdout: string
  stderr: string
}

/**
 * Runs one wrangler command to its end.
 * @param show true: its output goes to the terminal as it comes, and is not returned
 * @param input what it reads from its standard input
 */
export function wrangler(args: string[], { show = false, input }: { show?: boolean; input?: string } = {}): Run {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, ["--no-warnings", CLI, ...args], {
    cwd: root,
    env: { ...process.env, ...quiet },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: show ? ["inherit", "inherit", "inherit"] : ["pipe", "pipe", "pipe"],
    ...(input !== undefined && { input }),
  })
  if (error) throw error
  return { status: status ?? 1, stdout: stdout ?? "", stderr: stderr ?? "" }
}
