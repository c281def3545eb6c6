import { invalid } from "../errors.ts"
import { onDemand } from "../on-demand.ts"
import { hasTooManyMarks, normalizeLine, normalizeText, TOO_MANY_MARKS } from "../text/text.ts"

// Detects the kind of an uploaded file from its content, never from its name or declared media type.

/** The accepted kinds with their extensions. */
const KINDS = {
  image: ["png", "jpg", "gif", "webp", "avif", "heic", "tif", "bmp"],
  pdf: ["pdf"],
  document: ["docx", "doc", "odt", "rtf"],
  spreadsheet: ["xlsx", "xls", "ods", "csv"],
  presentation: ["pptx", "ppt", "odp"],
  text: ["txt", "csv", "md"],
  audio: ["mp3", "m4a", "wav", "ogg", "oga", "opus", "flac", "aac"],
  video: ["mp4", "m4v", "mov", "webm", "mkv", "avi", "mpg", "ogv"],
  archive: ["zip", "gz", "7z", "rar", "tar"],
} as const

/** The media types that `detectContent` returns, without parameters. */
export const MEDIA_TYPES = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/heic",
  "image/heic-sequence",
  "image/heif",
  "image/heif-sequence",
  "image/tiff",
  "image/bmp",
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
  "application/rtf",
  "application/x-cfb",
  "text/plain",
  "audio/mpeg",
  "audio/x-m4a",
  "audio/wav",
  "audio/ogg",
  "audio/flac",
  "audio/aac",
  "video/mp4",
  "video/x-m4v",
  "video/quicktime",
  "video/webm",
  "video/matroska",
  "video/vnd.avi",
  "video/mpeg",
  "video/ogg",
  "application/zip",
  "application/gzip",
  "application/x-7z-compressed",
  "application/x-rar-compressed",
  "application/x-tar",
] as const

/** Synonyms that clients use. */
const SYNONYMS = new Map([
  ["images", "image"],
  ["jpeg", "jpg"],
  ["tiff", "tif"],
  ["mpeg", "mpg"],
  ["documents", "document"],
  ["word", "document"],
  ["excel", "spreadsheet"],
  ["powerpoint", "presentation"],
  ["markdown", "md"],
  ["application/pdf", "pdf"],
  ["image/*", "image"],
  ["audio/*", "audio"],
  ["video/*", "video"],
  ["text/plain", "txt"],
])

/** Old Office files have the same signature, so they are interchangeable. */
const OLD_OFFICE = ["doc", "xls", "ppt"]
/** Text has no signature. */
const PLAIN_TEXT = ["txt", "csv", "md"]
/** Extensions of text files that no system executes or renders as a page. */
const HARMLESS_TEXT = [
  "txt",
  "text",
  "csv",
  "tsv",
  "md",
  "markdown",
  "log",
  "json",
  "yaml",
  "yml",
  "tex",
  "bib",
  "srt",
  "vtt",
]
/** Alternative extensions. */
const ALTERNATIVE_EXTENSIONS: Record<string, readonly string[]> = {
  jpg: ["jpeg", "jpe"],
  tif: ["tiff"],
  mpg: ["mpeg"],
  doc: ["xls", "ppt"],
  ogg: ["oga", "ogv", "opus"],
  m4a: ["mp4"],
  mp4: ["m4v", "mov", "m4a"],
  heic: ["heif"],
}

const KNOWN = new Set<string>([...Object.keys(KINDS), ...Object.values(KINDS).flat()])
export const FILE_KINDS = Object.keys(KINDS)

/** Normalizes a kind (`image`) or an extension (`.PNG`); undefined for unknown ones. */
export function fileTypeOf(word: string): string | undefined {
  const plain = normalizeText(word.slice(0, MAX_NAME_LENGTH)).toLowerCase().replace(/^\./, "")
  const type = SYNONYMS.get(plain) ?? plain
  return KNOWN.has(type) ? type : undefined
}

/** Signatures at the beginning of a file. */
const SIGNATURES = {
  png: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  jpg: [[0xff, 0xd8, 0xff]],
  // The second is that of an empty archive.
  zip: [
    [0x50, 0x4b, 0x03, 0x04],
    [0x50, 0x4b, 0x05, 0x06],
  ],
  "utf-16le": [[0xff, 0xfe]],
  "utf-16be": [[0xfe, 0xff]],
}

/** Returns whether the bytes begin with a file signature or byte order mark. */
export const hasSignature = (bytes: Uint8Array, what: keyof typeof SIGNATURES): boolean =>
  SIGNATURES[what].some((signature) => signature.every((byte, i) => bytes[i] === byte))

