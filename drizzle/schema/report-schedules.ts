import { sql } from "drizzle-orm"
import { index, integer, primaryKey, text } from "drizzle-orm/sqlite-core"
import { bool, checkedTable, createdAt, id, updatedAt, version } from "./columns.ts"
import { users } from "./users.ts"

export const SCHEDULED_REPORTS = ["overdue", "due_summary", "compliance_matrix", "enrollments"] as const
export const REPORT_INTERVALS = ["weekly", "monthly"] as const
export const DELIVERY_STATUSES = ["waiting", "sent", "failed"] as const

/** Reports that are sent by mail each week or month. */
export const reportSchedules = checkedTable(
  "report_schedules",
  {
    id: id(),
    name: text("name").notNull(),
    report: text("report", { enum: SCHEDULED_REPORTS }).notNull(),
    /** The body of the export, with its format. */
    filter: text("filter", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    interval: text("interval", { enum: REPORT_INTERVALS }).notNull(),
    /** Weekly: 1 (Monday) to 7. Monthly: 1 to 31, or the last day of a shorter month. */
    day: integer("day").notNull(),
    /** The hour of the day in the owner's time zone. */
    hour: integer("hour").notNull(),
    ownerId: integer("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    active: bool("active").notNull(),
    /** When the sweep starts it next. 0: never */
    nextRunAt: integer("next_run_at").notNull(),
    /** 0: not yet */
    lastRunAt: integer("last_run_at").notNull().default(0),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("report_schedules_owner").on(table.ownerId),
    index("report_schedules_due").on(table.nextRunAt).where(sql`${table.nextRunAt} > 0`),
  ],
)

/** Who receives a report, its owner included. */
export const reportRecipients = checkedTable(
  "report_recipients",
  {
    scheduleId: integer("schedule_id")
      .notNull()
      .references(() => reportSchedules.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.scheduleId, table.userId] }),
    index("report_recipients_user").on(table.userId),
  ],
)

/** One report for one recipient. The key ensures that each period is sent once. */
export const reportDeliveries = checkedTable(
  "report_deliveries",
  {
    scheduleId: integer("schedule_id")
      .notNull()
      .references(() => reportSchedules.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The time for which it was scheduled. */
    runAt: integer("run_at").notNull(),
    /** The recipient's own export, with what they may see. */
    exportId: text("export_id").notNull(),
    status: text("status", { enum: DELIVERY_STATUSES }).notNull().default("waiting"),
    /** 0: not yet */
    sentAt: integer("sent_at").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.scheduleId, table.userId, table.runAt] }),
    index("report_deliveries_user").on(table.userId),
    index("report_deliveries_waiting").on(table.exportId).where(sql`${table.status} = 'waiting'`),
  ],
)
