// How a copy lies on a disk: docs/operations/backup-format.md describes it for other programs.
import { createHash } from "node:crypto"
import { createReadStream, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { FileMetadata } from "./deployment.ts"

export const FORMAT = "lectern-copy"
/** Counts changes after which an older restore could misread a copy. */
export const FORMAT_VERSION = 2

/** A file of lines: how many, how many bytes, and the digest of all of them. */
export interface Lines {
  /** Its path within the copy. */
  file: string
  rows: number
  bytes: number
  /** SHA-256, in hexadecimal digits. */
  sha256: string
}

export interface CopiedTable extends Lines {
  name: string
  columns: string[]
  /** The columns by which the rows are ordered. */
  key: string[]
}

/** A line of files.jsonl. */
export interface CopiedFile extends FileMetadata {
  key: string
  /** The path of its content within the copy. */
  file: string
  size: number
  sha256: string
  md5: string
  /** The bucket's own mark of this content. */
  etag: string
}

/** What a copy is. It is written last: a folder without it is no copy. */
export interface Manifest {
  format: typeof FORMAT
  formatVersion: number
  /** The service's version that made the copy. */
  service: string
  /** The schema's version: its last migration. */
  schema: string
  /** The schema's migrations, in order. */
  migrations: string[]
  /** ISO 8601. */
  startedAt: string
  finishedAt: string
  /** Where D1's Time Travel stood just after the copy's moment; null where there is none. */
  bookmark: string | null
  tables: CopiedTable[]
  files: Lines & {
    /** Of all contents together. */
    contentBytes: number
  }
  /** The schema, as SQL. */
  schemaSql: { file: string; sha256: string }
}

export const MANIFEST = "manifest.json"
/** The manifest's own digest, as `sha256sum -c` reads it. */
export const MANIFEST_DIGEST = "manifest.json.sha256"
export const UNFINISHED_COPY = "unfinished.json"
export const SCHEMA = "schema.sql"
export const FILES = "files.jsonl"
export const tableFile = (name: string) => `tables/${name}.jsonl`

/** The path of a file's content within a copy: keys may hold what a disk's names may not. */
export function contentFile(key: string): string {
  const name = createHash("sha256").update(key).digest("hex")
  return `files/${name.slice(0, 2)}/${name}`
}

export const manifestDigest = (text: string): string =>
  `${createHash("sha256").update(text).digest("hex")}  ${MANIFEST}\n`

const sane = (path: unknown) => typeof path === "string" && !path.startsWith("/") && !path.split("/").includes("..")

/** The manifest of a copy. @throws where there is none, a damaged one, or one of another format */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST)
  if (existsSync(join(folder, UNFINISHED_COPY)))
    throw new Error(`The backup in ${folder} is unfinished. Run npm run backup with this folder again.`)
  if (!existsSync(path)) throw new Error(`No backup was found in ${folder}: it has no ${MANIFEST}.`)
  const text = readFileSync(path, "utf8")
  let manifest: Manifest
  try {
    manifest = JSON.parse(text)
  } catch {
    throw new Error(`${path} is damaged: it is not valid JSON.`)
  }
  if (manifest.format !== FORMAT) throw new Error(`${path} does not have the format ${FORMAT}.`)
  if (manifest.formatVersion !== FORMAT_VERSION)
    throw new Error(
      `The backup in ${folder} has format version ${manifest.formatVersion}, but this version of Lectern reads ` +
        `${FORMAT_VERSION}. Restore it with the version that created it (${manifest.service}).`,
    )
  const digest = join(folder, MANIFEST_DIGEST)
  if (!existsSync(digest)) throw new Error(`The backup in ${folder} is damaged: ${MANIFEST_DIGEST} is missing.`)
  if (readFileSync(digest, "utf8") !== manifestDigest(text))
    throw new Error(`The backup in ${folder} is damaged: the checksum of ${MANIFEST} does not match.`)
  if (![...manifest.tables, manifest.files, manifest.schemaSql].every(({ file }) => sane(file)))
    throw new Error(`${path} is damaged: it names a file outside of the backup.`)
  return manifest
}

/** The digest of a file, streamed. */
export async function digestFile(path: string, algorithm: "sha256" | "md5" = "sha256"): Promise<string> {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest("hex")
}

const NEWLINE = 10

/** Streams the lines of a file. An unfinished last line is not one. */
export async function* streamLines(path: string): AsyncGenerator<string> {
  let rest: Buffer[] = []
  for await (const read of createReadStream(path)) {
    const chunk = read as Buffer
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield rest.length > 0
        ? Buffer.concat([...rest, chunk.subarray(from, end)]).toString()
        : chunk.toString("utf8", from, end)
      rest = []
      from = end + 1
    }
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)))
  }
}
