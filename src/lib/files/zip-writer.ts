import { constants, crc32, deflateRawSync } from "node:zlib"

// A zip archive written as it goes: nothing of it is held but the piece at hand. Each piece is compressed by itself, up
// to a byte, and a file is its pieces one after the other: no stream in between, which would take more CPU than the
// compression, and would take pieces as fast as they are made, whoever reads.

/** A file of the archive, as pieces of text or bytes. */
export interface ArchiveFile {
  path: string
  /** Less than 4 GiB together. */
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
}

/** The fastest: a third of the CPU of the usual level for files an eighth larger. */
const LEVEL = { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH }
/** The last block of a compressed file: it is empty. */
const END = Uint8Array.of(3, 0)
const MOST = 0xffff_ffff
/** The version of the format that a reader needs; sizes follow the bytes, and names are UTF-8. */
const VERSION = 20
const FLAGS = 0x0808
const DEFLATED = 8
/** 1 January 1980: the format has no date for none. */
const NO_DATE = 0x21

const encoder = new TextEncoder()

/** A file that the archive has: where it begins, and what the directory tells of it. */
interface ZippedEntry {
  path: string
  began: number
  sizes: readonly [crc: number, packed: number, size: number]
}

/** How far an archive is. Between two files another invocation can go on from here. */
export interface ZipProgress {
  written: number
  entries: ZippedEntry[]
}

/** Numbers of two (`h`) and four (`i`) bytes, the lesser first. */
function packed(format: string, ...values: number[]): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(values.reduce((sum, _, i) => sum + (format[i] === "h" ? 2 : 4), 0)))
  let at = 0
  for (const [i, value] of values.entries()) {
    if (format[i] === "h") bytes.setUint16(at, value, true)
    else bytes.setUint32(at, value, true)
    at += format[i] === "h" ? 2 : 4
  }
  return new Uint8Array(bytes.buffer)
}

/**
 * The bytes of an archive, or of the next files of one.
 * @param progress where the archive is; moved on with each file
 * @param isLast asked after the files: false leaves the archive open, for further files
 * @throws for one of 4 GiB or more
 */
export async function* zipped(
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  progress: ZipProgress = { written: 0, entries: [] },
  isLast: () => boolean = () => true,
): AsyncGenerator<Uint8Array<ArrayBufferLike>> {
  const counted = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    progress.written += bytes.length
    if (progress.written > MOST) throw new Error("A zip archive of 4 GiB cannot be read everywhere.")
    return bytes
  }
  for await (const { path, pieces } of files) {
    const name = encoder.encode(path)
    const began = progress.written
    yield counted(packed("ihhhhhiiihh", 0x04034b50, VERSION, FLAGS, DEFLATED, 0, NO_DATE, 0, 0, 0, name.length, 0))
    yield counted(name)
    const from = progress.written
    let [check, size] = [0, 0]
    for await (const piece of pieces) {
      const bytes = typeof piece === "string" ? encoder.encode(piece) : piece
      check = crc32(bytes, check)
      size += bytes.length
      if (size > MOST) throw new Error(`${path} is too large for a zip archive.`)
      yield counted(deflateRawSync(bytes, LEVEL))
    }
    yield counted(END)
    const sizes = [check, progress.written - from, size] as const
    yield counted(packed("iiii", 0x08074b50, ...sizes))
    progress.entries.push({ path, began, sizes })
  }
  if (!isLast()) return
  const began = progress.written
  const head = [0x02014b50, VERSION, VERSION, FLAGS, DEFLATED, 0, NO_DATE] as const
  for (const entry of progress.entries) {
    const name = encoder.encode(entry.path)
    yield counted(packed("ihhhhhhiiihhhhhii", ...head, ...entry.sizes, name.length, 0, 0, 0, 0, 0, entry.began))
    yield counted(name)
  }
  const count = progress.entries.length
  yield counted(packed("ihhhhiih", 0x06054b50, 0, 0, count, count, progress.written - began, began, 0))
}
