import { invalid } from "./errors.ts"
import { isPiled, oneLine, PILED_FAULT, tidy } from "./text.ts"

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

/** Other words for the same, as clients have them. */
const SYNONYMS: Record<string, string> = {
  images: "image",
  jpeg: "jpg",
  tiff: "tif",
  mpeg: "mpg",
  documents: "document",
  word: "document",
  excel: "spreadsheet",
  powerpoint: "presentation",
  markdown: "md",
  "application/pdf": "pdf",
  "image/*": "image",
  "audio/*": "audio",
  "video/*": "video",
  "text/plain": "txt",
}

/** Old Office files are told apart by what is deep inside them: any of these is taken for any. */
const OLD_OFFICE = ["doc", "xls", "ppt"]
/** Text has no signature. */
const PLAIN_TEXT = ["txt", "csv", "md"]

const KNOWN = new Set<string>([...Object.keys(KINDS), ...Object.values(KINDS).flat()])
export const FILE_KINDS = Object.keys(KINDS)

/** A kind (`image`) or an extension (`.PNG`) in its one spelling; undefined for what is not known. */
export function fileTypeOf(word: string): string | undefined {
  const plain = tidy(word).toLowerCase().replace(/^\./, "")
  const type = SYNONYMS[plain] ?? plain
  return KNOWN.has(type) ? type : undefined
}

/** What a file is by its content. */
export interface FileContent {
  /** As file names have it, such as png. Of an old Office file doc, of any text txt. */
  extension: string
  mime: string
}

/** The file as text, unless it is none: not UTF-8, or with characters that no text has. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127)) return false
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** @returns undefined for what is not taken at all, programs and web pages' pictures (SVG) among it */
export async function contentOf(bytes: Uint8Array): Promise<FileContent | undefined> {
  // Loaded when a file comes, not when the Worker starts.
  const { fileTypeFromBuffer } = await import("file-type")
  const found = await fileTypeFromBuffer(bytes)
  if (!found) return isText(bytes) ? { extension: "txt", mime: "text/plain; charset=utf-8" } : undefined
  if (found.ext === "cfb") return { extension: "doc", mime: found.mime }
  const extension = SYNONYMS[found.ext] ?? found.ext
  return KNOWN.has(extension) ? { extension, mime: found.mime } : undefined
}

const LONGEST_NAME = 255

/** A file's name as uploads keep it: one line, without a path. @throws 422 for one that no disk could keep */
export function fileNameOf(file: File): string {
  const name = oneLine(file.name.replace(/[/\\]+/g, " ")) || "file"
  if (isPiled(name)) throw invalid("file", `file's name ${PILED_FAULT}.`)
  if (name.length > LONGEST_NAME) throw invalid("file", `file's name must have ${LONGEST_NAME} characters or fewer.`)
  return name
}

/** Whether a file of this extension, by its content, is one of the allowed kinds; none named: any. */
export function isAllowed(extension: string, allowed: readonly string[]): boolean {
  const alike = OLD_OFFICE.includes(extension) ? OLD_OFFICE : PLAIN_TEXT.includes(extension) ? PLAIN_TEXT : [extension]
  const kinds = Object.entries(KINDS).filter(([, extensions]) => extensions.some((one) => alike.includes(one)))
  return allowed.length === 0 || allowed.some((type) => alike.includes(type) || kinds.some(([kind]) => kind === type))
}
