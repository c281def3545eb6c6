import { sql } from "drizzle-orm"
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { CourseStatus, valuesOf } from "../statuses.ts"
import { categories } from "./categories.ts"
import { bool, checkedTable, createdAt, descriptionText, id, searchText, updatedAt, version } from "./columns.ts"
import { modules } from "./modules.ts"
import { users } from "./users.ts"

export const COURSE_STATUSES = valuesOf(CourseStatus)

export const courses = checkedTable(
  "courses",
  {
    id: id(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    status: text("status", { enum: COURSE_STATUSES }).notNull().default("draft"),
    /** Sanitized HTML. */
    content: text("content").notNull().default(""),
    /** Sanitized HTML. */
    instructions: text("instructions").notNull().default(""),
    featuredImageUrl: text("featured_image_url"),
    /** null: created by an anonymous call of the `documented` policy. */
    authorId: integer("author_id").references(() => users.id),
    certificateTemplateId: integer("certificate_template_id"),
    /** 0: unknown */
    estimatedMinutes: integer("estimated_minutes").notNull().default(0),
    /** Days from the enrollment; 0: never expires. */
    expiresAfterDays: integer("expires_after_days").notNull().default(0),
    /** 0: unlimited */
    totalSeats: integer("total_seats").notNull().default(0),
    /** Whether learners can enroll themselves. */
    selfEnroll: bool("self_enroll").notNull().default(false),
    /**
     * The encrypted key for self-enrollment; null: none. A key also allows self-enrollment if `selfEnroll` is false.
     */
    enrollmentKey: text("enrollment_key"),
    enableCourseRating: bool("enable_course_rating").notNull().default(false),
    /** The credit printed on certificates; 0: none. */
    courseCredit: real("course_credit").notNull().default(0),
    /** The number of modules, and of those that count toward completion. Only triggers write them. */
    moduleCount: integer("module_count").notNull().default(0),
    goal: integer("goal").notNull().default(0),
    /** The sum and number of ratings, 1 to 5. Only triggers write them. */
    ratingSum: integer("rating_sum").notNull().default(0),
    ratingCount: integer("rating_count").notNull().default(0),
    descriptionText: descriptionText(),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("courses_slug").on(table.slug),
    index("courses_name").on(sql`${table.name} collate nocase`),
    index("courses_status").on(table.status),
    index("courses_status_name").on(table.status, sql`${table.name} collate nocase`),
    index("courses_status_created").on(table.status, table.createdAt),
    index("courses_created").on(table.createdAt),
    index("courses_updated_order").on(table.updatedAt),
    index("courses_author").on(table.authorId),
    index("courses_certificate_template").on(table.certificateTemplateId),
  ],
)

export const courseCategories = sqliteTable(
  "course_categories",
  {
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
    categoryId: integer("category_id")
      .notNull()
      .references(() => categories.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.categoryId] }),
    index("course_categories_category").on(table.categoryId, table.courseId),
  ],
)

/** The courses that must be completed before the modules of a course open. */
export const coursePrerequisites = sqliteTable(
  "course_prerequisites",
  {
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
    prerequisiteId: integer("prerequisite_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
    /** From 1. */
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.prerequisiteId] }),
    index("course_prerequisites_of").on(table.prerequisiteId, table.courseId),
  ],
)

/** The modules of a course in order. Rows are deleted and inserted, never updated: triggers maintain counts. */
export const courseModules = sqliteTable(
  "course_modules",
  {
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
    moduleId: integer("module_id")
      .notNull()
      .references(() => modules.id),
    /** From 1. */
    position: integer("position").notNull(),
    required: bool("required").notNull(),
    /** Whether it counts toward completion: it is required, or no module of the course is. */
    counts: bool("counts").notNull(),
    /** Locked until every required module before it is completed. */
    isLocked: bool("is_locked").notNull(),
    /** Opens this many days after the enrollment. */
    dripDays: integer("drip_days").notNull(),
    /** Opens at this time. 0: no date */
    opensAt: integer("opens_at").notNull().default(0),
    /** The minimum number of seconds before it can be completed. */
    minTimeSpent: integer("min_time_spent").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.moduleId] }),
    index("course_modules_order").on(table.courseId, table.position),
    index("course_modules_module").on(table.moduleId, table.courseId),
  ],
)
