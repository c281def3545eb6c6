import type { MediaKind } from "../../../drizzle/schema/media.ts"
import { tooLarge, unsupported } from "../../lib/errors.ts"
import { detectContent, type FileContent, hasSignature } from "../../lib/files/file-kinds.ts"

/** What browsers show or play, by the extension of the content. */
const EXTENSIONS: Record<MediaKind, readonly string[]> = {
  image: ["png", "jpg", "gif", "webp", "avif"],
  pdf: ["pdf"],
  audio: ["mp3", "m4a", "wav", "ogg", "oga", "opus", "flac", "aac"],
  video: ["mp4", "m4v", "mov", "webm", "ogv"],
}

const MEGABYTE = 1_000_000
/** The maximum size of a file in MB, by kind. */
const MAX_MEGABYTES: Record<MediaKind, number> = { image: 25, pdf: 100, audio: 500, video: 2000 }
export const MAX_BYTES = MAX_MEGABYTES.video * MEGABYTE

/** The media types that files are served with. */
export const SERVED_TYPES = [
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "application/pdf"],
  ...["audio/mpeg", "audio/x-m4a", "audio/wav", "audio/ogg", "audio/flac", "audio/aac"],
  ...["video/mp4", "video/x-m4v", "video/quicktime", "video/webm", "video/ogg"],
]

/** How many bytes at the start of a file determine its kind. */
export const SAMPLE_BYTES = 64 * 1024

export interface DetectedMedia extends FileContent {
  kind: MediaKind
}

const kindOf = (extension: string): MediaKind | undefined =>
  (Object.keys(EXTENSIONS) as MediaKind[]).find((kind) => EXTENSIONS[kind].includes(extension))

function requireSize(kind: MediaKind, bytes: number) {
  const max = MAX_MEGABYTES[kind]
  if (bytes > max * MEGABYTE) throw tooLarge(`The file is too large. The maximum for ${kind} files is ${max} MB.`)
}

/**
 * Refuses a file before its bytes are sent, as far as its name and length show. @throws 413
 */
export function requireLikelySize(name: string, bytes: number) {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""
  requireSize(kindOf(extension === "jpeg" ? "jpg" : extension) ?? "video", bytes)
}

/**
 * Detects what a file is from its first bytes.
 * @param bytes the length of the whole file
 * @throws 413, 415
 */
export async function detectMedia(sample: Uint8Array, { name, bytes }: { name: string; bytes: number }) {
  // The sample of a PNG with a large color profile can end before its pixels, which tell it from an animation.
  const isPng = hasSignature(sample, "png")
  const content = isPng ? { extension: "png", mime: "image/png" } : await detectContent(sample)
  const kind = content && kindOf(content.extension)
  if (!content || !kind) {
    const accepted = Object.values(EXTENSIONS).flat().join(", ")
    throw unsupported(`The content of ${name} is not an accepted file type. Accepted are ${accepted}.`)
  }
  requireSize(kind, bytes)
  return { ...content, kind } satisfies DetectedMedia
}
