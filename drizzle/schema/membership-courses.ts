import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { courses } from "./courses.ts"
import { memberships } from "./memberships.ts"

/** The courses that a membership gives access to. */
export const membershipCourses = sqliteTable(
  "membership_courses",
  {
    membershipId: integer("membership_id")
      .notNull()
      .references(() => memberships.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.membershipId, table.courseId] }),
    index("membership_courses_course").on(table.courseId, table.membershipId),
  ],
)
