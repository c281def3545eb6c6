import { badges, gamificationAwards } from "../schema/badges.ts"
import { gamificationEvents } from "../schema/gamification-events.ts"
import { userScores } from "../schema/leaderboard.ts"
import { users } from "../schema/users.ts"
import { changed, searchIndex, trigger } from "./declare.ts"

// Awards are summed for the badges of users (`user_badges`) and the leaderboard (`user_scores`, `score_counts`).

/** The bucket widths of the levels of `score_counts`, in points. */
export const LEVELS = [1, 100, 10_000, 1_000_000]

const levelRows = `(
      ${LEVELS.map((width, level) =>
        level === 0 ? `SELECT ${level} AS level, ${width} AS width` : `UNION ALL SELECT ${level}, ${width}`,
      ).join("\n      ")}
    )`

/** Adds a user to the buckets. @param which a condition on levels */
const insertRank = (which: string) => `
    INSERT INTO score_counts (level, bucket, users)
    SELECT level, new.points / width, 1
    FROM ${levelRows}
    WHERE ${which}
    ON CONFLICT (level, bucket) DO UPDATE SET users = users + 1`

/** Removes a user from the buckets. @param which a condition on levels */
const removeRank = (which: string) => `
    UPDATE score_counts SET users = users - 1
    WHERE (level, bucket) IN (
      SELECT level, old.points / width
      FROM ${levelRows}
      WHERE ${which})`

/** The condition on levels at which the bucket of a user changes. */
const CHANGES_BUCKET = "NOT (old.ranked AND new.ranked AND old.points / width = new.points / width)"

export const rewardTriggers = [
  ...searchIndex(badges),
  ...searchIndex(gamificationEvents),
  trigger(
    "awards_inserted",
    { on: gamificationAwards, after: "insert" },
    `
    INSERT INTO user_badges (user_id, badge_id, count, last_awarded_at)
    SELECT new.user_id, new.badge_id, 1, new.awarded_at WHERE new.badge_id IS NOT NULL
    ON CONFLICT (user_id, badge_id) DO UPDATE SET
      count = count + 1,
      last_awarded_at = max(last_awarded_at, excluded.last_awarded_at)`,
    `
    INSERT INTO user_scores (user_id, points, badge_count, ranked)
    SELECT id, new.points, new.badge_id IS NOT NULL, NOT disabled FROM users WHERE id = new.user_id
    ON CONFLICT (user_id) DO UPDATE SET
      points = points + excluded.points,
      badge_count = badge_count + excluded.badge_count`,
  ),
  trigger("user_scores_inserted", { on: userScores, after: "insert", if: "new.ranked" }, insertRank("true")),
  trigger(
    "user_scores_updated",
    {
      on: userScores,
      after: "update",
      of: [userScores.points, userScores.ranked],
      if: changed(userScores.points, userScores.ranked),
    },
    removeRank(`old.ranked AND ${CHANGES_BUCKET}`),
    insertRank(`new.ranked AND ${CHANGES_BUCKET}`),
  ),
  trigger("user_scores_deleted", { on: userScores, after: "delete", if: "old.ranked" }, removeRank("true")),
  trigger(
    "user_scores_user_disabled",
    { on: users, after: "update", of: [users.disabled], if: changed(users.disabled) },
    "UPDATE user_scores SET ranked = NOT new.disabled WHERE user_id = new.id",
  ),
]
