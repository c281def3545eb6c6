import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { updatedAt, version } from "./columns.ts"

/** The settings of the academy. null: the environment variable or the default applies. */
export const settings = sqliteTable("settings", {
  /** 1: there is one academy. */
  id: integer("id").primaryKey(),
  name: text("name"),
  logoUrl: text("logo_url"),
  /** Colors as #rrggbb. */
  primaryColor: text("primary_color"),
  secondaryColor: text("secondary_color"),
  /** The sender name and reply address of mail. */
  senderName: text("sender_name"),
  replyTo: text("reply_to"),
  timeZone: text("time_zone"),
  language: text("language"),
  version: version(),
  updatedAt: updatedAt(),
})
