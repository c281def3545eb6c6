import { describe, expect, it } from "vitest"
import { openZip } from "../../src/lib/files/zip.ts"
import { csvRows } from "../../src/lib/spreadsheet/csv.ts"
import { readSpreadsheet } from "../../src/lib/spreadsheet/spreadsheet.ts"
import { readManifest } from "../../src/modules/courses/scorm-manifest.ts"
import { manifest12 } from "../../test/factories/scorm.ts"
import { rawZip, sheetOf, stringsOf, workbook } from "../../test/factories/zips.ts"

// Files of twice the size cost at most two and a half times as much: quadratic work costs four times. One file of twice
// the size is compared with two files in sequence, so that a busy machine slows both. The minimum time of each counts,
// and more rounds run until both minimums are stable.

const ROUNDS = { least: 3, most: 25 }
const MAX_GROWTH = 2.5
/** The shortest measured time in milliseconds: below it, garbage collection dominates. Quadratic work takes seconds. */
const LEAST = 100

const millisecondsOf = async (...runs: (() => unknown)[]) => {
  await scheduler.wait(0)
  const began = performance.now()
  for (const run of runs) await run()
  await scheduler.wait(0)
  return performance.now() - began
}

/** How many times the cost of size n that of 2n is. */
async function growth(make: (n: number) => Promise<() => unknown> | (() => unknown), n: number): Promise<number> {
  const [small, large] = [await make(n), await make(2 * n)]
  const times = { two: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
  const ratio = () => (2 * times.large) / Math.max(LEAST, times.two)
  for (let round = 0; round < ROUNDS.most && (round < ROUNDS.least || ratio() > MAX_GROWTH); round++) {
    times.two = Math.min(times.two, await millisecondsOf(small, small))
    times.large = Math.min(times.large, await millisecondsOf(large))
  }
  return ratio()
}

const refused = (run: () => Promise<unknown>) => () => run().catch(() => {})
const spreadsheet = (sheet: string, strings?: string) => async () => {
  const bytes = await workbook(sheet, strings)
  return refused(() => readSpreadsheet(bytes, 5000))
}
const csv = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  return refused(() => readSpreadsheet(bytes, 5000))
}
const manifest = (more: string) => () =>
  readManifest(manifest12().replace("<metadata>", `${more}<metadata>`)).catch(() => {})

describe("the cost of a file grows with its size", () => {
  const kinds: [string, number, (n: number) => Promise<() => unknown> | (() => unknown)][] = [
    ["a sheet's rows", 2000, (n) => spreadsheet(sheetOf(n))()],
    ["a sheet's cells", 200, (n) => spreadsheet(sheetOf(n, { inRow: () => "<c><v>1</v></c>".repeat(100) }))()],
    ["a sheet's blank cells", 20_000, (n) => spreadsheet(sheetOf(1, { inRow: () => '<c s="1"/>'.repeat(n) }))()],
    ["shared texts", 100_000, (n) => spreadsheet(sheetOf(1), stringsOf(n))()],
    ["a comment in a sheet", 4_000_000, (n) => spreadsheet(sheetOf(1, { before: `<!--${"x".repeat(n)}-->` }))()],
    ["an attribute in a sheet", 4_000_000, (n) => spreadsheet(sheetOf(1, { before: `<a b="${"x".repeat(n)}"/>` }))()],
    ["an open bracket in a sheet", 4_000_000, (n) => spreadsheet(sheetOf(1, { before: `<!--${"<".repeat(n)}-->` }))()],
    ["a csv's rows", 2000, (n) => csv(`email,first_name\n${"a@example.com,Ann\n".repeat(n)}`)],
    ["a csv's blank lines", 1_000_000, (n) => csv("\n".repeat(n))],
    ["a csv's quotes", 1_000_000, (n) => csv(`email\n"${'""'.repeat(n)}"`)],
    ["a csv's line", 2_000_000, (n) => csv("x".repeat(n))],
    ["a csv's columns", 2_000_000, (n) => () => [...csvRows(",".repeat(n), { columns: 1e7, value: 10 })]],
    [
      "a zip's files",
      20_000,
      (n) => {
        const bytes = rawZip(Array.from({ length: n }, (_, i) => ({ name: `f${i}`, content: "x" })))
        return () => openZip(bytes, { field: "file", entries: 1e5, unpacked: 1e9 })
      },
    ],
    ["a manifest's elements", 20_000, (n) => manifest("<file href='x'/>".repeat(n))],
    ["a manifest's comment", 900_000, (n) => manifest(`<!--${"-x".repeat(n)}-->`)],
    ["a manifest's attribute", 900_000, (n) => manifest(`<a b="${"&amp;".repeat(n / 5)}"/>`)],
    ["a manifest's depth", 400, (n) => manifest("<item>".repeat(n) + "</item>".repeat(n))],
  ]
  for (const [kind, n, make] of kinds)
    it(`by ${kind}`, async () => {
      expect(await growth(make, n)).toBeLessThanOrEqual(MAX_GROWTH)
    })
})
