import {
  configure,
  type Entry,
  ERR_UNSAFE_FILENAME,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
} from "@zip.js/zip.js/index-native.js"
import { invalid, tooLarge, unsupported } from "../errors.ts"
import { hasSignature } from "./file-kinds.ts"

// Reads uploaded zip files. The central directory is checked against limits before anything is unpacked; then each file
// is a stream of exactly as many bytes as the directory says.

/** Limits of a zip file. */
export interface ZipLimits {
  /** The field of the request, for error messages. */
  field: string
  /** Entries of the directory, with folders. */
  entries: number
  /** Bytes of all files, unpacked. */
  unpacked: number
}

/** A file within a zip. */
export interface ZippedFile {
  /** The path in the zip. */
  name: string
  /** Bytes, unpacked. */
  size: number
  /**
   * Unpacks the file. The stream fails when the file is damaged or larger than its `size`, as in a zip bomb.
   * @returns the bytes, and a promise that resolves when the checksum was verified
   */
  unpack(): { stream: ReadableStream<Uint8Array>; done: Promise<unknown> }
}

// The library queues files beyond this number, for all requests of the isolate. On Workers another request cannot
// continue the queue, so a queued file would wait forever.
configure({ maxWorkers: Number.MAX_SAFE_INTEGER })

/** Bytes of a path. R2 keys have at most 1,024 with the package's prefix. */
const MAX_NAME_BYTES = 900
/** The maximum compression ratio of large zip files: video, images and pages are far below. */
const RATIO = { from: 10_000_000, max: 100 }
/** Bytes of a local file header before the name. */
const HEADER_SIZE = 30
/** Stored and deflated: other methods are rare, and browsers cannot unpack them. */
const METHODS = [0, 8]

/**
 * Lists the files of a zip from its directory.
 * @throws 415 when it is not a zip; 413 above the limits; 422 for unsafe or long names, encryption, overlapping files
 */
export async function openZip(bytes: Uint8Array, limits: ZipLimits): Promise<ZippedFile[]> {
  const { field } = limits
  const entries = await directoryOf(bytes, limits)
  const files = entries.filter((entry) => !entry.directory)
  if (files.some(({ encrypted }) => encrypted)) throw invalid(field, `${field} must not be protected by a password.`)
  if (files.some(({ compressionMethod }) => !METHODS.includes(compressionMethod)))
    throw invalid(field, `${field} is packed by another method than deflate; make the zip again.`)
  const packed = files.reduce((sum, { compressedSize }) => sum + compressedSize, 0)
  const unpacked = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (unpacked > limits.unpacked)
    throw tooLarge(`${field} is larger than ${limits.unpacked / 1_000_000} MB once it is unpacked.`)
  if (unpacked > RATIO.from && unpacked > packed * RATIO.max)
    throw tooLarge(`${field} unpacks to more than ${RATIO.max} times its size.`)
  requireNoOverlap(files, bytes.length, field)
  return files.map((entry) => ({ name: entry.filename, size: entry.uncompressedSize, unpack: () => unpack(entry) }))
}

async function directoryOf(bytes: Uint8Array, { field, entries: maxEntries }: ZipLimits): Promise<Entry[]> {
  if (!hasSignature(bytes, "zip")) throw unsupported(`${field} must be a zip file.`)
  const entries: Entry[] = []
  let longName = ""
  try {
    const reader = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false })
    // A generator, to stop early in a directory of millions of entries.
    for await (const entry of reader.getEntriesGenerator()) {
      entries.push(entry)
      if (entries.length > maxEntries) break
      if (entry.rawFilename.length > MAX_NAME_BYTES) longName = entry.filename
    }
  } catch (error) {
    if (error instanceof Error && error.message === ERR_UNSAFE_FILENAME)
      throw invalid(field, `${field} has a file whose path leads out of it.`)
    throw unsupported(`${field} is a zip file that cannot be read; make it again.`)
  }
  if (entries.length > maxEntries) throw tooLarge(`${field} has more than ${maxEntries} files and folders.`)
  if (longName)
    throw invalid(
      field,
      `${field} has a file whose name is longer than ${MAX_NAME_BYTES} bytes: ${longName.slice(0, 60)}…`,
    )
  return entries
}

/** Files that share bytes can unpack to far more than the limit. @throws 422 */
function requireNoOverlap(files: Entry[], size: number, field: string) {
  const ranges = files
    .map((entry) => ({
      from: entry.offset,
      to: entry.offset + HEADER_SIZE + entry.rawFilename.length + entry.compressedSize,
    }))
    .sort((a, b) => a.from - b.from)
  let end = 0
  for (const { from, to } of ranges) {
    if (from < end || to > size)
      throw invalid(field, `${field} has files that lie over one another; make the zip again.`)
    end = to
  }
}

function unpack(entry: FileEntry): ReturnType<ZippedFile["unpack"]> {
  const { readable, writable } = new FixedLengthStream(entry.uncompressedSize)
  const done = entry.getData(writable, { useWebWorkers: false, checkSignature: true })
  // A reader that stops early must not cause an unhandled rejection.
  done.catch(() => {})
  return { stream: readable, done }
}
