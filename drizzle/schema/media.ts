import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { checkedTable, createdAt, id, searchText, version } from "./columns.ts"

export const MEDIA_KINDS = ["image", "pdf", "audio", "video"] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** The records whose text or URLs can refer to media. */
export const MEDIA_SOURCES = [
  "module",
  "course",
  "learning_path",
  "announcement",
  "quiz_question",
  "quiz_version",
  "bank_question",
  "badge",
  "settings",
  "portal",
] as const
/** The records whose file is a logo, which everyone may see. */
export const LOGO_SOURCES = ["settings", "portal"] as const satisfies (typeof MEDIA_SOURCES)[number][]
export type MediaSource = (typeof MEDIA_SOURCES)[number]

/** A file of the media library. Counters: `media`, `media:<kind>`, and its bytes under `media_bytes:all`. */
export const media = checkedTable(
  "media",
  {
    /** The id of its upload. */
    id: id(),
    /** The kind, extension and type are detected from the content; the extension has no dot. */
    kind: text("kind", { enum: MEDIA_KINDS }).notNull(),
    name: text("name").notNull(),
    extension: text("extension").notNull(),
    mimeType: text("mime_type").notNull(),
    bytes: integer("bytes").notNull(),
    /** The key in R2. */
    key: text("key").notNull(),
    /** Images: what they show, for people who do not see them. */
    altText: text("alt_text").notNull().default(""),
    /** Audio and video: what is said. */
    transcript: text("transcript").notNull().default(""),
    /** null: a key, or an anonymous call of the `documented` policy. */
    uploadedBy: integer("uploaded_by"),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("media_created").on(table.createdAt),
    index("media_kind_created").on(table.kind, table.createdAt),
    index("media_name").on(sql`${table.name} collate nocase`),
  ],
)

/** A part of an R2 multipart upload. */
export interface UploadedPart {
  partNumber: number
  etag: string
}

/** An upload that is not complete. Its id becomes the id of the file. */
export const mediaUploads = sqliteTable(
  "media_uploads",
  {
    id: id(),
    /** null: a key, or an anonymous call of the `documented` policy. */
    uploadedBy: integer("uploaded_by"),
    name: text("name").notNull(),
    /** The header Upload-Metadata as sent. */
    metadata: text("metadata").notNull(),
    /** The length of the whole file. */
    bytes: integer("bytes").notNull(),
    /** How many bytes are stored. */
    offset: integer("offset").notNull().default(0),
    /** The key in R2. The bytes after the last part are in an object of their own, which ends with the offset. */
    key: text("key").notNull(),
    /** The id of R2's multipart upload; null: no part is stored yet. */
    multipartId: text("multipart_id"),
    parts: text("parts", { mode: "json" }).$type<UploadedPart[]>().notNull().default([]),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("media_uploads_uploader").on(table.uploadedBy), index("media_uploads_expires").on(table.expiresAt)],
)

/** The captions of a video or the text of an audio file: one WebVTT file for each language. */
export const mediaCaptions = sqliteTable(
  "media_captions",
  {
    mediaId: integer("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    /** BCP 47. */
    language: text("language").notNull(),
    /** The name of the track in the player. */
    label: text("label").notNull(),
    /** WebVTT. */
    content: text("content").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.mediaId, table.language] })],
)

/** Which records refer to which media. Only triggers write it. */
export const mediaUses = checkedTable(
  "media_uses",
  {
    source: text("source", { enum: MEDIA_SOURCES }).notNull(),
    sourceId: integer("source_id").notNull(),
    mediaId: integer("media_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.sourceId, table.mediaId] }),
    index("media_uses_media").on(table.mediaId, table.source),
  ],
)
