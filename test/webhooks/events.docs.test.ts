import { expect, it } from "vitest"
import guide from "../../docs/api/webhooks.md?raw"
import { eventObjects } from "../../drizzle/events/index.ts"

/** The cells of the rows after a heading. */
function tableAfter(heading: string) {
  const [, section = ""] = guide.split(`\n### ${heading}\n`)
  const lines = (section.split("\n#")[0] ?? "").split("\n").filter((line) => line.startsWith("| "))
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const code = (name: string) => `\`${name}\``
const list = (names: readonly string[]) => names.map(code).join(", ")

it("docs/api/webhooks.md has every event type", () => {
  expect(tableAfter("Types")).toEqual(
    eventObjects.flatMap(({ name, types }) =>
      Object.entries(types).map(([type, { meaning, onlyIds }]) => [
        code(type),
        meaning,
        onlyIds ? `${name} (ids)` : name,
      ]),
    ),
  )
})

it("docs/api/webhooks.md has the fields of every object", () => {
  expect(tableAfter("Objects")).toEqual(
    eventObjects.map(({ name, fields, ids, previous }) => [
      name,
      list(Object.keys(fields)),
      list(Object.keys(ids)),
      list(previous),
    ]),
  )
})
