// Writes a copy into an empty deployment.
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { migratedDatabase, migrationFiles } from "../../lib/migrations.ts"
import { NonRetryableError } from "../../lib/non-retryable-error.ts"
import type { Deployment, StoredFile, Value } from "./deployment.ts"
import {
  type CopiedFile,
  type CopiedTable,
  digestFile,
  FILES,
  type Lines,
  MANIFEST,
  MANIFEST_DIGEST,
  type Manifest,
  readManifest,
  streamLines,
} from "./format.ts"
import { runOnce, withRetries } from "./retry.ts"
import {
  countStatements,
  createdObjects,
  createEmptyCopy,
  insertLines,
  insertLongLine,
  MAX_LINE_BYTES,
  MIGRATIONS_TABLE,
  quoteIdentifier,
  quoteText,
  readLines,
  readTables,
  type SchemaObject,
  type SearchTable,
  schemaObjectsIn,
  schemaObjectsOf,
  type Table,
  UNFINISHED_RESTORE,
  updateSelfReferences,
} from "./tables.ts"

type Say = (line: string) => void

/** The bytes of lines, and of SQL, per database call. */
const CHUNK = 800_000
const SCRIPT = 50_000
/** How many rows a full-text table takes in one statement. */
const SEARCH_ROWS = 2000
const REVOCATIONS = "session_revocations"
/** Cursors of the event feed from before a restore are expired: see src/modules/webhooks/events.queries.ts. */
const RESTORES = "restores"
/** The retention of revocations: see `retryRevocations`. */
const DAY = 24 * 60 * 60 * 1000

/** wrangler's table of applied migrations. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE ${MIGRATIONS_TABLE}(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

const groups = <T>(items: T[], size: (item: T) => number, most: number): T[][] => {
  const made: T[][] = []
  let capacity = 0
  for (const item of items) {
    capacity -= size(item)
    if (capacity < 0 || made.length === 0) {
      made.push([])
      capacity = most - size(item)
    }
    made.at(-1)?.push(item)
  }
  return made
}

/** How many rows each table has. */
async function counted(deployment: Deployment, tables: string[]): Promise<Map<string, number>> {
  const counts: Value[] = []
  for (const sql of countStatements(tables)) counts.push(...((await deployment.query(sql))[0] ?? []))
  return new Map(tables.map((name, i) => [name, Number(counts[i])]))
}

