import { constants, crc32, deflateRawSync } from "node:zlib"

// Streams a zip archive. Each piece of a file is compressed by itself when the reader asks for it, so memory stays
// flat. The state between two files is plain data, from which another invocation can continue.

/** A file of the archive. */
export interface ArchiveFile {
  path: string
  /** Less than 4 GiB together. */
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
}

/** The fastest level takes a third of the CPU of the default; files are an eighth larger. */
const DEFLATE_OPTIONS = { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH }
/** An empty last block ends a compressed file. */
const LAST_BLOCK = Uint8Array.of(3, 0)
/** Larger archives and files need Zip64. */
const MAX_SIZE = 0xffff_ffff
/** The format version that a reader needs; flags: sizes follow the data, names are UTF-8. */
const VERSION = 20
const FLAGS = 0x0808
const DEFLATED = 8
/** 1 January 1980: the format requires a date. */
const NO_DATE = 0x21

const encoder = new TextEncoder()

/** A file of the archive as its central directory lists it. */
interface ZippedEntry {
  path: string
  offset: number
  sizes: readonly [crc: number, compressed: number, uncompressed: number]
}

/** The state of an archive between two files. */
export interface ZipProgress {
  written: number
  entries: ZippedEntry[]
}

/** Packs little-endian numbers of two (`h`) and four (`i`) bytes. */
function pack(format: string, ...values: number[]): Uint8Array<ArrayBuffer> {
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
 * Returns the bytes of an archive, or of its next files.
 * @param progress the state of the archive, which is updated
 * @param isLast asked after the files: false leaves the archive open for further files
 * @throws when the archive or a file has 4 GiB or more
 */
export async function* writeZip(
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  progress: ZipProgress = { written: 0, entries: [] },
  isLast: () => boolean = () => true,
): AsyncGenerator<Uint8Array<ArrayBufferLike>> {
  const counted = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    progress.written += bytes.length
    if (progress.written > MAX_SIZE) throw new Error("The zip archive is larger than 4 GiB.")
    return bytes
  }
  for await (const { path, pieces } of files) {
    const name = encoder.encode(path)
    const offset = progress.written
    yield counted(pack("ihhhhhiiihh", 0x04034b50, VERSION, FLAGS, DEFLATED, 0, NO_DATE, 0, 0, 0, name.length, 0))
    yield counted(name)
    const dataOffset = progress.written
    let [crc, size] = [0, 0]
    for await (const piece of pieces) {
      const bytes = typeof piece === "string" ? encoder.encode(piece) : piece
      crc = crc32(bytes, crc)
      size += bytes.length
      if (size > MAX_SIZE) throw new Error(`${path} is larger than 4 GiB.`)
      yield counted(deflateRawSync(bytes, DEFLATE_OPTIONS))
    }
    yield counted(LAST_BLOCK)
    const sizes = [crc, progress.written - dataOffset, size] as const
    yield counted(pack("iiii", 0x08074b50, ...sizes))
    progress.entries.push({ path, offset, sizes })
  }
  if (!isLast()) return
  const directoryOffset = progress.written
  const head = [0x02014b50, VERSION, VERSION, FLAGS, DEFLATED, 0, NO_DATE] as const
  for (const entry of progress.entries) {
    const name = encoder.encode(entry.path)
    yield counted(pack("ihhhhhhiiihhhhhii", ...head, ...entry.sizes, name.length, 0, 0, 0, 0, 0, entry.offset))
    yield counted(name)
  }
  const count = progress.entries.length
  yield counted(
    pack("ihhhhiih", 0x06054b50, 0, 0, count, count, progress.written - directoryOffset, directoryOffset, 0),
  )
}
