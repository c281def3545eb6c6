import { sql } from "drizzle-orm"
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { CourseStatus, valuesOf } from "../statuses.ts"
import { categories } from "./categories.ts"
import { bool, checkedTable, createdAt, descriptionText, id, searchText, version } from "./columns.ts"
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
    /** 0: not said */
    estimatedMinutes: integer("estimated_minutes").notNull().default(0),
    /** Days from the registration; 0: it does not expire. */
    expiresAfterDays: integer("expires_after_days").notNull().default(0),
    /** 0: any number */
    totalSeats: integer("total_seats").notNull().default(0),
    /** Learners may enroll themselves. */
    selfEnroll: bool("self_enroll").notNull().default(false),
    /** What those who enroll themselves must know, sealed; null: nothing. It opens a course that is not marked, too. */
    enrollmentKey: text("enrollment_key"),
    enableCourseRating: bool("enable_course_rating").notNull().default(false),
    /** What a certificate says it is worth; 0: nothing is said. */
    courseCredit: real("course_credit").notNull().default(0),
    /** How many modules it has, and how many of them count toward its completion. Only triggers write them. */
    moduleCount: integer("module_count").notNull().default(0),
    goal: integer("goal").notNull().default(0),
    /** The sum and the number of the ratings given, 1 to 5. Only the reviews' triggers write them. */
    ratingSum: integer("rating_sum").notNull().default(0),
    ratingCount: integer("rating_count").notNull().default(0),
    descriptionText: descriptionText(),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("courses_slug").on(table.slug),
    index("courses_name").on(sql`${table.name} collate nocase`),
    index("courses_status").on(table.status),
    index("courses_status_name").on(table.status, sql`${table.name} collate nocase`),
    index("courses_status_slug").on(table.status, table.slug),
    index("courses_status_created").on(table.status, table.createdAt),
    index("courses_created").on(table.createdAt),
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

/** A course's modules in order. A row is deleted and inserted, never updated: triggers keep counts by it. */
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
    /** Counts toward completion: it is required, or none of the course's modules is. */
    counts: bool("counts").notNull(),
    /** Opens only once every required module before it is Completed. */
    isLocked: bool("is_locked").notNull(),
    /** Opens so many days after the registration. */
    dripDays: integer("drip_days").notNull(),
    /** Seconds to be spent in it before it can be Completed. */
    minTimeSpent: integer("min_time_spent").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.moduleId] }),
    index("course_modules_order").on(table.courseId, table.position),
    index("course_modules_module").on(table.moduleId, table.courseId),
  ],
)
