// Runs the project's own wrangler: quiet, without telemetry, and without asking the network for anything by itself.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fail } from "./cli.ts"
import { root } from "./state.ts"

/** `WRANGLER`: another program in its place, which a test writes. */
export const CLI = process.env.WRANGLER || join(root, "node_modules/wrangler/wrangler-dist/cli.js")

/** The environment that keeps wrangler from fetching `cf.json`, sending metrics and looking for a newer version. */
export const WRANGLER_ENV = {
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
 * @param env variables in addition to those of this process
 */
export function wrangler(
  args: string[],
  { show = false, input, env = {} }: { show?: boolean; input?: string; env?: Record<string, string> } = {},
): Run {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, ["--no-warnings", CLI, ...args], {
    cwd: root,
    env: { ...process.env, ...WRANGLER_ENV, ...env },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: show ? ["inherit", "inherit", "inherit"] : ["pipe", "pipe", "pipe"],
    ...(input !== undefined && { input }),
  })
  if (error) throw error
  return { status: status ?? 1, stdout: stdout ?? "", stderr: stderr ?? "" }
}

/**
 * Runs SQL in D1. It binds no parameters.
 * @param where the flags that say which database: `--local` or `--remote`, and what those need
 * @returns the rows of the first statement
 */
export function execute(where: string[], sql: string): Record<string, unknown>[] {
  const { status, stdout, stderr } = wrangler(["d1", "execute", "DB", ...where, "--json", "--command", sql])
  if (status !== 0) fail(`D1 returned an error:\n${stdout}${stderr}`)
  const [result] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { results: Record<string, unknown>[] }[]
  return result?.results ?? []
}
