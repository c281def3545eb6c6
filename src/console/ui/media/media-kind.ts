import type { Schemas } from "../../../client/index.ts"

export type MediaKind = Schemas["MediaFile"]["kind"]

export const MEDIA_KINDS = ["image", "video", "audio", "pdf"] as const satisfies readonly MediaKind[]

/** What a file dialog offers, by kind. The service decides by the content. */
export const ACCEPT: Record<MediaKind, readonly string[]> = {
  image: ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"],
  video: ["video/mp4", "video/webm", "video/quicktime", ".m4v", ".ogv"],
  audio: ["audio/mpeg", "audio/mp4", "audio/ogg", "audio/wav", "audio/flac", "audio/aac", ".m4a", ".opus"],
  pdf: ["application/pdf"],
}
