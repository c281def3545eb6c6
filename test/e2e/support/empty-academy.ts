import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "../../../scripts/lib/state.ts"

/** Creates the first owner of the academy in a state folder, as an operator does. @returns the password */
export function createOwner(stateDir: string, email: string): string {
  const script = join(root, "scripts/deploy/owner.ts")
  const made = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", script, "--local", "--email", email, "--first-name", "Olivia"],
    { cwd: root, env: { ...process.env, STATE_DIR: stateDir }, encoding: "utf8" },
  )
  const [, password] = /Password \(shown only once\): (\S+)/.exec(made.stdout) ?? []
  if (!password) throw new Error(`The owner was not created:\n${made.stdout}\n${made.stderr}`)
  return password
}

/** The address of a mail that has a text, as a file: `npm start` writes mails to the state folder. */
export function findMail(stateDir: string, text: string): string | undefined {
  const folder = join(stateDir, "mails")
  if (!existsSync(folder)) return undefined
  const path = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(folder, name))
    .find((name) => readFileSync(name, "utf8").includes(text))
  return path && pathToFileURL(path).href
}
