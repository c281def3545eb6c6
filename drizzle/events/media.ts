import { MEDIA_KINDS } from "../schema/media.ts"
import { choice, described, integer, nullable, text, time, userOf } from "./fields.ts"
import { eventObject } from "./object.ts"

export const mediaEvents = eventObject({
  name: "Media",
  table: "media",
  fields: {
    id: integer("id"),
    kind: choice(MEDIA_KINDS, "kind"),
    name: text("name"),
    extension: text("extension"),
    mimeType: text("mime_type"),
    bytes: integer("bytes"),
    altText: text("alt_text"),
    user: described(nullable(userOf("row.uploaded_by")), "Who uploaded it"),
    createdAt: time("created_at"),
  },
  userId: "uploaded_by",
  previous: ["name", "altText"],
  // The transcript changes the version.
  watched: ["version"],
  types: {
    "media.created": { meaning: "A file was added to the media library", insert: true },
    "media.updated": { meaning: "The details of a file of the media library changed", update: true },
    "media.deleted": { meaning: "A file was deleted from the media library", delete: true, onlyIds: true },
  },
})
