import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { bool } from "./columns.ts"
import { users } from "./users.ts"

/** The totals of a user's awards. Only triggers write them. */
export const userScores = sqliteTable(
  "user_scores",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    points: integer("points").notNull(),
    /** The number of badges earned, including repeated ones. */
    badgeCount: integer("badge_count").notNull(),
    /** Whether the user is on the leaderboard: not disabled. */
    ranked: bool("ranked").notNull(),
  },
  // SQLite appends the row id: the board is sorted by points in descending order, then by id.
  (table) => [index("user_scores_board").on(table.ranked, sql`${table.points} desc`)],
)

/**
 * The number of ranked users by points, in buckets of 1, 100, 10,000 and 1,000,000 points (levels 0 to 3). A rank is
 * computed by reading at most a few hundred rows. Only triggers write them.
 */
export const scoreCounts = sqliteTable(
  "score_counts",
  {
    level: integer("level").notNull(),
    /** Points divided by the level's bucket width. */
    bucket: integer("bucket").notNull(),
    users: integer("users").notNull(),
  },
  (table) => [primaryKey({ columns: [table.level, table.bucket] })],
)
