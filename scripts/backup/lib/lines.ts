// JSON Lines files of a backup, which an interrupted backup can resume.
import { createHash, type Hash } from "node:crypto"
import { once } from "node:events"
import { createWriteStream, existsSync, renameSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Lines, streamLines } from "./format.ts"

/** Appends lines to a file, and counts and hashes them. */
export class LineWriter {
  private readonly hash: Hash
  private readonly stream
  private readonly written: Lines
  constructor(path: string, written: Lines, hash: Hash) {
    this.written = written
    this.hash = hash
    this.stream = createWriteStream(path, { flags: "a" })
  }

  async add(lines: string[]) {
    const text = `${lines.join("\n")}\n`
    this.hash.update(text)
    this.written.rows += lines.length
    this.written.bytes += Buffer.byteLength(text)
    if (!this.stream.write(text)) await once(this.stream, "drain")
  }

  /** Closes the file after `write`. If it fails, the next run resumes from the written lines. */
  async writeAll(write: () => Promise<void>): Promise<Lines> {
    try {
      await write()
    } finally {
      this.stream.end()
      await once(this.stream, "close")
    }
    return { ...this.written, sha256: this.hash.digest("hex") }
  }
}

/** Opens the partial file of an interrupted backup. @returns the writer and the last complete line */
export async function resumeWriter(folder: string, file: string) {
  const path = join(folder, `${file}.part`)
  const written = { file, rows: 0, bytes: 0, sha256: "" }
  const hash = createHash("sha256")
  let last: string | undefined
  if (existsSync(path)) {
    for await (const line of streamLines(path)) {
      hash.update(`${line}\n`)
      written.rows++
      written.bytes += Buffer.byteLength(line) + 1
      last = line
    }
    truncateSync(path, written.bytes)
  }
  return { writer: new LineWriter(path, written, hash), last }
}

/** Starts a partial file from the beginning. */
export function createWriter(folder: string, file: string): LineWriter {
  const path = join(folder, `${file}.part`)
  writeFileSync(path, "")
  return new LineWriter(path, { file, rows: 0, bytes: 0, sha256: "" }, createHash("sha256"))
}

/** Moves a partial file to its final name. */
export const commitFile = (folder: string, file: string) => renameSync(join(folder, `${file}.part`), join(folder, file))

/** Writes a file atomically. */
export function writeAtomically(path: string, text: string) {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}
