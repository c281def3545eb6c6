import { sql } from "drizzle-orm"
import { index, integer, text } from "drizzle-orm/sqlite-core"
import { badges } from "./badges.ts"
import { bool, checkedTable, createdAt, id, searchText, version } from "./columns.ts"

export const EVENT_TYPES = [
  "course_completed",
  "learning_path_completed",
  "quiz_passed",
  "assignment_accepted",
  "class_attended",
  "login",
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Events that award points, a badge or both. Counter: `gamification_events`. */
export const gamificationEvents = checkedTable(
  "gamification_events",
  {
    id: id(),
    name: text("name").notNull(),
    type: text("type", { enum: EVENT_TYPES }).notNull(),
    /** The course, learning path, module or class; 0: any. */
    targetId: integer("target_id").notNull().default(0),
    badgeId: integer("badge_id").references(() => badges.id),
    /** In addition to the badge's points. */
    points: integer("points").notNull().default(0),
    active: bool("active").notNull().default(true),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("gamification_events_name").on(sql`${table.name} collate nocase`),
    index("gamification_events_type").on(table.type, table.targetId),
    index("gamification_events_badge").on(table.badgeId),
  ],
)
