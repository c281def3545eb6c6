import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { statusRowIdIn } from "../rules.ts"
import { ActivityVerb, EnrollmentStatus, ModuleStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id } from "./columns.ts"
import { courses } from "./courses.ts"
import { groups } from "./groups.ts"
import { modules } from "./modules.ts"
import { users } from "./users.ts"

/** How far a registration is: in a course, or in a learning path. */
export const ENROLLMENT_STATUSES = valuesOf(EnrollmentStatus)

/** How far a registration is in a module. Submitted: an assignment that awaits its evaluation. */
export const MODULE_STATUSES = valuesOf(ModuleStatus)

/** What happens to a user in a course. */
export const ACTIVITY_VERBS = valuesOf(ActivityVerb)

/**
 * A user's registration in a course. Its progress (status, percent, done, times) follows `module_statuses`: the
 * functions that write those rows return the statements for it too (src/modules/progress).
 */
export const enrollments = checkedTable(
  "enrollments",
  {
    /** The interface's registrationId. */
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id),
    status: text("status", { enum: ENROLLMENT_STATUSES }).notNull().default(EnrollmentStatus.NotStarted),
    /** floor(100 × done ÷ the course's goal), and never less than it was. */
    percent: integer("percent").notNull().default(0),
    /** How many of the modules that count are Completed. */
    done: integer("done").notNull().default(0),
    /** Seconds: the sum of its modules'. */
    timeSpent: integer("time_spent").notNull().default(0),
    /** The group whose seat it takes. */
    groupId: integer("group_id").references(() => groups.id, { onDelete: "set null" }),
    /** Who enrolled the user; null: an anonymous call. */
    enrolledBy: integer("enrolled_by"),
    registeredAt: integer("registered_at").notNull(),
    /** 0: not yet */
    startedAt: integer("started_at").notNull().default(0),
    /** 0: not yet */
    completedAt: integer("completed_at").notNull().default(0),
    /** 0: never */
    expiresAt: integer("expires_at").notNull().default(0),
    /** 0: never */
    lastAccessedAt: integer("last_accessed_at").notNull().default(0),
    /** How many certificates it has earned. Only the certificates' triggers write it. */
    certificateCount: integer("certificate_count").notNull().default(0),
    /**
     * Of the course's graded modules: the points awarded, and those that could be. Triggers write them, and a change of
     * the course.
     */
    pointsAwarded: integer("points_awarded").notNull().default(0),
    pointsPossible: integer("points_possible").notNull().default(0),
    /**
     * What the user's names sort by (`sortableNames`): a course's learners are paged in their order. Kept by
     * triggers.
     */
    firstNameKey: text("first_name_key").notNull().default(""),
    lastNameKey: text("last_name_key").notNull().default(""),
  },
  (table) => [
    // A user's registrations are few: in every order they are sorted.
    uniqueIndex("enrollments_user_course").on(table.userId, table.courseId),
    // The default order of every list, branch by branch (src/db/list/merge-branches.ts), and the counts by status.
    // Columns that a heartbeat changes are in no index.
    index("enrollments_course_status_registered").on(table.courseId, table.status, table.registeredAt),
    index("enrollments_status_registered").on(table.status, table.registeredAt),
    // Without the status, which changes twice in a registration's life.
    index("enrollments_course_first_name").on(table.courseId, table.firstNameKey),
    index("enrollments_course_last_name").on(table.courseId, table.lastNameKey),
    index("enrollments_group").on(table.groupId, table.courseId).where(sql`${table.groupId} is not null`),
  ],
)

/** Where a registration stands in one module of its course. No row: the module was never opened. */
export const moduleStatuses = checkedTable(
  "module_statuses",
  {
    /** The interface's statusRowId: made of the two that follow, so that none has to be given out. */
    id: integer("id")
      .notNull()
      .generatedAlwaysAs(sql.raw(statusRowIdIn("enrollment_id", "module_id")), { mode: "virtual" }),
    enrollmentId: integer("enrollment_id")
      .notNull()
      .references(() => enrollments.id, { onDelete: "cascade" }),
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id),
    status: text("status", { enum: MODULE_STATUSES }).notNull(),
    /** How far through the module, 0 to 100. */
    percent: integer("percent").notNull().default(0),
    /** null: nothing was graded */
    pointsAwarded: integer("points_awarded"),
    timesAccessed: integer("times_accessed").notNull().default(0),
    /** Seconds. */
    timeSpent: integer("time_spent").notNull().default(0),
    /** 0: not yet */
    startedAt: integer("started_at").notNull().default(0),
    /** 0: not yet */
    completedAt: integer("completed_at").notNull().default(0),
    lastAccessedAt: integer("last_accessed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.enrollmentId, table.moduleId] }),
    index("module_statuses_module").on(table.moduleId),
  ],
)

/**
 * Kept counts of enrollments by status: of whom (`audience`), in which course. Audiences: `all`, `group:7`, `portal:7`,
 * `reach:7` (whom a supervisor may see). Of `all` course 0 is all courses together; others' are the sum of their rows.
 * Only triggers write them.
 */
export const tallies = sqliteTable(
  "tallies",
  {
    audience: text("audience").notNull(),
    courseId: integer("course_id").notNull(),
    notStarted: integer("not_started").notNull(),
    inProgress: integer("in_progress").notNull(),
    completed: integer("completed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.courseId] })],
)

/** What happened to a user in a course. `counters` holds `activities:verb:STARTED`. */
export const activities = checkedTable(
  "activities",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    verb: text("verb", { enum: ACTIVITY_VERBS }).notNull(),
    courseId: integer("course_id").references(() => courses.id, { onDelete: "set null" }),
    /** What the course was called when it was deleted; empty while it is there. */
    courseName: text("course_name").notNull().default(""),
    /** Who did it, where that was not the user; null: the user, or an anonymous call. */
    actorId: integer("actor_id"),
    createdAt: createdAt(),
  },
  (table) => [
    index("activities_user").on(table.userId, table.createdAt),
    index("activities_course").on(table.courseId),
    index("activities_verb_created").on(table.verb, table.createdAt),
  ],
)
