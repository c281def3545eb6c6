import { z } from "@hono/zod-openapi"
import { REPORT_INTERVALS, SCHEDULED_REPORTS } from "../schema/report-schedules.ts"
import { boolean, choice, described, field, integer, object, text, time, userOf, uuid } from "./fields.ts"
import { eventObject, nestedUser, plainObject } from "./object.ts"

export const reportScheduleEvents = eventObject({
  name: "ReportSchedule",
  table: "report_schedules",
  fields: {
    id: integer("id"),
    name: text("name"),
    report: choice(SCHEDULED_REPORTS, "report"),
    interval: choice(REPORT_INTERVALS, "interval"),
    day: integer("day"),
    hour: integer("hour"),
    active: boolean("active"),
    user: userOf("row.owner_id"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  userId: "owner_id",
  previous: ["name", "interval", "day", "hour", "active"],
  // The filter and the recipients change the version. The runs do not.
  watched: ["version"],
  // The schedules of a deleted user are deleted with the user.
  parent: "EXISTS (SELECT 1 FROM users WHERE id = old.owner_id)",
  types: {
    "report_schedule.created": { meaning: "A report schedule was created", insert: true },
    "report_schedule.updated": { meaning: "A report schedule or its recipients changed", update: true },
    "report_schedule.deleted": { meaning: "A report schedule was deleted", delete: true, onlyIds: true },
  },
})

const schedule = object({ id: integer("id"), name: text("name") })

/** A report for one recipient. The id is the same for all recipients of a run. */
export const reportDeliveryEvents = eventObject({
  name: "ReportDelivery",
  table: "report_deliveries",
  from: `FROM report_deliveries AS row
    WHERE row.schedule_id = CAST(events.object_id AS INTEGER) AND row.user_id = events.user_id
      AND row.run_at = CAST(substr(events.object_id, instr(events.object_id, ':') + 1) AS INTEGER)`,
  fields: {
    id: described(field(z.string(), "events.object_id"), "The schedule and the time of the run"),
    reportSchedule: field(
      schedule.schema,
      `json((
        SELECT ${schedule.sql.replaceAll("row.", "schedule.")} FROM report_schedules AS schedule
        WHERE schedule.id = row.schedule_id
      ))`,
      schedule.read,
    ),
    user: userOf("row.user_id"),
    exportId: uuid("export_id"),
    runAt: time("run_at"),
  },
  objectId: (row) => `${row}.schedule_id || ':' || ${row}.run_at`,
  userId: "user_id",
  ids: { id: plainObject, user: nestedUser },
  watched: ["status"],
  types: {
    "report_schedule.delivered": {
      meaning: "The mail of a scheduled report was queued for a recipient",
      update: "new.status = 'sent'",
    },
    "report_schedule.failed": {
      meaning: "A scheduled report could not be written, or its recipient may not receive it",
      update: "new.status = 'failed'",
    },
  },
})
