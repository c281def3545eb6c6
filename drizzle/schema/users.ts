import { sql } from "drizzle-orm"
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { bool, createdAt, id, searchText, updatedAt, version } from "./columns.ts"
import { memberships } from "./memberships.ts"

/** The default sources of users from `user/create` and from bulk uploads. */
export const API_SOURCE = 1
export const UPLOAD_SOURCE = 2

/** The sources of users. 1 to 3 are built in: API, Bulk upload, Sample data. */
export const userSources = sqliteTable(
  "user_sources",
  {
    id: id(),
    name: text("name").notNull(),
    identifier: text("identifier").notNull().unique(),
    description: text("description"),
    logoUrl: text("logo_url"),
    version: version(),
  },
  (table) => [index("user_sources_name").on(sql`${table.name} collate nocase`)],
)

/** @property day the last day that was awarded, in days since 1970 */
export type LoginAward = [day: number, days: number, points: number]

export const users = sqliteTable(
  "users",
  {
    id: id(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull().default(""),
    /** As entered; unique regardless of case. */
    email: text("email").notNull(),
    /** When the address was verified, by a mailed link or a sign-in provider. 0: never. */
    emailVerifiedAt: integer("email_verified_at").notNull().default(0),
    /** scrypt with its parameters; null: the account has no password yet. */
    passwordHash: text("password_hash"),
    /** general, group_admin, portal_…, staff, admin, owner */
    userType: text("user_type").notNull(),
    disabled: bool("disabled").notNull().default(false),
    /** As an identity provider sends it (SCIM); null: the full name. */
    displayName: text("display_name"),
    /** Deleted by an identity provider (SCIM), which does not see it anymore unless it is enabled again. */
    deprovisioned: bool("deprovisioned").notNull().default(false),
    /** An image URL or sanitized SVG; null: show the initials. */
    avatar: text("avatar"),
    internalNote: text("internal_note"),
    /** An IANA time zone and a language tag; null: the academy's. */
    timeZone: text("time_zone"),
    language: text("language"),
    sourceId: integer("source_id")
      .notNull()
      .default(API_SOURCE)
      .references(() => userSources.id),
    membershipId: integer("membership_id").references(() => memberships.id, { onDelete: "set null" }),
    membershipExpiresAt: integer("membership_expires_at"),
    /** 0: never. */
    lastLoginAt: integer("last_login_at").notNull().default(0),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Sort keys of the names: see `sortableNames`. */
    firstNameKey: text("first_name_key").notNull().default(""),
    lastNameKey: text("last_name_key").notNull().default(""),
    /**
     * The points that sign-ins earned, by the id of the gamification event. They are in this row because a sign-in
     * writes it anyway. Sign-ins that earn a badge are in `gamification_awards`.
     */
    loginAwards: text("login_awards", { mode: "json" }).$type<Record<string, LoginAward>>().notNull().default({}),
  },
  (table) => [
    uniqueIndex("users_email").on(sql`${table.email} collate nocase`),
    index("users_created").on(table.createdAt),
    index("users_updated_order").on(table.updatedAt),
    index("users_first_name").on(table.firstNameKey),
    index("users_last_name").on(table.lastNameKey),
    index("users_type").on(table.userType),
    index("users_source").on(table.sourceId),
    index("users_membership").on(table.membershipId).where(sql`${table.membershipId} is not null`),
  ],
)

/** The view that a user prefers for each list (`saveViewType`). */
export const userViewTypes = sqliteTable("user_view_types", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  type: text("type").notNull(),
})
