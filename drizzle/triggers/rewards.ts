import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { awards, badges } from "../schema/badges.ts"
import { classEnrollments } from "../schema/classes.ts"
import { activities, moduleStatuses } from "../schema/enrollments.ts"
import { gamificationEvents } from "../schema/gamification-events.ts"
import { userScores } from "../schema/leaderboard.ts"
import { learningPathEnrollments } from "../schema/learning-paths.ts"
import { quizAttempts } from "../schema/quizzes.ts"
import { users } from "../schema/users.ts"
import { changed, type Declared, insteadOfInsert, searched, trigger, view } from "./declare.ts"

// What users do happens once (`happenings`); the events that ask for it award a badge and points (`awards`), once each;
// awards add up to badges held (`user_badges`) and a place on the leaderboard (`user_scores`, `score_tallies`).

const HAPPENING = "INSERT INTO happenings (user_id, type, target_id, cause, at)"

/** A happening when a row comes into a state, by an update or at once. */
function whenever(
  name: string,
  on: SQLiteTable,
  column: AnySQLiteColumn,
  state: string,
  { type, values }: { type: string; values: string },
): Declared[] {
  const statement = `
    ${HAPPENING}
    ${values.replaceAll("$type", `'${type}'`).trim()}`
  const reached = `new.${column.name} = '${state}'`
  return [
    trigger(`happenings_${name}_at_once`, { on, after: "insert", if: reached }, statement),
    trigger(
      `happenings_${name}`,
      { on, after: "update", of: [column], if: `old.${column.name} <> '${state}' AND ${reached}` },
      statement,
    ),
  ]
}

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
  ...searched(badges),
  ...searched(gamificationEvents),
  view("happenings", ["user_id", "type", "target_id", "cause", "at"], "SELECT 0, '', 0, '', 0 WHERE false"),
  insteadOfInsert(
    "happenings_awarded",
    "happenings",
    `
    INSERT INTO awards (user_id, badge_id, event_id, cause, points, awarded_at)
    SELECT new.user_id, event.badge_id, event.id, new.cause, event.points + coalesce(badges.points, 0), new.at
    FROM gamification_events AS event LEFT JOIN badges ON badges.id = event.badge_id
    WHERE event.type = new.type AND event.target_id IN (0, new.target_id) AND event.active
    ON CONFLICT (user_id, event_id, cause) DO NOTHING`,
  ),
  trigger(
    "happenings_course_completed",
    { on: activities, after: "insert", if: "new.verb = 'COMPLETED'" },
    `
    ${HAPPENING}
    VALUES (new.user_id, 'course_completed', new.course_id, 'course:' || new.course_id, new.created_at)`,
  ),
  ...whenever("path_completed", learningPathEnrollments, learningPathEnrollments.status, "Completed", {
    type: "learning_path_completed",
    values: "VALUES (new.user_id, $type, new.learning_path_id, 'path:' || new.learning_path_id, new.completed_at)",
  }),
  ...whenever("quiz_passed", quizAttempts, quizAttempts.result, "passed", {
    type: "quiz_passed",
    values: "VALUES (new.user_id, $type, new.module_id, 'quiz:' || new.module_id, new.completed_at)",
  }),
  ...whenever("assignment_accepted", moduleStatuses, moduleStatuses.status, "Completed", {
    type: "assignment_accepted",
    values: `
    SELECT enrollments.user_id, $type, new.module_id, 'assignment:' || new.module_id,
      iif(new.completed_at > 0, new.completed_at, new.last_accessed_at)
    FROM modules JOIN enrollments ON enrollments.id = new.enrollment_id
    WHERE modules.id = new.module_id AND modules.type = 'assignment'`,
  }),
  ...whenever("class_attended", classEnrollments, classEnrollments.status, "Attended", {
    type: "class_attended",
    values: `
    SELECT new.user_id, $type, new.class_id, 'class:' || new.class_id, start_at FROM classes WHERE id = new.class_id`,
  }),
  trigger(
    "happenings_login",
    { on: users, after: "update", of: [users.lastLoginAt], if: "new.last_login_at > old.last_login_at" },
    `
    ${HAPPENING}
    VALUES (new.id, 'login', 0, 'login:' || date(new.last_login_at / 1000, 'unixepoch'), new.last_login_at)`,
  ),
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
