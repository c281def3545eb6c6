import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { statusRowIdIn } from "../rules.ts"
import { ActivityVerb, DueStatus, EnrollmentStatus, ModuleStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id, updatedAt } from "./columns.ts"
import { courses } from "./courses.ts"
import { groups } from "./groups.ts"
import { modules } from "./modules.ts"
import { users } from "./users.ts"

/** The status of an enrollment in a course or a learning path. */
export const ENROLLMENT_STATUSES = valuesOf(EnrollmentStatus)

/** Where an enrollment stands with its due date. */
export const DUE_STATUSES = valuesOf(DueStatus)

/** The status of an enrollment in a module. Submitted: an assignment that awaits evaluation. */
export const MODULE_STATUSES = valuesOf(ModuleStatus)

/** The conditions of the indexes of due dates. */
export const HAS_DUE_DATE = sql.raw(`due_status <> '${DueStatus.NoDueDate}'`)
export const NEEDS_ATTENTION = sql.raw(`due_status in ('${DueStatus.DueSoon}', '${DueStatus.Overdue}')`)

export const DUE_DATE_CHANGES = ["exemption", "extension"] as const

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
    /** The number of the current cycle of a recurring training; earlier ones are in `enrollment_cycles`. */
    cycle: integer("cycle").notNull().default(1),
    /** When the cycle is due: the earliest due date of its rules, unless it was set or extended. 0: no due date */
    dueAt: integer("due_at").notNull().default(0),
    /** When it becomes due soon, and after the grace period overdue. 0: no due date */
    dueSoonAt: integer("due_soon_at").notNull().default(0),
    overdueAt: integer("overdue_at").notNull().default(0),
    /** Stored, so that counts are exact and events are written once. A sweep moves it when its time comes. */
    dueStatus: text("due_status", { enum: DUE_STATUSES }).notNull().default(DueStatus.NoDueDate),
    /** The rule that sets the due date and the reminders; null: set by hand. */
    dueRuleId: integer("due_rule_id"),
    /** When the sweep must look at it: for a status, a reminder or the next cycle. 0: never */
    dueCheckAt: integer("due_check_at").notNull().default(0),
    /** When the sweep found that it has expired. 0: not yet */
    expiredAt: integer("expired_at").notNull().default(0),
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
    // Queries must repeat the conditions of these: see src/modules/reports/due-filters.ts. A condition on `due_at`
    // would compete with that of a cursor.
    index("enrollments_due_status").on(table.dueStatus, table.dueAt).where(HAS_DUE_DATE),
    index("enrollments_course_due").on(table.courseId, table.dueStatus, table.dueAt).where(HAS_DUE_DATE),
    // What needs attention, for the lists of teams.
    index("enrollments_user_due").on(table.userId, table.dueStatus).where(NEEDS_ATTENTION),
    index("enrollments_due_check").on(table.dueCheckAt).where(sql`${table.dueCheckAt} > 0`),
    index("enrollments_expiry").on(table.expiresAt).where(sql`${table.expiresAt} > 0 and ${table.expiredAt} = 0`),
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

/** When modules open for one learner, instead of the dates of the course. */
export const moduleOpenings = sqliteTable(
  "module_openings",
  {
    enrollmentId: integer("enrollment_id")
      .notNull()
      .references(() => enrollments.id, { onDelete: "cascade" }),
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id, { onDelete: "cascade" }),
    /** 0: at once */
    opensAt: integer("opens_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.enrollmentId, table.moduleId] }),
    index("module_openings_module").on(table.moduleId),
  ],
)

/** Earlier cycles of recurring training. Rows are only inserted, when the next cycle begins. */
export const enrollmentCycles = checkedTable(
  "enrollment_cycles",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    courseId: integer("course_id").notNull(),
    cycle: integer("cycle").notNull(),
    /** The course's name when the cycle ended. */
    courseName: text("course_name").notNull(),
    /** When the cycle began and ended. */
    beganAt: integer("began_at").notNull(),
    endedAt: integer("ended_at").notNull(),
    status: text("status", { enum: ENROLLMENT_STATUSES }).notNull(),
    percent: integer("percent").notNull(),
    pointsAwarded: integer("points_awarded").notNull(),
    pointsPossible: integer("points_possible").notNull(),
    /** 0: not started, not completed, no due date */
    startedAt: integer("started_at").notNull(),
    completedAt: integer("completed_at").notNull(),
    dueAt: integer("due_at").notNull(),
    overdueAt: integer("overdue_at").notNull(),
    dueStatus: text("due_status", { enum: DUE_STATUSES }).notNull(),
    certificateId: integer("certificate_id"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.courseId, table.cycle] }),
    index("enrollment_cycles_course").on(table.courseId, table.userId),
  ],
)

/** Exemptions and extensions of cycles. They remain in the transcript. */
export const dueDateChanges = checkedTable(
  "due_date_changes",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    courseId: integer("course_id").notNull(),
    cycle: integer("cycle").notNull(),
    kind: text("kind", { enum: DUE_DATE_CHANGES }).notNull(),
    /** The end of an exemption (0: it does not end), or the new due date of an extension. */
    until: integer("until").notNull(),
    /** The due date before. 0: none */
    previousDueAt: integer("previous_due_at").notNull(),
    reason: text("reason").notNull(),
    /** null: an anonymous call */
    createdBy: integer("created_by"),
    createdAt: createdAt(),
    /** When an exemption was ended before its time. 0: it was not */
    endedAt: integer("ended_at").notNull().default(0),
  },
  (table) => [index("due_date_changes_user").on(table.userId, table.courseId)],
)

/** Reminders that were sent. The key ensures that a learner gets at most one a day, also from supervisors. */
export const reminders = sqliteTable(
  "reminders",
  {
    enrollmentId: integer("enrollment_id")
      .notNull()
      .references(() => enrollments.id, { onDelete: "cascade" }),
    cycle: integer("cycle").notNull(),
    /** The day that it is for, in days since 1970: it may be sent later. */
    day: integer("day").notNull(),
    sentAt: integer("sent_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.enrollmentId, table.cycle, table.day] })],
)

/** When supervisors get their next digest of overdue people. */
export const overdueDigests = sqliteTable(
  "overdue_digests",
  {
    supervisorId: integer("supervisor_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** 0: the sweep computes it from the supervisor's time zone. */
    sendAt: integer("send_at").notNull(),
  },
  (table) => [index("overdue_digests_send").on(table.sendAt)],
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
    /** By due status, of those with a due date. */
    onTrack: integer("on_track").notNull().default(0),
    dueSoon: integer("due_soon").notNull().default(0),
    overdue: integer("overdue").notNull().default(0),
    completedOnTime: integer("completed_on_time").notNull().default(0),
    completedLate: integer("completed_late").notNull().default(0),
    exempt: integer("exempt").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.audience, table.courseId] })],
)

/** Maintained counts of enrollments by due status, per audience except `all`, over all courses. */
export const dueCounts = sqliteTable(
  "due_counts",
  {
    audience: text("audience").notNull(),
    onTrack: integer("on_track").notNull(),
    dueSoon: integer("due_soon").notNull(),
    overdue: integer("overdue").notNull(),
    completedOnTime: integer("completed_on_time").notNull(),
    completedLate: integer("completed_late").notNull(),
    exempt: integer("exempt").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience] })],
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