/** The damage of a copy: every file is read and compared with the manifest. */
async function damageOf(folder: string, { tables, files, schemaSql }: Manifest): Promise<string[]> {
  const found: string[] = []
  const known = new Set([MANIFEST, MANIFEST_DIGEST])
  const check = async (file: string, sha256: string) => {
    known.add(file)
    if (!existsSync(join(folder, file))) found.push(`${file} is missing`)
    else if ((await digestFile(join(folder, file))) !== sha256) found.push(`the checksum of ${file} does not match`)
    else return true
    return false
  }
  const checkLines = async ({ file, sha256, rows, bytes }: Lines) => {
    if (!(await check(file, sha256))) return
    let lines = 0
    for await (const _ of streamLines(join(folder, file))) lines++
    const size = statSync(join(folder, file)).size
    if (lines !== rows || size !== bytes)
      found.push(`${file} has ${lines} lines and ${size} bytes, but the manifest lists ${rows} and ${bytes}`)
  }
  await check(schemaSql.file, schemaSql.sha256)
  for (const table of tables) await checkLines(table)
  await checkLines(files)
  if (found.some((what) => what.startsWith(FILES))) return found
  let contents = 0
  for await (const line of streamLines(join(folder, FILES))) {
    const { file, sha256, size } = JSON.parse(line) as CopiedFile
    if ((await check(file, sha256)) && statSync(join(folder, file)).size !== size)
      found.push(`${file} has another size`)
    contents += size
  }
  if (contents !== files.contentBytes)
    found.push(`the contents have ${contents} bytes, but the manifest lists ${files.contentBytes}`)
  for (const entry of globSync("**", { cwd: folder, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isDirectory() && !known.has(path)) found.push(`${path} is not part of the backup`)
  }
  return found
}

/** The schema of a copy, as this version's migrations make it. @throws where they make another, or do not have it */
function schemaOf(manifest: Manifest): { objects: SchemaObject[]; tables: Table[]; searches: SearchTable[] } {
  const own = migrationFiles()
  const strange = manifest.migrations.find((name, i) => own[i] !== name)
  if (strange)
    throw new Error(
      `The backup has the schema of another version of Lectern (it has ${strange}, created by ${manifest.service}). ` +
        "Restore it with the version that created it, or a later one.",
    )
  const database = migratedDatabase(manifest.migrations)
  const objects = createdObjects(schemaObjectsOf(database))
  const { tables, searches } = readTables(database)
  const shape = (table: string, columns: string[]) => `${table} (${columns.join(", ")})`
  const wanted = tables.map(({ name, columns }) => shape(name, columns))
  const copied = manifest.tables
    .filter(({ name }) => name !== MIGRATIONS_TABLE)
    .map(({ name, columns }) => shape(name, columns))
  const unlike = [
    ...copied.filter((item) => !wanted.includes(item)),
    ...wanted.filter((item) => !copied.includes(item)),
  ]
  if (unlike.length > 0)
    throw new Error(`The backup cannot be restored: its tables do not match its migrations: ${unlike.join("; ")}.`)
  return { objects, tables, searches }
}

/** @throws when a deployment contains more than its migrations created */
async function refuseUnlessEmpty(deployment: Deployment, objects: SchemaObject[]) {
  const full = (what: string) =>
    new Error(
      `${deployment.name} is not empty: it has ${what}. Restore into an empty deployment: create a new database ` +
        "and bucket (locally, set another STATE_DIR).",
    )
  for await (const { key } of deployment.files()) throw full(`the file ${key}`)
  if (objects.length === 0) return
  const names = objects.map(({ name }) => name)
  const { tables } = readTables(createEmptyCopy(objects))
  const ledger = names.includes(MIGRATIONS_TABLE)
    ? await deployment.query(`select name from ${MIGRATIONS_TABLE} order by id`)
    : []
  const applied = ledger.map(([name]) => String(name))
  const own = migrationFiles()
  const strange = applied.find((name) => !own.includes(name))
  if (strange) throw full(`the schema of another version of Lectern (${strange})`)
  const fresh = migratedDatabase(applied)
  const freshTables = new Set(readTables(fresh).tables.map(({ name }) => name))
  const counts = await counted(
    deployment,
    tables.map(({ name }) => name),
  )
  for (const [name, rows] of counts) {
    if (name === MIGRATIONS_TABLE) continue
    if (!freshTables.has(name)) throw full(`a table ${name} that is not Lectern's`)
    const [{ least } = { least: 0 }] = fresh.prepare(`select count(*) as least from ${quoteIdentifier(name)}`).all()
    if (rows > Number(least)) throw full(`${rows} rows in ${name}`)
  }
}

const isUnfinished = async (deployment: Deployment) =>
  (await schemaObjectsIn(deployment)).some(({ name }) => name === UNFINISHED_RESTORE)

/** Drops all objects, referring tables first. */
async function clear(deployment: Deployment) {
  const objects = createdObjects(await schemaObjectsIn(deployment)).filter(({ name }) => name !== UNFINISHED_RESTORE)
  const order = objects.length > 0 ? readTables(createEmptyCopy(objects)).tables.map(({ name }) => name) : []
  const drops = (type: string, names: string[]) =>
    names.map((name) => `drop ${type} if exists ${quoteIdentifier(name)}`)
  const of = (type: string) => objects.filter((item) => item.type === type).map(({ name }) => name)
  const virtual = of("table").filter((name) => !order.includes(name))
  for (const statement of [
    ...drops("table", [MIGRATIONS_TABLE]),
    ...drops("trigger", of("trigger")),
    ...drops("view", of("view")),
    ...drops("table", virtual.reverse()),
    ...drops("table", order.reverse()),
  ])
    await withRetries(() => deployment.script([statement]))
}

/** Creates the missing objects. */
async function make(deployment: Deployment, wanted: SchemaObject[]) {
  const objects = new Set((await schemaObjectsIn(deployment)).map(({ name }) => name))
  const missing = wanted.filter(({ name }) => !objects.has(name))
  // One call per trigger: D1 splits a trigger incorrectly when other statements follow.
  for (const some of groups(missing, ({ type, sql }) => (type === "trigger" ? SCRIPT : sql.length), SCRIPT))
    await runOnce(
      () => deployment.script(some.map(({ sql }) => sql)),
      async () => {
        const now = new Set((await schemaObjectsIn(deployment)).map(({ name }) => name))
        return some.every(({ name }) => now.has(name))
      },
    )
}

/** Runs a statement that adds a known number of rows to a table. */
const adding = (
  deployment: Deployment,
  table: string,
  before: number,
  rows: number,
  [sql, parameters]: [string, Value[]],
) =>
  runOnce(
    () => deployment.query(sql, parameters),
    async () => {
      const now = (await counted(deployment, [table])).get(table)
      if (now !== before && now !== before + rows)
        throw new NonRetryableError(`Another process is writing to ${deployment.name} (${table}).`)
      return now !== before
    },
  )

/** Loads the lines of a table that are not there yet: what is there is the beginning of the file. */
async function loadTable(deployment: Deployment, table: Table, path: string, there: number) {
  let rows = there
  let chunk: string[] = []
  let bytes = 0
  const flush = async () => {
    if (chunk.length === 0) return
    const [sql, array] = insertLines(table, chunk, table.selfReferences)
    await adding(deployment, table.name, rows, chunk.length, [sql, [array]])
    rows += chunk.length
    chunk = []
    bytes = 0
  }
  let skipped = 0
  for await (const line of streamLines(path)) {
    if (skipped < there) {
      skipped++
      continue
    }
    const length = Buffer.byteLength(line)
    if (bytes + length > CHUNK) await flush()
    if (length > MAX_LINE_BYTES) {
      await adding(deployment, table.name, rows, 1, insertLongLine(table, line, table.selfReferences))
      rows++
      continue
    }
    chunk.push(line)
    bytes += length
  }
  await flush()
}

/** Sets references to rows of the same table, which may come later. */
async function setOwn(deployment: Deployment, table: Table, path: string) {
  let chunk: string[] = []
  let bytes = 0
  const flush = async () => {
    if (chunk.length === 0) return
    const [sql, array] = updateSelfReferences(table, chunk)
    await withRetries(() => deployment.query(sql, [array]))
    chunk = []
    bytes = 0
  }
  for await (const line of streamLines(path)) {
    const values = JSON.parse(line) as Record<string, unknown>
    const needed = Object.fromEntries(
      [...table.key.map(({ name }) => name), ...table.selfReferences].map((name) => [name, values[name]]),
    )
    if (table.selfReferences.every((name) => values[name] === null)) continue
    const short = JSON.stringify(needed)
    chunk.push(short)
    bytes += Buffer.byteLength(short)
    if (bytes > CHUNK) await flush()
  }
  await flush()
}

/** Makes a full-text table from its table's rows, from where an earlier run left it. */
async function makeSearch(deployment: Deployment, { name, source: of }: SearchTable) {
  const numberOf = async (sql: string, parameters: Value[] = []) => (await deployment.query(sql, parameters))[0]?.[0]
  const last = async () => Number((await numberOf(`select max(rowid) from ${quoteIdentifier(name)}`)) ?? 0)
  let from = await last()
  for (;;) {
    const page = `select id from ${quoteIdentifier(of)} where id > ? order by id limit ${SEARCH_ROWS}`
    const to = await numberOf(`select max(id) from (${page})`, [from])
    if (to === null || to === undefined) return
    const rows = `select id, search_text from ${quoteIdentifier(of)} where id > ? and id <= ?`
    await runOnce(
      () => deployment.query(`insert into ${quoteIdentifier(name)} (rowid, text) ${rows}`, [from, to]),
      async () => (await last()) >= Number(to),
    )
    from = Number(to)
  }
}

/** Looks keys up, in their order, in what a bucket has. */
function lookup(files: AsyncIterable<StoredFile>) {
  const listed = files[Symbol.asyncIterator]()
  let next: StoredFile | undefined
  let begun = false
  const advance = async () => {
    const { value, done } = await listed.next()
    next = done ? undefined : value
  }
  return async (key: string): Promise<StoredFile | undefined> => {
    if (!begun) await advance()
    begun = true
    while (next && Buffer.compare(Buffer.from(next.key), Buffer.from(key)) < 0) await advance()
    return next?.key === key ? next : undefined
  }
}

const isThere = (found: StoredFile | undefined, { size, md5, httpMetadata, customMetadata }: CopiedFile) => {
  const metadataOf = (file: Pick<CopiedFile, "httpMetadata" | "customMetadata">) =>
    JSON.stringify([file.httpMetadata, file.customMetadata].map((all) => Object.entries(all).sort()))
  return (
    found?.size === size && found.etag === md5 && metadataOf(found) === metadataOf({ httpMetadata, customMetadata })
  )
}

/** Puts the files into the bucket that are not there yet. */
async function loadFiles(deployment: Deployment, folder: string) {
  const find = lookup(deployment.files())
  for await (const line of streamLines(join(folder, FILES))) {
    const file = JSON.parse(line) as CopiedFile
    if (isThere(await find(file.key), file)) continue
    await withRetries(async () => {
      const etag = await deployment.write(file.key, join(folder, file.file), file)
      if (etag !== file.md5) throw new Error(`The file ${file.key} has a wrong size or checksum.`)
    })
  }
}

/** The differences between a deployment and a copy: every row and file is read again. */
async function differencesOf(
  deployment: Deployment,
  folder: string,
  manifest: Manifest,
  tables: Table[],
  searches: SearchTable[],
): Promise<string[]> {
  const found: string[] = []
  for (const table of tables) {
    const hash = createHash("sha256")
    for await (const lines of readLines(deployment, table)) hash.update(`${lines.join("\n")}\n`)
    const copied = manifest.tables.find(({ name }) => name === table.name)
    if (hash.digest("hex") !== copied?.sha256) found.push(`the rows of ${table.name}`)
  }
  const counts = await counted(
    deployment,
    searches.flatMap(({ name, source: of }) => [name, of]),
  )
  for (const { name, source: of } of searches)
    if (counts.get(name) !== counts.get(of)) found.push(`the full-text table ${name}`)
  const find = lookup(deployment.files())
  for await (const line of streamLines(join(folder, FILES))) {
    const file = JSON.parse(line) as CopiedFile
    if (!isThere(await find(file.key), file)) found.push(`the file ${file.key}`)
  }
  let files = 0
  for await (const _ of deployment.files()) files++
  if (files !== manifest.files.rows) found.push(`the number of files (${files} instead of ${manifest.files.rows})`)
  return found
}

/** Completes a restore: writes the migrations and drops the marker table in one batch. */
async function finish(deployment: Deployment, folder: string, migrations: CopiedTable, tables: Table[]) {
  const rows: string[] = []
  for await (const line of streamLines(join(folder, migrations.file))) rows.push(line)
  const [sql, array] = insertLines(
    { name: MIGRATIONS_TABLE, columns: migrations.columns, key: [], selfReferences: [] },
    rows,
  )
  const has = (table: string) => tables.some(({ name }) => name === table)
  const now = Date.now()
  await runOnce(
    () =>
      deployment.script([
        CREATE_MIGRATIONS_TABLE,
        sql.replace("?", () => quoteText(array)),
        // The Durable Objects of the new deployment know of no revocation: the cron repeats them as if they were new.
        ...(has(REVOCATIONS) ? [`update ${REVOCATIONS} set created_at = ${now} where created_at > ${now - DAY}`] : []),
        ...(has(RESTORES) ? [`insert into ${RESTORES} (restored_at) values (${now})`] : []),
        `drop table ${UNFINISHED_RESTORE}`,
      ]),
    async () => !(await isUnfinished(deployment)),
  )
}

/**
 * Restores a backup, with its schema, into an empty deployment. It resumes an interrupted restore of the same backup.
 * Until the end the database has no migrations table and no triggers.
 * @param again discards an unfinished restore
 * @throws if the backup is damaged or of a newer version, or if the deployment is not empty
 */
export async function restore(
  deployment: Deployment,
  folder: string,
  say: Say,
  { again = false }: { again?: boolean } = {},
): Promise<Manifest> {
  const manifest = readManifest(folder)
  const { objects: wanted, tables, searches } = schemaOf(manifest)
  const migrations = manifest.tables.find(({ name }) => name === MIGRATIONS_TABLE)
  if (!migrations) throw new Error(`The backup in ${folder} does not list its migrations.`)
  const copy = createHash("sha256")
    .update(readFileSync(join(folder, MANIFEST)))
    .digest("hex")

  const damage = await damageOf(folder, manifest)
  if (damage.length > 0)
    throw new Error(`The backup in ${folder} is damaged: ${damage.slice(0, 10).join("; ")}. Nothing was restored.`)
  say("Verified the backup.")

  const objects = await schemaObjectsIn(deployment)
  if (!(await isUnfinished(deployment))) {
    try {
      await refuseUnlessEmpty(deployment, objects)
    } catch (error) {
      const names = new Set(objects.map(({ name }) => name))
      // The cron deletes revocations, and those of the last day have new dates. A restore is recorded.
      const lasting = tables.filter(({ name }) => name !== REVOCATIONS && name !== RESTORES)
      const isMade = [...wanted.map(({ name }) => name), MIGRATIONS_TABLE].every((name) => names.has(name))
      if (!isMade || (await differencesOf(deployment, folder, manifest, lasting, searches)).length > 0) throw error
      say("The deployment already matches the backup. Nothing was changed.")
      return manifest
    }
    await runOnce(
      () =>
        deployment.script([
          `create table ${UNFINISHED_RESTORE} (copy text not null, cleared integer not null)`,
          `insert into ${UNFINISHED_RESTORE} values (${quoteText(copy)}, 0)`,
        ]),
      () => isUnfinished(deployment),
    )
  }
  const [[of, cleared] = []] = await deployment.query(`select copy, cleared from ${UNFINISHED_RESTORE}`)
  if (of !== copy && !again)
    throw new Error(
      `Another restore into ${deployment.name} is unfinished. Finish it with its backup, or start over ` +
        "with this backup: --again.",
    )
  if (again || cleared !== 1) {
    await clear(deployment)
    if (again) for await (const { key } of deployment.files()) await deployment.remove(key)
    await withRetries(() =>
      deployment.script([`update ${UNFINISHED_RESTORE} set copy = ${quoteText(copy)}, cleared = 1`]),
    )
  } else say("Resuming an interrupted restore.")

  const triggers = wanted.filter(({ type }) => type === "trigger")
  await make(
    deployment,
    wanted.filter(({ type }) => type !== "trigger"),
  )
  const there = await counted(
    deployment,
    tables.map(({ name }) => name),
  )
  for (const table of tables) {
    const copied = manifest.tables.find(({ name }) => name === table.name)
    if (!copied) continue
    const path = join(folder, copied.file)
    await loadTable(deployment, table, path, there.get(table.name) ?? 0)
    if (table.selfReferences.length > 0) await setOwn(deployment, table, path)
  }
  say(`${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows restored.`)
  await loadFiles(deployment, folder)
  say(`${manifest.files.rows} files restored.`)
  for (const search of searches) await makeSearch(deployment, search)

  const differences = await differencesOf(deployment, folder, manifest, tables, searches)
  if (differences.length > 0)
    throw new Error(
      `The restored data differs from the backup in ${differences.slice(0, 10).join("; ")}. Another process wrote to ` +
        `${deployment.name}. Stop it, and start over with --again.`,
    )
  say("Verified every table and file.")
  await make(deployment, triggers)
  await finish(deployment, folder, migrations, tables)
  return manifest
}
