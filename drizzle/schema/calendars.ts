import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"
import { users } from "./users.ts"

/** A person's calendar subscription: anyone with its secret URL can read the person's sessions. */
export const calendarSubscriptions = sqliteTable("calendar_subscriptions", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** SHA-256 of the token in the URL. */
  tokenHash: text("token_hash").notNull().unique(),
  createdAt: createdAt(),
})

/**
 * Classes that left the calendar of a person with a subscription. The calendar shows them as canceled for a while. Only
 * triggers write them.
 */
export const calendarCancellations = sqliteTable(
  "calendar_cancellations",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The class may be deleted. */
    classId: integer("class_id").notNull(),
    /** The number of times that it left the calendar, which increases SEQUENCE. */
    count: integer("count").notNull(),
    version: integer("version").notNull(),
    courseName: text("course_name").notNull(),
    timeZone: text("time_zone").notNull(),
    startAt: integer("start_at").notNull(),
    endAt: integer("end_at").notNull(),
    canceledAt: integer("canceled_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.classId] }),
    index("calendar_cancellations_canceled").on(table.canceledAt),
  ],
)
