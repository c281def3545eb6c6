// D1 over node:sqlite, with the limits of https://developers.cloudflare.com/d1/platform/limits, and what it is known to
// do to SQL: it cuts the SQL of a call by itself, and takes no export of a database with full-text tables.
import { createHash, randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { unstable_splitSqlQuery } from "wrangler"
import { splitAsD1 } from "../../../scripts/lib/statements.ts"
import { type Call, Failure, paged, type Route } from "./http.ts"

const MAX_SQL_BYTES = 100_000
const MAX_PARAMETERS = 100
const MAX_VALUE_BYTES = 2_000_000
const MAX_QUERIES = 1000
/** How long the statements of one call may take, milliseconds. */
const MAX_BATCH_MS = 30_000
/** What D1 sets in SQLite itself. */
const LIMITS = {
  ...{ column: 100, exprDepth: 100, compoundSelect: 5, functionArg: 32, likePatternLength: 50, triggerDepth: 10 },
}

/**
 * What goes wrong with a call whose SQL fits a pattern: D1 cuts a trigger in two, or the gateway gives up on a call
 * that D1 then undoes (`timeout`) or finishes (`timeout after`), or the import breaks off half done (`half`).
 */
export interface D1Fault {
  at: RegExp
  kind: "incomplete" | "timeout" | "timeout after" | "half"
  times: number
}

export interface Database {
  uuid: string
  name: string
  jurisdiction: string | null
  location: string | undefined
  replication: "auto" | "disabled"
  db: DatabaseSync
  writes: number
  /** A refused export leaves the database unusable (workers-sdk issue 9519). */
  exporting: boolean
}

export class D1 {
  readonly databases = new Map<string, Database>()
  readonly faults: D1Fault[] = []
  /** Changed by tests of the limit. */
  maxBatchMs = MAX_BATCH_MS
  private readonly files = new Map<string, Buffer>()
  private readonly open: (id: string) => DatabaseSync | Promise<DatabaseSync>

  constructor(open: (id: string) => DatabaseSync | Promise<DatabaseSync> = () => new DatabaseSync(":memory:")) {
    this.open = open
  }

  async create(name: string, about: { id?: string; location?: string; jurisdiction?: string } = {}): Promise<Database> {
    const uuid = about.id ?? randomUUID()
    const db = await this.open(uuid)
    db.exec("pragma foreign_keys = on")
    Object.assign((db as DatabaseSync & { limits: object }).limits, LIMITS)
    const made: Database = {
      ...{ uuid, name, db, location: about.location, jurisdiction: about.jurisdiction ?? null },
      ...{ replication: "disabled", writes: 0, exporting: false },
    }
    this.databases.set(uuid, made)
    return made
  }

  /** Takes the file that an import names. @returns its MD5 */
  upload(path: string, content: Buffer): string {
    this.files.set(path, content)
    return createHash("md5").update(content).digest("hex")
  }

  routes(): Route[] {
    const one = "/d1/database/:id"
    return [
      ["GET", "/d1/database", ({ query }) => paged(query, [...this.databases.values()].map(described))],
      ["POST", "/d1/database", (call) => this.createBy(call)],
      ["GET", one, (call) => described(this.of(call))],
      ["PUT", one, (call) => this.change(call)],
      ["GET", `${one}/time_travel/bookmark`, (call) => ({ bookmark: bookmarkOf(this.of(call)) })],
      ["POST", `${one}/query`, (call) => this.run(call, false)],
      ["POST", `${one}/raw`, (call) => this.run(call, true)],
      ["POST", `${one}/import`, (call) => this.import(call)],
      ["POST", `${one}/export`, (call) => this.export(call)],
    ]
  }

  private async createBy(call: Call) {
    const asked = call.json() as { name: string; primary_location_hint?: string; jurisdiction?: string }
    if ([...this.databases.values()].some(({ name }) => name === asked.name))
      throw new Failure(409, 7502, `A database named ${asked.name} exists.`)
    return described(
      await this.create(asked.name, {
        ...(asked.jurisdiction
          ? { jurisdiction: asked.jurisdiction }
          : asked.primary_location_hint && { location: asked.primary_location_hint }),
      }),
    )
  }

  private of({ params: [id = ""] }: Call): Database {
    const found = this.databases.get(id)
    if (!found) throw new Failure(404, 7404, `The database ${id} could not be found`)
    return found
  }

  private change(call: Call) {
    const database = this.of(call)
    const { read_replication: replication } = call.json() as { read_replication?: { mode: "auto" | "disabled" } }
    if (replication?.mode !== "auto" && replication?.mode !== "disabled")
      throw new Failure(400, 7400, "read_replication.mode must be auto or disabled")
    database.replication = replication.mode
    return described(database)
  }

  /** The fault that a call meets, once less from then on. */
  private faultAt(sql: string, ...kinds: D1Fault["kind"][]): D1Fault["kind"] | undefined {
    const fault = this.faults.find(({ at, kind, times }) => times > 0 && kinds.includes(kind) && at.test(sql))
    if (fault) fault.times--
    return fault?.kind
  }

  private run(call: Call, raw: boolean) {
    const database = this.of(call)
    refuseWhileExporting(database)
    const { sql, params = [] } = call.json() as { sql: string; params?: unknown[] }
    const fault = this.faultAt(sql, "incomplete", "timeout", "timeout after")
    if (fault === "incomplete") throw new Failure(400, 7500, "incomplete input: SQLITE_ERROR")
    const gaveUp = new Failure(504, 7429, "504 Gateway Time-out")
    if (fault === "timeout") throw gaveUp
    if (!params.every((value) => typeof value === "string")) throw new Failure(400, 7400, "params: strings only")
    if (params.length > MAX_PARAMETERS) throw new Failure(400, 7500, "too many SQL variables: SQLITE_ERROR")
    if (params.some((value) => Buffer.byteLength(value as string) > MAX_VALUE_BYTES))
      throw new Failure(400, 7500, "string or blob too big: SQLITE_TOOBIG")
    if (Buffer.byteLength(sql) > MAX_SQL_BYTES) throw new Failure(400, 7500, "statement too long: SQLITE_TOOBIG")
    const statements = splitAsD1(sql)
    if (statements.length > MAX_QUERIES) throw new Failure(400, 7500, "too many queries in one call")
    const results = batch(database, statements, params as string[], raw, this.maxBatchMs)
    if (fault === "timeout after") throw gaveUp
    return results
  }

  private import(call: Call) {
    const database = this.of(call)
    const { action, etag, filename } = call.json() as { action: string; etag?: string; filename?: string }
    const at_bookmark = bookmarkOf(database)
    if (action === "init") {
      const name = `/upload/${database.uuid}/${etag}.sql`
      return { success: true, type: "import", messages: [], upload_url: `${call.origin}${name}`, filename: name }
    }
    const sql = String(this.files.get(filename ?? ""))
    if (createHash("md5").update(sql).digest("hex") !== etag) throw new Failure(400, 7500, "etag does not match")
    const statements = unstable_splitSqlQuery(sql)
    if (statements.some((statement) => Buffer.byteLength(statement) > MAX_SQL_BYTES))
      throw new Failure(400, 7500, "statement too long: SQLITE_TOOBIG")
    const half = this.faultAt(sql, "half") === "half"
    try {
      if (half) {
        batch(database, statements.slice(0, statements.length / 2), [], true)
        throw new Error("Network connection lost.")
      }
      batch(database, statements, [], true)
    } catch (error) {
      const errors = [error instanceof Error ? error.message : String(error)]
      return { success: true, type: "import", status: "error", messages: [], errors, at_bookmark }
    }
    const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 }
    const result = { num_queries: statements.length, final_bookmark: bookmarkOf(database), meta }
    return { success: true, type: "import", status: "complete", messages: [], result, at_bookmark }
  }

  private export(call: Call) {
    const database = this.of(call)
    refuseWhileExporting(database)
    const fts = database.db.prepare("select 1 from sqlite_master where sql like '%using fts5%'").get()
    if (!fts) throw new Failure(400, 7500, "This stand-in exports nothing.")
    database.exporting = true
    const error = "cannot export databases with Virtual Tables (fts5)"
    return { success: true, type: "export", status: "error", messages: [], error, at_bookmark: bookmarkOf(database) }
  }
}

