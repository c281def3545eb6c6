import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt, id, version } from "./columns.ts"
import { users } from "./users.ts"

export const portals = sqliteTable(
  "portals",
  {
    id: id(),
    name: text("name").notNull(),
    slug: text("slug").notNull().unique(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [index("portals_name").on(table.name)],
)

/** Who belongs to a portal: its learners, and those who administer it. */
export const portalMembers = sqliteTable(
  "portal_members",
  {
    portalId: integer("portal_id")
      .notNull()
      .references(() => portals.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** learner, admin */
    role: text("role").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.portalId, table.userId] }),
    index("portal_members_user").on(table.userId, table.portalId),
    index("portal_members_role").on(table.portalId, table.role, table.userId),
  ],
)
