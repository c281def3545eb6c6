import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { bool } from "./columns.ts"
import { users } from "./users.ts"

/** What a user's awards come to. Only triggers write it. */
export const userScores = sqliteTable(
  "user_scores",
  {
    userId: integer("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    points: integer("points").notNull(),
    /** Badges earned, each time counted. */
    badgeCount: integer("badge_count").notNull(),
    /** Stands on the leaderboard: the user is not disabled. */
    ranked: bool("ranked").notNull(),
  },
  // An index ends with the row's id: so it is in the board's order, the most points first and ties by id.
  (table) => [index("user_scores_board").on(table.ranked, sql`${table.points} desc`)],
)

/**
 * How many ranked users there are by points, in buckets of 1, 100, 10,000 and 1,000,000 points (levels 0 to 3): what
 * tells a rank by reading a few hundred rows at most, however many users there are. Only triggers write it.
 */
export const scoreTallies = sqliteTable(
  "score_tallies",
  {
    level: integer("level").notNull(),
    /** Points divided by the level's width. */
    bucket: integer("bucket").notNull(),
    users: integer("users").notNull(),
  },
  (table) => [primaryKey({ columns: [table.level, table.bucket] })],
)
