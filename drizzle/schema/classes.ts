import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { ClassStatus, SessionAttendance, valuesOf } from "../statuses.ts"
import { bool, checkedTable, createdAt, id, updatedAt, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { groups } from "./groups.ts"
import { locations } from "./locations.ts"
import { users } from "./users.ts"

export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const
export const FREQUENCIES = ["daily", "weekly", "monthly"] as const

export const CLASS_TYPES = ["onetime", "recurring"] as const

/** The status of a class enrollment. A canceled one takes no seat. */
export const CLASS_STATUSES = valuesOf(ClassStatus)

/** The attendance in one session of a class. */
export const SESSION_ATTENDANCE = valuesOf(SessionAttendance)
/** The attendance by session: the session's day in the time zone of the class, such as 2026-01-05. */
export type AttendanceByDay = Record<string, SessionAttendance>

/** The recurrence rule of a class. Dates and times are in its time zone. */
export interface Recurrence {
  classDays: (typeof WEEKDAYS)[number][]
  /** YYYY-MM-DD */
  startDate: string
  /** HH:mm */
  startTime: string
  /** HH:mm; before `startTime`: on the next day */
  endTime: string
  /** Every how many days, weeks or months. */
  interval: number
  frequency: (typeof FREQUENCIES)[number]
  end: { date: string } | { count: number }
}

/** An instructor-led class of a course. Users enroll in the whole class; its dates are `class_sessions`. */
export const classes = checkedTable(
  "classes",
  {
    id: id(),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id),
    type: text("type", { enum: CLASS_TYPES }).notNull(),
    /** null: onetime */
    recurrence: text("recurrence", { mode: "json" }).$type<Recurrence>(),
    /** The IANA time zone of its recurrence and its displayed times. */
    timeZone: text("time_zone").notNull().default("UTC"),
    /** Cannot be enrolled in or launched. */
    disabled: bool("disabled").notNull(),
    /** Whether learners may download its study material or only view it. */
    allowDownload: bool("allow_download").notNull(),
    instructorId: integer("instructor_id")
      .notNull()
      .references(() => users.id),
    /** null: no location, or online only */
    locationId: integer("location_id").references(() => locations.id),
    /** The webinar provider; empty: none. */
    webinarProvider: text("webinar_provider").notNull().default(""),
    webinarMeetingId: text("webinar_meeting_id").notNull().default(""),
    /** Encrypted; null: none. */
    webinarHostPwd: text("webinar_host_pwd"),
    /** The start of the first session. */
    startAt: integer("start_at").notNull(),
    /** The end of the last session. */
    endAt: integer("end_at").notNull(),
    sessionCount: integer("session_count").notNull(),
    /** The number of enrollments that are not canceled. Only triggers write it. */
    size: integer("size").notNull().default(0),
    createdBy: integer("created_by"),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("classes_start").on(table.startAt),
    index("classes_course_start").on(table.courseId, table.startAt),
    index("classes_updated_order").on(table.updatedAt),
    index("classes_location").on(table.locationId, table.startAt),
    index("classes_instructor").on(table.instructorId, table.startAt),
  ],
)

/** The sessions of a class, in order; a onetime class has one. They are replaced, never updated. */
export const classSessions = sqliteTable(
  "class_sessions",
  {
    id: id(),
    classId: integer("class_id")
      .notNull()
      .references(() => classes.id, { onDelete: "cascade" }),
    courseId: integer("course_id").notNull(),
    startAt: integer("start_at").notNull(),
    endAt: integer("end_at").notNull(),
    /** The last user who was reminded of it, in the order of their ids. -1: everyone was */
    remindedTo: integer("reminded_to").notNull().default(0),
  },
  (table) => [
    index("class_sessions_class").on(table.classId, table.startAt),
    index("class_sessions_course").on(table.courseId, table.startAt),
    index("class_sessions_start").on(table.startAt),
  ],
)

