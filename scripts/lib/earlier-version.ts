// A checkout of an earlier commit, for checks that run two versions.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fail } from "./cli.ts"
import { root } from "./state.ts"

/** The flag that names the earlier commit. */
export const FROM = {
  type: "string",
  value: "commit",
  default: "",
  about: "the earlier commit; the last tag by default",
} as const

export const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()

function lastTag(): string {
  const { status, stdout } = spawnSync("git", ["describe", "--tags", "--abbrev=0"], { cwd: root, encoding: "utf8" })
  return status === 0 ? stdout.trim() : fail("There is no tag: --from <commit>")
}

/**
 * Checks out a commit with its packages. The folder is removed when this process ends.
 * @param from the commit; empty: the last tag
 */
export function checkOutEarlier(from: string): { commit: string; folder: string } {
  const commit = git("rev-parse", "--short", from || lastTag())
  const folder = mkdtempSync(join(tmpdir(), "lectern-versions-"))
  process.once("exit", () => {
    spawnSync("git", ["worktree", "remove", "--force", folder], { cwd: root })
    rmSync(folder, { recursive: true, force: true })
  })
  process.once("SIGINT", () => process.exit(130))
  git("worktree", "add", "--quiet", "--detach", folder, commit)
  installPackages(folder)
  return { commit, folder }
}

/** With the same lock file, this checkout's packages are the right ones. */
function installPackages(folder: string) {
  const lockOf = (checkout: string) => readFileSync(join(checkout, "package-lock.json"), "utf8")
  if (lockOf(folder) === lockOf(root)) return symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  const args = ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit" })
  if (status !== 0) fail("The packages of the earlier commit cannot be installed.")
}
