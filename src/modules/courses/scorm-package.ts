import { getMimeType } from "hono/utils/mime"
import type { ScormVersion } from "../../../drizzle/schema/modules.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { invalid, tooLarge } from "../../lib/errors.ts"
import { openZip, type ZippedFile } from "../../lib/files/zip.ts"
import { decodeXml, type Manifest, readManifest } from "./scorm-manifest.ts"

/** The most bytes of a package as sent, and unpacked; the most files (each is a call of R2, which are numbered). */
const MOST_BYTES = 25_000_000
const MOST_UNPACKED = 250_000_000
const MOST_FILES = 900
/** With folders, and with what systems leave in zips. */
const MOST_ENTRIES = 5000
const MOST_MANIFEST = 2_000_000
const MANIFEST = "imsmanifest.xml"
/** How many files are written at a time. */
const AT_ONCE = 5

const wrong = (message: string) => invalid("package", message)

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
  file: ZippedFile
}

/** The files of a zip by their paths, from its directory alone: nothing is unpacked yet. @throws 413, 415, 422 */
async function filesOf(bytes: Uint8Array): Promise<Packed[]> {
  const zipped = await openZip(bytes, { field: "package", entries: MOST_ENTRIES, unpacked: MOST_UNPACKED })
  const files = zipped.flatMap((file) => {
    const path = pathOf(file.name)
    return path === "" || isLitter(path) ? [] : [{ path, file }]
  })
  if (files.length > MOST_FILES) throw tooLarge(`The package has ${files.length} files; it may have ${MOST_FILES}.`)
  const paths = files.map(({ path }) => path).sort()
  const twice = paths.find((path, i) => path === paths[i + 1])
  if (twice !== undefined) throw wrong(`package has the file ${twice.slice(0, 100)} twice.`)
  return files
}

/** @throws 422 */
async function manifestOf(files: Packed[]): Promise<{ base: string; manifest: Manifest }> {
  // Many people zip the folder and not its content: a manifest one folder down counts as well.
  const found = files
    .filter(({ path }) => path === MANIFEST || /^[^/]+\/imsmanifest\.xml$/.test(path))
    .sort((a, b) => a.path.length - b.path.length)
  const [first, second] = found
  if (!first || (second && first.path !== MANIFEST))
    throw wrong(`package has no ${MANIFEST}: it must be a SCORM 1.2 or 2004 package.`)
  if (first.file.size > MOST_MANIFEST) throw tooLarge(`The package's ${MANIFEST} is larger than 2 MB.`)
  const { stream, done } = first.file.unpack()
  const unpacked = await Promise.all([new Response(stream).arrayBuffer(), done]).catch(() => {
    throw wrong(`package's ${MANIFEST} cannot be unpacked; make the zip again.`)
  })
  const manifest = await readManifest(decodeXml(new Uint8Array(unpacked[0])))
  return { base: first.path.slice(0, -MANIFEST.length), manifest }
}

/** A package as it lies in R2. */
export interface StoredPackage {
  title: string
  columns: {
    scormVersion: ScormVersion
    packageKey: string
    launchPath: string
    launchCmi: Record<string, string>
    packageBytes: number
  }
  /** Removes its files again: no record came to name it. */
  discard(): Promise<void>
}

/** Unpacks a file into R2. @throws 422 for one that is not as the zip says; what R2 throws */
async function put(bucket: R2Bucket, key: string, { path, file }: Packed): Promise<void> {
  const { stream, done } = file.unpack()
  const contentType = getMimeType(path) ?? "application/octet-stream"
  const [stored, unpacked] = await Promise.allSettled([
    bucket.put(key, stream, { httpMetadata: { contentType } }),
    done,
  ])
  if (unpacked.status === "rejected") {
    console.warn(JSON.stringify({ event: "package refused", error: String(unpacked.reason) }))
    throw wrong("package has a file that cannot be unpacked to the size that it declares; make the zip again.")
  }
  if (stored.status === "rejected") throw stored.reason
}

/**
 * Reads a package and puts its files into R2 under a random prefix.
 * @throws 413 too large; 415 not a zip; 422 no manifest, or one that names no file of the package to launch
 */
export async function storePackage(bucket: R2Bucket, file: File): Promise<StoredPackage> {
  if (file.size > MOST_BYTES) throw tooLarge(`The package is larger than ${MOST_BYTES / 1_000_000} MB.`)
  const all = await filesOf(new Uint8Array(await file.arrayBuffer()))
  const { base, manifest } = await manifestOf(all)
  const files = all.flatMap(({ path, file }) =>
    path.startsWith(base) ? [{ path: path.slice(base.length), file }] : [],
  )
  const [launchFile = ""] = manifest.launch.split(/[?#]/)
  if (!files.some(({ path }) => path === launchFile))
    throw wrong(`package's ${MANIFEST} launches ${launchFile}, which is not in the package.`)

  const packageKey = `scorm/${randomToken()}`
  const keyOf = ({ path }: Packed) => `${packageKey}/${path}`
  const discard = () => bucket.delete(files.map(keyOf))
  try {
    for (let i = 0; i < files.length; i += AT_ONCE) {
      const written = await Promise.allSettled(
        files.slice(i, i + AT_ONCE).map((file) => put(bucket, keyOf(file), file)),
      )
      // All have ended when one has failed: none comes to lie in R2 after the others were taken away.
      for (const one of written) if (one.status === "rejected") throw one.reason
      // Unpacking takes the thread for a while: whoever else waits for it has a turn in between.
      await scheduler.wait(0)
    }
  } catch (error) {
    await discard()
    throw error
  }
  return {
    title: manifest.title,
    columns: {
      scormVersion: manifest.version,
      packageKey,
      launchPath: manifest.launch,
      launchCmi: manifest.cmi,
      packageBytes: files.reduce((sum, { file }) => sum + file.size, 0),
    },
    discard,
  }
}
