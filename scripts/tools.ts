// What the checks need beside npm: programs of the system, and a running service.
import { spawnSync } from "node:child_process"
import { notRun } from "./lib/flags.ts"

const isThere = (tool: string) => spawnSync("sh", ["-c", 'command -v "$0"', tool]).status === 0

/** Programs that a check calls, with the Debian packages that have them. It is not run where one is missing. */
export function requireTools(tools: Record<string, string>) {
  const missing = Object.entries(tools).filter(([tool]) => !isThere(tool))
  if (missing.length > 0)
    notRun(`${missing.map(([tool, name]) => `${tool} (Debian package ${name})`).join(", ")} not found.`)
}

/** A service that a check talks to. It is not run where none answers, or one that says that it does not work. */
export async function requireService(url: string) {
  const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
  const { message }: { message?: string } = (await answer?.json().catch(() => undefined)) ?? {}
  if (answer?.status === 503) notRun(`the service at ${url} is not ready: ${message}`)
  if (!answer?.ok) notRun(`no service at ${url}. Start it with npm start, or set BASE_URL.`)
}
