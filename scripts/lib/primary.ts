// The second Worker of a deployment: the primary entry, which runs changes near the database (docs/adr/0020).
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CONFIG, type Settings } from "./deployment.ts"
import { root } from "./state.ts"

/** Beside the configuration of the edge entry. */
const PRIMARY_CONFIG = join(root, "wrangler.deployment-primary.toml")

export const primaryName = ({ name }: Settings) => `${name}-primary`

/** Where the primary entry runs; undefined: the deployment has one Worker, which runs changes itself. */
const placementOf = ({ values }: Settings): string | undefined => values.PRIMARY_PLACEMENT || undefined

/** Whether the deployment has two Workers. */
export const hasPrimary = (settings: Settings): boolean => placementOf(settings) !== undefined

/** Tables that only the edge entry has: it consumes the queues and runs the cron, which placement does not move. */
const EDGE_ONLY = /^\[\[(env\.production\.queues\.consumers|migrations)\]\]/

/** The configuration of the primary entry, made of the edge entry's. */
function primaryConfig(edge: string, settings: Settings): string {
  const placement = placementOf(settings) ?? ""
  const placed = placement === "smart" ? `mode = "smart"` : `region = ${JSON.stringify(placement)}`
  const change = (table: string): string => {
    if (table.startsWith("[env.production.triggers]")) return "[env.production.triggers]\ncrons = []\n\n"
    // The objects are the edge entry's.
    if (/^\[\[(env\.production\.)?durable_objects\.bindings\]\]/.test(table))
      return `${table.trimEnd()}\nscript_name = ${JSON.stringify(settings.name)}\n\n`
    if (!table.startsWith("[env.production]\n")) return table
    const lines = table.split("\n").filter((line) => !/^(routes|workers_dev|placement) = /.test(line))
    const own = lines.map((line) => (line.startsWith("name = ") ? `name = "${primaryName(settings)}"` : line))
    // Only the edge entry can call it.
    return [own[0], "workers_dev = false", "preview_urls = false", `placement = { ${placed} }`, ...own.slice(1)].join(
      "\n",
    )
  }
  return edge
    .replace('main = "src/index.ts"', 'main = "src/primary.ts"')
    .split(/^(?=\[)/m)
    .filter((table) => !EDGE_ONLY.test(table))
    .map(change)
    .join("")
}

/** The edge entry's configuration with the binding of the primary entry. */
const boundConfig = (edge: string, settings: Settings): string =>
  edge.replace(
    "[env.production]\n",
    `[env.production]\nservices = [{ binding = "PRIMARY", service = "${primaryName(settings)}" }]\n`,
  )

/**
 * Writes the configuration of the primary entry, and the binding into that of the edge entry.
 * @returns the flags that select the primary entry; undefined for a deployment with one Worker
 */
export function writePrimaryConfig(settings: Settings): string[] | undefined {
  if (!placementOf(settings)) return undefined
  const edge = readFileSync(CONFIG, "utf8")
  writeFileSync(PRIMARY_CONFIG, primaryConfig(edge, settings))
  writeFileSync(CONFIG, boundConfig(edge, settings))
  return ["--config", PRIMARY_CONFIG, "--env", "production"]
}
