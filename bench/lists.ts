// npm run bench -- lists: the cost in D1 of the list of users over a large table (see bench/seed-users.ts), compared
// with its limits. Reads the round trips and rows from Server-Timing.

import { flags } from "../scripts/lib/cli.ts"
import { type Connection, call, connect, PASSWORD } from "../scripts/lib/client.ts"
import { query } from "../scripts/lib/request.ts"
import { MAX_SORTED_ROWS } from "../src/db/list/listing.ts"
import { userColumns } from "../src/modules/users/user-columns.ts"

const values = flags(
  "npm run bench -- lists",
  "Compares the D1 cost of the users list over a large table with its limits.",
  {
    url: { type: "string", value: "address", default: "http://localhost:8787", about: "where the service is" },
    email: { type: "string", value: "address", default: "owner@example.com", about: "who calls it" },
    password: { type: "string", default: PASSWORD, about: "their password" },
  },
)

const SIZE = 50
/** Most rows that a page may read for the rows that it answers; a page by number may read its offset on top. */
const pageOf = (rows: number) => 20 * rows + 200
const PAGE = pageOf(SIZE)
const RECORD = 500

interface Case {
  name: string
  path: string
  trips: number
  /** The maximum number of rows read; for a search, by the number of matches. */
  rows: number | ((found: number) => number)
  status?: number
  method?: string
  body?: object
}

interface Measured {
  status: number
  trips: number
  read: number
  milliseconds: number
  next: string | undefined
  body: { recordsTotal?: number; recordsFiltered?: number; records?: { id: number }[] }
}

const list = (parameters: Record<string, unknown>) =>
  `/api/users/tabularlist${query({ page_size: SIZE, page_number: 1, ...parameters })}`

const order = (colName: string, direction = "desc") => ({ order_by: { colName, direction } })
const search = (nameOrEmail: string, more: object = {}) => list({ search_param: { nameOrEmail }, ...more })

type Request = Pick<Case, "path" | "method" | "body">

async function measure(connection: Connection, { path, method = "GET", body }: Request): Promise<Measured> {
  const began = performance.now()
  const answer = await call(connection, method, path, body)
  const read = (await answer.json()) as Measured["body"]
  const milliseconds = performance.now() - began
  const cost = /trips=(\d+) read=(\d+)/.exec(answer.headers.get("server-timing") ?? "")
  if (!cost) throw new Error("The answer has no Server-Timing: measure a development server.")
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
  return { status: answer.status, trips: Number(cost[1]), read: Number(cost[2]), milliseconds, next, body: read }
}

const connection = await connect(values.url, values.email, values.password)
const { body: first } = await measure(connection, { path: list({}) })
const total = first.recordsTotal ?? 0
const deep = Math.max(1, Math.floor(total / 100))
const offset = (deep - 1) * SIZE

const columns = Object.entries(userColumns.sort)
const indexed = columns.filter(([, by]) => !("sorted" in by)).map(([name]) => name)
const sorted = columns.filter(([, by]) => "sorted" in by).map(([name]) => name)

/** A search reads at most one row per result, plus the rows of its page and of its query plan. */
const found = (rows: number, offset = 0) => rows + offset + 4 * Math.ceil(Math.sqrt(total * (offset + SIZE))) + PAGE
/** In an order in which they lie together, far from the page, they are read and sorted. */
const together = (rows: number) => 3 * rows + found(rows)

const cases: Case[] = [
  { name: "page 1, default order", path: list({}), trips: 1, rows: PAGE },
  ...indexed.flatMap((column): Case[] => [
    { name: `page 1 by ${column}, descending`, path: list(order(column)), trips: 1, rows: PAGE },
    { name: `page 1 by ${column}, ascending`, path: list(order(column, "asc")), trips: 1, rows: PAGE },
    {
      name: `page 1 of 500 by ${column}`,
      path: list({ page_size: 500, ...order(column) }),
      trips: 1,
      rows: pageOf(500),
    },
    {
      name: `page ${deep} by ${column} (offset ${offset})`,
      path: list({ page_number: deep, ...order(column) }),
      trips: 1,
      rows: offset + PAGE,
    },
  ]),
  ...sorted.flatMap((column): Case[] => [
    {
      name: `page 1 by ${column}, of all`,
      path: list(order(column)),
      trips: 1,
      rows: 3 * MAX_SORTED_ROWS,
      ...(total > MAX_SORTED_ROWS && { status: 422 }),
    },
    { name: `page 1 by ${column}, of a search`, path: search("quillfeather", order(column)), trips: 1, rows: together },
  ]),
  ...["quillfeather", "illfea", "no such person", "e", "q", "se", "qu", "see", "qui", "seeded", "brandt"].flatMap(
    (term): Case[] => [
      { name: `a search: ${term}`, path: search(term), trips: 1, rows: (rows) => found(rows) },
      {
        name: `a search: ${term}, by email`,
        path: search(term, order("email", "asc")),
        trips: 1,
        rows: (rows) => found(rows),
      },
      {
        name: `a search: ${term}, by last_name`,
        path: search(term, order("last_name", "asc")),
        trips: 1,
        rows: together,
      },
    ],
  ),
  ...["e", "se", "seeded"].map((term) => ({
    name: `a search: ${term}, page ${deep}`,
    path: search(term, { page_number: deep }),
    trips: 1,
    rows: (rows: number) => found(rows, offset),
  })),
  { name: "lookup by email", path: "/api/users/lookup?search_term=seed4711@", trips: 1, rows: RECORD },
  { name: "detail", path: `/api/user/${first.records?.[0]?.id}`, trips: 1, rows: RECORD },
  {
    name: "create",
    path: "/api/user/create",
    method: "POST",
    trips: 2,
    rows: RECORD,
    body: {
      firstName: "Measured",
      email: `measured-${Date.now()}@learners.example`,
      password: "a long enough one",
      password_confirmation: "a long enough one",
    },
  },
]

let exceeded = 0
function report({ name, trips, rows, status = 200 }: Case, measured: Measured) {
  const found = measured.body.recordsFiltered
  const limit = typeof rows === "number" ? rows : rows(found ?? 0)
  const over = measured.trips > trips || measured.read > limit || (measured.status === 422) !== (status === 422)
  if (over) exceeded++
  console.info(
    `${name.padEnd(48)}${String(measured.status).padStart(5)}${String(measured.trips).padStart(6)}` +
      `${String(measured.read).padStart(9)}${String(limit).padStart(9)}${String(found ?? "").padStart(9)}` +
      `${measured.milliseconds.toFixed(0).padStart(7)}  ${over ? "EXCEEDED" : ""}`,
  )
}

console.info(`${total} users\n`)
console.info(`${"case".padEnd(47)}status trips     read    limit    found     ms`)
for (const one of cases) report(one, await measure(connection, one))

// Names and types are shared by thousands: a cursor must not read through its ties.
for (const column of indexed)
  for (const [from, path] of [
    ["page 1", list(order(column))],
    [`page ${deep}`, list({ page_number: deep, ...order(column) })],
  ] as const) {
    let { next } = await measure(connection, { path })
    let worst: Measured | undefined
    for (let followed = 0; next && followed < 20; followed++) {
      const measured: Measured = await measure(connection, { path: next })
      if (!worst || measured.read > worst.read) worst = measured
      next = measured.next
    }
    if (worst) report({ name: `20 × next from ${from} by ${column}, the worst`, path, trips: 1, rows: PAGE }, worst)
  }

if (exceeded > 0) {
  console.error(`\n${exceeded} of the limits exceeded.`)
  process.exit(1)
}
