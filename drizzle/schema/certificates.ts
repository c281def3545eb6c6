import { sql } from "drizzle-orm"
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { classEnrollments } from "./classes.ts"
import { createdAt, id, searchText, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { enrollments } from "./enrollments.ts"
import { users } from "./users.ts"

/** One text on a certificate. Lengths in pixels of the template. */
export interface TemplateField {
  /** What is printed: one of the keys, or the meta key of a custom field. */
  key: string
  /** What `custom_text` prints; what an editor shows for the others. */
  value: string
  font_size: number
  font_family: string
  /** `#rgb` or `#rrggbb` */
  font_color: string
  top: number
  left: number
  align_center: boolean
  /** The box that the text is kept in; 0: as far as the page goes. */
  width: number
  height: number
  /** The editor's own. */
  show_tools: boolean
}

/** Where a certificate carries its QR code. Lengths in pixels of the template. */
export interface CodePlace {
  show: boolean
  left: number
  top: number
  /** Its side, the blank margin that readers need included. */
  size: number
}

export const certificateTemplates = sqliteTable(
  "certificate_templates",
  {
    id: id(),
    name: text("name").notNull(),
    /** Empty: none. Only an image uploaded here is drawn. */
    bgUrl: text("bg_url").notNull(),
    /** Pixels. */
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    fields: text("fields", { mode: "json" }).$type<TemplateField[]>().notNull(),
    /** null: in the bottom right corner. */
    qrCode: text("qr_code", { mode: "json" }).$type<CodePlace>(),
    /** null: created by an anonymous call of the `documented` policy. */
    authorId: integer("author_id").references(() => users.id, { onDelete: "set null" }),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("certificate_templates_name").on(sql`${table.name} collate nocase`),
    index("certificate_templates_created").on(table.createdAt),
    index("certificate_templates_author").on(table.authorId),
  ],
)

/** What a template was for certificates that were issued before it was changed: written by that change alone. */
export const certificateTemplateVersions = sqliteTable(
  "certificate_template_versions",
  {
    templateId: integer("template_id")
      .notNull()
      .references(() => certificateTemplates.id, { onDelete: "cascade" }),
    /** The last certificate that was issued with it; those up to it, after the version before, are drawn so. */
    lastCertificateId: integer("last_certificate_id").notNull(),
    bgUrl: text("bg_url").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    fields: text("fields", { mode: "json" }).$type<TemplateField[]>().notNull(),
    qrCode: text("qr_code", { mode: "json" }).$type<CodePlace>(),
  },
  (table) => [primaryKey({ columns: [table.templateId, table.lastCertificateId] })],
)

/** Which custom fields a template prints. */
export const certificateTemplateKeys = sqliteTable(
  "certificate_template_keys",
  {
    /** The field's meta key in lower case. */
    key: text("key").notNull(),
    templateId: integer("template_id")
      .notNull()
      .references(() => certificateTemplates.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.templateId] }),
    index("certificate_template_keys_template").on(table.templateId),
  ],
)

/**
 * What a learner earned. It is issued when an enrollment is Completed; it keeps what the course was at that time,
 * and outlives the registration.
 */
export const certificates = sqliteTable(
  "certificates",
  {
    id: id(),
    /** Unguessable: whoever has it may ask whether the certificate holds. */
    code: text("code").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    enrollmentId: integer("enrollment_id").references(() => enrollments.id, { onDelete: "set null" }),
    /** The class that it was given for, by hand. */
    classEnrollmentId: integer("class_enrollment_id").references(() => classEnrollments.id, { onDelete: "set null" }),
    courseId: integer("course_id").references(() => courses.id, { onDelete: "set null" }),
    templateId: integer("template_id")
      .notNull()
      .references(() => certificateTemplates.id),
    /** As they were at issue. */
    courseName: text("course_name").notNull(),
    instructorName: text("instructor_name").notNull(),
    courseCredit: real("course_credit").notNull(),
    issuedAt: integer("issued_at").notNull(),
    /** 0: never */
    expiresAt: integer("expires_at").notNull(),
    /** 0: it was not */
    revokedAt: integer("revoked_at").notNull().default(0),
    /** The course's, at issue. */
    searchText: searchText(),
    version: version(),
  },
  (table) => [
    uniqueIndex("certificates_code").on(table.code),
    index("certificates_user").on(table.userId, table.issuedAt),
    index("certificates_enrollment").on(table.enrollmentId),
    index("certificates_class_enrollment")
      .on(table.classEnrollmentId)
      .where(sql`${table.classEnrollmentId} is not null`),
    index("certificates_course").on(table.courseId, table.userId),
    index("certificates_template").on(table.templateId),
  ],
)
