import { expect, it } from "vitest"
import guide from "../../docs/api/webhooks.md?raw"
import { EVENT_TYPES, eventDefinitions, eventObjects } from "../../drizzle/events/index.ts"

/** The rows of the table with this first column. */
function rowsOfTable(heading: string): string[][] {
  const lines = guide.split("\n")
  const cells = (line = "") =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim())
  const start = lines.findIndex((line) => cells(line)[0] === heading) + 2
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"))
  return lines.slice(start, start + length).map(cells)
}

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ")

it("the guide lists every event type with its meaning", () => {
  const expected = EVENT_TYPES.map((type) => {
    const { meaning, onlyIds, object } = eventDefinitions.get(type) ?? {}
    return [`\`${type}\``, meaning, onlyIds ? "ids only" : object?.name]
  })
  expect(rowsOfTable("type")).toEqual(expected)
})

it("the guide lists the fields of every object", () => {
  const expected = eventObjects
    .filter(({ types }) => Object.values(types).some(({ onlyIds }) => !onlyIds))
    .map(({ name, fields, previous }) => [name, code(Object.keys(fields)), code(previous)])
  expect(rowsOfTable("data")).toEqual(expected)
})
