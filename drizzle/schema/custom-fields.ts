import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { bool, checkedTable, id, version } from "./columns.ts"
import { users } from "./users.ts"

export const FIELD_TYPES = ["text", "textarea", "date", "radio", "checkbox", "dropdown"] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** The reports whose exports can have a column for a field. */
export const FIELD_REPORTS = ["export-users", "course-insight", "export-orders"] as const
export type FieldReport = (typeof FIELD_REPORTS)[number]

/** Definitions of custom user fields: a small set, replaced as a whole. */
export const customFields = checkedTable(
  "custom_fields",
  {
    id: id(),
    type: text("type", { enum: FIELD_TYPES }).notNull(),
    label: text("label").notNull(),
    /** The field's name for clients; unique regardless of case. */
    userMetaKey: text("user_meta_key").notNull(),
    defaultValue: text("default_value"),
    isRequired: bool("is_required").notNull(),
    /** The labels of the options, in order; empty for fields without options. */
    options: text("options", { mode: "json" }).$type<string[]>().notNull(),
    onRegistrationPage: bool("on_registration_page").notNull(),
    onCertificate: bool("on_certificate").notNull(),
    /** The reports whose exports have a column for it. */
    reports: text("reports", { mode: "json" }).$type<FieldReport[]>().notNull(),
    displayOrder: integer("display_order").notNull(),
    /** Whether users can be looked up by its value. */
    isSearchable: bool("is_searchable").notNull().default(false),
    version: version(),
  },
  (table) => [uniqueIndex("custom_fields_key").on(sql`${table.userMetaKey} collate nocase`)],
)

/** Users' values. A field without a value has no row. */
export const customFieldValues = sqliteTable(
  "custom_field_values",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Not a foreign key: a job deletes the values of a deleted field in slices. */
    fieldId: integer("field_id").notNull(),
    /** A date as YYYY-MM-DD; an option's value; several options' values separated by commas, in the options' order. */
    value: text("value").notNull(),
    /** Whether the field is searchable: only those values have an index entry. */
    searchable: bool("searchable").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.fieldId] }),
    index("custom_field_values_field").on(table.fieldId, table.userId),
    index("custom_field_values_searchable").on(table.fieldId, table.value).where(sql`${table.searchable}`),
  ],
)
