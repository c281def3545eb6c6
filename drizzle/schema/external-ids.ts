import { integer, primaryKey, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { checkedTable } from "./columns.ts"

/** The records that can have external ids. */
export const EXTERNAL_ID_OBJECTS = ["user", "course", "group", "class"] as const
export type ExternalIdObject = (typeof EXTERNAL_ID_OBJECTS)[number]

/** The ids of records in other systems. A record without one has no row. Triggers delete them with their record. */
export const externalIds = checkedTable(
  "external_ids",
  {
    object: text("object", { enum: EXTERNAL_ID_OBJECTS }).notNull(),
    /** The system that assigned the id: `key:7` for an API key, `manual` for people, or a name that a client sent. */
    source: text("source").notNull(),
    externalId: text("external_id").notNull(),
    /** The id of the user, course, group or class. */
    objectId: integer("object_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.object, table.source, table.externalId] }),
    uniqueIndex("external_ids_object").on(table.object, table.objectId, table.source),
  ],
)
