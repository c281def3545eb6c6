import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { bool } from "./columns.ts"
import { users } from "./users.ts"

/** The totals of a user's awards. Triggers write them, and a job adds the points of sign-ins. */
export const userScores = sqliteTable(
  "user_scores",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    points: integer("points").notNull(),
    /** The part of the points that sign-ins earned, as of the last refresh. `users.login_awards` has all of it. */
    loginPoints: integer("login_points").notNull().default(0),
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

/** How far the leaderboard has the points of sign-ins: one row. */
export const leaderboardRefreshes = sqliteTable("leaderboard_refreshes", {
  id: integer("id").primaryKey(),
  /** The id of the last sign-in in the audit log whose points it has. */
  position: integer("position").notNull(),
  refreshedAt: integer("refreshed_at").notNull(),
})
