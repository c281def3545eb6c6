import { type Entry, ERR_UNSAFE_FILENAME, type FileEntry, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js"
import { getMimeType } from "hono/utils/mime"
import { randomToken } from "../../lib/crypto.ts"
import { invalid, tooLarge, unsupported } from "../../lib/errors.ts"
import { type Manifest, readManifest, xmlText } from "./manifest.ts"

/** The most bytes of a package as it is sent, and unpacked; the most files (each is a call of R2, which are numbered). */
export const MOST_BYTES = 25_000_000
const MOST_UNPACKED = 250_000_000
const MOST_FILES = 900
const MOST_MANIFEST = 2_000_000
const MANIFEST = "imsmanifest.xml"
/** How many files are written at a time. */
const AT_ONCE = 5

const wrong = (message: string) => invalid("package", message)

/** Whether these are the first bytes of a zip (or of an empty one). */
const isZip = (bytes: Uint8Array) =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && [0x0304, 0x0506].includes(((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0))

/** A path within the package: relative, of plain steps. @throws 422 for one that leads out of it */
function pathOf(name: string): string {
  const path = name.replaceAll("\\", "/")
  const steps = path.split("/")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: such a name is refused
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || steps.includes("..") || /[\u0000-\u001f]/.test(path))
    throw wrong("package has a file whose path leads out of it.")
  return steps.filter((step) => step !== "" && step !== ".").join("/")
}

/** What systems leave in zips and no package needs. */
const isLitter = (path: string) => path.startsWith("__MACOSX/") || /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(path)

interface Packed {
  path: string
  entry: FileEntry
}

/** The files of a zip by their paths, from its directory alone: nothing is unpacked yet. @throws 413, 415, 422 */
async function filesOf(bytes: Uint8Array): Promise<Packed[]> {
  if (!isZip(bytes)) throw unsupported("package must be a zip file.")
  let entries: Entry[]
  try {
    entries = await new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false }).getEntries()
  } catch (error) {
    if (error instanceof Error && error.message === ERR_UNSAFE_FILENAME)
      throw wrong("package has a file whose path leads out of it.")
    throw unsupported("package is a zip file that cannot be read; make it again.")
  }
  const files = entries.flatMap((entry) => {
    if (entry.directory) return []
    const path = pathOf(entry.filename)
    return path === "" || isLitter(path) ? [] : [{ path, entry }]
  })
  if (files.some(({ entry }) => entry.encrypted)) throw wrong("package must not be protected by a password.")
  if (files.length > MOST_FILES) throw tooLarge(`The package has ${files.length} files; it may have ${MOST_FILES}.`)
  const unpacked = files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
  if (unpacked > MOST_UNPACKED)
    throw tooLarge(`The package is larger than ${MOST_UNPACKED / 1_000_000} MB once it is unpacked.`)
  return files
}

/**
 * Unpacks a file as a stream of exactly as many bytes as the zip's directory says: one that holds more, as a zip bomb
 * does, fails where it exceeds them.
 */
function unpack(entry: FileEntry): { stream: ReadableStream<Uint8Array>; done: Promise<unknown> } {
  const { readable, writable } = new FixedLengthStream(entry.uncompressedSize)
  return { stream: readable, done: entry.getData(writable, { useWebWorkers: false, checkSignature: true }) }
}

/** @throws 422 */
async function manifestOf(files: Packed[]): Promise<{ base: string; manifest: Manifest }> {
  // Many zip the folder and not what is in it: a manifest one folder down is the package's all the same.
  const found = files
    .filter(({ path }) => path === MANIFEST || /^[^/]+\/imsmanifest\.xml$/.test(path))
    .sort((a, b) => a.path.length - b.path.length)
  const [first, second] = found
  if (!first || (second && first.path !== MANIFEST))
    throw wrong(`package has no ${MANIFEST}: it must be a SCORM 1.2 or 2004 package.`)
  if (first.entry.uncompressedSize > MOST_MANIFEST) throw tooLarge(`The package's ${MANIFEST} is larger than 2 MB.`)
  const { stream, done } = unpack(first.entry)
  try {
    const [packed] = await Promise.all([new Response(stream).arrayBuffer(), done])
    return { base: first.path.slice(0, -MANIFEST.length), manifest: readManifest(xmlText(new Uint8Array(packed))) }
  } catch (error) {
    if (error instanceof Error && error.name === "ApiError") throw error
    throw wrong(`package's ${MANIFEST} cannot be unpacked; make the zip again.`)
  }
}

/** A package as it lies in R2. */
export interface StoredPackage {
  title: string
  columns: {
    scormVersion: string
    packageKey: string
    launchPath: string
    launchCmi: Record<string, string>
    packageBytes: number
  }
  /** Takes its files away again: nothing came to name it. */
  discard(): Promise<void>
}

/**
 * Reads a package and puts its files into R2 under a random prefix.
 * @throws 413 too large; 415 not a zip; 422 no manifest, or one that names no file of the package to launch
 */
export async function storePackage(bucket: R2Bucket, file: File): Promise<StoredPackage> {
  if (file.size > MOST_BYTES) throw tooLarge(`The package is larger than ${MOST_BYTES / 1_000_000} MB.`)
  const all = await filesOf(new Uint8Array(await file.arrayBuffer()))
  const { base, manifest } = await manifestOf(all)
  const files = all.flatMap(({ path, entry }) =>
    path.startsWith(base) ? [{ path: path.slice(base.length), entry }] : [],
  )
  const [launchFile = ""] = manifest.launch.split(/[?#]/)
  if (!files.some(({ path }) => path === launchFile))
    throw wrong(`package's ${MANIFEST} launches ${launchFile}, which is not in the package.`)

  const packageKey = `scorm/${randomToken()}`
  const written: string[] = []
  const discard = async () => {
    if (written.length > 0) await bucket.delete(written)
  }
  const put = async ({ path, entry }: Packed) => {
    const key = `${packageKey}/${path}`
    written.push(key)
    const { stream, done } = unpack(entry)
    const contentType = getMimeType(path) ?? "application/octet-stream"
    await Promise.all([bucket.put(key, stream, { httpMetadata: { contentType } }), done])
  }
  try {
    for (let i = 0; i < files.length; i += AT_ONCE) await Promise.all(files.slice(i, i + AT_ONCE).map(put))
  } catch (error) {
    await discard()
    console.warn(JSON.stringify({ event: "package refused", error: String(error) }))
    throw wrong("package has a file that cannot be unpacked to the size that it declares; make the zip again.")
  }
  return {
    title: manifest.title,
    columns: {
      scormVersion: manifest.version,
      packageKey,
      launchPath: manifest.launch,
      launchCmi: manifest.cmi,
      packageBytes: files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0),
    },
    discard,
  }
}
