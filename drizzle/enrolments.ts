import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { createdAt, id } from "./columns.ts"
import { courses } from "./courses.ts"
import { groups } from "./groups.ts"
import { modules } from "./modules.ts"
import { users } from "./users.ts"

/** How far a registration is: in a course, or in a learning path. */
export const ENROLMENT_STATUSES = ["Not Started", "In Progress", "Completed"] as const
export type EnrolmentStatus = (typeof ENROLMENT_STATUSES)[number]

/** How far a registration is in a module. Submitted: an assignment that awaits its evaluation. */
export const MODULE_STATUSES = ["Not Started", "In Progress", "Submitted", "Completed"] as const
export type ModuleStatus = (typeof MODULE_STATUSES)[number]

/** What happens to a user in a course. */
export const ACTIVITY_VERBS = ["ENROLLED", "STARTED", "COMPLETED", "RESET", "UNENROLLED"] as const
export type ActivityVerb = (typeof ACTIVITY_VERBS)[number]

/**
 * A user's registration in a course. Its progress (status, percent, done, times) follows `module_statuses` by triggers:
 * whatever completes a module writes that row and nothing here.
 */
export const enrolments = sqliteTable(
  "enrolments",
  {
    /** The interface's registrationId. */
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id),
    status: text("status", { enum: ENROLMENT_STATUSES }).notNull().default("Not Started"),
    /** floor(100 × done ÷ the course's goal), and never less than it was. */
    percent: integer("percent").notNull().default(0),
    /** How many of the modules that count are Completed. */
    done: integer("done").notNull().default(0),
    /** Seconds: the sum of its modules'. */
    timeSpent: integer("time_spent").notNull().default(0),
    /** The group whose seat it takes. */
    groupId: integer("group_id").references(() => groups.id, { onDelete: "set null" }),
    /** The learning path that it came with. */
    learningPathId: integer("learning_path_id"),
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
    /** The user's own, so that a course's learners are paged in their order. Kept by triggers. */
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    email: text("email").notNull(),
    /** What the names sort by: see `namesOf`. */
    firstNameKey: text("first_name_key").notNull().default(""),
    lastNameKey: text("last_name_key").notNull().default(""),
  },
  (table) => [
    uniqueIndex("enrolments_course_user").on(table.courseId, table.userId),
    // Lists of a course's learners and of everyone's registrations are read by status, part by part
    // (src/lib/sql/list.ts): one index each serves the order with and without a filter by status.
    index("enrolments_course_status").on(table.courseId, table.status),
    index("enrolments_course_status_user").on(table.courseId, table.status, table.userId),
    index("enrolments_course_status_percent").on(table.courseId, table.status, table.percent),
    index("enrolments_course_status_registered").on(table.courseId, table.status, table.registeredAt),
    index("enrolments_course_status_started").on(table.courseId, table.status, table.startedAt),
    index("enrolments_course_status_completed").on(table.courseId, table.status, table.completedAt),
    index("enrolments_course_status_expires").on(table.courseId, table.status, table.expiresAt),
    index("enrolments_course_status_time").on(table.courseId, table.status, table.timeSpent),
    index("enrolments_course_status_accessed").on(table.courseId, table.status, table.lastAccessedAt),
    index("enrolments_course_status_first_name").on(table.courseId, table.status, table.firstNameKey),
    index("enrolments_course_status_last_name").on(table.courseId, table.status, table.lastNameKey),
    index("enrolments_course_status_email").on(table.courseId, table.status, sql`${table.email} collate nocase`),
    index("enrolments_status").on(table.status),
    index("enrolments_status_percent").on(table.status, table.percent),
    index("enrolments_status_registered").on(table.status, table.registeredAt),
    index("enrolments_status_started").on(table.status, table.startedAt),
    index("enrolments_status_completed").on(table.status, table.completedAt),
    index("enrolments_status_expires").on(table.status, table.expiresAt),
    index("enrolments_status_accessed").on(table.status, table.lastAccessedAt),
    index("enrolments_status_time").on(table.status, table.timeSpent),
    index("enrolments_user_registered").on(table.userId, table.registeredAt),
    index("enrolments_group").on(table.groupId, table.courseId),
    index("enrolments_learning_path").on(table.learningPathId, table.userId),
  ],
)

/** Where a registration stands in one module of its course. No row: the module was never opened. */
export const moduleStatuses = sqliteTable(
  "module_statuses",
  {
    /** The interface's statusRowId. */
    id: id(),
    enrolmentId: integer("enrolment_id")
      .notNull()
      .references(() => enrolments.id, { onDelete: "cascade" }),
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
    uniqueIndex("module_statuses_enrolment_module").on(table.enrolmentId, table.moduleId),
    index("module_statuses_module").on(table.moduleId, table.status),
  ],
)

/**
 * Kept counts of enrolments by status, and the seconds spent in them: of whom (`audience`), in which course (0: all).
 * Audiences: `all`, `group:7`, `portal:7`, `reach:7` (whom a supervisor may see), and `user:7`, which has course 0
 * alone. Only triggers write them.
 */
export const tallies = sqliteTable(
  "tallies",
  {
    audience: text("audience").notNull(),
    courseId: integer("course_id").notNull(),
    notStarted: integer("not_started").notNull(),
    inProgress: integer("in_progress").notNull(),
    completed: integer("completed").notNull(),
    timeSpent: integer("time_spent").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.courseId] })],
)

/** What happened to a user in a course. `counters` holds `activities` and `activities:7` (of user 7). */
export const activities = sqliteTable(
  "activities",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    verb: text("verb", { enum: ACTIVITY_VERBS }).notNull(),
    courseId: integer("course_id").references(() => courses.id, { onDelete: "set null" }),
    /** The course's name at the time. */
    courseName: text("course_name").notNull(),
    /** Who did it, where that was not the user; null: the user, or an anonymous call. */
    actorId: integer("actor_id"),
    createdAt: createdAt(),
  },
  (table) => [
    index("activities_user").on(table.userId, table.createdAt),
    index("activities_course").on(table.courseId, table.createdAt),
    index("activities_created").on(table.createdAt),
    index("activities_verb").on(table.verb),
    index("activities_verb_created").on(table.verb, table.createdAt),
  ],
)
