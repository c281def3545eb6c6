import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** Which e-mail addresses accounts may have: of everyone, and of the members of one portal. */
export const emailRules = sqliteTable(
  "email_rules",
  {
    /** 0: everywhere. */
    portalId: integer("portal_id").notNull(),
    /** An address, or a domain that stands for its subdomains too, in lower case. */
    entry: text("entry").notNull(),
    /** blocked, allowed */
    kind: text("kind").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.portalId, table.entry] }),
    index("email_rules_kind").on(table.portalId, table.kind, table.entry),
  ],
)
