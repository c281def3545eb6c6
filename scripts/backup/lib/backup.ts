// Backs up a running deployment.
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { open } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  applyChanges,
  type ChangeLogOwner,
  createOwner,
  readOwner,
  readUntilConsistent,
  startRecording,
  stopRecording,
} from "./changes.ts"
import type { Deployment, StoredFile } from "./deployment.ts"
import {
  type CopiedFile,
  type CopiedTable,
  contentFile,
  digestFile,
  FILES,
  FORMAT,
  FORMAT_VERSION,
  type Lines,
  MANIFEST,
  MANIFEST_DIGEST,
  type Manifest,
  manifestDigest,
  readManifest,
  SCHEMA,
  streamLines,
  tableFile,
  UNFINISHED_COPY,
} from "./format.ts"
import { commitFile, createWriter, resumeWriter, writeAtomically } from "./lines.ts"
import { withRetries } from "./retry.ts"
import {
  createdObjects,
  createEmptyCopy,
  MIGRATIONS_TABLE,
  readKey,
  readLines,
  readTables,
  schemaObjectsIn,
  type Table,
  UNFINISHED_RESTORE,
} from "./tables.ts"

type Say = (line: string) => void

/** The content of `unfinished.json`: the progress of an interrupted backup. */
interface Progress {
  startedAt: string
  migrations: string[]
  /** The owner of the change log that is read at the end. */
  owner: ChangeLogOwner
  /** The parts that were read, by their path within the copy. */
  read: Record<string, Lines>
}

async function copyTable(deployment: Deployment, folder: string, table: Table): Promise<Lines> {
  const file = tableFile(table.name)
  const { writer, last } = await resumeWriter(folder, file)
  const after = last === undefined ? undefined : readKey(table, last)
  const lines = await writer.writeAll(async () => {
    for await (const lines of readLines(deployment, table, after)) await writer.add(lines)
  })
  commitFile(folder, file)
  return lines
}

/** Writes a file's content into the copy. @returns undefined if the file was deleted */
async function copyContent(deployment: Deployment, folder: string, file: StoredFile): Promise<CopiedFile | undefined> {
  const content = await deployment.read(file.key)
  if (!content) return undefined
  const path = join(folder, contentFile(file.key))
  mkdirSync(dirname(path), { recursive: true })
  const hashes = { sha256: createHash("sha256"), md5: createHash("md5") }
  const handle = await open(`${path}.part`, "w")
  let size = 0
  try {
    for await (const chunk of content) {
      hashes.sha256.update(chunk)
      hashes.md5.update(chunk)
      size += chunk.byteLength
      await handle.writeFile(chunk)
    }
  } finally {
    await handle.close()
  }
  const md5 = hashes.md5.digest("hex")
  // The ETag of a file that was uploaded in one part is its MD5.
  if (size !== file.size || (/^[0-9a-f]{32}$/.test(file.etag) && md5 !== file.etag))
    throw new Error(`The file ${file.key} has a wrong size or checksum.`)
  renameSync(`${path}.part`, path)
  return {
    key: file.key,
    file: contentFile(file.key),
    size,
    sha256: hashes.sha256.digest("hex"),
    md5,
    etag: file.etag,
    httpMetadata: file.httpMetadata,
    customMetadata: file.customMetadata,
  }
}

const sameFile = (known: CopiedFile, { etag, size, httpMetadata, customMetadata }: StoredFile) =>
  JSON.stringify([known.etag, known.size, known.httpMetadata, known.customMetadata]) ===
  JSON.stringify([etag, size, httpMetadata, customMetadata])

/** The files of the copy, ordered by key. */
async function* copied(folder: string): AsyncGenerator<CopiedFile> {
  const path = join(folder, FILES)
  if (existsSync(path)) for await (const line of streamLines(path)) yield JSON.parse(line)
}

/**
 * Lists the files, and copies new and changed ones.
 * @param keepsGone whether the copy keeps files that were deleted from the bucket
 */
async function copyFiles(deployment: Deployment, folder: string, keepsGone: boolean): Promise<Lines> {
  const known = copied(folder)
  let next = (await known.next()).value as CopiedFile | undefined
  const isBefore = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
  const writer = createWriter(folder, FILES)
  const lines = await writer.writeAll(async () => {
    const skipTo = async (key?: string) => {
      for (; next && (key === undefined || isBefore(next.key, key)); next = (await known.next()).value)
        if (keepsGone) await writer.add([JSON.stringify(next)])
    }
    for await (const file of deployment.files()) {
      await skipTo(file.key)
      const before = next?.key === file.key ? next : undefined
      if (before) next = (await known.next()).value
      const line =
        before && sameFile(before, file) ? before : await withRetries(() => copyContent(deployment, folder, file))
      if (line) await writer.add([JSON.stringify(line)])
    }
    await skipTo()
  })
  commitFile(folder, FILES)
  return lines
}

/** Deletes contents that no file references. @returns the bytes of the others */
async function deleteUnreferenced(folder: string): Promise<number> {
  const referenced = new Set<string>()
  let bytes = 0
  for await (const { file, size } of copied(folder)) {
    referenced.add(file)
    bytes += size
  }
  for (const path of globSync("files/*/*", { cwd: folder })) if (!referenced.has(path)) rmSync(join(folder, path))
  return bytes
}

/** The migrations that were applied to a database, in order. */
const migrationsIn = async (deployment: Deployment): Promise<string[]> =>
  (await deployment.query(`select name from ${MIGRATIONS_TABLE} order by id`)).map(([name]) => String(name))

/**
 * The progress of an interrupted backup in the folder, or a new one.
 * @param noted the owner of the database's change log
 */
