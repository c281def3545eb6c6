import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { bool, checkedTable, createdAt, id, searchText, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { portals } from "./portals.ts"
import { users } from "./users.ts"

/** The recipients of an announcement: everybody, or those in its link tables below. */
export const SENDING_RULES = ["all", "specific_users", "specific_course_users"] as const
export type SendingRule = (typeof SENDING_RULES)[number]

const ANNOUNCEMENT_STATES = ["everyone", "some", "ended"] as const
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number]

/** Counters: `announcements`, and by state, such as `announcements:everyone`. */
export const announcements = checkedTable(
  "announcements",
  {
    id: id(),
    heading: text("heading").notNull(),
    /** Sanitized HTML. */
    content: text("content").notNull(),
    /** Which link table has the recipients. */
    sendingRules: text("sending_rules", { enum: SENDING_RULES }).notNull(),
    /** Limited to recipients who belong to one of its portals. */
    limitedToPortals: bool("limited_to_portals").notNull(),
    /**
     * everyone: for all users; some: for the users in its link tables; ended: expired. The cron sets
     * `ended` within a minute of the expiry; reads also check the expiry.
     */
    state: text("state", { enum: ANNOUNCEMENT_STATES }).notNull(),
    /** 0: never. */
    expiresAt: integer("expires_at").notNull().default(0),
    /** The number of users it lists. A trigger subtracts deleted users. */
    userCount: integer("user_count").notNull().default(0),
    /**
     * The announcement is deleted with its author; null: an anonymous call of the `documented`
     * policy.
     */
    authorId: integer("author_id").references(() => users.id, { onDelete: "cascade" }),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    // Lists are read per state (src/db/list/).
    index("announcements_state").on(table.state),
    index("announcements_state_heading").on(table.state, sql`${table.heading} collate nocase`),
    index("announcements_state_created").on(table.state, table.createdAt),
    index("announcements_state_expires").on(table.state, table.expiresAt),
    index("announcements_author").on(table.authorId),
  ],
)

const announcementId = () =>
  integer("announcement_id")
    .notNull()
    .references(() => announcements.id, { onDelete: "cascade" })

/** A copy of the announcement's expiry, so that expired ones are not read; `FOR_GOOD` without an expiry. */
const shownUntil = () => integer("shown_until").notNull()

/** The recipients of an announcement with `specific_users`. */
export const announcementUsers = sqliteTable(
  "announcement_users",
  {
    announcementId: announcementId(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    shownUntil: shownUntil(),
  },
  (table) => [
    primaryKey({ columns: [table.announcementId, table.userId] }),
    index("announcement_users_user").on(table.userId, table.shownUntil, table.announcementId),
  ],
)

/** The courses whose learners receive an announcement with `specific_course_users`. */
export const announcementCourses = sqliteTable(
  "announcement_courses",
  {
    announcementId: announcementId(),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
    shownUntil: shownUntil(),
  },
  (table) => [
    primaryKey({ columns: [table.announcementId, table.courseId] }),
    index("announcement_courses_course").on(table.courseId, table.shownUntil, table.announcementId),
  ],
)

/**
 * The portals that an announcement is limited to. One for all of their members is found by these links; one with
 * another rule is found by that rule's links and has `shownUntil` 0 here.
 */
export const announcementPortals = sqliteTable(
  "announcement_portals",
  {
    announcementId: announcementId(),
    portalId: integer("portal_id")
      .notNull()
      .references(() => portals.id, { onDelete: "cascade" }),
    shownUntil: shownUntil(),
  },
  (table) => [
    primaryKey({ columns: [table.announcementId, table.portalId] }),
    index("announcement_portals_portal").on(table.portalId, table.shownUntil, table.announcementId),
  ],
)
