import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { statusRowIdIn } from "../rules.ts"
import { ActivityVerb, EnrollmentStatus, ModuleStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id, updatedAt } from "./columns.ts"
import { courses } from "./courses.ts"
import { groups } from "./groups.ts"
import { modules } from "./modules.ts"
import { users } from "./users.ts"

/** The status of an enrollment in a course or a learning path. */
export const ENROLLMENT_STATUSES = valuesOf(EnrollmentStatus)

/** The status of an enrollment in a module. Submitted: an assignment that awaits evaluation. */
export const MODULE_STATUSES = valuesOf(ModuleStatus)

/** Activities of users in courses. */
export const ACTIVITY_VERBS = valuesOf(ActivityVerb)

/** Enrollments in courses. Triggers derive the progress (status, percent, done, times) from `module_statuses`. */
export const enrollments = checkedTable(
  "enrollments",
  {
    /** The API's registrationId. */
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id),
    status: text("status", { enum: ENROLLMENT_STATUSES }).notNull().default(EnrollmentStatus.NotStarted),
    /** floor(100 × done ÷ the course's goal). It never decreases. */
    percent: integer("percent").notNull().default(0),
    /** The number of completed modules that count. */
    done: integer("done").notNull().default(0),
    /** Seconds: the sum of its modules'. */
    timeSpent: integer("time_spent").notNull().default(0),
    /** The group whose seat it uses. */
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
    /** The number of certificates earned. Only triggers write it. */
    certificateCount: integer("certificate_count").notNull().default(0),
    /**
     * The awarded and the possible points of the course's graded modules. Triggers and changes of the course write
     * them.
     */
    pointsAwarded: integer("points_awarded").notNull().default(0),
    pointsPossible: integer("points_possible").notNull().default(0),
    updatedAt: updatedAt(),
    /**
     * Sort keys of the user's names (`sortableNames`), so that lists of a course can be sorted by them. Maintained by
     * triggers.
     */
    firstNameKey: text("first_name_key").notNull().default(""),
    lastNameKey: text("last_name_key").notNull().default(""),
  },
  (table) => [
    // A user has few enrollments, so every order is sorted.
    uniqueIndex("enrollments_user_course").on(table.userId, table.courseId),
    // The default orders of lists, read per status (src/db/list/), and counts by status. Columns that a heartbeat
    // changes are in no index.
    index("enrollments_course_status_registered").on(table.courseId, table.status, table.registeredAt),
    index("enrollments_status_registered").on(table.status, table.registeredAt),
    // Without the status, which changes twice in an enrollment's lifetime.
    index("enrollments_course_first_name").on(table.courseId, table.firstNameKey),
    index("enrollments_course_last_name").on(table.courseId, table.lastNameKey),
    // Heartbeats do not change it.
    index("enrollments_updated_order").on(table.updatedAt),
    index("enrollments_group").on(table.groupId, table.courseId).where(sql`${table.groupId} is not null`),
  ],
)

/** The progress of an enrollment in one module of its course. No row: the module was never opened. */
export const moduleStatuses = checkedTable(
  "module_statuses",
  {
    /** The API's statusRowId: computed from the next two columns. */
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
    /** The progress in the module, 0 to 100. */
    percent: integer("percent").notNull().default(0),
    /** null: not graded */
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
    // Only graded modules are found by it: see recount.background.ts.
    index("module_statuses_graded").on(table.moduleId).where(sql`${table.pointsAwarded} is not null`),
  ],
)

/**
 * Maintained counts of enrollments by status, per audience and course. Audiences: `all`, `group:7`, `portal:7`,
 * `supervisor:7` (the users in a supervisor's scope). For `all`, course 0 has the totals; for other audiences they are
 * sums of rows. Only triggers write them.
 */
export const enrollmentCounts = sqliteTable(
  "enrollment_counts",
  {
    audience: text("audience").notNull(),
    courseId: integer("course_id").notNull(),
    notStarted: integer("not_started").notNull(),
    inProgress: integer("in_progress").notNull(),
    completed: integer("completed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.courseId] })],
)

/** Activities of users in courses. Counters: `activities:verb:STARTED`. */
export const activities = checkedTable(
  "activities",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    verb: text("verb", { enum: ACTIVITY_VERBS }).notNull(),
    courseId: integer("course_id").references(() => courses.id, { onDelete: "set null" }),
    /** The course's name when it was deleted; empty while it exists. */
    courseName: text("course_name").notNull().default(""),
    /** Who did it, if not the user; null: the user, or an anonymous call. */
    actorId: integer("actor_id"),
    createdAt: createdAt(),
  },
  (table) => [
    index("activities_user").on(table.userId, table.createdAt),
    index("activities_course").on(table.courseId),
    index("activities_verb_created").on(table.verb, table.createdAt),
  ],
)
