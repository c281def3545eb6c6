import { awards, badges } from "../schema/badges.ts"
import { gamificationEvents } from "../schema/gamification-events.ts"
import { userScores } from "../schema/leaderboard.ts"
import { users } from "../schema/users.ts"
import { changed, searchIndex, trigger } from "./declare.ts"

// Awards add up to the badges that users hold (`user_badges`) and to the leaderboard (`user_scores`, `score_tallies`).

/** The levels of `score_tallies`, each with the points that one of its buckets holds. */
export const LEVELS = [1, 100, 10_000, 1_000_000]

const levels = `(
      ${LEVELS.map((width, level) =>
        level === 0 ? `SELECT ${level} AS level, ${width} AS width` : `UNION ALL SELECT ${level}, ${width}`,
      ).join("\n      ")}
    )`

/** Counts a user in. @param which the levels */
const ranked = (which: string) => `
    INSERT INTO score_tallies (level, bucket, users)
    SELECT level, new.points / width, 1
    FROM ${levels}
    WHERE ${which}
    ON CONFLICT (level, bucket) DO UPDATE SET users = users + 1`

/** Takes a user out. @param which the levels */
const unranked = (which: string) => `
    UPDATE score_tallies SET users = users - 1
    WHERE (level, bucket) IN (
      SELECT level, old.points / width
      FROM ${levels}
      WHERE ${which})`

/** The levels at which a user changes the bucket: few points more mostly leave it as it was. */
const MOVED = "NOT (old.ranked AND new.ranked AND old.points / width = new.points / width)"

export const rewardTriggers = [
  ...searchIndex(badges),
  ...searchIndex(gamificationEvents),
  trigger(
    "awards_inserted",
    { on: awards, after: "insert" },
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
  trigger("user_scores_inserted", { on: userScores, after: "insert", if: "new.ranked" }, ranked("true")),
  trigger(
    "user_scores_moved",
    {
      on: userScores,
      after: "update",
      of: [userScores.points, userScores.ranked],
      if: changed(userScores.points, userScores.ranked),
    },
    unranked(`old.ranked AND ${MOVED}`),
    ranked(`new.ranked AND ${MOVED}`),
  ),
  trigger("user_scores_deleted", { on: userScores, after: "delete", if: "old.ranked" }, unranked("true")),
  trigger(
    "user_scores_user_disabled",
    { on: users, after: "update", of: [users.disabled], if: changed(users.disabled) },
    "UPDATE user_scores SET ranked = NOT new.disabled WHERE user_id = new.id",
  ),
]
