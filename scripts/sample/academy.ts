// Adds the records of the sample academy through the API of the running service, and with SQL for data that no
// operation writes. A repeated load continues an interrupted one.
import { createClient, type LecternClient } from "../../src/client/index.ts"
import { json, PASSWORD } from "../lib/client.ts"

/** The default account of the loaders, an administrator. */
export const ADMIN = "admin@example.com"
/** The accounts that create courses. */
export const TEACHER = "tomas.herrera@example.com"
export const DAY = 86_400_000
const DATABASE = "00000000-0000-0000-0000-000000000000"
/** A rate-limit client of the loader's own (an address for documentation). */
const ADDRESS = "192.0.2.1"

export type Value = string | number | null

export class Academy {
  /** When it is loaded, epoch milliseconds: every date of the sample is relative to it. */
  readonly at = Date.now()
  private readonly url: string
  private readonly client: LecternClient
  private users = new Map<string, number>()
  private readonly others = new Map<string, Academy>()

  constructor(url: string) {
    this.url = url
    this.client = createClient({ baseUrl: url, headers: { "cf-connecting-ip": ADDRESS } })
  }

  async signIn(email: string) {
    await this.client.signIn({ email, password: PASSWORD })
  }

  /**
   * The same academy with another account. Each account may make 300 calls a minute: a loader with many calls spreads
   * them over accounts.
   */
  async by(email: string): Promise<Academy> {
    const known = this.others.get(email)
    if (known) return known
    const other = new Academy(this.url)
    other.users = this.users
    await other.signIn(email)
    this.others.set(email, other)
    return other
  }

  /** Creates a record. With the key, a repeated load creates nothing twice. */
  async create(path: string, key: string, body: object): Promise<number> {
    return (await this.call<{ id: number }>("POST", path, body, { "idempotency-key": `sample-${key}` })).id
  }

  /** Runs an operation that a repeated load must not repeat; the key identifies it. */
  once = (path: string, key: string, body: object) =>
    this.call("POST", path, body, { "idempotency-key": `sample-${key}` })

  /** Runs an operation that changes something although it is a GET. */
  get = <T>(path: string) => this.call<T>("GET", path)

  put = (path: string, body: object) => this.call("PUT", path, body)

  /** Runs an operation that does nothing twice by itself. */
  post = <T = unknown>(path: string, body: object) => this.call<T>("POST", path, body)

  /** Sends a form with a file. */
  upload = <T>(path: string, form: FormData) => this.call<T>("POST", path, form)

  /** Remembers the id of an address for later loaders. */
  know(email: string, id: number) {
    this.users.set(email, id)
  }

  /** @throws when the loader of users has not created this address */
  userId(email: string): number {
    const id = this.users.get(email)
    if (id === undefined) throw new Error(`The sample academy has no ${email}.`)
    return id
  }

  /** The learners' ids, in the order of the list; learner@example.com is not among them. */
  learners(): number[] {
    return [...this.users].filter(([email]) => email.endsWith("@learners.example.com")).map(([, id]) => id)
  }

  /** Runs one statement in the running server's own database. @returns its rows */
  async sql(statement: string, parameters: Value[] = []): Promise<Value[][]> {
    // The endpoint binds only text: one JSON text preserves numbers and nulls.
    let count = 0
    const sql = statement.replaceAll("?", () => `(?1 ->> '$[${count++}]')`)
    const { result } = await this.call<{ result: { results: { rows: Value[][] } }[] }>(
      "POST",
      `/cdn-cgi/local/explorer/api/d1/database/${DATABASE}/raw`,
      { sql, params: count > 0 ? [JSON.stringify(parameters)] : [] },
    )
    return result[0]?.results.rows ?? []
  }

  /** The id of the row of `table` where `column` is the row's own; inserts it first unless it is there. */
  async record(table: string, column: string, row: Record<string, Value>): Promise<number> {
    const find = async () => (await this.sql(`select id from ${table} where ${column} = ?`, [row[column] ?? null]))[0]
    const known = await find()
    if (known) return Number(known[0])
    const [given] = await this.sql(
      `insert into sequences (name, value) values (?, 1)
      on conflict (name) do update set value = value + 1
      returning value`,
      [table],
    )
    const id = Number(given?.[0])
    const names = Object.keys(row)
    await this.sql(
      `insert into ${table} (id, ${names.join(", ")}) values (${["id", ...names].map(() => "?").join(", ")})`,
      [id, ...Object.values(row)],
    )
    return id
  }

  /** How many mails are yet to be sent. */
  async mailsWaiting(): Promise<number> {
    const [row] = await this.sql("select count(*) from outbox where status in ('queued', 'sending')")
    return Number(row?.[0])
  }

  private call = async <T>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    json<T>(await this.client.fetch(path, { method, body, headers }))
}

/** Adds a part of the sample academy. Loaders run in the order of the list in index.ts. */
export type Loader = (academy: Academy) => Promise<void>
