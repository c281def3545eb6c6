import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt, id, searchText, updatedAt, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { users } from "./users.ts"

export const groups = sqliteTable(
  "groups",
  {
    id: id(),
    name: text("name").notNull(),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("groups_name").on(sql`${table.name} collate nocase`)],
)

export const groupMembers = sqliteTable(
  "group_members",
  {
    groupId: integer("group_id")
      .notNull()
      .references(() => groups.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    index("group_members_user").on(table.userId, table.groupId),
  ],
)

export const groupAdmins = sqliteTable(
  "group_admins",
  {
    groupId: integer("group_id")
      .notNull()
      .references(() => groups.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    index("group_admins_user").on(table.userId, table.groupId),
  ],
)

/**
 * The users that a group or portal administrator can see: each member of their groups and portals once, with the
 * number of groups and portals in common. Maintained by triggers, so that a scope is one index lookup and its size
 * one counter.
 */
export const supervisorScope = sqliteTable(
  "supervisor_scope",
  {
    supervisorId: integer("supervisor_id").notNull(),
    userId: integer("user_id").notNull(),
    linkCount: integer("link_count").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.supervisorId, table.userId] }),
    index("supervisor_scope_user").on(table.userId, table.supervisorId),
  ],
)

/** The seats of a group in a course. */
export const groupCourseSeats = sqliteTable(
  "group_course_seats",
  {
    groupId: integer("group_id")
      .notNull()
      .references(() => groups.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
    totalSeats: integer("total_seats").notNull(),
    /** The number of enrollments with the group. Only triggers write it. */
    usedSeats: integer("used_seats").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.courseId] }),
    index("group_course_seats_course").on(table.courseId, table.groupId),
  ],
)
