import { spawnSync } from "node:child_process"

/** Fails with the Debian packages of the programs that are missing. */
export function requireTools(packages: Record<string, string>) {
  const missing = Object.keys(packages).filter((tool) => spawnSync("sh", ["-c", 'command -v "$0"', tool]).status !== 0)
  if (missing.length > 0)
    throw new Error(
      `${missing.join(", ")} not found: apt-get install ${missing.map((tool) => packages[tool]).join(" ")}`,
    )
}