function progressIn(folder: string, migrations: string[], noted: ChangeLogOwner | undefined, say: Say) {
  const path = join(folder, UNFINISHED_COPY)
  const begun: Progress | undefined = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined
  if (begun && begun.migrations.join() !== migrations.join())
    throw new Error(`The schema changed after the backup in ${folder} started. Start a new backup in another folder.`)
  const goesOn = begun && noted?.id === begun.owner.id && Date.now() / 1000 < noted.until
  if (begun && !goesOn) {
    say("Changes since the backup started are no longer recorded. Reading all tables from the beginning.")
    rmSync(join(folder, "tables"), { recursive: true })
    mkdirSync(join(folder, "tables"))
  }
  const progress: Progress = goesOn
    ? begun
    : { startedAt: new Date().toISOString(), migrations, owner: createOwner(), read: {} }
  return { progress, save: () => writeAtomically(path, `${JSON.stringify(progress, null, 2)}\n`) }
}

/**
 * Backs up a consistent snapshot of a deployment to a folder. It resumes an interrupted backup to the same folder.
 *
 * Tables are read one after the other, while triggers record changes. Then the changed rows are read again. The
 * backup contains all files that existed at that time.
 * @param service the version of the service
 * @param again discards the unfinished backup to another folder
 */
export async function backup(
  deployment: Deployment,
  folder: string,
  service: string,
  say: Say,
  { again = false }: { again?: boolean } = {},
): Promise<Manifest> {
  if (existsSync(join(folder, MANIFEST))) {
    if (!existsSync(join(folder, UNFINISHED_COPY)))
      throw new Error(`${folder} already contains a complete backup. Choose another folder.`)
    return finish(deployment, folder)
  }
  const objects = await schemaObjectsIn(deployment)
  const names = objects.map(({ name }) => name)
  if (names.includes(UNFINISHED_RESTORE))
    throw new Error(`A restore into ${deployment.name} is unfinished: it cannot be backed up.`)
  if (!names.includes(MIGRATIONS_TABLE)) throw new Error(`No academy database was found in ${deployment.name}.`)
  const migrations = await migrationsIn(deployment)
  mkdirSync(join(folder, "tables"), { recursive: true })
  const noted = await readOwner(deployment)
  const { progress, save } = progressIn(folder, migrations, noted, say)
  if (noted && noted.id !== progress.owner.id) {
    if (!again && Date.now() / 1000 < noted.until)
      throw new Error(
        `Another backup of ${deployment.name} is running or was interrupted. Finish it in its own folder, or ` +
          "discard it with --again.",
      )
    await stopRecording(deployment)
  }
  save()
  const schema = createdObjects(objects).map(({ sql }) => `${sql};\n`)
  writeAtomically(join(folder, SCHEMA), schema.join(""))

  const { tables } = readTables(createEmptyCopy(objects))
  const keyed = tables.filter(({ key }) => key.length > 0)
  await startRecording(deployment, keyed, progress.owner)
  await copyFiles(deployment, folder, false)
  for (const table of tables) {
    const file = tableFile(table.name)
    if (progress.read[file]) continue
    progress.read[file] = await copyTable(deployment, folder, table)
    save()
  }
  const linesIn = (table: string): Lines => {
    const file = tableFile(table)
    return progress.read[file] ?? { file, rows: 0, bytes: 0, sha256: "" }
  }
  const rows = tables.reduce((sum, { name }) => sum + linesIn(name).rows, 0)
  await copyFiles(deployment, folder, false)
  say(`Read ${rows} rows of ${tables.length} tables.`)

  const moment = await readUntilConsistent(deployment, keyed, progress.owner)
  const bookmark = await deployment.bookmark()
  if (moment.migrations.join() !== migrations.join())
    throw new Error(`The schema changed after the backup in ${folder} started. Start a new backup in another folder.`)
  for (const table of keyed) {
    const changed = moment.changes.get(table.name)
    if (changed) progress.read[tableFile(table.name)] = await applyChanges(folder, table, changed)
    const found = linesIn(table.name).rows
    if (found !== moment.counts.get(table.name))
      throw new Error(`The copy has ${found} rows of ${table.name} instead of ${moment.counts.get(table.name)}.`)
  }
  const changes = [...moment.changes.values()].reduce((sum, { size }) => sum + size, 0)
  say(
    changes === 0
      ? "No rows changed during the backup."
      : `${changes} rows changed during the backup and were read again.`,
  )
  const files = await copyFiles(deployment, folder, true)
  say(`The files are there: ${files.rows}.`)

  const manifest: Manifest = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    service,
    schema: migrations.at(-1) ?? "",
    migrations,
    startedAt: progress.startedAt,
    finishedAt: new Date().toISOString(),
    bookmark,
    tables: tables.map(
      ({ name, columns, key }): CopiedTable => ({
        name,
        columns,
        key: key.map((column) => column.name),
        ...linesIn(name),
      }),
    ),
    files: { ...files, contentBytes: await deleteUnreferenced(folder) },
    schemaSql: { file: SCHEMA, sha256: await digestFile(join(folder, SCHEMA)) },
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  writeAtomically(join(folder, MANIFEST_DIGEST), manifestDigest(text))
  writeAtomically(join(folder, MANIFEST), text)
  return finish(deployment, folder)
}

/** Completes the backup and stops recording changes. */
async function finish(deployment: Deployment, folder: string): Promise<Manifest> {
  const unfinished = join(folder, UNFINISHED_COPY)
  const { owner } = JSON.parse(readFileSync(unfinished, "utf8")) as Progress
  await stopRecording(deployment, owner.id)
  rmSync(unfinished)
  return readManifest(folder)
}
