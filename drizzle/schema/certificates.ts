import { sql } from "drizzle-orm"
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { classEnrollments } from "./classes.ts"
import { createdAt, id, searchText, updatedAt, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { enrollments } from "./enrollments.ts"
import { users } from "./users.ts"

/** A text field of a certificate. Lengths in pixels of the template. */
export interface TemplateField {
  /** What it prints: one of the fixed keys, or the meta key of a custom field. */
  key: string
  /** The text of `custom_text`; a preview text for others. */
  value: string
  font_size: number
  font_family: string
  /** `#rgb` or `#rrggbb` */
  font_color: string
  top: number
  left: number
  align_center: boolean
  /** The maximum size of the text; 0: up to the edge of the page. */
  width: number
  height: number
  /** State of the client's editor. */
  show_tools: boolean
}

/** The position of the QR code. Lengths in pixels of the template. */
export interface CodePosition {
  show: boolean
  left: number
  top: number
  /** The side length, including the quiet zone. */
  size: number
}

export const certificateTemplates = sqliteTable(
  "certificate_templates",
  {
    id: id(),
    name: text("name").notNull(),
    /** Empty: none. Only an uploaded image is drawn. */
    bgUrl: text("bg_url").notNull(),
    /** Pixels. */
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    fields: text("fields", { mode: "json" }).$type<TemplateField[]>().notNull(),
    /** null: in the bottom right corner */
    qrCode: text("qr_code", { mode: "json" }).$type<CodePosition>(),
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

/** Earlier versions of a template, for certificates issued before a change. Only that change writes it. */
export const certificateTemplateVersions = sqliteTable(
  "certificate_template_versions",
  {
    templateId: integer("template_id")
      .notNull()
      .references(() => certificateTemplates.id, { onDelete: "cascade" }),
    /** The last certificate issued with this version. It applies to all since the previous version. */
    lastCertificateId: integer("last_certificate_id").notNull(),
    bgUrl: text("bg_url").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    fields: text("fields", { mode: "json" }).$type<TemplateField[]>().notNull(),
    qrCode: text("qr_code", { mode: "json" }).$type<CodePosition>(),
  },
  (table) => [primaryKey({ columns: [table.templateId, table.lastCertificateId] })],
)

/** The custom fields that a template prints. */
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
 * Certificates. Triggers issue one when an enrollment is completed. It copies the course's data and remains after the
 * enrollment is deleted.
 */
export const certificates = sqliteTable(
  "certificates",
  {
    id: id(),
    /** Random. Anyone who has the code can verify the certificate. */
    code: text("code").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    enrollmentId: integer("enrollment_id").references(() => enrollments.id, { onDelete: "set null" }),
    /** The class enrollment that it was issued for manually. */
    classEnrollmentId: integer("class_enrollment_id").references(() => classEnrollments.id, { onDelete: "set null" }),
    courseId: integer("course_id").references(() => courses.id, { onDelete: "set null" }),
    templateId: integer("template_id")
      .notNull()
      .references(() => certificateTemplates.id),
    /** As of the issue. */
    courseName: text("course_name").notNull(),
    instructorName: text("instructor_name").notNull(),
    courseCredit: real("course_credit").notNull(),
    issuedAt: integer("issued_at").notNull(),
    /** 0: never */
    expiresAt: integer("expires_at").notNull(),
    /** 0: not revoked */
    revokedAt: integer("revoked_at").notNull().default(0),
    /** Written by the sweep: 1 when it expires within 30 days, 2 when it has expired. */
    expiryState: integer("expiry_state").notNull().default(0),
    /** The course's, as of the issue. */
    searchText: searchText(),
    version: version(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("certificates_code").on(table.code),
    index("certificates_user").on(table.userId, table.issuedAt),
    index("certificates_enrollment").on(table.enrollmentId),
    index("certificates_class_enrollment")
      .on(table.classEnrollmentId)
      .where(sql`${table.classEnrollmentId} is not null`),
    index("certificates_course").on(table.courseId, table.userId),
    index("certificates_updated_order").on(table.updatedAt),
    index("certificates_template").on(table.templateId),
    index("certificates_expiry")
      .on(table.expiryState, table.expiresAt)
      .where(sql`${table.expiresAt} > 0 and ${table.expiryState} < 2 and ${table.revokedAt} = 0`),
  ],
)
