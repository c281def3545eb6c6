// Reads a deployment into a copy.
import { createHash, type Hash } from "node:crypto"
import { once } from "node:events"
import {
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { open } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Deployment, StoredFile } from "./deployment.ts"
import {
  type CopiedFile,
  type CopiedTable,
  contentFile,
  FILES,
  FORMAT,
  FORMAT_VERSION,
  type Lines,
  linesOf,
  MANIFEST,
  type Manifest,
  tableFile,
} from "./format.ts"
import { patiently } from "./patience.ts"
import { catalogue, keyOf, likeness, MIGRATIONS, madeBy, rowsOf, standingIn, type Table, UNFINISHED } from "./tables.ts"

/** How often everything is read at most: where rows change at each reading, the academy is too busy to be copied. */
const READINGS = 4

const UNFINISHED_COPY = "unfinished.json"

/** What stands in `unfinished.json`: what an interrupted backup had done. */
interface Progress {
  startedAt: string
  migrations: string[]
  /** Where Time Travel stood before the present reading. */
  bookmark: string | null
  /** Which reading this is, from 0. */
  reading: number
  /** What this reading found to be something else than the one before it. */
  changed: string[]
  /** What was read last, and in which reading, by its path within the copy. */
  read: Record<string, Lines & { reading: number }>
}

/** Appends lines to a file and keeps count. */
class LineWriter {
  private readonly hash: Hash
  private readonly stream
  readonly told: Lines
  constructor(folder: string, told: Lines, hash: Hash) {
    this.told = told
    this.hash = hash
    this.stream = createWriteStream(join(folder, `${told.file}.part`), { flags: "a" })
  }

  async add(lines: string[]) {
    const text = `${lines.join("\n")}\n`
    this.hash.update(text)
    this.told.rows += lines.length
    this.told.bytes += Buffer.byteLength(text)
    if (!this.stream.write(text)) await once(this.stream, "drain")
  }

  /** Writes all that `write` adds. What was added before it failed stays, for the next run to go on with. */
  async whole(write: () => Promise<void>): Promise<Lines> {
    try {
      await write()
    } finally {
      this.stream.end()
      await once(this.stream, "close")
    }
    return { ...this.told, sha256: this.hash.digest("hex") }
  }
}

/** Opens a file of lines where an interrupted backup left it. @returns its last line, too */
async function writerOf(folder: string, file: string): Promise<{ writer: LineWriter; last: string | undefined }> {
  const path = join(folder, `${file}.part`)
  const told = { file, rows: 0, bytes: 0, sha256: "" }
  const hash = createHash("sha256")
  let last: string | undefined
  if (existsSync(path)) {
    for await (const line of linesOf(path)) {
      hash.update(`${line}\n`)
      told.rows++
      told.bytes += Buffer.byteLength(line) + 1
      last = line
    }
    truncateSync(path, told.bytes)
  }
  return { writer: new LineWriter(folder, told, hash), last }
}

async function copyTable(deployment: Deployment, folder: string, table: Table): Promise<Lines> {
  const { writer, last } = await writerOf(folder, tableFile(table.name))
  const after = last === undefined ? undefined : keyOf(table, last)
  return writer.whole(async () => {
    for await (const lines of rowsOf(deployment, table, after)) await writer.add(lines)
  })
}

