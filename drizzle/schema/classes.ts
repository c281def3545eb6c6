import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { ClassStatus, valuesOf } from "../statuses.ts"
import { bool, checkedTable, createdAt, id, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { groups } from "./groups.ts"
import { locations } from "./locations.ts"
import { users } from "./users.ts"

export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const
export const FREQUENCIES = ["daily", "weekly", "monthly"] as const

export const CLASS_TYPES = ["onetime", "recurring"] as const

/** How a place in a class stands; a cancelled one takes no seat. */
export const CLASS_STATUSES = valuesOf(ClassStatus)

/** How a recurring class recurs, as it was given. Dates and times are those of its zone. */
export interface Recurrence {
  classDays: (typeof WEEKDAYS)[number][]
  /** YYYY-MM-DD */
  startDate: string
  /** HH:mm */
  startTime: string
  /** HH:mm; before `startTime`: on the next day */
  endTime: string
  /** Every so many days, weeks or months. */
  interval: number
  frequency: (typeof FREQUENCIES)[number]
  end: { date: string } | { count: number }
}

/** An instructor-led class of a course. A user enrolls in the class as a whole; its dates are `class_sessions`. */
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
    /** The IANA zone in which it recurs and its times are shown. */
    timeZone: text("time_zone").notNull().default("UTC"),
    /** Takes no enrollment, and is not launched. */
    disabled: bool("disabled").notNull(),
    /** Whether learners may download its study material, rather than only look at it. */
    allowDownload: bool("allow_download").notNull(),
    instructorId: integer("instructor_id")
      .notNull()
      .references(() => users.id),
    /** null: held nowhere, or online alone */
    locationId: integer("location_id").references(() => locations.id),
    /** Who holds it online; empty: nobody, and the other two say nothing. */
    webinarProvider: text("webinar_provider").notNull().default(""),
    webinarMeetingId: text("webinar_meeting_id").notNull().default(""),
    /** Sealed; null: none. */
    webinarHostPwd: text("webinar_host_pwd"),
    /** The first session's start. */
    startAt: integer("start_at").notNull(),
    /** The last session's end. */
    endAt: integer("end_at").notNull(),
    sessionCount: integer("session_count").notNull(),
    /** How many are enrolled and have not cancelled. Only triggers write it. */
    size: integer("size").notNull().default(0),
    createdBy: integer("created_by"),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("classes_start").on(table.startAt),
    index("classes_course_start").on(table.courseId, table.startAt),
    index("classes_location").on(table.locationId, table.startAt),
    index("classes_instructor").on(table.instructorId, table.startAt),
  ],
)

/** A class's dates, in order: one of a onetime class. They are replaced, never updated. */
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
  },
  (table) => [
    index("class_sessions_class").on(table.classId, table.startAt),
    index("class_sessions_course").on(table.courseId, table.startAt),
    index("class_sessions_start").on(table.startAt),
  ],
)

/** A user's place in a class. */
export const classEnrollments = checkedTable(
  "class_enrollments",
  {
    /** The interface's registrationId of class operations. */
    id: id(),
    classId: integer("class_id")
      .notNull()
      .references(() => classes.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    status: text("status", { enum: CLASS_STATUSES }).notNull().default(ClassStatus.Registered),
    /** The group on whose behalf the user was enrolled. */
    groupId: integer("group_id").references(() => groups.id, { onDelete: "set null" }),
    /** Who enrolled the user; null: an anonymous call. */
    enrolledBy: integer("enrolled_by"),
    /** What staff noted about the user's part in the webinar. */
    notes: text("notes").notNull().default(""),
    registeredAt: integer("registered_at").notNull(),
    /** When the user last opened the material or the webinar; 0: never */
    lastAccessedAt: integer("last_accessed_at").notNull().default(0),
    /** How many certificates were issued for it. Only the certificates' triggers write it. */
    certificateCount: integer("certificate_count").notNull().default(0),
    /** The user's own, so that a class's learners are paged in their order. Kept by triggers. */
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    email: text("email").notNull(),
    /** What the names sort by: see `namesOf`. */
    firstNameKey: text("first_name_key").notNull().default(""),
    lastNameKey: text("last_name_key").notNull().default(""),
  },
  (table) => [
    uniqueIndex("class_enrollments_class_user").on(table.classId, table.userId),
    // What lists of a class's learners and of everyone's places have by default, and names; others are sorted. What
    // changes often stands in no index but one, by which places in a status are found.
    index("class_enrollments_class_registered").on(table.classId, table.registeredAt),
    index("class_enrollments_class_first_name").on(table.classId, table.firstNameKey),
    index("class_enrollments_class_last_name").on(table.classId, table.lastNameKey),
    // A user's classes are few: in every order they are sorted.
    index("class_enrollments_user").on(table.userId),
    index("class_enrollments_status_registered").on(table.status, table.registeredAt),
    index("class_enrollments_group").on(table.groupId).where(sql`${table.groupId} is not null`),
  ],
)

/**
 * Kept counts of class enrollments by status: of whom (`audience`, as in `tallies`), in which class. Of `all` class 0
 * is
 * all classes together; others' are the sum of their rows. Only triggers write them.
 */
export const classTallies = sqliteTable(
  "class_tallies",
  {
    audience: text("audience").notNull(),
    classId: integer("class_id").notNull(),
    registered: integer("registered").notNull(),
    attended: integer("attended").notNull(),
    noShow: integer("no_show").notNull(),
    cancelled: integer("cancelled").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.classId] }), index("class_tallies_class").on(table.classId)],
)

/** A file for those who attend. Uploaded first, then named by a class: until then it has none. */
export const classMaterials = sqliteTable(
  "class_materials",
  {
    /** The interface's media_id. */
    id: id(),
    /** null: uploaded, in no class yet (the sweep deletes it after a while) */
    classId: integer("class_id").references(() => classes.id, { onDelete: "set null" }),
    position: integer("position").notNull().default(0),
    name: text("name").notNull(),
    /** Both as judged from the content; the extension without its dot. */
    extension: text("extension").notNull(),
    mimeType: text("mime_type").notNull(),
    /** Bytes. */
    size: integer("size").notNull(),
    /** Where it lies in R2. */
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

/** What a webinar's provider recorded, as staff entered it. */
export const classRecordings = sqliteTable(
  "class_recordings",
  {
    id: id(),
    classId: integer("class_id")
      .notNull()
      .references(() => classes.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    url: text("url").notNull(),
    /** Seconds; 0: not said */
    duration: integer("duration").notNull().default(0),
    recordedAt: integer("recorded_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("class_recordings_class").on(table.classId, table.recordedAt)],
)
