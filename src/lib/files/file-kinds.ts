import { invalid } from "../errors.ts"
import { onDemand } from "../on-demand.ts"
import { hasTooManyMarks, normalizeLine, normalizeText, TOO_MANY_MARKS } from "../text/text.ts"

// What kinds of uploaded file are taken, and what a file is: judged by its content, never by its name or by what
// the browser says of it.

/** The kinds, each with the extensions that belong to it. */
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

/** The media types of what is taken, as `contentOf` tells them, without their parameters. */
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

/** Other words for the same, as clients have them. */
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

/** Old Office files are told apart by what is deep inside them: any of these is taken for any. */
const OLD_OFFICE = ["doc", "xls", "ppt"]
/** Text has no signature. */
const PLAIN_TEXT = ["txt", "csv", "md"]
/** Endings of texts that no system runs or shows as a page. */
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
/** Other endings that files of a kind go by. */
const ALSO_NAMED: Record<string, readonly string[]> = {
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

/** A kind (`image`) or an extension (`.PNG`) in its one spelling; undefined for what is not known. */
export function fileTypeOf(word: string): string | undefined {
  const plain = normalizeText(word.slice(0, LONGEST_NAME)).toLowerCase().replace(/^\./, "")
  const type = SYNONYMS.get(plain) ?? plain
  return KNOWN.has(type) ? type : undefined
}

/** The first bytes of what is told apart without reading any further. */
const SIGNATURES = {
  png: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  jpg: [[0xff, 0xd8, 0xff]],
  // The second is that of an empty one.
  zip: [
    [0x50, 0x4b, 0x03, 0x04],
    [0x50, 0x4b, 0x05, 0x06],
  ],
  "utf-16le": [[0xff, 0xfe]],
  "utf-16be": [[0xfe, 0xff]],
}

/** Whether these bytes begin as such a file does, or with such an encoding's mark. */
export const beginsAs = (bytes: Uint8Array, what: keyof typeof SIGNATURES): boolean =>
  SIGNATURES[what].some((signature) => signature.every((byte, i) => bytes[i] === byte))

/** The encoding that a text's mark names. */
export const markedEncoding = (bytes: Uint8Array): string | undefined =>
  (["utf-16le", "utf-16be"] as const).find((encoding) => beginsAs(bytes, encoding))

/** What a file is by its content. */
export interface FileContent {
  /** As file names have it, such as png. Of an old Office file doc, of any text txt. */
  extension: string
  mime: string
}

/** How much of a file is decoded at a time. */
const STEP = 65_536
/** Formats that are text themselves, and known as more than that. */
const WRITTEN_AS_TEXT = ["pdf", "rtf"]

/** Whether every character of it is one that texts have. @param fatal a byte that stands for none refuses it */
function decodes(bytes: Uint8Array, encoding: string): boolean {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      const text = decoder.decode(bytes.subarray(at, at + STEP), { stream: at + STEP < bytes.length })
      if (NO_TEXT.test(text)) return false
    }
    return true
  } catch {
    return false
  }
}
/** Control characters but those of white space and of old printers (form feed, escape); half or no characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: other files have these, texts have none
const NO_TEXT = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\ufffe\uffff]|\p{Cs}/u

/**
 * UTF-16 without its mark: a text of any language has spaces, line ends and digits, every second byte of which is 0.
 */
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 === 1) return undefined
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) * 20 < sample.length || Math.min(even, odd) > 0) return undefined
  return odd > 0 ? "utf-16le" : "utf-16be"
}

/**
 * The encoding of a text: UTF-8, UTF-16, or one of a byte a character (Windows-1252, Latin-1 …), whose bytes do not
 * tell which.
 * @returns undefined for what is no text
 */
function encodingOf(bytes: Uint8Array): string | undefined {
  const marked = markedEncoding(bytes) ?? unmarkedUtf16(bytes)
  if (marked !== undefined) return decodes(bytes, marked) ? marked : undefined
  if (decodes(bytes, "utf-8")) return "utf-8"
  return decodes(bytes, "windows-1252") ? "unknown" : undefined
}

/** Loaded when the first file comes, not when the Worker starts. */
const fileType = onDemand(() => import("file-type"))

/** @returns undefined for what is not taken, such as programs; text is text, whatever it says */
export async function contentOf(bytes: Uint8Array): Promise<FileContent | undefined> {
  const { fileTypeFromBuffer } = await fileType()
  const encoding = encodingOf(bytes)
  const found = await fileTypeFromBuffer(bytes)
  // A text may begin like another file ("BMW", "MZ"); one of a byte a character could be that file all the same.
  const isText =
    encoding !== undefined && (encoding !== "unknown" || !found) && !WRITTEN_AS_TEXT.includes(found?.ext ?? "")
  if (isText) return { extension: "txt", mime: `text/plain${encoding === "unknown" ? "" : `; charset=${encoding}`}` }
  if (!found) return undefined
  if (found.ext === "cfb") return { extension: "doc", mime: found.mime }
  const extension = SYNONYMS.get(found.ext) ?? found.ext
  return KNOWN.has(extension) ? { extension, mime: found.mime } : undefined
}

const LONGEST_NAME = 255

/** A file's name as uploads keep it: one line, without a path. @throws 422 for one that no disk could keep */
export function fileNameOf(file: File): string {
  const name = normalizeLine(file.name.replace(/[/\\]+/g, " ")) || "file"
  if (hasTooManyMarks(name)) throw invalid("file", `file's name ${TOO_MANY_MARKS}.`)
  if (name.length > LONGEST_NAME) throw invalid("file", `file's name must have ${LONGEST_NAME} characters or fewer.`)
  return name
}

/** Whether a file of this extension, by its content, is one of the allowed kinds; none named: any. */
export function isAllowed(extension: string, allowed: readonly string[]): boolean {
  const alike = OLD_OFFICE.includes(extension) ? OLD_OFFICE : PLAIN_TEXT.includes(extension) ? PLAIN_TEXT : [extension]
  const kinds = Object.entries(KINDS).filter(([, extensions]) => extensions.some((one) => alike.includes(one)))
  return allowed.length === 0 || allowed.some((type) => alike.includes(type) || kinds.some(([kind]) => kind === type))
}

/**
 * The name under which a stored file is saved: it ends as its content does, so that no system takes it for something
 * else. A page or a program that is text is saved as a text: `a.html.txt`.
 * @param extension by its content, as `contentOf` has it
 */
export function downloadName(filename: string, extension: string): string {
  const ending = /\.([^.]+)$/.exec(filename)?.[1]?.trim().toLowerCase() ?? ""
  const fitting = extension === "txt" ? HARMLESS_TEXT : [extension, ...(ALSO_NAMED[extension] ?? [])]
  return fitting.includes(ending) ? filename : `${filename}.${extension}`
}
