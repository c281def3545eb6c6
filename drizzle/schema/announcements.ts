import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { bool, checkedTable, createdAt, id, searchText, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { portals } from "./portals.ts"
import { users } from "./users.ts"

/** Whom an announcement is for: everybody, or those whom its links below name. */
export const SENDING_RULES = ["all", "specific_users", "specific_course_users"] as const
export type SendingRule = (typeof SENDING_RULES)[number]

const STANDINGS = ["everyone", "some", "ended"] as const
export type AnnouncementState = (typeof STANDINGS)[number]

/** `counters` holds `announcements`, and by standing `announcements:everyone`. */
export const announcements = checkedTable(
  "announcements",
  {
    id: id(),
    heading: text("heading").notNull(),
    /** Sanitized HTML. */
    content: text("content").notNull(),
    /** Which of the links below say whom it is for. */
    sendingRules: text("sending_rules", { enum: SENDING_RULES }).notNull(),
    /** Only for those whom the rule selects and who belong to one of its portals. */
    narrowed: bool("narrowed").notNull(),
    /**
     * everyone: for all, unbounded; some: for whom its links reach; ended: past its expiry. What has just expired
     * becomes ended with the cron's next minute: reads hold it against the clock besides.
     */
    standing: text("standing", { enum: STANDINGS }).notNull(),
    /** 0: never. */
    expiresAt: integer("expires_at").notNull().default(0),
    /** How many users it names. The links' trigger takes off those who are deleted. */
    userCount: integer("user_count").notNull().default(0),
    /** Deleted with its author; null: an anonymous call of the `documented` policy. */
    authorId: integer("author_id").references(() => users.id, { onDelete: "cascade" }),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    // Every list is read by standing, branch by branch (src/db/list/merge-branches.ts).
    index("announcements_standing").on(table.standing),
    index("announcements_standing_heading").on(table.standing, sql`${table.heading} collate nocase`),
    index("announcements_standing_created").on(table.standing, table.createdAt),
    index("announcements_standing_rules").on(table.standing, table.sendingRules),
    index("announcements_standing_expires").on(table.standing, table.expiresAt),
    index("announcements_author").on(table.authorId),
  ],
)

const announcementId = () =>
  integer("announcement_id")
    .notNull()
    .references(() => announcements.id, { onDelete: "cascade" })

/** The announcement's expiry again, so that what has expired is not read; `FOR_GOOD` where it has none. */
const shownUntil = () => integer("shown_until").notNull()

/** Whom an announcement by `specific_users` is for. */
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

/** The courses whose users an announcement by `specific_course_users` is for. */
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
 * The portals to whose members an announcement is narrowed. One for all of them is found by these links; one by another
 * rule is found by that rule's links, and has 0 here as `shownUntil`.
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