/** A user's enrollment in a class. */
export const classEnrollments = checkedTable(
  "class_enrollments",
  {
    /** The API's registrationId of class operations. */
    id: id(),
    classId: integer("class_id")
      .notNull()
      .references(() => classes.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    status: text("status", { enum: CLASS_STATUSES }).notNull().default(ClassStatus.Registered),
    /**
     * The attendance in each session, of which `status` is the summary; null: the status applies to all sessions. By
     * day, since a class has at most one session a day and a change of its times replaces the sessions.
     */
    attendance: text("attendance", { mode: "json" }).$type<AttendanceByDay>(),
    /** The group whose seat it uses. */
    groupId: integer("group_id").references(() => groups.id, { onDelete: "set null" }),
    /** Who enrolled the user; null: an anonymous call. */
    enrolledBy: integer("enrolled_by"),
    /** Staff's notes about the user's webinar participation. */
    notes: text("notes").notNull().default(""),
    registeredAt: integer("registered_at").notNull(),
    /** When the user last opened the material or the webinar; 0: never */
    lastAccessedAt: integer("last_accessed_at").notNull().default(0),
    /** The number of certificates issued for it. Only triggers write it. */
    certificateCount: integer("certificate_count").notNull().default(0),
    /** Copied from the user, so that lists of a class can be sorted by them. Maintained by triggers. */
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    email: text("email").notNull(),
    /** Sort keys of the names: see `sortableNames`. */
    firstNameKey: text("first_name_key").notNull().default(""),
    lastNameKey: text("last_name_key").notNull().default(""),
  },
  (table) => [
    uniqueIndex("class_enrollments_class_user").on(table.classId, table.userId),
    // The default orders of lists, and names; other orders are sorted. Frequently changing columns are in only one
    // index, which finds enrollments by status.
    index("class_enrollments_class_registered").on(table.classId, table.registeredAt),
    index("class_enrollments_class_first_name").on(table.classId, table.firstNameKey),
    index("class_enrollments_class_last_name").on(table.classId, table.lastNameKey),
    // A user has few class enrollments, so every order is sorted.
    index("class_enrollments_user").on(table.userId),
    index("class_enrollments_status_registered").on(table.status, table.registeredAt),
    index("class_enrollments_group").on(table.groupId).where(sql`${table.groupId} is not null`),
  ],
)

/**
 * Maintained counts of class enrollments by status, per audience (as in `enrollment_counts`) and class. For `all`,
 * class 0 has the totals; for other audiences they are sums of rows. Only triggers write them.
 */
export const classCounts = sqliteTable(
  "class_counts",
  {
    audience: text("audience").notNull(),
    classId: integer("class_id").notNull(),
    registered: integer("registered").notNull(),
    attended: integer("attended").notNull(),
    noShow: integer("no_show").notNull(),
    cancelled: integer("cancelled").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.classId] }), index("class_counts_class").on(table.classId)],
)

/** A study material file. It is uploaded first and later assigned to a class. */
export const classMaterials = sqliteTable(
  "class_materials",
  {
    /** The API's media_id. */
    id: id(),
    /** null: not assigned to a class yet (the cron deletes it after a while) */
    classId: integer("class_id").references(() => classes.id, { onDelete: "set null" }),
    position: integer("position").notNull().default(0),
    name: text("name").notNull(),
    /** Both are detected from the content; the extension has no dot. */
    extension: text("extension").notNull(),
    mimeType: text("mime_type").notNull(),
    /** Bytes. */
    size: integer("size").notNull(),
    /** The key in R2. */
    key: text("key").notNull().unique(),
    uploadedBy: integer("uploaded_by"),
    createdAt: createdAt(),
  },
  (table) => [
    index("class_materials_class").on(table.classId, table.position),
    index("class_materials_unused").on(table.createdAt).where(sql`${table.classId} is null`),
    index("class_materials_unused_by").on(table.uploadedBy, table.size).where(sql`${table.classId} is null`),
  ],
)

/** Webinar recordings, entered by staff. */
export const classRecordings = sqliteTable(
  "class_recordings",
  {
    id: id(),
    classId: integer("class_id")
      .notNull()
      .references(() => classes.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    url: text("url").notNull(),
    /** Seconds; 0: unknown */
    duration: integer("duration").notNull().default(0),
    recordedAt: integer("recorded_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("class_recordings_class").on(table.classId, table.recordedAt)],
)
