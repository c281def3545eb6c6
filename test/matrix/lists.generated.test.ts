import { describe, expect, it } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { NOTHING, NOWHERE } from "../factories/filters.ts"
import { listedAcademy } from "../factories/lists.ts"
import { get, query } from "../helpers/client.ts"
import { type Document, openApiDocument } from "./inputs.ts"
import { everyCombination, sampled } from "./matrix.ts"

// Every list of the OpenAPI document. Tests are generated from its parameters, so they include new lists and columns.

type Scene = Awaited<ReturnType<typeof listedAcademy>>
type Row = Record<string, unknown>
type Parameter = NonNullable<Document["paths"][string][string]["parameters"]>[number]

interface List {
  path: string
  parameters: Parameter[]
  /** Requests the list as a caller who sees rows. */
  ask(more: object): Promise<{ rows: Row[]; total: number | undefined; body: Row }>
}

/** Lists of the caller's own records. */
const OWN = /\/student\/|library|portalLearningPaths/

/** The lists that accept `order_by`. */
async function listsOf({ ada, owner, algebra, first }: Scene): Promise<List[]> {
  const { paths } = await openApiDocument()
  const given = { user_id: ada.id, course_id: algebra.id, class_id: first.id, context: "admin", group_id: "" }
  return operations.flatMap(({ method, path }) => {
    const parameters = paths[path]?.[method]?.parameters ?? []
    if (!parameters.some(({ name }) => name === "order_by")) return []
    const ofUser = /enrolled|membership\/user/.test(path) ? ["user_id"] : []
    const needed = [...ofUser, ...parameters.filter(({ required }) => required).map(({ name }) => name)]
    const base = Object.fromEntries(Object.entries(given).filter(([name]) => needed.includes(name)))
    const { token } = OWN.test(path) ? ada : owner
    return {
      path,
      parameters,
      ask: async (more: object) => {
        const asked = { page_size: 500, page_number: 1, ...base, ...more }
        const { status, body } = await get(`${path.replace("{id}", `${ada.id}`)}${query(asked)}`, { token })
        expect(status, `${path} ${JSON.stringify(more)} ${JSON.stringify(body)}`).toBe(200)
        return {
          rows: body.records ?? body.learningPaths ?? body.classes ?? body.userConsents,
          total: body.recordsTotal ?? body.totalRecords ?? body.total,
          body,
        }
      },
    }
  })
}

const propertiesOf = ({ parameters }: List, name: string) =>
  parameters.find((parameter) => parameter.name === name)?.schema.properties ?? {}

/** Times of day are ordered by the full time. */
const MOMENTS: Record<string, string> = { startTime: "startDate", endTime: "endDate" }

/** The sort key of a displayed value: its kind, then its number or text. Empty values come first. */
function keyOf(shown: unknown, column: string): [kind: number, key: number | string] {
  if (shown === null || shown === "Never") return [0, 0]
  if (typeof shown === "number" || typeof shown === "boolean") return [1, Number(shown)]
  if (typeof shown === "object")
    return "totalSeconds" in shown ? [1, Number(shown.totalSeconds)] : [2, JSON.stringify(shown)]
  const text = String(shown)
  if (/^[A-Z][a-z]{2} \d\d, \d{4}/.test(text)) return [1, Date.parse(`${text} UTC`)]
  if (column === "display_total") return [1, Number(text.replace(/[^\d.]/g, ""))]
  return [2, text]
}

const isBefore = ([kind, key]: [number, number | string], [other, than]: [number, number | string]) =>
  kind === other ? key <= than : kind < other

/** Whether displayed values are in ascending order. Text may be ordered with or without case. */
function areInOrder(shown: unknown[], column: string): boolean {
  const keys = shown.map((value) => keyOf(value, column))
  const folded = keys.map(([kind, key]): (typeof keys)[number] => [
    kind,
    typeof key === "string" ? key.toLowerCase() : key,
  ])
  return [keys, folded].some((all) => all.every((key, at) => at === 0 || isBefore(all[at - 1] ?? key, key)))
}

describe("every list, ordered by each of its columns", () => {
  it("is sorted by the displayed values in both directions", { timeout: 120_000 }, async () => {
    const lists = await listsOf(await listedAcademy())
    expect(lists.length).toBeGreaterThan(55)
    const wrong: string[] = []
    let compared = 0
    const orders = lists.flatMap((list) =>
      ((propertiesOf(list, "order_by").colName?.enum ?? []) as string[]).flatMap((column) =>
        ["asc", "desc"].map((direction) => ({ list, column, direction })),
      ),
    )
    for (const { list, column, direction } of sampled(orders, 11)) {
      const { rows } = await list.ask({ order_by: { colName: column, direction } })
      expect(rows.length, list.path).toBeGreaterThan(1)
      const name = MOMENTS[column] && MOMENTS[column] in (rows[0] ?? {}) ? MOMENTS[column] : column
      const shown = rows.map((row) => row[name])
      if (new Set(shown.map((value) => JSON.stringify(value))).size > 1) compared += 1
      if (direction === "desc") shown.reverse()
      if (!areInOrder(shown, column)) wrong.push(`${list.path} ${column} ${direction} ${JSON.stringify(shown)}`)
    }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(everyCombination ? 450 : 40)
  })
})

const DAYS = ["2001-01-01", "2001-01-02"]
/** Values for searches with few results: the first that a key accepts is used. */
const VALUES = [
  NOTHING,
  NOWHERE,
  DAYS,
  "2001-01-01",
  "deleted",
  "Cancelled",
  "discussion",
  "modules",
  "draft",
  "admin",
  "nobody@example.com",
  "9999",
  5,
  true,
  "exempt",
  "not_started",
  { not: { everyone: true } },
]

describe("every list's recordsTotal", () => {
  it("is the same for every search, and equals the total without a search", { timeout: 120_000 }, async () => {
    const wrong: string[] = []
    let searched = 0
    for (const list of await listsOf(await listedAcademy())) {
      // A portal limits the list before the search.
      const keys = Object.entries(propertiesOf(list, "search_param")).filter(([key]) => key !== "portalId")
      const all = await list.ask({})
      if (all.total === undefined) continue
      for (const [key, schema] of keys) {
        const choices = schema.enum ?? schema.items?.enum ?? VALUES
        let taken = 0
        for (const value of choices) {
          const found = await list.ask({ search_param: { [key]: value } }).catch(() => undefined)
          if (!found) continue
          taken += 1
          if (found.rows.length < all.rows.length) searched += 1
          if (found.total !== all.total) wrong.push(`${list.path} ${key} ${value}: ${found.total}, not ${all.total}`)
          if (choices === VALUES) break
        }
        if (taken === 0) wrong.push(`${list.path} ${key} takes no value of this test`)
      }
    }
    expect(wrong).toEqual([])
    expect(searched).toBeGreaterThan(100)
  })
})