/** Returns the encoding of a byte order mark. */
export const encodingOfBom = (bytes: Uint8Array): string | undefined =>
  (["utf-16le", "utf-16be"] as const).find((encoding) => hasSignature(bytes, encoding))

/** The detected content of a file. */
export interface FileContent {
  /** The extension, such as png; doc for any old Office file, txt for any text. */
  extension: string
  mime: string
}

/** Bytes that are decoded at once. */
const CHUNK = 65_536
/** Text-based formats that have their own extension. */
const TEXT_BASED = ["pdf", "rtf"]

/** Returns whether the bytes are valid text in an encoding. */
function isValidText(bytes: Uint8Array, encoding: string): boolean {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  try {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const text = decoder.decode(bytes.subarray(at, at + CHUNK), { stream: at + CHUNK < bytes.length })
      if (NOT_TEXT.test(text)) return false
    }
    return true
  } catch {
    return false
  }
}
/** Characters that text files do not have: control characters (except white space and escape), lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_TEXT = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\ufffe\uffff]|\p{Cs}/u

/** Detects UTF-16 without a byte order mark: every second byte of spaces, line ends and digits is 0. */
function detectUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 === 1) return undefined
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) * 20 < sample.length || Math.min(even, odd) > 0) return undefined
  return odd > 0 ? "utf-16le" : "utf-16be"
}

/**
 * Detects the encoding of a text: UTF-8, UTF-16, or `unknown` for a single-byte encoding such as Latin-1.
 * @returns undefined for binary files
 */
function encodingOf(bytes: Uint8Array): string | undefined {
  const utf16 = encodingOfBom(bytes) ?? detectUtf16(bytes)
  if (utf16 !== undefined) return isValidText(bytes, utf16) ? utf16 : undefined
  if (isValidText(bytes, "utf-8")) return "utf-8"
  return isValidText(bytes, "windows-1252") ? "unknown" : undefined
}

const fileType = onDemand(() => import("file-type"))

/** @returns undefined for files that are not accepted, such as executables */
export async function detectContent(bytes: Uint8Array): Promise<FileContent | undefined> {
  const { fileTypeFromBuffer } = await fileType()
  const encoding = encodingOf(bytes)
  const found = await fileTypeFromBuffer(bytes)
  // Text can begin with a signature ("BMW", "MZ"). Single-byte text with a signature is taken for the other file.
  const isText = encoding !== undefined && (encoding !== "unknown" || !found) && !TEXT_BASED.includes(found?.ext ?? "")
  if (isText) return { extension: "txt", mime: `text/plain${encoding === "unknown" ? "" : `; charset=${encoding}`}` }
  if (!found) return undefined
  if (found.ext === "cfb") return { extension: "doc", mime: found.mime }
  const extension = SYNONYMS.get(found.ext) ?? found.ext
  return KNOWN.has(extension) ? { extension, mime: found.mime } : undefined
}

const MAX_NAME_LENGTH = 255

/** Returns the name to store: one line, without a path. @throws 422 when it is too long */
export function fileNameOf(file: Pick<File, "name">): string {
  const name = normalizeLine(file.name.replace(/[/\\]+/g, " ")) || "file"
  if (hasTooManyMarks(name)) throw invalid("file", `file's name ${TOO_MANY_MARKS}.`)
  if (name.length > MAX_NAME_LENGTH)
    throw invalid("file", `file's name must have ${MAX_NAME_LENGTH} characters or fewer.`)
  return name
}

/** Returns whether a detected extension is among the allowed kinds; an empty list allows all. */
export function isAllowed(extension: string, allowed: readonly string[]): boolean {
  const equivalents = OLD_OFFICE.includes(extension)
    ? OLD_OFFICE
    : PLAIN_TEXT.includes(extension)
      ? PLAIN_TEXT
      : [extension]
  const kinds = Object.entries(KINDS).filter(([, extensions]) => extensions.some((one) => equivalents.includes(one)))
  return (
    allowed.length === 0 || allowed.some((type) => equivalents.includes(type) || kinds.some(([kind]) => kind === type))
  )
}

/**
 * Returns the name of a download, with the extension of its content, so that no system mistakes it for something else.
 * Pages and scripts become text files: `a.html.txt`.
 * @param extension as `detectContent` detects it
 */
export function downloadName(filename: string, extension: string): string {
  const current = /\.([^.]+)$/.exec(filename)?.[1]?.trim().toLowerCase() ?? ""
  const accepted = extension === "txt" ? HARMLESS_TEXT : [extension, ...(ALTERNATIVE_EXTENSIONS[extension] ?? [])]
  return accepted.includes(current) ? filename : `${filename}.${extension}`
}
