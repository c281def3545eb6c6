import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../lib/state.ts"

/** A generated file that is committed. */
export interface Generated {
  path: string
  text: string
}

const isCurrent = ({ path, text }: Generated) => readFileSync(join(root, path), "utf8") === text

export const outdated = (files: readonly Generated[]) =>
  files.filter((file) => !isCurrent(file)).map(({ path }) => path)

/** Writes the files that differ. */
export function write(files: readonly Generated[]) {
  for (const file of files) if (!isCurrent(file)) writeFileSync(join(root, file.path), file.text)
}
