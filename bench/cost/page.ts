// A run's figures as a part of a page in Markdown, between two marks.
import { type Cost, type Resource, sumDollars, toCapacity, toDollars } from "./report.ts"

const BEGIN = "<!-- Written by npm run bench -- cost --page -->"
const END = "<!-- Written until here -->"

const cents = (dollars: number) => (dollars * 100).toFixed(4)
const whole = (figure: number) => Math.round(figure).toLocaleString("en")
const rows = (figure: number) => (figure === 0 ? "" : figure.toFixed(figure < 10 ? 1 : 0))

/** Rows of a table, its columns as wide as what they hold. */
function table(cells: string[][]): string {
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => [...(row[at] ?? "")].length)))
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`
  const [head = [], ...rest] = cells
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rest.map(line)].join("\n")
}

/** @param then an earlier version's run, told beside */
export function renderTables(now: Cost, then?: Cost): string {
  const beside = (cell: string) => (then ? [cell] : [])
  const acts = now.acts.map(({ name, count, one }) => {
    const before = then?.acts.find((act) => act.name === name)
    return [
      name,
      count.toFixed(count < 10 ? 1 : 0),
      ...beside(rows(before?.one.written ?? 0)),
      rows(one.written),
      ...beside(before ? cents(sumDollars(toDollars(before.one)) * count) : ""),
      cents(sumDollars(toDollars(one)) * count),
    ]
  })
  const resources = (Object.keys(now.dollars) as Resource[]).map((resource) => [
    resource,
    ...beside(then ? cents(then.dollars[resource]) : ""),
    cents(now.dollars[resource]),
  ])
  const sum = (cost: Cost) => cents(sumDollars(cost.dollars))
  const bears = toCapacity(now)
  const bore = then && toCapacity(then)
  const each = (figure: (of: ReturnType<typeof toCapacity>) => number) => [
    ...beside(bore ? whole(figure(bore)) : ""),
    whole(figure(bears)),
  ]
  return [
    table([
      ["act", "a year", ...beside("rows written then"), "rows written", ...beside("cents then"), "cents a year"],
      ...acts,
      [
        "a learner-year",
        "",
        ...beside(whole(then?.year.written ?? 0)),
        whole(now.year.written),
        ...beside(then ? sum(then) : ""),
        sum(now),
      ],
    ]),
    table([["paid for", ...beside("cents then"), "cents a learner-year"], ...resources]),
    table([
      ["what one database bears", ...beside("then"), "now"],
      ["bytes that a learner-year adds", ...beside(whole(then?.year.bytes ?? 0)), whole(now.year.bytes)],
      ["learner-years in its 10 GB", ...each(({ bytes }) => bytes)],
      ["heartbeats a second, 16 connections", ...beside(whole(then?.heartbeats ?? 0)), whole(now.heartbeats)],
      ["learners whose writes it takes", ...each(({ writes }) => writes)],
    ]),
  ].join("\n\n")
}

/** The page with its part anew. @throws when it has no place for it */
export function replaceTables(page: string, part: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`The page has no place for the figures: ${BEGIN} and ${END}.`)
  return `${page.slice(0, from + BEGIN.length)}\n\n${part}\n\n${page.slice(to)}`
}
