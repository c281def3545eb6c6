import { getMimeType } from "hono/utils/mime"
import type { ScormVersion } from "../../../drizzle/schema/modules.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { invalid, tooLarge } from "../../lib/errors.ts"
import { openZip, type ZippedFile } from "../../lib/files/zip.ts"
import { decodeXml, type Manifest, readManifest } from "./scorm-manifest.ts"

// Each file is one call to R2, and calls per request are limited.
const MAX_BYTES = 25_000_000
const MAX_UNPACKED_BYTES = 250_000_000
const MAX_FILES = 900
/** Includes folders and system files. */
const MAX_ENTRIES = 5000
const MAX_MANIFEST_BYTES = 2_000_000
const MANIFEST = "imsmanifest.xml"
/** Files written in parallel. */
const CONCURRENCY = 5

const packageError = (message: string) => invalid("package", message)

/** Normalizes a path within the package. @throws 422 for a path outside the package */
function pathOf(name: string): string {
  const path = name.replaceAll("\\", "/")
  const segments = path.split("/")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: such a name is refused
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || segments.includes("..") || /[\u0000-\u001f]/.test(path))
    throw packageError("package contains a file with a path outside the package.")
  return segments.filter((step) => step !== "" && step !== ".").join("/")
}

/** Files that operating systems add to zips. */
const isSystemFile = (path: string) => path.startsWith("__MACOSX/") || /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(path)

interface PackageFile {
  path: string
  file: ZippedFile
}

/** Lists the files of a zip from its directory, without unpacking. @throws 413, 415, 422 */
async function filesOf(bytes: Uint8Array): Promise<PackageFile[]> {
  const zipped = await openZip(bytes, { field: "package", entries: MAX_ENTRIES, unpacked: MAX_UNPACKED_BYTES })
  const files = zipped.flatMap((file) => {
    const path = pathOf(file.name)
    return path === "" || isSystemFile(path) ? [] : [{ path, file }]
  })
  if (files.length > MAX_FILES) throw tooLarge(`The package has ${files.length} files. The maximum is ${MAX_FILES}.`)
  const paths = files.map(({ path }) => path).sort()
  const duplicate = paths.find((path, i) => path === paths[i + 1])
  if (duplicate !== undefined) throw packageError(`package contains the file ${duplicate.slice(0, 100)} twice.`)
  return files
}

/** @throws 422 */
async function manifestOf(files: PackageFile[]): Promise<{ base: string; manifest: Manifest }> {
  // A manifest in a top-level folder is accepted, because packages are often zipped with their folder.
  const found = files
    .filter(({ path }) => path === MANIFEST || /^[^/]+\/imsmanifest\.xml$/.test(path))
    .sort((a, b) => a.path.length - b.path.length)
  const [first, second] = found
  if (!first || (second && first.path !== MANIFEST))
    throw packageError(`package contains no ${MANIFEST}. It must be a SCORM 1.2 or 2004 package.`)
  if (first.file.size > MAX_MANIFEST_BYTES) throw tooLarge(`The package's ${MANIFEST} is larger than 2 MB.`)
  const { stream, done } = first.file.unpack()
  const unpacked = await Promise.all([new Response(stream).arrayBuffer(), done]).catch(() => {
    throw packageError(`package's ${MANIFEST} can't be unpacked. Create the zip file again.`)
  })
  const manifest = await readManifest(decodeXml(new Uint8Array(unpacked[0])))
  return { base: first.path.slice(0, -MANIFEST.length), manifest }
}

/** A package stored in R2. */
export interface StoredPackage {
  title: string
  columns: {
    scormVersion: ScormVersion
    packageKey: string
    launchPath: string
    launchCmi: Record<string, string>
    packageBytes: number
  }
  /** Deletes its files, if no record references it. */
  discard(): Promise<void>
}

/** Unpacks a file into R2. @throws 422 if it doesn't match the zip directory; errors of R2 */
async function put(bucket: R2Bucket, key: string, { path, file }: PackageFile): Promise<void> {
  const { stream, done } = file.unpack()
  const contentType = getMimeType(path) ?? "application/octet-stream"
  const [stored, unpacked] = await Promise.allSettled([
    bucket.put(key, stream, { httpMetadata: { contentType } }),
    done,
  ])
  if (unpacked.status === "rejected") {
    console.warn(JSON.stringify({ event: "package refused", error: String(unpacked.reason) }))
    throw packageError("package contains a file that doesn't match its declared size. Create the zip file again.")
  }
  if (stored.status === "rejected") throw stored.reason
}

/**
 * Reads a package and stores its files in R2 under a random prefix.
 * @throws 413 too large; 415 not a zip; 422 no manifest, or it launches no file of the package
 */
export async function storePackage(bucket: R2Bucket, file: File): Promise<StoredPackage> {
  if (file.size > MAX_BYTES) throw tooLarge(`The package is larger than ${MAX_BYTES / 1_000_000} MB.`)
  const zipFiles = await filesOf(new Uint8Array(await file.arrayBuffer()))
  const { base, manifest } = await manifestOf(zipFiles)
  const files = zipFiles.flatMap(({ path, file }) =>
    path.startsWith(base) ? [{ path: path.slice(base.length), file }] : [],
  )
  const [launchFile = ""] = manifest.launch.split(/[?#]/)
  if (!files.some(({ path }) => path === launchFile))
    throw packageError(`package's ${MANIFEST} launches ${launchFile}, which is not in the package.`)

  const packageKey = `scorm/${randomToken()}`
  const keyOf = ({ path }: PackageFile) => `${packageKey}/${path}`
  const discard = () => bucket.delete(files.map(keyOf))
  try {
    for (let i = 0; i < files.length; i += CONCURRENCY) {
      const written = await Promise.allSettled(
        files.slice(i, i + CONCURRENCY).map((file) => put(bucket, keyOf(file), file)),
      )
      // Waits for all writes, so that none finishes after the files were deleted.
      for (const one of written) if (one.status === "rejected") throw one.reason
      // Unpacking blocks the thread: yields to other requests.
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
