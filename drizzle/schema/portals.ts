import { sql } from "drizzle-orm"
import { type AnySQLiteColumn, index, integer, primaryKey, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { PortalStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id, searchText, updatedAt, version } from "./columns.ts"
import { users } from "./users.ts"

/** An inactive portal accepts no new members. */
export const PORTAL_STATUSES = valuesOf(PortalStatus)

/** The roles of portal members. */
const PORTAL_ROLES = ["learner", "admin"] as const
export type PortalRole = (typeof PORTAL_ROLES)[number]

export const portals = checkedTable(
  "portals",
  {
    id: id(),
    name: text("name").notNull(),
    slug: text("slug").notNull().unique(),
    /** Unique regardless of case. */
    referralCode: text("referral_code").notNull(),
    /** The user type of its administrators: portal_admin, … */
    userType: text("user_type").notNull().default("portal_admin"),
    /** The maximum number of learners; 0: unlimited. */
    totalSeat: integer("total_seat").notNull().default(0),
    subscriptionId: integer("subscription_id"),
    parentPortalId: integer("parent_portal_id").references((): AnySQLiteColumn => portals.id),
    /** The client's own portal type; empty: none. */
    portalType: text("portal_type").notNull().default(""),
    status: text("status", { enum: PORTAL_STATUSES }).notNull().default("active"),
    /** When it stops accepting members; 0: never. */
    expiresAt: integer("expires_at").notNull().default(0),
    /** The message after it has expired. */
    expiryMessage: text("expiry_message"),
    logoUrl: text("logo_url"),
    /** Colors as #rrggbb. */
    primaryColor: text("primary_color"),
    secondaryColor: text("secondary_color"),
    /** The sender name and reply address of mail to its members. */
    senderName: text("sender_name"),
    replyTo: text("reply_to"),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("portals_referral_code").on(sql`${table.referralCode} collate nocase`),
    index("portals_name").on(sql`${table.name} collate nocase`),
    index("portals_parent").on(table.parentPortalId),
  ],
)

/** The members of portals: learners and administrators. Rows are deleted and inserted, never updated. */
export const portalMembers = checkedTable(
  "portal_members",
  {
    portalId: integer("portal_id")
      .notNull()
      .references(() => portals.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: PORTAL_ROLES }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.portalId, table.userId] }),
    index("portal_members_user").on(table.userId, table.portalId),
    index("portal_members_admins").on(table.portalId).where(sql`${table.role} = 'admin'`),
  ],
)