function refuseWhileExporting({ exporting }: Database) {
  if (exporting) throw new Failure(503, 7500, "Currently processing a long-running export.")
}

const described = ({ uuid, name, jurisdiction, location, replication }: Database) => ({
  ...{
    uuid,
    name,
    jurisdiction,
    version: "production",
    created_at: "2026-11-24T00:00:00Z",
    file_size: 0,
    num_tables: 0,
  },
  running_in_region: (location ?? "WEUR").toUpperCase(),
  read_replication: { mode: replication },
})

const bookmarkOf = ({ writes, uuid }: Database) =>
  `${writes.toString(16).padStart(8, "0")}-00000000-00001538-${uuid.replaceAll("-", "")}`

/** Runs the statements of a call: all of them or none. */
function batch(
  database: Database,
  statements: string[],
  params: string[],
  raw: boolean,
  maxMs = Number.POSITIVE_INFINITY,
) {
  const { db } = database
  const began = performance.now()
  const changes = () => Number(Object.values(db.prepare("select total_changes()").get() ?? {})[0])
  const before = changes()
  db.exec("begin")
  try {
    const results = statements.map((sql) => {
      const result = resultOf(db, sql, params, raw)
      if (performance.now() - began > maxMs) throw new Error("D1 DB storage operation exceeded timeout")
      return result
    })
    db.exec("commit")
    database.writes += Number(changes() > before || statements.some((sql) => !/^\s*(select|with|pragma)/i.test(sql)))
    return results
  } catch (error) {
    db.exec("rollback")
    throw new Failure(400, 7500, `${error instanceof Error ? error.message : error}: SQLITE_ERROR`)
  }
}

function resultOf(db: DatabaseSync, sql: string, params: string[], raw: boolean) {
  const statement = db.prepare(sql)
  const columns = statement.columns().map(({ name }) => name)
  const objects = statement.all(...params)
  const meta = {
    served_by: "stand-in",
    served_by_primary: true,
    duration: 0,
    rows_read: 0,
    rows_written: 0,
    changes: 0,
  }
  const results = raw ? { columns, rows: objects.map((row) => columns.map((name) => row[name])) } : objects
  return { results, success: true, meta }
}
