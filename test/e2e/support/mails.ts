import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The mails that contain a text. `npm start` writes them to files. */
export function mailsWith(stateDir: string, text: string): string[] {
  const folder = join(stateDir, "mails")
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .filter((html) => html.includes(text))
}
