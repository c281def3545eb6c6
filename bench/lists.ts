// npm run lists: what the users list costs D1 over a large table (see bench/seed-users.ts), held against its limits.
// Reads the trips and rows that every answer of a development server tells in Server-Timing.

import { type Connection, call, connect, json, PASSWORD } from "../scripts/lib/client.ts"
import { flags } from "../scripts/lib/flags.ts"
import { query } from "../scripts/lib/request.ts"

const values = flags("npm run lists", "Holds what the users list costs D1 over a large table against its limits.", {
  url: { type: "string", value: "address", default: "http://localhost:8787", about: "where the service is" },
  email: { type: "string", value: "address", default: "owner@example.com", about: "who calls it" },
  password: { type: "string", default: PASSWORD, about: "their password" },
})

/** Most rows that a page may read; a page by number may read its offset on top. */
const PAGE = 2_000
const SEARCH = 500
const NO_LIMIT = Number.POSITIVE_INFINITY

interface Case {
  name: string
  path: string
  trips: number
  rows: number
  method?: string
  body?: object
}

interface Measured {
  trips: number
  read: number
  milliseconds: number
  next: string | undefined
  body: { recordsTotal?: number; recordsFiltered?: number; records?: { id: number }[] }
}

const list = (parameters: Record<string, unknown>) =>
  `/api/users/tabularlist${query({ page_size: 50, page_number: 1, ...parameters })}`

const order = (colName: string, direction = "desc") => ({ order_by: { colName, direction } })
const search = (nameOrEmail: string, more: object = {}) => list({ search_param: { nameOrEmail }, ...more })

async function measure(connection: Connection, { path, method = "GET", body }: Omit<Case, "name">): Promise<Measured> {
  const began = performance.now()
  const answer = await call(connection, method, path, body)
  const read = await json<Measured["body"]>(answer)
  const milliseconds = performance.now() - began
  const cost = /trips=(\d+) read=(\d+)/.exec(answer.headers.get("server-timing") ?? "")
  if (!cost) throw new Error("The answer has no Server-Timing: measure a development server.")
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
  return { trips: Number(cost[1]), read: Number(cost[2]), milliseconds, next, body: read }
}

const connection = await connect(values.url, values.email, values.password)
const { body: first } = await measure(connection, { path: list({}), trips: 1, rows: PAGE })
const total = first.recordsTotal ?? 0
const deep = Math.max(1, Math.floor(total / 100))
const offset = (deep - 1) * 50

const cases: Case[] = [
  { name: "page 1, default order", path: list({}), trips: 1, rows: PAGE },
  ...["created_at", "email"].flatMap((column) => [
    { name: `page 1 by ${column}, descending`, path: list(order(column)), trips: 1, rows: PAGE },
    { name: `page 1 by ${column}, ascending`, path: list(order(column, "asc")), trips: 1, rows: PAGE },
    { name: `page 1 of 500 by ${column}`, path: list({ page_size: 500, ...order(column) }), trips: 1, rows: PAGE },
    {
      name: `page ${deep} by ${column} (offset ${offset})`,
      path: list({ page_number: deep, ...order(column) }),
      trips: 1,
      rows: offset + PAGE,
    },
  ]),
  ...["last_login", "first_name", "user_type"].map((column) => ({
    name: `page 1 by ${column}`,
    path: list(order(column)),
    trips: 1,
    rows: PAGE,
  })),
  { name: "a search with 20 matches", path: search("quillfeather"), trips: 1, rows: SEARCH },
  { name: "the same, by email", path: search("quillfeather", order("email")), trips: 1, rows: SEARCH },
  { name: "the same, from inside the word", path: search("illfea"), trips: 1, rows: SEARCH },
  { name: "a search with no match", path: search("no such person"), trips: 1, rows: SEARCH },
  { name: "two letters, many matches", path: search("qu"), trips: 1, rows: NO_LIMIT },
  { name: "one letter, nearly all", path: search("e"), trips: 1, rows: NO_LIMIT },
  { name: "lookup by e-mail", path: "/api/users/lookup?search_term=seed4711@", trips: 1, rows: SEARCH },
  { name: "detail", path: `/api/user/${first.records?.[0]?.id}`, trips: 1, rows: SEARCH },
  {
    name: "create",
    path: "/api/user/create",
    method: "POST",
    trips: 2,
    rows: SEARCH,
    body: {
      firstName: "Measured",
      email: `measured-${Date.now()}@learners.example`,
      password: "a long enough one",
      password_confirmation: "a long enough one",
    },
  },
]

let exceeded = 0
function report({ name, trips, rows }: Case, measured: Measured) {
  const over = measured.trips > trips || measured.read > rows
  if (over) exceeded++
  const limit = rows === NO_LIMIT ? "–" : String(rows)
  const found = measured.body.recordsFiltered ?? ""
  console.info(
    `${name.padEnd(44)}${String(measured.trips).padStart(5)}${String(measured.read).padStart(9)}${limit.padStart(9)}` +
      `${String(found).padStart(9)}${measured.milliseconds.toFixed(0).padStart(7)}  ${over ? "EXCEEDED" : ""}`,
  )
}

console.info(`${total} users\n`)
console.info(`${"case".padEnd(44)}trips     read    limit    found     ms`)
for (const one of cases) report(one, await measure(connection, one))

// Names and types are shared by thousands: a cursor must not read through its ties.
for (const column of ["created_at", "email", "first_name", "user_type"])
  for (const [from, path] of [
    ["page 1", list(order(column))],
    [`page ${deep}`, list({ page_number: deep, ...order(column) })],
  ] as const) {
    let { next } = await measure(connection, { path, trips: 1, rows: NO_LIMIT })
    let worst: Measured | undefined
    for (let followed = 0; next && followed < 20; followed++) {
      const measured: Measured = await measure(connection, { path: next, trips: 1, rows: PAGE })
      if (!worst || measured.read > worst.read) worst = measured
      next = measured.next
    }
    if (worst) report({ name: `20 × next from ${from} by ${column}, the worst`, path, trips: 1, rows: PAGE }, worst)
  }

if (exceeded > 0) {
  console.error(`\n${exceeded} of the limits exceeded.`)
  process.exit(1)
}
