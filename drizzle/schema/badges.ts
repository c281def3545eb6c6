import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { createdAt, id, searchText, version } from "./columns.ts"
import { users } from "./users.ts"

/** Badges. Counter: `badges`. */
export const badges = sqliteTable(
  "badges",
  {
    id: id(),
    title: text("title").notNull(),
    badgeIconUrl: text("badge_icon_url").notNull(),
    /** The default icon that it was created from. */
    defaultIconUrl: text("default_icon_url"),
    /** The points of each award. */
    points: integer("points").notNull().default(0),
    /** The client's own value, a number or text. */
    organizationId: text("organization_id", { mode: "json" }).$type<string | number>(),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [index("badges_title").on(sql`${table.title} collate nocase`)],
)

/**
 * Awards of points, a badge, or both. They never change. Staff award manually; a gamification event awards once per
 * cause. Triggers maintain `user_badges` and `user_scores`.
 */
export const gamificationAwards = sqliteTable(
  "gamification_awards",
  {
    id: integer("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** null: points only */
    badgeId: integer("badge_id").references(() => badges.id),
    /** null: awarded manually. The event may have been deleted. */
    eventId: integer("event_id"),
    /**
     * The cause: `course:7`, `path:7`, `quiz:7`, `assignment:7`, `class:7`, `login:2026-01-05`; `hand` for manual
     * awards.
     */
    cause: text("cause").notNull(),
    /** As of the award. */
    points: integer("points").notNull(),
    /** Who awarded it manually; null: an event, or an anonymous call. */
    awardedBy: integer("awarded_by"),
    awardedAt: integer("awarded_at").notNull(),
  },
  (table) => [
    uniqueIndex("gamification_awards_cause").on(table.userId, table.eventId, table.cause),
    index("gamification_awards_badge").on(table.badgeId).where(sql`${table.badgeId} is not null`),
  ],
)

/** How often a user earned a badge. Only triggers write it. */
export const userBadges = sqliteTable(
  "user_badges",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    badgeId: integer("badge_id")
      .notNull()
      .references(() => badges.id),
    count: integer("count").notNull(),
    lastAwardedAt: integer("last_awarded_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.badgeId] }),
    index("user_badges_badge").on(table.badgeId, table.userId),
  ],
)
