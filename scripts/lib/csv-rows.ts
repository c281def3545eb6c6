import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseCsv } from "hucre"

/** The rows of a file by its header. @throws if the file is missing */
export function rowsOf(folder: string, name: string): Record<string, string>[] {
  const file = join(folder, name)
  if (!existsSync(file)) throw new Error(`${file} is missing. Set the folder of the dataset: --data <folder>`)
  const [head = [], ...rows] = parseCsv(readFileSync(file, "utf8"))
  const names = head.map(String)
  return rows.flatMap((row) =>
    row.length < names.length ? [] : [Object.fromEntries(names.map((column, i) => [column, String(row[i] ?? "")]))],
  )
}
