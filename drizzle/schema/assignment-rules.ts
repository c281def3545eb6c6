import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { bool, checkedTable, createdAt, id, searchText, updatedAt, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { groups } from "./groups.ts"
import { learningPaths } from "./learning-paths.ts"
import { portals } from "./portals.ts"
import { users } from "./users.ts"

/** What happens to the enrollments of people who leave the audience. */
export const ON_LEAVE = ["keep", "remove_if_not_started", "remove"] as const

/** A condition on users: see `src/access/audience-condition.ts`. */
export type AudienceCondition =
  | { all: AudienceCondition[] }
  | { any: AudienceCondition[] }
  | { not: AudienceCondition }
  | { everyone: true }
  | { group: number[] }
  | { portal: number[] }
  | { role: string[] }
  | { category: number[] }
  | { membership: number[] }
  | {
      field: string
      is: "equal" | "not_equal" | "one_of" | "before" | "after" | "empty" | "not_empty"
      value?: string[]
    }
  | { joined: { before?: string; after?: string } }

/** When an assigned training is due. `days` may count from the assignment or from a date field of the person. */
export type DueDateRule =
  | { type: "none" }
  | { type: "date"; date: string }
  | { type: "days"; days: number; from: "assignment" }
  | { type: "days"; days: number; from: "field"; field: string }

/** When the training must be repeated. The next cycle opens `opensDaysBefore` days before it is due. */
export type RecurrenceRule =
  | { type: "months"; months: number; opensDaysBefore: number }
  | { type: "yearly"; month: number; day: number; opensDaysBefore: number }

export interface ReminderRule {
  /** Days before the due date; 0: on the day. */
  daysBefore: number[]
  /** Repeated after the due date; 0: never. */
  overdueEveryDays: number
  /** Whether supervisors get a copy of the first reminder that is overdue. */
  copySupervisors: boolean
}

/** Rules that assign courses and learning paths to an audience. */
export const assignmentRules = checkedTable(
  "assignment_rules",
  {
    id: id(),
    name: text("name").notNull(),
    active: bool("active").notNull(),
    audience: text("audience", { mode: "json" }).$type<AudienceCondition>().notNull(),
    due: text("due", { mode: "json" }).$type<DueDateRule>().notNull(),
    /** Days after the due date until it is overdue. */
    graceDays: integer("grace_days").notNull().default(0),
    /** Whether due dates on Saturday and Sunday move to Monday. */
    skipWeekends: bool("skip_weekends").notNull().default(false),
    recurrence: text("recurrence", { mode: "json" }).$type<RecurrenceRule>(),
    reminders: text("reminders", { mode: "json" }).$type<ReminderRule>().notNull(),
    onLeave: text("on_leave", { enum: ON_LEAVE }).notNull(),
    /** The group or portal of the supervisor who may manage it; null: the academy's. */
    groupId: integer("group_id").references(() => groups.id, { onDelete: "cascade" }),
    portalId: integer("portal_id").references(() => portals.id, { onDelete: "cascade" }),
    /** The number of people it assigns, and of their courses without a free seat. Only triggers write them. */
    userCount: integer("user_count").notNull().default(0),
    pendingCount: integer("pending_count").notNull().default(0),
    /** When everyone is evaluated again: daily, and soon after the courses of a learning path change. */
    nextRunAt: integer("next_run_at").notNull().default(0),
    createdBy: integer("created_by"),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("assignment_rules_name").on(sql`${table.name} collate nocase`),
    index("assignment_rules_created").on(table.createdAt),
    index("assignment_rules_active").on(table.id).where(sql`${table.active}`),
  ],
)

/** The courses and learning paths that a rule assigns. */
export const assignmentRuleCourses = sqliteTable(
  "assignment_rule_courses",
  {
    ruleId: integer("rule_id")
      .notNull()
      .references(() => assignmentRules.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.ruleId, table.courseId] }),
    index("assignment_rule_courses_course").on(table.courseId),
  ],
)

export const assignmentRulePaths = sqliteTable(
  "assignment_rule_paths",
  {
    ruleId: integer("rule_id")
      .notNull()
      .references(() => assignmentRules.id, { onDelete: "cascade" }),
    learningPathId: integer("learning_path_id")
      .notNull()
      .references(() => learningPaths.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.ruleId, table.learningPathId] }),
    index("assignment_rule_paths_path").on(table.learningPathId),
  ],
)

/** The people that a rule assigns, since when. */
export const assignmentMembers = sqliteTable(
  "assignment_members",
  {
    ruleId: integer("rule_id")
      .notNull()
      .references(() => assignmentRules.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    assignedAt: integer("assigned_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ruleId, table.userId] }),
    index("assignment_members_user").on(table.userId, table.ruleId),
  ],
)

/** What a rule requires of a person in a course. An enrollment is due at the earliest due date of its claims. */
export const assignmentClaims = sqliteTable(
  "assignment_claims",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
    ruleId: integer("rule_id")
      .notNull()
      .references(() => assignmentRules.id, { onDelete: "cascade" }),
    /** Of the current cycle. 0: no due date */
    dueAt: integer("due_at").notNull(),
    /** Whether a rule created the enrollment: one made by hand is never removed. */
    enrolled: bool("enrolled").notNull(),
    /** Whether the person is not enrolled because the course has no free seat. */
    pending: bool("pending").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.courseId, table.ruleId] }),
    index("assignment_claims_rule").on(table.ruleId, table.userId),
  ],
)

/** The learning paths that a rule requires of a person. */
export const assignmentPathClaims = sqliteTable(
  "assignment_path_claims",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    learningPathId: integer("learning_path_id")
      .notNull()
      .references(() => learningPaths.id, { onDelete: "cascade" }),
    ruleId: integer("rule_id")
      .notNull()
      .references(() => assignmentRules.id, { onDelete: "cascade" }),
    /** Whether a rule created the enrollment in the path. */
    enrolled: bool("enrolled").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.learningPathId, table.ruleId] }),
    index("assignment_path_claims_rule").on(table.ruleId, table.userId),
    index("assignment_path_claims_path").on(table.learningPathId),
  ],
)

/** Users who changed since the rules were last evaluated for them. Triggers insert them while a rule is active. */
export const assignmentQueue = sqliteTable("assignment_queue", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The number of changes, so that one that comes during the evaluation is not lost. */
  changes: integer("changes").notNull().default(1),
})
