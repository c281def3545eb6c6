import {
  configure,
  type Entry,
  ERR_UNSAFE_FILENAME,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
} from "@zip.js/zip.js/index-native.js"
import { invalid, tooLarge, unsupported } from "../errors.ts"
import { beginsAs } from "./file-kinds.ts"

// Zips from outside are read here and nowhere else: what they are is told by their directory, held against limits
// before anything is unpacked; then each file is unpacked as a stream of exactly as many bytes as the directory says.

/** What a zip may be. */
export interface ZipLimits {
  /** The field of the call that it came in. */
  field: string
  /** Entries of the directory, folders and all. */
  entries: number
  /** Bytes of all files, unpacked. */
  unpacked: number
}

/** A file within a zip. */
export interface ZippedFile {
  /** As the zip has it. */
  name: string
  /** Bytes, unpacked. */
  size: number
  /**
   * Unpacks it. The stream fails where the file holds more than its `size`, as a zip bomb does, or is damaged.
   * @returns the bytes, and when all of them are known to be right
   */
  unpack(): { stream: ReadableStream<Uint8Array>; done: Promise<unknown> }
}

// The library lets so many files be unpacked at once, for all requests of the isolate together; the next one would wait
// in a queue that only another request can move on, which on Workers is for ever. No queue, then: each unpacks its own.
configure({ maxWorkers: Number.MAX_SAFE_INTEGER })

/** Bytes of a name within a zip. R2's keys have 1,024, a package's prefix among them. */
const LONGEST_NAME = 900
/** What is larger may unpack to so many times its packed size: films, pictures and pages do not come near. */
const RATIO = { from: 10_000_000, most: 100 }
/** Bytes of an entry's header in front of its name. */
const HEADER = 30
/** Stored and deflated; no others are made by tools of today, nor unpacked by browsers. */
const METHODS = [0, 8]

/**
 * The files of a zip, from its directory alone.
 * @throws 415 for what cannot be read as a zip; 413 for one over its limits; 422 for names that lead out of it or are
 * too long, a password, and files that lie over one another
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
  if (unpacked > RATIO.from && unpacked > packed * RATIO.most)
    throw tooLarge(`${field} unpacks to more than ${RATIO.most} times its size.`)
  requireApart(files, bytes.length, field)
  return files.map((entry) => ({ name: entry.filename, size: entry.uncompressedSize, unpack: () => unpack(entry) }))
}

async function directoryOf(bytes: Uint8Array, { field, entries: most }: ZipLimits): Promise<Entry[]> {
  if (!beginsAs(bytes, "zip")) throw unsupported(`${field} must be a zip file.`)
  const entries: Entry[] = []
  let names = ""
  try {
    const reader = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false })
    // One after the other, so that a directory of millions is left after the first few.
    for await (const entry of reader.getEntriesGenerator()) {
      entries.push(entry)
      if (entries.length > most) break
      if (entry.rawFilename.length > LONGEST_NAME) names = entry.filename
    }
  } catch (error) {
    if (error instanceof Error && error.message === ERR_UNSAFE_FILENAME)
      throw invalid(field, `${field} has a file whose path leads out of it.`)
    throw unsupported(`${field} is a zip file that cannot be read; make it again.`)
  }
  if (entries.length > most) throw tooLarge(`${field} has more than ${most} files and folders.`)
  if (names)
    throw invalid(field, `${field} has a file whose name is longer than ${LONGEST_NAME} bytes: ${names.slice(0, 60)}…`)
  return entries
}

/** Each file must have bytes of its own: those that share them unpack to far more than a zip can hold. @throws 422 */
function requireApart(files: Entry[], size: number, field: string) {
  const places = files
    .map((entry) => ({
      from: entry.offset,
      to: entry.offset + HEADER + entry.rawFilename.length + entry.compressedSize,
    }))
    .sort((a, b) => a.from - b.from)
  let end = 0
  for (const { from, to } of places) {
    if (from < end || to > size)
      throw invalid(field, `${field} has files that lie over one another; make the zip again.`)
    end = to
  }
}

function unpack(entry: FileEntry): ReturnType<ZippedFile["unpack"]> {
  const { readable, writable } = new FixedLengthStream(entry.uncompressedSize)
  const done = entry.getData(writable, { useWebWorkers: false, checkSignature: true })
  // Whoever leaves the stream before its end need not hear of what comes after.
  done.catch(() => {})
  return { stream: readable, done }
}