/** Writes a file's content into the copy. */
async function copyContent(deployment: Deployment, folder: string, file: StoredFile): Promise<CopiedFile> {
  const path = join(folder, contentFile(file.key))
  mkdirSync(dirname(path), { recursive: true })
  const hashes = { sha256: createHash("sha256"), md5: createHash("md5") }
  const handle = await open(`${path}.part`, "w")
  let size = 0
  try {
    for await (const chunk of await deployment.read(file.key)) {
      hashes.sha256.update(chunk)
      hashes.md5.update(chunk)
      size += chunk.byteLength
      await handle.writeFile(chunk)
    }
  } finally {
    await handle.close()
  }
  const md5 = hashes.md5.digest("hex")
  // The mark of a file that was put in one piece is its MD5.
  if (size !== file.size || (/^[0-9a-f]{32}$/.test(file.etag) && md5 !== file.etag))
    throw new Error(`The file ${file.key} did not arrive as it is.`)
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

/** The lines of the last reading, in the order of their keys, looked up in that order. */
function lookup(path: string) {
  const lines = existsSync(path) ? linesOf(path) : undefined
  let next: CopiedFile | undefined
  const advance = async () => {
    const { value, done } = (await lines?.next()) ?? { done: true, value: undefined }
    next = done || value === undefined ? undefined : JSON.parse(value)
  }
  let begun = false
  return async (key: string): Promise<CopiedFile | undefined> => {
    if (!begun) await advance()
    begun = true
    while (next && Buffer.compare(Buffer.from(next.key), Buffer.from(key)) < 0) await advance()
    return next?.key === key ? next : undefined
  }
}

const sameFile = (known: CopiedFile, { etag, size, httpMetadata, customMetadata }: StoredFile) =>
  JSON.stringify([known.etag, known.size, known.httpMetadata, known.customMetadata]) ===
  JSON.stringify([etag, size, httpMetadata, customMetadata])

/** Copies the files that an earlier reading did not find as they are. */
async function copyFiles(deployment: Deployment, folder: string): Promise<Lines> {
  const { writer, last } = await writerOf(folder, FILES)
  const known = lookup(join(folder, FILES))
  const after = last === undefined ? undefined : (JSON.parse(last) as CopiedFile).key
  return writer.whole(async () => {
    for await (const file of deployment.files(after)) {
      const before = await known(file.key)
      const line =
        before && sameFile(before, file) ? before : await patiently(() => copyContent(deployment, folder, file))
      await writer.add([JSON.stringify(line)])
    }
  })
}

/** Removes contents whose file was deleted between two readings. @returns the bytes of all that stay */
async function tidy(folder: string): Promise<number> {
  const kept = new Set<string>()
  let bytes = 0
  for await (const line of linesOf(join(folder, FILES))) {
    const { file, size } = JSON.parse(line) as CopiedFile
    kept.add(file)
    bytes += size
  }
  for (const path of globSync("files/*/*", { cwd: folder })) if (!kept.has(path)) rmSync(join(folder, path))
  return bytes
}

/** The migrations that were applied to a database, in order. */
const migrationsIn = async (deployment: Deployment): Promise<string[]> =>
  (await deployment.query(`select name from ${MIGRATIONS} order by id`)).map(([name]) => String(name))

/** The copy's state on the disk: what an interrupted backup left, or a new one. */
function progressIn(folder: string, migrations: string[]): { progress: Progress; save: () => void } {
  const path = join(folder, UNFINISHED_COPY)
  const startedAt = new Date().toISOString()
  const progress: Progress = existsSync(path)
    ? JSON.parse(readFileSync(path, "utf8"))
    : { startedAt, migrations, bookmark: null, reading: 0, changed: [], read: {} }
  if (progress.migrations.join() !== migrations.join())
    throw new Error(`The schema has changed since the copy in ${folder} was begun. Begin anew in another folder.`)
  return { progress, save: () => writeWhole(path, progress) }
}

/** Writes JSON that is there as a whole or not at all. */
function writeWhole(path: string, value: unknown) {
  writeFileSync(`${path}.part`, `${JSON.stringify(value, null, 2)}\n`)
  renameSync(`${path}.part`, path)
}

interface Source {
  name: string
  file: string
  copy: () => Promise<Lines>
}

/** Reads everything that this reading has not read yet, and notes what has changed since the one before it. */
async function readAll(folder: string, sources: Source[], progress: Progress, save: () => void) {
  for (const { name, file, copy } of sources) {
    const before = progress.read[file]
    if (before?.reading === progress.reading) continue
    const lines = await copy()
    const path = join(folder, file)
    if (lines.sha256 === before?.sha256) rmSync(`${path}.part`, { force: true })
    else {
      renameSync(`${path}.part`, path)
      progress.changed.push(name)
    }
    progress.read[file] = { ...lines, reading: progress.reading }
    save()
  }
}

/**
 * Copies a deployment into a folder. It goes on where an earlier backup into the same folder was interrupted.
 *
 * Everything is read again until a reading finds what the one before it found: then the copy is what the deployment
 * held in the moment between the two.
 * @param service the version of the service that makes the copy
 * @throws where the academy changed during each reading
 */
export async function backup(
  deployment: Deployment,
  folder: string,
  service: string,
  say: (line: string) => void,
): Promise<Manifest> {
  if (existsSync(join(folder, MANIFEST)))
    throw new Error(`There is a whole copy in ${folder} already. Name another folder.`)
  const standing = await standingIn(deployment)
  const names = standing.map(({ name }) => name)
  if (names.includes(UNFINISHED))
    throw new Error(`A restore into ${deployment.name} is unfinished: there is nothing whole to copy.`)
  if (!names.includes(MIGRATIONS)) throw new Error(`There is no database of an academy in ${deployment.name}.`)
  const migrations = await migrationsIn(deployment)
  mkdirSync(join(folder, "tables"), { recursive: true })
  const { progress, save } = progressIn(folder, migrations)
  const schema = madeBy(standing).map(({ sql }) => `${sql};\n`)
  writeFileSync(join(folder, "schema.sql"), schema.join(""))

  const { tables } = catalogue(likeness(standing))
  const sources: Source[] = [
    { name: "the files", file: FILES, copy: () => copyFiles(deployment, folder) },
    ...tables.map((table) => ({
      name: table.name,
      file: tableFile(table.name),
      copy: () => copyTable(deployment, folder, table),
    })),
  ]
  for (let readings = 1; ; readings++) {
    if (Object.values(progress.read).every(({ reading }) => reading < progress.reading))
      progress.bookmark = await deployment.bookmark()
    save()
    await readAll(folder, sources, progress, save)
    const { changed, reading } = progress
    const rows = tables.reduce((sum, { name }) => sum + (progress.read[tableFile(name)]?.rows ?? 0), 0)
    say(
      reading === 0
        ? `Read ${rows} rows of ${tables.length} tables and ${progress.read[FILES]?.rows} files.`
        : `Read again: ${changed.length === 0 ? "nothing has changed." : `changed are ${changed.join(", ")}.`}`,
    )
    if (reading > 0 && changed.length === 0) break
    progress.reading++
    progress.changed = []
    save()
    if (readings === READINGS)
      throw new Error(
        `The academy has changed during each of ${READINGS} readings, so there is no moment of which this is a copy. ` +
          "Run the same command again at a quieter time, or set READ_ONLY meanwhile (docs/operating.md).",
      )
  }

  const linesIn = (file: string): Lines => {
    const { reading: _, ...lines } = progress.read[file] ?? { reading: 0, file, rows: 0, bytes: 0, sha256: "" }
    return lines
  }
  const manifest: Manifest = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    service,
    schema: migrations.at(-1) ?? "",
    migrations,
    startedAt: progress.startedAt,
    finishedAt: new Date().toISOString(),
    bookmark: progress.bookmark,
    tables: tables.map(
      ({ name, columns, key }): CopiedTable => ({
        name,
        columns,
        key: key.map((column) => column.name),
        ...linesIn(tableFile(name)),
      }),
    ),
    files: { ...linesIn(FILES), contentBytes: await tidy(folder) },
  }
  writeWhole(join(folder, MANIFEST), manifest)
  rmSync(join(folder, UNFINISHED_COPY))
  return manifest
}
