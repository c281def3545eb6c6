import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { bool, checkedTable, createdAt, id, updatedAt, version } from "./columns.ts"
import { users } from "./users.ts"

export const SCHEDULED_REPORTS = ["due_list", "compliance_matrix"] as const
export const REPORT_INTERVALS = ["weekly", "monthly"] as const
export const REPORT_FORMATS = ["xlsx", "csv", "ndjson"] as const

/** Reports that are sent by mail each week or month. */
export const reportSchedules = checkedTable(
  "report_schedules",
  {
    id: id(),
    name: text("name").notNull(),
    report: text("report", { enum: SCHEDULED_REPORTS }).notNull(),
    /** The body of the export. */
    filter: text("filter", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    format: text("format", { enum: REPORT_FORMATS }).notNull(),
    interval: text("interval", { enum: REPORT_INTERVALS }).notNull(),
    /** Weekly: 1 (Monday) to 7. Monthly: 1 to 31, or the last day of a shorter month. */
    day: integer("day").notNull(),
    /** The hour of the day in the owner's time zone. */
    hour: integer("hour").notNull(),
    ownerId: integer("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The owner's role when they created or last changed it. Without that role, the schedule stops. */
    ownerType: text("owner_type").notNull(),
    /** The staff who receive it besides its owner. */
    recipientIds: text("recipient_ids", { mode: "json" }).$type<number[]>().notNull(),
    active: bool("active").notNull(),
    /** When the sweep must send it next. 0: never */
    nextRunAt: integer("next_run_at").notNull(),
    /** 0: never */
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

/** One report for one recipient. The key ensures that each period is sent once. */
export const reportDeliveries = sqliteTable(
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
    exportId: text("export_id").notNull(),
    /** 0: the file is not complete yet */
    sentAt: integer("sent_at").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.scheduleId, table.userId, table.runAt] }),
    index("report_deliveries_user").on(table.userId),
    index("report_deliveries_waiting").on(table.exportId).where(sql`${table.sentAt} = 0`),
  ],
)
