import { describe, expect, it } from "vitest"
import table from "../../docs/console-operations.md?raw"
import { get } from "../helpers/client.ts"

const sources: Record<string, string> = import.meta.glob("../../src/console/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
})
const sourceOf = (file: string) => sources[`../../src/console/${file}`]

const rows = [...table.matchAll(/^\| `(\w+)` +\| (\w+) `([^`]+)` +\| (.+?) +\|$/gm)].map(
  ([, operationId = "", method = "", path = "", where = ""]) => ({
    operationId,
    call: `${method} ${path}`,
    path,
    where,
  }),
)

/**
 * Whether a file calls a path: by its template, or by the part after the base that several paths share, such as
 * `/progress/{exportId}`. In links, placeholders are values; an export is downloaded at the link of the response.
 */
function calls(source: string, path: string): boolean {
  const placeholders = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const isLink = new RegExp(`${placeholders.join("\\$\\{[^}]+\\}")}[\`"?]`).test(source)
  const ending = /\/(progress|cancel)\/\{exportId\}$/.exec(path)?.[0] ?? /\/(view|download)$/.exec(path)?.[0]
  const isFile = path.endsWith("/download/{exportId}") && source.includes("download_url")
  return source.includes(path) || isLink || isFile || (ending !== undefined && source.includes(ending))
}

describe("docs/console-operations.md", () => {
  it("has every operation of the API exactly once, with its call", async () => {
    const { body } = await get("/openapi.json")
    const operations = Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
    )
    expect(rows.map(({ operationId, call }) => `${operationId}: ${call}`).sort()).toEqual(operations.sort())
  })

  it("names a file of the console that calls the operation, or a reason", () => {
    const faults: string[] = []
    for (const { operationId, path, where } of rows) {
      if (/^none: \S.{9,}/.test(where)) continue
      const [, file = ""] = /^`([\w./-]+)`$/.exec(where) ?? []
      const source = sourceOf(file)
      if (source === undefined) faults.push(`${operationId}: no file ${where}`)
      else if (!calls(source, path)) faults.push(`${operationId}: ${file} does not call ${path}`)
    }
    expect(faults).toEqual([])
  })

  it("gives no reason for an operation whose path a view has", () => {
    const all = Object.values(sources).join("\n")
    const called = rows.filter(({ path, where }) => where.startsWith("none:") && all.includes(`"${path}"`))
    // Another method of the same path can have a view.
    const withView = new Set(rows.filter(({ where }) => !where.startsWith("none:")).map(({ path }) => path))
    expect(called.filter(({ path }) => !withView.has(path)).map(({ operationId }) => operationId)).toEqual([])
  })
})
